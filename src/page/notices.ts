/** Notifications that notify.yaml sends to pages (`page: true`), shown by the browser if the user allowed it. */
import { effect, signal } from '@preact/signals'
import { notice } from './host/link.ts'
import { hashOf } from './words.ts'

export const mayNotify = signal(typeof Notification === 'undefined' ? 'missing' : Notification.permission)

/** When the last test was shown, by `performance.now`. */
export const shownTest = signal(-Infinity)

export async function askToNotify(): Promise<void> {
  mayNotify.value = await Notification.requestPermission()
}

/** Chromium on a phone has the name, but makes none. */
function newNotification(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch {
    mayNotify.value = 'missing'
    return undefined
  }
}

/** Whoever asks for one looks at the page. By `testNotices` of the API. */
const isTest = (id: string): boolean => id.startsWith('test-')

export function followNotices(): void {
  const shown = new Map<string, Notification>()
  effect(() => {
    const loaded = notice.value
    if (!loaded) return
    const { id, title, text, session, urgent, withdrawn } = loaded
    shown.get(id)?.close()
    shown.delete(id)
    const isInFront = document.visibilityState === 'visible' && !isTest(id)
    if (withdrawn || mayNotify.value !== 'granted' || isInFront) return
    if (isTest(id)) shownTest.value = performance.now()
    const next = newNotification(title, { body: text, tag: id, requireInteraction: urgent })
    if (!next) return
    next.onclick = () => {
      window.focus()
      if (session !== undefined) location.hash = hashOf(session)
      next.close()
    }
    shown.set(id, next)
  })
}
