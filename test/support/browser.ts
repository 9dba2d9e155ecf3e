/** A real browser: Debian's Chromium without a window, with a profile of the test's own. It reaches this machine alone. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { temporaryFolder } from './lull.ts'
import { neededProgram } from './needed-program.ts'
import { until } from './until.ts'

export const browserProgram = neededProgram('chromium', ['/usr/bin/chromium'])

/** Of its start, and of each step in a page: a second on an idle machine. ms */
const patienceMs = 90_000

/**
 * Starts the browser; it ends with the test, and all of its processes are gone by then.
 * @param names host names that lead to 127.0.0.1 (DNS rebinding); no other name leads anywhere
 */
export async function startBrowser(...names: readonly string[]): Promise<BrowserContext> {
  const home = temporaryFolder()
  const rules = [...names.map(name => `MAP ${name} 127.0.0.1`), 'MAP * ~NOTFOUND']
  const context = await chromium.launchPersistentContext(path.join(home, 'profile'), {
    executablePath: browserProgram.file ?? '',
    timeout: patienceMs,
    chromiumSandbox: false,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, LANG: 'C.UTF-8' },
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      `--host-resolver-rules=${rules.join(',')},EXCLUDE 127.0.0.1,EXCLUDE localhost`,
    ],
  })
  context.setDefaultTimeout(patienceMs)
  onTestFinished(async () => {
    await context.close()
    await until(
      () => processesWith(home),
      left => left.length === 0,
      'the end of all processes of the browser',
    )
  })
  return context
}

/** Command lines that name a folder. */
function processesWith(folder: string): readonly string[] {
  const commands = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '')
  return commands.filter(command => command.includes(folder))
}
