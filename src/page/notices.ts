/** Notifications that notify.yaml sends to pages (`page: true`), shown by the browser if the user allowed it. */
import { effect, signal } from '@preact/signals'
import { isTestNotice } from '../shapes/test-notice.ts'
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

export function followNotices(): void {
  const shown = new Map<string, Notification>()
  effect(() => {
    const loaded = notice.value
    if (!loaded) return
    const { id, title, text, session, urgent, withdrawn } = loaded
    shown.get(id)?.close()
    shown.delete(id)
    // Whoever asks for a test looks at the page.
    const isInFront = document.visibilityState === 'visible' && !isTestNotice(id)
    if (withdrawn || mayNotify.value !== 'granted' || isInFront) return
    if (isTestNotice(id)) shownTest.value = performance.now()
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
