/** Debian's Chromium without a window, with a profile of its own. It reaches this machine alone. */
import path from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

export const browserFile = '/usr/bin/chromium'

/** Of its start, and of each step in a page: a second on an idle machine. ms */
const patienceMs = 90_000

/**
 * @param home a folder of its own
 * @param names host names that lead to 127.0.0.1; no other name leads anywhere
 */
export async function launchBrowser(home: string, names: readonly string[] = []): Promise<BrowserContext> {
  const rules = [...names.map(name => `MAP ${name} 127.0.0.1`), 'MAP * ~NOTFOUND']
  const context = await chromium.launchPersistentContext(path.join(home, 'profile'), {
    executablePath: browserFile,
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
  return context
}
