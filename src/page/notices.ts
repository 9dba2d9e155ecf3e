/** What notify.yaml tells this page of (`page: true`), as the browser's own notices, where its person allowed them. */
import { effect, signal } from '@preact/signals'
import { notice } from './host/link.ts'

export const mayNotify = signal(typeof Notification === 'undefined' ? 'missing' : Notification.permission)

export async function askToNotify(): Promise<void> {
  mayNotify.value = await Notification.requestPermission()
}

export function followNotices(): void {
  const shown = new Map<string, Notification>()
  effect(() => {
    const loaded = notice.value
    if (!loaded) return
    const { id, title, text, session, urgent, withdrawn } = loaded
    shown.get(id)?.close()
    shown.delete(id)
    if (withdrawn || mayNotify.value !== 'granted' || document.visibilityState === 'visible') return
    let next: Notification
    try {
      next = new Notification(title, { body: text, tag: id, requireInteraction: urgent })
    } catch {
      // Chrome on Android allows them to service workers only.
      mayNotify.value = 'missing'
      return
    }
    next.onclick = () => {
      window.focus()
      if (session !== undefined) location.hash = `#/s/${encodeURIComponent(session)}`
      next.close()
    }
    shown.set(id, next)
  })
}
