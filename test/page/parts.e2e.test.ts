/** Parts of the page in a real browser: what each shows and offers, with answers of the API that a test chooses. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { browserProgram } from '../support/browser.ts'
import { lullHere } from '../support/lull-here.ts'
import { cuttableLine, openLullPage, pageStage, textOf } from '../support/lull-page.ts'
import { servedForAll } from '../support/served.ts'
import { until } from '../support/until.ts'

const { file, skipped } = browserProgram

const hostile = '<img src=x onerror=1>\u202e'

describe.runIf(file)(`a session${skipped}`, () => {
  test('shows its processes as boxes in boxes, and who waits for whom in words', async () => {
    const { api, browser, agent: start } = await pageStage(servedForAll)
    const { id } = await (await start()).row(() => true)
    const row = (pid: number, depth: number, more = {}) => ({
      ...{ pid, depth, name: `p${pid}`, command: hostile, waits: 'read: a pipe', whom: [], ...more },
    })
    const { page, wrongs } = await openLullPage(browser, api, { width: 320 })
    await page.route('**/processes', route =>
      route.fulfill({
        json: {
          ...{ pid: 5, sentence: 'Blocked.', cause: 'pipe', proof: 'proven', isBlocked: true, doubts: [] },
          rows: [row(5, 0), row(6, 1), row(7, 1), row(8, 2, { isLeaf: true })],
        },
      }),
    )
    await page.goto(`${api.url}/#/s/${id}`)
    await page.getByText('Processes', { exact: true }).click()
    const box = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
    await page.getByText('p5 (5) waits for p7 (7) waits for p8 (8): read: a pipe').waitFor()
    expect(await box('p8').last().textContent()).toContain('Everything waits for this')
    const depths = `[...document.querySelectorAll('.box')].map(box => box.querySelectorAll('.box').length)`
    expect(await page.evaluate(depths)).toEqual([3, 0, 1, 0])
    expect(await page.locator('.on-chain').count()).toBe(3)
    expect(await page.locator('#page img').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(wrongs).toEqual([])
  })

  test('shows an option whole, and how much it grants', async () => {
    const { api, browser, agent: start } = await pageStage(servedForAll)
    const agent = await start()
    agent.say('ask ls')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api)
    const scope = 'Yes, and don’t ask again for npm commands in /home/dev/project'
    const dialog = {
      ...{ dialog: 'aaaaaaaa', for: 'permission', via: 'screen', whole: 'yes', shows: ['npm test'] },
      options: [{ choice: 2, label: 'Yes, and don’t ask again for', text: scope, lasts: true }],
    }
    await page.route('**/v1/sessions/*', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), dialog } })
    })
    await page.goto(`${api.url}/#/s/${id}`)
    expect(await page.locator('.option').textContent()).toContain('npm commands in /home/dev/project')
  })

  test('whose answer had no effect that shows can be answered again, once the host still sees its dialog', async () => {
    const { api, browser, agent: start } = await pageStage(servedForAll)
    const agent = await start()
    agent.say('ask ls')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api, { view: `#/s/${id}` })
    const unconfirmed = { action: 'x', confirmed: false, dialog: 'aaaaaaaa', chosen: ['Yes'] }
    await page.route('**/answer', route => route.fulfill({ json: unconfirmed }))
    const yes = page.getByRole('button', { name: 'Yes' })
    await yes.click()
    await page.getByText('The agent has not confirmed it').waitFor()
    await page.unroute('**/answer')
    await yes.click()
    await page.getByText('✓ confirmed by the agent').waitFor()
  })

  test('that was so already at the first look has at least its age', async () => {
    const { api, browser, agent: start } = await pageStage(servedForAll)
    const { id } = await (await start()).row(() => true)
    const { page } = await openLullPage(browser, api)
    await page.route('**/v1/events?*', async route => {
      const { sessions } = (await (await route.fetch({ url: `${api.url}/v1/sessions` })).json()) as {
        sessions: object[]
      }
      const rows = sessions.map(row => ({ ...row, sinceLook: true }))
      const data = { at: new Date().toISOString(), resumed: false, sessions: rows }
      await route.fulfill({
        contentType: 'text/event-stream',
        body: `event: snapshot\ndata: ${JSON.stringify(data)}\n\n`,
      })
    })
    await page.reload()
    await page
      .locator(`.row[data-id="${id}"] .age`)
      .getByText(/^>\d+s$/)
      .waitFor()
  })
})

