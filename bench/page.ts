/**
 * `npm run bench:page`: the page in a real Chromium over a thousand generated sessions: how soon it is there, how soon a change is seen, what
 * it costs, and how soon it says that its host is not heard. Exits 1 where it misses a floor.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { placesOf } from '../src/os/file/places.ts'
import { cookieNameOf } from '../src/serve/gate.ts'
import { addToken } from '../src/serve/tokens.ts'
import { type Figure, reportFigures } from './figures.ts'
import { freePort } from './free-port.ts'
import { browserFile, launchBrowser } from './lab/browser.ts'
import { quantile } from './live/processes.ts'
import { ownHome } from './own-home.ts'
import { startChild } from './serve/child.ts'
import type { ServerOrder, ServerReply } from './serve/server.ts'
import { measureSlowness, slownessLine } from './slowness.ts'

if (!existsSync(browserFile)) {
  process.stdout.write(`skipped: ${browserFile} is not there, npm run setup-bench -- --tests installs it\n`)
  process.stdout.write(`${JSON.stringify({ bench: 'page', skipped: true })}\n`)
  process.exit(0)
}

const slowness = measureSlowness()
process.stdout.write(slownessLine(slowness))

const count = 1000
const { home, env } = ownHome('bench-page')
const token = await addToken(placesOf(env), 'bench', 'act', { now: performance.now(), wall: Date.now() })
const port = await freePort()
const startServer = () => startChild<ServerOrder, ServerReply>('server.ts', [port, count], env)
const server = startServer()
await server.reply()

const browser = await launchBrowser(home)
await browser.addCookies([
  {
    name: cookieNameOf({ port }),
    ...{ value: token, domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' as const },
  },
])

/** ms since the epoch at the machine's monotonic 0: by it, an instant of the generator is one of the browser. */
const epoch = Date.now() - Number(process.hrtime.bigint()) / 1e6

/** In the page: notes tasks that last, and when what a row shows was drawn. */
const watcher = `(() => {
  window.seen = { delays: [], longest: 0, tasks: 0 }
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) {
      window.seen.tasks++
      window.seen.longest = Math.max(window.seen.longest, duration)
    }
  }).observe({ entryTypes: ['longtask'] })
  new MutationObserver(changes => {
    const due = []
    for (const { target } of changes) {
      const [, at] = /@\\d+,(\\d+)@/.exec(target.textContent ?? '') ?? []
      if (at !== undefined && target.nodeType === Node.TEXT_NODE) due.push(Number(at) / 1000)
    }
    if (due.length === 0) return
    requestAnimationFrame(() => {
      const drawn = performance.timeOrigin + performance.now()
      for (const at of due) window.seen.delays.push(drawn - at - ${epoch})
    })
  }).observe(document, { subtree: true, characterData: true })
})()`

type Seen = { readonly delays: readonly number[]; readonly longest: number; readonly tasks: number }

async function open(): Promise<{ readonly page: Page; readonly paintMs: number; readonly rowsMs: number }> {
  const page = await browser.newPage()
  await page.setViewportSize({ width: 400, height: 800 })
  const from = performance.now()
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.locator('.row').first().waitFor()
  const rowsMs = performance.now() - from
  const paint = `performance.getEntriesByName('first-contentful-paint')[0].startTime`
  return { page, rowsMs, paintMs: (await page.evaluate(paint)) as number }
}

const opened = []
for (let n = 0; n < 5; n++) {
  const one = await open()
  opened.push(one)
  if (n < 4) await one.page.close()
}
const { page } = opened.at(-1) as (typeof opened)[number]

await page.evaluate(watcher)
await server.ask({ do: 'signals', perSecond: 50, seconds: 20 })
await sleep(500)
const seen = (await page.evaluate('window.seen')) as Seen
const client = await browser.newCDPSession(page)
await client.send('HeapProfiler.collectGarbage')
const heap = (await page.evaluate('performance.memory.usedJSHeapSize')) as number

