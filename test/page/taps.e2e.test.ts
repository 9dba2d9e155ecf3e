/** A tap in a real browser reaches what its person saw, once, and never what took its place. */
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browserProgram } from '../support/browser.ts'
import { startHookedAgent } from '../support/hooked-agents.ts'
import { httpServer } from '../support/http-server.ts'
import { openLullPage, pageStage, textOf } from '../support/lull-page.ts'
import { servedForAll } from '../support/served.ts'
import { until } from '../support/until.ts'

const { file, skipped } = browserProgram

async function stage() {
  const { agent, ...around } = await pageStage(servedForAll)
  return { ...around, agent: await agent() }
}

const yesOf = (page: Page) => page.getByRole('button', { name: 'Yes' })
/** Taps within the same frame in which that text comes to stand there. */
const tapAsSoonAs = (place: string, words: string) => `new Promise(done => {
  const look = () => {
    if (!document.querySelector(${JSON.stringify(place)})?.textContent.includes(${JSON.stringify(words)})) return requestAnimationFrame(look)
    document.querySelector('.option:not(.refuses)').click()
    done()
  }
  look()
})`

/** As where no hook is heard: an id means a text. */
const sameWords = {
  ...{ dialog: 'aaaaaaaa', for: 'permission', via: 'screen', whole: 'yes', shows: ['npm test'] },
  options: [{ choice: '1', label: 'Yes' }],
}
const withSameWords = async (route: Route) => {
  const response = await route.fetch()
  await route.fulfill({ response, json: { ...(await response.json()), dialog: sameWords } })
}
const confirmed = { action: 'x', confirmed: true, dialog: 'aaaaaaaa', chosen: ['Yes'] }

describe.runIf(file)(`a tap${skipped}`, () => {
  test('that was on its way when another dialog took the place of the first reaches none', async () => {
    const { api, browser, agent } = await stage()
    agent.say('ask ls')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api, { view: `#/s/${id}` })
    await yesOf(page).waitFor()
    const tapped = page.evaluate(tapAsSoonAs('.dialog', 'curl'))
    agent.say('go on')
    agent.say('ask curl https://example.org')
    await tapped
    expect(await textOf(page)).not.toContain('✓ sent')
    await yesOf(page).click()
    await page.getByText('✓ confirmed by the agent').waitFor()
  })

  test('that was on its way when the dialog moved reaches none', async () => {
    const { api, browser, agent } = await stage()
    agent.say('ask ls')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api)
    let reason = 'It asks.'
    await page.route('**/v1/sessions/*', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), reason } })
    })
    await page.goto(`${api.url}/#/s/${id}`)
    await page.locator('[aria-disabled=false] .option:enabled').first().waitFor()
    await yesOf(page).focus()
    const tapped = page.evaluate(tapAsSoonAs('.verdict', 'now longer'))
    reason = 'It is now longer. '.repeat(20)
    await tapped
    expect(await textOf(page)).not.toContain('✓ sent')
    // Who types there goes on.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Yes')
  })

  test('answers no other session that asks in the same words, and not what asks so again', async () => {
    const { api, browser, agent } = await stage()
    const other = await startHookedAgent(api.env, api.read)
    for (const one of [agent, other]) one.say('ask npm test')
    const [{ id }, { id: otherId }] = [await agent.asked(), await other.asked()]
    const { page } = await openLullPage(browser, api)
    await page.route('**/v1/sessions/*', withSameWords)
    await page.route('**/answer', route => route.fulfill({ json: confirmed }))
    await page.goto(`${api.url}/#/s/${id}`)
    await yesOf(page).click()
    await page.getByText('✓ confirmed by the agent').waitFor()
    // As it still stands there, it asks again.
    await page.getByText('✓ confirmed by the agent').waitFor({ state: 'detached' })
    await yesOf(page).click()
    await page.goto(`${api.url}/#/s/${otherId}`)
    await page.locator('.folder').getByText(other.folder, { exact: false }).first().waitFor()
    expect(await textOf(page)).not.toContain('✓ sent')
    await yesOf(page).click()
  })

  test('is not taken where the host can’t tell what stands there now', async () => {
    const { api, browser, agent } = await stage()
    agent.say('ask ls')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api, { view: `#/s/${id}` })
    await yesOf(page).waitFor()
    const failure = { error: { code: 'FAILED', message: 'it failed inside' } }
    await page.route('**/v1/sessions/*', route => route.fulfill({ status: 500, json: failure }))
    await page.getByText('This may be old: it failed inside').waitFor()
    expect(await yesOf(page).isDisabled()).toBe(true)
    await page.unroute('**/v1/sessions/*')
    await yesOf(page).click()
    await page.getByText('✓ confirmed by the agent').waitFor()
    await page.evaluate(() => {
      const { timeout } = AbortSignal
      AbortSignal.timeout = ms => timeout.call(AbortSignal, ms / 10)
    })
    // One that is lost without a word keeps no later one away. The second keeps the words in sight until it is given up.
    agent.say('ask ls -la')
    await page.getByText('ls -la').first().waitFor()
    await page.route('**/v1/sessions/*', () => undefined, { times: 2 })
    await page.getByText('This may be old: the host does not respond').waitFor()
    await page.getByText('This may be old').waitFor({ state: 'detached' })
  })

  test('is one while a key is held, and one that comes twice sends one prompt', async () => {
    const { api, browser, agent } = await stage()
    agent.say('ask rm -rf build')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api, { view: `#/s/${id}` })
    await page.locator('[aria-disabled=false] .option:enabled').first().waitFor()
    await yesOf(page).focus()
    for (let n = 0; n < 25; n++) {
      await page.keyboard.down('Enter')
      await page.waitForTimeout(40)
    }
    await page.keyboard.up('Enter')
    expect(await textOf(page)).not.toContain('✓ sent')

    // A person allows it at the keyboard: nothing is asked any more.
    agent.say('go on')
    let sent = 0
    await page.route('**/send', async route => {
      sent++
      await page.waitForTimeout(300)
      await route.fulfill({ json: { action: 'x', confirmed: true } })
    })
    await page.locator('.prompt textarea').fill('go')
    await page.getByRole('button', { name: 'Send' }).dblclick()
    await page.getByText('The program read it').waitFor()
    expect(sent).toBe(1)
  })

  test('hands in no ticks but those that are shown', async () => {
    const { api, browser, agent } = await stage()
    agent.say('ask ls')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api)
    const options = [
      { choice: 1, label: 'lint', checked: true },
      { choice: 2, label: 'deploy', checked: false },
    ]
    await page.route('**/v1/sessions/*', async route => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        json: { ...(await response.json()), dialog: { ...sameWords, options } },
      })
    })
    const asked: unknown[] = []
    await page.route('**/answer', async route => {
      asked.push(route.request().postDataJSON())
      await route.fulfill({ json: confirmed })
    })
    await page.goto(`${api.url}/#/s/${id}`)
    const submit = page.getByRole('button', { name: 'Submit' })
    await page.locator('[aria-disabled=false] .tick input:enabled').first().waitFor()
    await page.getByLabel('lint').uncheck()
    // Of nothing, the host would hand in what is ticked there by now.
    expect(await submit.isDisabled()).toBe(true)
    await page.getByLabel('deploy').check()
    await submit.click()
    await until(
      () => asked,
      all => all.length > 0,
      'the answer',
    )
    expect(asked).toEqual([{ dialog: 'aaaaaaaa', choice: ['2'] }])
  })
})