describe.runIf(file)(`runs${skipped}`, () => {
  test('show when the next one begins, and only what has an effect', async () => {
    const { api, browser } = await pageStage(servedForAll)
    const { page } = await openLullPage(browser, api)
    const at = new Date(Date.now() + 600_000).toISOString()
    const loop = (id: string, phase: string, more = {}) => ({
      ...{ id, agent: 'claude', state: 'idle', need: 'nothing', health: 'healthy', cwd: `/home/dev/${id}` },
      ...{ loop: { phase, iteration: 3, isPausing: false }, ...more },
    })
    const wakes = [{ kind: 'wakeup', at, in: 600 }]
    const loops = [loop('one', 'iterating'), loop('two', 'delaying', { wakes }), loop('three', 'paused')]
    await page.route('**/v1/loops', route => route.fulfill({ json: { loops } }))
    const respawn = {
      ...{ session: 'abcd1234', agent: 'claude', name: 'web', plan: 'night', pid: 1, phase: 'watching' },
      ...{ since: at, cycle: 1, step: 1, steps: 1, tally: {}, detection: { statusText: 'watching' } },
    }
    const respawns = [respawn]
    await page.route('**/v1/respawns', route => route.fulfill({ json: { respawns } }))
    await page.route('**/v1/respawns/*/pause', route => {
      respawns[0] = { ...respawn, phase: 'paused' }
      return route.fulfill({ json: { confirmed: true } })
    })
    await page.goto(`${api.url}/#/runs`)
    const of = (name: string) => page.getByRole('listitem').filter({ hasText: `dev/${name}` })
    const buttons = (name: string) => of(name).getByRole('button').allTextContents()
    await of('two')
      .getByText(/Next run in (9|10)m, at \d/)
      .waitFor()
    expect(await buttons('one')).toEqual(['Pause', 'Stop'])
    expect(await buttons('two')).toEqual(['Pause', 'Run now', 'Stop'])
    expect(await buttons('three')).toEqual(['Resume', 'Run now', 'Stop'])
    const kept = page.getByRole('listitem').filter({ hasText: 'Respawn of web' })
    expect(await kept.getByRole('link').getAttribute('href')).toBe('#/s/abcd1234')
    expect(await kept.getByRole('button').allTextContents()).toEqual([
      'Pause',
      'Leave out the next step',
      'Stop',
    ])
    await page.evaluate('globalThis.setTimeout = () => 0')
    await kept.getByRole('button', { name: 'Pause' }).click()
    await kept.getByRole('button', { name: 'Resume' }).waitFor()
  })
})

describe.runIf(file)(`devices${skipped}`, () => {
  test('send a test notice the whole way, which is shown while the page is in front', async () => {
    const { api, browser } = await pageStage()
    const { page } = await openLullPage(browser, api)
    // Chromium without a window grants none.
    await page.addInitScript(`
      window.shown = []
      window.Notification = class { static permission = 'granted'; constructor(title) { window.shown.push(title) } close() {} }
    `)
    await page.reload()
    await page.goto(`${api.url}/#/devices`)
    await page.getByText('none will come: no rule of notify.yaml').waitFor()
    const rules = path.join(api.env.XDG_CONFIG_HOME ?? path.join(api.env.HOME ?? '', '.config'), 'lull')
    mkdirSync(rules, { recursive: true })
    writeFileSync(path.join(rules, 'notify.yaml'), 'to: {browser: {page: true}}\n')
    await page.getByText('Notifications are on: a destination with').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('It arrived').waitFor()
    expect(await page.evaluate('window.shown')).toEqual(['lull: a test'])
  })

  test('show a link until it is used, and before a revocation whom it locks out', async () => {
    const { api, browser } = await pageStage(servedForAll)
    const { page } = await openLullPage(browser, api, { view: '#/devices' })
    await page.getByLabel('Name').fill('phone')
    await page.getByRole('button', { name: 'Create a link' }).click()
    const link = await page.locator('code', { hasText: '/pair?code=' }).textContent()
    const body = new URLSearchParams({ code: link?.split('=').at(-1) ?? '' })
    const { origin } = new URL(api.url)
    expect((await fetch(`${origin}/pair`, { method: 'POST', body, headers: { origin } })).status).toBe(200)
    await page.getByText('phone was let in').waitFor()
    expect(await page.locator('canvas').count()).toBe(0)
    const own = page.getByRole('listitem').filter({ hasText: '(this browser)' })
    await own.getByRole('button', { name: 'Revoke' }).click()
    await own.getByText('phone was let in by it, and ends with it. That locks out this browser').waitFor()
  })

  test('that may only read say why they list no tokens', async () => {
    const { api, browser } = await pageStage(servedForAll)
    const token = await api.newToken('viewer', 'read')
    const { page } = await openLullPage(browser, { ...api, token }, { view: '#/devices' })
    await page.getByText('The list of tokens needs a token that may act').waitFor()
  })
})

describe.runIf(file)(`the connection${skipped}`, () => {
  test('of a tab without a token is tried again once another tab has one', async () => {
    const { api, browser } = await pageStage(servedForAll)
    const { page } = await openLullPage(browser, { ...api, token: 'none' })
    await page.getByText('The token of this browser was revoked').waitFor()
    // Nobody comes back to this tab.
    await page.evaluate(`addEventListener('focus', event => event.stopImmediatePropagation(), true)`)
    await openLullPage(browser, api)
    await page.locator('.link.live').waitFor()
    expect(await textOf(page)).not.toContain('of this browser was revoked')
  })

  test('that delivers late is not shown as live, and is again once it is in time', async () => {
    const { api, browser } = await pageStage()
    const line = await cuttableLine(api.port)
    await lullHere(['serve', '--port', String(api.port), '--behind-proxy', `127.0.0.1:${line.port}`], api.env)
    const { page } = await openLullPage(browser, api, { port: line.port })
    await page.locator('.link.live').waitFor()
    line.delay(4000)
    await page.getByText(/slow line, \d s behind: this may be old/).waitFor()
    const seen = new Set<string>()
    let asked = 0
    page.on('request', request => {
      if (request.url().endsWith('/v1/status')) asked++
    })
    await until(
      async () => {
        seen.add((await page.locator('.link').getAttribute('class')) ?? '')
        return asked
      },
      times => times >= 2,
      'two questions for the time of the host',
    )
    expect([...seen]).toEqual(['link stale'])
    line.delay(0)
    await page.locator('.link.live').waitFor()
  })
})
