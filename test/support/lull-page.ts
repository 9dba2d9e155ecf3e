/** The page of an API in a real browser that has its token. */
import { once } from 'node:events'
import net from 'node:net'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { cookieNameOf } from '../../src/serve/gate.ts'
import { startBrowser } from './browser.ts'
import { startHookedAgent } from './hooked-agents.ts'
import { served, type servedForAll } from './served.ts'
import { until } from './until.ts'

/**
 * A served API, a browser, and the way to an agent that asks.
 * @param serve `servedForAll`, where the host may have other sessions, tokens and pages
 */
export async function pageStage(serve: typeof served | typeof servedForAll = served) {
  const api = await serve()
  const browser = await startBrowser()
  return { api, browser, agent: () => startHookedAgent(api.env, api.read) }
}

/** All words of a page, in the order of its elements. */
export const textOf = async (page: Page): Promise<string> => (await page.locator('body').textContent()) ?? ''

/**
 * Taps on a row until its session is shown: where a row above it grows between press and release, the tap is none. Other agents of this
 * machine are listed, too.
 */
export async function openSession(page: Page, row: Locator): Promise<void> {
  await until(
    async () => {
      await row.click()
      return page.evaluate('location.hash')
    },
    hash => hash !== '' && hash !== '#/',
    'the session',
  )
}

type Api = { readonly url: string; readonly token: string }

/**
 * @param port of what stands between the browser and the API
 * @returns the page, and what went wrong in it so far
 */
export async function openLullPage(
  browser: BrowserContext,
  { url, token }: Api,
  { port, view = '', width = 400 }: { port?: number; view?: string; width?: number } = {},
): Promise<{ readonly page: Page; readonly wrongs: readonly string[] }> {
  // Behind a proxy its name is another one.
  const names = [
    cookieNameOf({ port: Number(new URL(url).port) }),
    cookieNameOf({ port: 0, proxy: 'a line' }),
  ]
  const cookie = { value: token, domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' as const }
  await browser.addCookies(names.map(name => ({ ...cookie, name })))
  const page = await browser.newPage()
  const wrongs: string[] = []
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail' || page.isClosed()) return
    console.error(`${page.url()} showed: ${(await textOf(page)).slice(0, 3000)}`, wrongs)
  })
  page.on('pageerror', error => wrongs.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
      wrongs.push(message.text())
  })
  await page.setViewportSize({ width, height: 800 })
  await page.goto(`${port === undefined ? url : `http://127.0.0.1:${port}`}/${view}`)
  return { page, wrongs }
}

/**
 * A line to the API that can be cut: what is sent into it then is lost without a word, as where a phone leaves its network.
 * @param to the API's port; it is served `--behind-proxy` of the line's
 */
export async function cuttableLine(to: number) {
  let isCut = false
  let delayMs = 0
  const open = new Set<net.Socket>()
  const server = net.createServer(client => {
    const host = net.connect(to, '127.0.0.1')
    for (const [from, into] of [
      [client, host],
      [host, client],
    ] as const) {
      open.add(from)
      from.on('data', piece => {
        if (isCut) return
        if (from === host && delayMs > 0) setTimeout(() => into.writable && into.write(piece), delayMs)
        else into.write(piece)
      })
      from.on('error', () => into.destroy())
      from.on('close', () => {
        open.delete(from)
        into.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as net.AddressInfo).port,
    cut() {
      isCut = true
    },
    /** What the API sends comes so much later from now on. */
    delay(ms: number) {
      delayMs = ms
    },
    /** What was lost stays lost. */
    mend() {
      isCut = false
      for (const socket of open) socket.destroy()
    },
  }
}
