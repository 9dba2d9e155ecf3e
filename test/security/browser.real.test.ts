/**
 * A real browser that may use the API, and pages of others in it: they can neither read nor act, though its cookie goes along with what
 * a page of another port of the same host asks for.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { browserProgram, startBrowser } from '../support/browser.ts'
import { httpServer } from '../support/http-server.ts'
import { lullHere } from '../support/lull-here.ts'
import { jsonHere, served } from '../support/served.ts'
import { until } from '../support/until.ts'

const { file, skipped } = browserProgram

/** An API, and a browser in which a person has opened the pairing link. */
async function pairedBrowser(...names: readonly string[]) {
  const api = await served()
  const { url: link } = await jsonHere(
    ['serve', 'token', 'add', 'browser', '--qr', '--scope', 'act'],
    api.env,
  )
  const browser = await startBrowser(...names)
  const page = await browser.newPage()
  const pair = async (): Promise<string> => {
    await page.goto(String(link))
    await page.click('button')
    return (await page.textContent('p')) ?? ''
  }
  return { api, browser, page, pair, said: await pair() }
}

test.runIf(file)(`a pairing link works once, and its cookie is kept from scripts${skipped}`, async () => {
  const { api, browser, page, pair, said } = await pairedBrowser()
  expect(said).toBe('This browser may use lull now.')
  const [cookie, ...others] = await browser.cookies()
  expect(others).toEqual([])
  expect(cookie).toMatchObject({
    name: 'lull_token',
    httpOnly: true,
    sameSite: 'Strict',
    domain: '127.0.0.1',
  })
  expect(await page.evaluate('document.cookie')).toBe('')
  expect((await page.goto(`${api.url}/v1/sessions`))?.status()).toBe(200)
  expect(await pair()).toContain('This link was used')
})

const foreignPage = readFileSync(new URL('foreign-page.html', import.meta.url), 'utf8')

test.runIf(file)(`pages of others can neither read nor act${skipped}`, async () => {
  const { api, browser, page } = await pairedBrowser('evil.test')
  const { port } = await httpServer(() => ({ status: 200, text: foreignPage }))
  const sent: { readonly path: string; readonly method: string; readonly hasCookie: boolean }[] = []
  browser.on('request', request => {
    void request.allHeaders().then(
      headers =>
        sent.push({
          path: new URL(request.url()).pathname,
          method: request.method(),
          hasCookie: headers.cookie?.includes('lull_token=') === true,
        }),
      () => undefined,
    )
  })
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `evil.test:${port}`]
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
  const rebound = await page.goto(`http://evil.test:${api.port}/v1/sessions`)
  expect([rebound?.status(), await rebound?.json()]).toMatchObject([421, { error: { code: 'WRONG_HOST' } }])

  const { stdout } = await lullHere(['history', '--json', '--since', '1h'], api.env)
  expect(stdout).not.toContain('api.begun')
  const { sessions } = await api.read('/v1/sessions')
  expect((sessions as { name?: string }[]).filter(({ name }) => name === 'evil')).toEqual([])
})
