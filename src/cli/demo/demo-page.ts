/** `lull demo --page`: recorded sessions on the page, played in real time until a signal ends it. */
import { once } from 'node:events'
import os from 'node:os'
import { showInBrowser } from '../../serve/browser/show-in-browser.ts'
import { openDemoDoor } from '../../serve/doors/demo-door.ts'
import { lines, print } from '../ui/print.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param files of recordings */
export async function demoPage(files: readonly string[], version: string): Promise<void> {
  const { link, folder, close } = await openDemoDoor(files, version)
  print(lines('recorded sessions on the page, in real time (Ctrl+C: end)', link))
  showInBrowser(link, folder)
  const ended = await Promise.race(signals.map(signal => once(process, signal).then(() => signal)))
  await close()
  process.exitCode = 128 + os.constants.signals[ended]
}
