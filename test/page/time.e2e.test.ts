/** Time in a real browser: any number of states is drawn in bounded parts, by the reader's own clock, and reached by keys. */
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browserProgram, startBrowser } from '../support/browser.ts'
import { openLullPage } from '../support/lull-page.ts'
import { servedForAll } from '../support/served.ts'
import { until } from '../support/until.ts'

const { file, skipped } = browserProgram
const states = ['working', 'idle', 'waiting']

/** An hour of sessions that change all the time. */
function restless(sessions: number, changes: number) {
  const now = Date.now()
  return Array.from({ length: sessions }, (_, session) =>
    Array.from({ length: changes }, (__, n) => ({
      ...{ id: `s${session}`, agent: 'claude', entry: n, kind: 'state', state: states[n % states.length] },
      at: new Date(now - 3600e3 + (n * 3600e3) / changes).toISOString(),
    })),
  ).flat()
}

async function opened(entries: readonly object[]) {
  const api = await servedForAll()
  const browser = await startBrowser()
  const { page, wrongs } = await openLullPage(browser, api)
  await page.route('**/v1/history?*', (route: Route) => route.fulfill({ json: { entries } }))
  await page.goto(`${page.url().split('#')[0]}#/time`)
  await page.locator('.line .stretch').first().waitFor()
  return { page, wrongs }
}

describe.runIf(file)(`Time${skipped}`, () => {
  test('of 20,000 states draws those that are near, and no more than can be told apart', async () => {
    const { page, wrongs } = await opened(restless(40, 500))
    expect(await page.locator('.chart ol > li').count()).toBe(40)
    const drawn = () => page.locator('.line .stretch').count()
    const first = await drawn()
    expect(first).toBeLessThan(3500)
    const last = page.locator('.line').last()
    expect(await last.locator('.stretch').count()).toBe(0)
    await last.scrollIntoViewIfNeeded()
    await last.locator('.stretch').first().waitFor()
    expect(await drawn()).toBeLessThan(3500)
    expect(wrongs).toEqual([])
  })

  test('has marks at round times of the clock', async () => {
    const { page } = await opened(restless(1, 5))
    const words = await page.locator('.ends span').allTextContents()
    expect(words.length).toBeGreaterThan(2)
    expect(words.slice(0, -1).filter(text => !/^\d\d:[0-5]0$/.test(text))).toEqual([])
    await page.getByRole('button', { name: 'Week' }).click()
    await until(
      () => page.locator('.ends span').allTextContents(),
      all => all.filter(text => /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/.test(text)).length > 4,
      'its days',
    )
  })

  test('one tab stop leads to each line, arrows to each of its states', async () => {
    const { page } = await opened(restless(1, 5))
    const all = page.locator('.line .stretch')
    await all.last().focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    const chosen = await all.nth(-2).getAttribute('aria-label')
    expect(await page.locator('.moment strong').textContent()).toBe(chosen?.split(' ')[0])
    expect(await page.locator('.line [tabindex="0"]').count()).toBe(1)
  })
})
