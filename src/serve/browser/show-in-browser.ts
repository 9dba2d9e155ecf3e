import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { html } from '../html-page.ts'

/**
 * Opens a link that lets one browser in, where this machine has a desktop: whoever calls it prints the link, too. Every user of the
 * machine reads the words of a command, and could use the link first: the browser is given a file that leads there.
 * @param folder that no other user reads
 */
export function showInBrowser(link: string, folder: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const isMac = process.platform === 'darwin'
  if (!isMac && !DISPLAY && !WAYLAND_DISPLAY) return
  const file = path.join(folder, 'open-page.html')
  const leads = `<!doctype html><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${html(link)}"><title>lull</title>\n`
  try {
    rmSync(file, { force: true })
    writeFileSync(file, leads, { mode: 0o600, flag: 'wx' })
  } catch {
    // The link is printed.
    return
  }
  const child = spawn(isMac ? 'open' : 'xdg-open', [file], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
