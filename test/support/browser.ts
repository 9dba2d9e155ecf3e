/** A real browser (bench/lab/browser.ts): one for the tests of a file, each of which finds it as if it were new. */
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { browserFile, launchBrowser } from '../../bench/lab/browser.ts'
import { temporaryFolder } from './lull.ts'
import { neededProgram } from './needed-program.ts'
import { processesOf } from './processes-of.ts'
import { until } from './until.ts'

export const browserProgram = neededProgram('chromium', [browserFile])

type Started = { readonly home: string; readonly context: Promise<BrowserContext> }

/** By the names that it knows. */
const started = new Map<string, Started>()

/**
 * Its pages, cookies and storage end with the test; scripts and routes belong to a page, as they would stay.
 * @param names host names that lead to 127.0.0.1 (DNS rebinding); no other name leads anywhere
 */
export async function startBrowser(...names: readonly string[]): Promise<BrowserContext> {
  const known = started.get(names.join()) ?? launch(names)
  const context = await known.context
  // A context of its own would cost more than most tests do in it, and so would a first page: that stays as it is.
  onTestFinished(async () => {
    const [first, ...pages] = context.pages()
    const client = await context.newCDPSession(first as Page)
    for (const page of pages) {
      const { protocol, origin } = new URL(page.url())
      await page.close()
      if (protocol === 'http:')
        await client.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    }
    await client.detach()
    await context.clearCookies()
  })
  return context
}

function launch(names: readonly string[]): Started {
  const home = temporaryFolder()
  const one = { home, context: launchBrowser(home, names) }
  started.set(names.join(), one)
  return one
}

/** All of its processes are gone by then. */
afterAll(async () => {
  for (const { home, context } of started.values()) {
    await (await context).close()
    await until(
      () => processesOf(home),
      left => left.length === 0,
      'the end of all processes of the browser',
    )
  }
})