describe.runIf(file)(`another page${skipped}`, () => {
  test('that opened this one can’t lead it elsewhere', async () => {
    const { api, browser } = await stage()
    await openLullPage(browser, api)
    const { url } = await httpServer()
    const opener = await browser.newPage()
    await opener.goto(url)
    const [page] = await Promise.all([
      opener.waitForEvent('popup'),
      opener.evaluate(`globalThis.opened = open('${api.url}/'); 1`),
    ])
    await page.locator('.link.live').waitFor()
    expect(await opener.evaluate('opened.closed')).toBe(true)
    await opener.evaluate(`opened.location = '${api.url}/#/devices'; 1`)
    await opener.waitForTimeout(300)
    expect(page.url()).toBe(`${api.url}/`)
  })

  test('that leads to an address which is none leaves no other view standing', async () => {
    const { api, browser, agent } = await stage()
    const { id } = await agent.row(() => true)
    const { page, wrongs } = await openLullPage(browser, api)
    await page.locator(`.row[data-id="${id}"]`).waitFor()
    await page.goto(`${api.url}/#/s/%`)
    await page.locator('.row').first().waitFor({ state: 'detached' })
    expect(await page.locator('.problem').count()).toBe(1)
    await page.goto(`${api.url}/#/`)
    await page.locator(`.row[data-id="${id}"]`).waitFor()
    expect(wrongs).toEqual([])
  })
})

test.runIf(file)('a browser that can’t show a notice keeps its connection', async () => {
  const { api, browser } = await stage()
  const { page, wrongs } = await openLullPage(browser, api, { view: '#/devices' })
  await page.addInitScript(`
    globalThis.Notification = function () { throw new TypeError('Illegal constructor') }
    Notification.permission = 'granted'
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  `)
  await page.reload()
  await page.locator('.link.live').waitFor()
  await page.evaluate(`
    globalThis.links = []
    const link = document.querySelector('.link')
    new MutationObserver(() => links.push(link.className)).observe(link, { attributes: true })
  `)
  const { host } = await import('../../src/host/find-host.ts')
  const body = JSON.stringify({ id: 'n', title: 't', text: 'x', urgent: true, count: 1, withdrawn: false })
  await host.ask(`${api.env.LULL_RUNTIME_DIR}/host.sock`, { path: '/v1/notice', method: 'POST', body })
  await page.getByText('This browser does not allow notifications').waitFor()
  expect(await page.evaluate('links')).toEqual([])
  expect(wrongs).toEqual([])
})
