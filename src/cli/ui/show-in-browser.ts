import { spawn } from 'node:child_process'

/** Opens a link where this machine has a desktop: whoever calls it prints the link, too. */
export function showInBrowser(link: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const isMac = process.platform === 'darwin'
  if (!isMac && !DISPLAY && !WAYLAND_DISPLAY) return
  const child = spawn(isMac ? 'open' : 'xdg-open', [link], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