/** What the process of the page has for itself, MB: Chromium's own share of a blank page is in it. */
function rendererMegabytes(): number {
  const sizes = globSync('/proc/[0-9]*').flatMap(folder => {
    try {
      const words = readFileSync(path.join(folder, 'cmdline'), 'utf8')
      if (!words.includes('--type=renderer') || !words.includes(home)) return []
      const rollup = readFileSync(path.join(folder, 'smaps_rollup'), 'utf8')
      const [clean = 0, dirty = 0] = ['Private_Clean', 'Private_Dirty'].map(
        field => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(rollup)?.[1] ?? 0) / 1024,
      )
      return [clean + dirty]
    } catch {
      return []
    }
  })
  return Math.max(...sizes, 0)
}
const megabytes = rendererMegabytes()

/** A host that stands still, as one behind a network that is gone: it is said, and then it is there again. */
async function standStill() {
  const { pid } = await server.ask({ do: 'usage' })
  const from = performance.now()
  process.kill(pid, 'SIGSTOP')
  await page.locator('.link.stale').waitFor()
  const staleMs = performance.now() - from
  await sleep(3000)
  process.kill(pid, 'SIGCONT')
  const again = performance.now()
  await page.locator('.link.live').waitFor()
  return { staleMs, backMs: performance.now() - again }
}
const still = await standStill()

/** The host ends, and another one comes. */
async function restart() {
  await server.ask({ do: 'close' })
  await server.end()
  await page.locator('.link.stale').waitFor()
  const next = startServer()
  await next.reply()
  const from = performance.now()
  await page.locator('.link.live').waitFor()
  const backMs = performance.now() - from
  const rows = (await page.evaluate(
    `[...document.querySelectorAll('.row')].map(row => row.dataset.id)`,
  )) as readonly string[]
  await next.ask({ do: 'close' })
  await next.end()
  return { backMs, twice: rows.length - new Set(rows).size }
}
const restarted = await restart()
await browser.close()

const files = globSync(path.resolve(import.meta.dirname, '../dist/page/assets/*.js'))
const size = (file: string): number => gzipSync(readFileSync(file)).length / 1024
const all = files.map(size).reduce((sum, one) => sum + one, 0)
const first = files.filter(file => path.basename(file).startsWith('main-')).map(size)

const figures: readonly Figure[] = [
  {
    name: 'paintMs',
    what: 'first paint, median of 5, ms',
    value: quantile(
      opened.map(({ paintMs }) => paintMs),
      0.5,
    ),
    most: 1000 * slowness,
  },
  {
    name: 'rowsMs',
    what: 'rows of 1,000 sessions are there, median of 5, ms',
    value: quantile(
      opened.map(({ rowsMs }) => rowsMs),
      0.5,
    ),
  },
  { name: 'changes', what: 'changes that were seen', value: seen.delays.length, least: 20 },
  { name: 'seenP50Ms', what: 'signal → drawn, p50 ms', value: quantile(seen.delays, 0.5) },
  {
    name: 'seenP95Ms',
    what: 'signal → drawn, p95 ms',
    value: quantile(seen.delays, 0.95),
    most: 200 * slowness,
  },
  {
    name: 'longestTaskMs',
    what: 'longest task with 50 changes a second, ms',
    value: seen.longest,
    most: 100 * slowness,
  },
  { name: 'heapMegabytes', what: 'JavaScript heap, MB', value: heap / 1024 ** 2, digits: 1 },
  { name: 'megabytes', what: 'memory of the page’s process, MB', value: megabytes, most: 150 },
  {
    name: 'staleMs',
    what: 'a host that stands still is said, ms',
    value: still.staleMs,
    most: 3000 * slowness,
  },
  { name: 'backMs', what: 'it is live again after that, ms', value: still.backMs, most: 2000 * slowness },
  {
    name: 'restartMs',
    what: 'it is live again after a restart, ms',
    value: restarted.backMs,
    most: 2000 * slowness,
  },
  { name: 'twice', what: 'rows shown twice', value: restarted.twice, most: 0 },
  {
    name: 'firstKilobytes',
    what: 'JavaScript of the first view, gzip kB',
    value: Math.max(...first),
    most: 90,
    digits: 1,
  },
  { name: 'allKilobytes', what: 'all JavaScript, gzip kB', value: all, most: 300, digits: 1 },
]
reportFigures('page', slowness, figures)
process.exit()
