/** The page plays recordings in a real browser: the verdict and the screen of one moment, found from where it happened. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browserProgram, startBrowser } from '../support/browser.ts'
import { startHookedAgent } from '../support/hooked-agents.ts'
import { openLullPage } from '../support/lull-page.ts'
import { startLull } from '../support/running.ts'
import { served, servedForAll } from '../support/served.ts'
import { until } from '../support/until.ts'

const { file, skipped } = browserProgram
const demo = path.resolve(import.meta.dirname, '../../demo')

async function stage(serve: typeof served | typeof servedForAll = servedForAll) {
  const api = await serve()
  const folder = path.join(api.env.XDG_STATE_HOME ?? '', 'lull/recordings')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const browser = await startBrowser()
  return {
    ...{ api, browser, folder },
    put: (name: string, ...rows: readonly unknown[]) =>
      writeFileSync(path.join(folder, name), rows.map(row => `${JSON.stringify(row)}\n`).join('')),
    open: (view: string) => openLullPage(browser, api, { view }),
  }
}

const header = {
  ...{ version: 2, width: 30, height: 4, timestamp: 1_700_000_000 },
  lull: { trace: 1, agent: 'claude' },
}
const verdictOf = (page: Page) => page.getByRole('region', { name: 'Verdict at this moment' })
const heading = (page: Page) => verdictOf(page).getByRole('heading')
const shows = (page: Page, words: string) => page.getByText(words, { exact: false }).first().waitFor()
const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' })
const momentOf = (page: Page) => slider(page).getAttribute('aria-valuetext')

describe.runIf(file)(`a recording${skipped}`, () => {
  test('is chosen from a list, and shows the verdict beside the screen of each moment', async () => {
    const { folder, open } = await stage()
    copyFileSync(path.join(demo, 'opencode-permission.cast.gz'), path.join(folder, 'a.cast.gz'))
    const { page, wrongs } = await open('#/replay')
    await page.getByRole('link', { name: 'opencode' }).click()
    await slider(page).waitFor()
    await page.keyboard.press('n')
    await page.locator('.place').getByText('4.6s of 38s').waitFor()
    expect(await heading(page).textContent()).toContain('idle')
    await page.getByText('15 states').click()
    await page.getByRole('button', { name: 'waiting/permission' }).click()
    expect(await momentOf(page)).toBe('8.2s: waiting/permission')
    await shows(page, 'the permission.asked hook said so')
    // Its program draws it a moment after it reports it.
    await page.keyboard.press('ArrowRight')
    await page.locator('.screen').getByText('Permission required').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(await momentOf(page)).toBe('3.2s: starting')
    await page.locator('.screen').getByText('Permission required').waitFor({ state: 'detached' })
    expect(wrongs).toEqual([])
  })

  test('goes on by itself until its end, as fast as it is asked to, and stands still when it is told', async () => {
    const { put, open } = await stage()
    put('played.cast', header, [1, 'o', 'first'], [300, 'o', '\r\nsecond'])
    const { page } = await open('#/replay/played.cast/250')
    await page.locator('.screen').getByText('first').waitFor()
    expect(await page.locator('.screen').textContent()).not.toContain('second')
    await page.getByLabel('Speed').selectOption('60')
    await page.getByRole('button', { name: 'Play' }).press(' ')
    await page.locator('.screen').getByText('second').waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    expect(await page.locator('.place').textContent()).toBe('5:00 of 5:00')
    await page.getByLabel('Speed').selectOption('1')
    await page.getByRole('button', { name: 'Play' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    expect(await page.locator('.place').textContent()).toMatch(/^\d(\.\d)?s of 5:00$/)
  })

  test('is found again at its moment by the address', async () => {
    const { put, open } = await stage()
    put('found.cast', header, [1, 'o', 'one'], [5, 'o', ' two'], [9, 'o', ' three'])
    const { page } = await open('#/replay/found.cast')
    await slider(page).focus()
    await page.keyboard.press('ArrowRight')
    await until(
      async () => page.url(),
      url => url.endsWith('#/replay/found.cast/5'),
      'the address of the moment',
    )
    await page.reload()
    await page.locator('.screen').getByText('one two').waitFor()
    expect(await page.locator('.screen').textContent()).not.toContain('three')
  })

  test('that cannot be played says why', async () => {
    const { put, open } = await stage()
    put('broken.cast', 'no header')
    const { page } = await open('#/replay/broken.cast')
    await shows(page, 'It cannot be played: not a trace')
    await page.goto(`${page.url().split('#')[0]}#/replay/none.cast`)
    await shows(page, 'It cannot be played: no recording none.cast')
  })

  test('of hostile text is text: its name, its screen, its markers and what its agent asks', async () => {
    const { put, open } = await stage()
    const hostile = `<img src=x onerror="document.title='taken'"><script>1</script>\u202e`
    const name = `${hostile.replaceAll('/', '')}.cast`
    const asks = {
      event: 'PermissionRequest',
      payload: { tool_name: 'Bash', tool_input: { command: hostile } },
    }
    put(
      name,
      { ...header, width: 120, lull: { ...header.lull, note: hostile } },
      [0, 'o', `${hostile}\r\n\u001b]0;${hostile}\u0007`],
      [2, 'h', JSON.stringify(asks)],
      [3, 'm', hostile],
    )
    const { page, wrongs } = await open('#/replay')
    await page.locator('.recordings a', { hasText: '<img' }).click()
    await page.locator('.screen').getByText('<img src=x').waitFor()
    await page.getByText(/states, 1 marker/).click()
    await page.getByRole('button', { name: 'marker: <img' }).click()
    await verdictOf(page).getByText('<img').waitFor()
    expect(await page.locator('#page img, #page script').count()).toBe(0)
    expect(await page.locator('body').textContent()).not.toContain('\u202e')
    // Other agents of this machine may need somebody.
    expect(await page.title()).toMatch(/^(\d+ needs? you · )?lull$/)
    expect(wrongs).toEqual([])
  })
})

describe.runIf(file)(`a session${skipped}`, () => {
  test('that is not recorded says how it is; one that was leads from its past to its recording', async () => {
    const { api, browser, folder, open } = await stage(served)
    const agent = await startHookedAgent(api.env, api.read)
    const { id } = await agent.row(() => true)
    const { page, wrongs } = await open(`#/s/${id}`)
    await page.locator('summary').getByText('Replay').click()
    await shows(page, `lull record ${id}`)
    const recording = startLull(['record', id], api.env)
    await recording.says('recording')
    agent.say('ask npm test')
    await agent.asked()
    const past = async () =>
      (await api.read('/v1/history')).entries as readonly { state?: string; id?: string }[]
    await until(past, all => all.some(one => one.id === id && one.state === 'waiting'), 'its past')
    // It is written a moment later, as it may hold a secret; what is not written yet is not led to.
    await until(
      () => readdirSync(folder).map(name => readFileSync(path.join(folder, name), 'utf8')),
      ([text]) => text?.includes('PermissionRequest') === true,
      'what was recorded of it',
    )
    const { page: time } = await openLullPage(browser, api, { view: '#/time' })
    // Other agents of this machine may wait, too.
    const line = time.getByRole('listitem').filter({ has: time.locator(`a[href="#/s/${id}"]`) })
    await line.locator('.stretch.waiting').last().press('Enter')
    await time.getByRole('link', { name: 'Replay this moment' }).click()
    const more = time.getByRole('button', { name: 'Load what was recorded since' })
    await more.waitFor()
    await until(
      async () => {
        await more.click()
        return heading(time).textContent()
      },
      text => text?.includes('waiting/permission') === true,
      'the verdict of that moment',
    )
    await page.reload()
    await page.locator('summary').getByText('Replay').click()
    await page.getByRole('link', { name: 'Replay the last hour' }).click()
    await slider(page).waitFor()
    expect(wrongs).toEqual([])
  })
})
