/** A real browser (bench/lab/browser.ts) for a test. */
import { readdirSync, readFileSync } from 'node:fs'
import type { BrowserContext } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { browserFile, launchBrowser } from '../../bench/lab/browser.ts'
import { attempt } from '../../src/os/attempt.ts'
import { temporaryFolder } from './lull.ts'
import { neededProgram } from './needed-program.ts'
import { until } from './until.ts'

export const browserProgram = neededProgram('chromium', [browserFile])

/**
 * Starts the browser; it ends with the test, and all of its processes are gone by then.
 * @param names host names that lead to 127.0.0.1 (DNS rebinding); no other name leads anywhere
 */
export async function startBrowser(...names: readonly string[]): Promise<BrowserContext> {
  const home = temporaryFolder()
  const context = await launchBrowser(home, names)
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
