/** The page in a real browser, over a real host: who needs a person is shown, answered, and never shown as current where it is not. */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openDemoDoor } from '../../src/serve/doors/demo-door.ts'
import { browserProgram, startBrowser } from '../support/browser.ts'
import { lullHere } from '../support/lull-here.ts'
import { cuttableLine, openLullPage, openSession, pageStage, textOf } from '../support/lull-page.ts'
import { until } from '../support/until.ts'

const { file, skipped } = browserProgram

/** Other agents of this machine are listed, too. */
const rowOf = (id: string): string => `.row[data-id="${id}"]`
const shows = (page: Page, words: string) => page.getByText(words, { exact: false }).first().waitFor()

describe.runIf(file)(`a dialog${skipped}`, () => {
  test('is shown whole, answered by two taps where it deletes, and followed until the agent confirms', async () => {
    const { api, browser, agent: start } = await pageStage()
    const { page, wrongs } = await openLullPage(browser, api)
    const agent = await start()
    agent.say('ask rm -rf build')
    const { id } = await agent.asked()
    await openSession(page, page.locator(rowOf(id)))
    expect(await page.title()).toMatch(/^\d+ needs? you · lull$/)
    const dialog = page.locator('.dialog')
    await dialog.waitFor()
    expect(await dialog.locator('pre').textContent()).toBe('rm -rf build')
    await page.getByRole('button', { name: 'Yes (it deletes)' }).click()
    expect(await textOf(page)).not.toContain('✓ sent')
    // One tap that trembles is one.
    const again = page.getByRole('button', { name: 'Tap again' })
    await again.click()
    expect(await again.count()).toBe(1)
    await until(
      async () => {
        await page.waitForTimeout(600)
        if (await again.count()) await again.click()
        return textOf(page)
      },
      text => text.includes('✓ confirmed by the agent'),
      'the confirmation',
    )
    expect(await textOf(page)).toContain(
      '✓ sent✓ received by the host✓ given to the agent✓ confirmed by the agent',
    )
    expect(await agent.printed()).toContain('"allow"')
    expect(wrongs).toEqual([])
  })

  test('is answered once where two browsers answer it', async () => {
    const { api, browser, agent: start } = await pageStage()
    const agent = await start()
    agent.say('ask npm test')
    const { id, dialog } = await agent.asked()
    const pages = [
      (await openLullPage(browser, api, { view: `#/s/${id}` })).page,
      (await openLullPage(browser, api, { view: `#/s/${id}` })).page,
    ]
    for (const page of pages) await page.locator('[aria-disabled=false] .option:enabled').first().waitFor()
    // Where the first answer has ended the dialog already, the other page has nothing to press.
    const press = `document.querySelector('.option:not(.refuses):enabled')?.click()`
    await Promise.all(pages.map(page => page.evaluate(press)))
    await until(
      () => Promise.all(pages.map(textOf)),
      all => all.some(text => text.includes('✓ confirmed by the agent')),
      'the confirmation',
    )
    await agent.row(({ state }) => state !== 'waiting')
    for (const page of pages) await page.locator('.dialog:not(.over)').waitFor({ state: 'detached' })
    expect(await agent.printed()).toContain('"allow"')
    // Its next line is of the next request: there was one decision.
    agent.say('ask true')
    const next = await agent.asked()
    expect(next.dialog.dialog).not.toBe(dialog.dialog)
  })

  test('of hostile text is text', async () => {
    const { api, browser, agent: start } = await pageStage()
    const { page, wrongs } = await openLullPage(browser, api)
    const agent = await start()
    const hostile = `<img src=x onerror="document.title='taken'"><script>1</script>\u202e fdp \u001b[31mred&amp;`
    agent.say(`ask echo '${hostile}'`)
    const { id } = await agent.asked()
    await openSession(page, page.locator(rowOf(id)))
    const shown = await page.locator('.dialog pre').textContent()
    expect(shown).toBe(
      `echo '<img src=x onerror="document.title='taken'"><script>1</script>⟨U+202E⟩ fdp ⟨U+001B⟩[31mred&amp;'`,
    )
    expect(await page.locator('#page img, #page script').count()).toBe(0)
    expect(await page.title()).toMatch(/^\d+ needs? you · lull$/)
    expect(wrongs).toEqual([])
  })
})

describe.runIf(file)(`the list${skipped}`, () => {
  test('counts who needs a person, also what a filter hides', async () => {
    const { api, browser, agent: start } = await pageStage()
    const agent = await start()
    agent.say('ask ls')
    await agent.asked()
    const { page } = await openLullPage(browser, api)
    await page.getByLabel('Which sessions').selectOption('rest')
    await page.getByRole('heading', { name: /needs? you \(\d+ hidden by the filter\)/ }).waitFor()
  })

  test('of a device that may only read has no button that acts, and says why', async () => {
    const { api, browser, agent: start } = await pageStage()
    const token = await api.newToken('viewer', 'read')
    const agent = await start()
    agent.say('ask ls')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, { ...api, token }, { view: `#/s/${id}` })
    await shows(page, 'This browser may only read')
    expect(await page.locator('.option:enabled').count()).toBe(0)
  })
})

describe.runIf(file)(`typing into a terminal${skipped}`, () => {
  test('sends what was composed once', async () => {
    const { api, browser } = await pageStage()
    const { id } = await api.post('/v1/open', { name: 'shell', words: ['bash', '--norc', '-i'] })
    const { page } = await openLullPage(browser, api, { view: `#/s/${id}` })
    await page.getByText('Screen', { exact: true }).click()
    await page.getByLabel('Type into it').check()
    await page.locator('.keys:focus').waitFor()
    const client = await browser.newCDPSession(page)
    for (const text of ['e', 'ec', 'ech', 'echo'])
      await client.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    await client.send('Input.insertText', { text: 'echo' })
    await page.keyboard.type(' one')
    await page.keyboard.press('Enter')
    const screen = page.locator('.screen')
    await until(
      async () => (await screen.textContent()) ?? '',
      text => /echo one\s*\n?one/.test(text),
      'what echo printed',
    )
    expect(await screen.textContent()).not.toContain('eec')
  })
})

describe.runIf(file)(`the connection${skipped}`, () => {
  test('that is cut shows at once, takes no tap, and brings each session back once', async () => {
    const { api, browser, agent: start } = await pageStage()
    const line = await cuttableLine(api.port)
    await lullHere(['serve', '--port', String(api.port), '--behind-proxy', `127.0.0.1:${line.port}`], api.env)
    const agent = await start()
    agent.say('ask npm test')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api, { port: line.port, view: `#/s/${id}` })
    const yes = page.getByRole('button', { name: 'Yes' })
    await yes.waitFor()
    line.cut()
    await shows(page, 'no connection: this may be old')
    expect(await yes.isDisabled()).toBe(true)
    await shows(page, 'You cannot answer from here now')
    await shows(page, 'lull serve status shows whether it serves this page')
    line.mend()
    await shows(page, 'live')
    await until(
      () => yes.isEnabled(),
      is => is,
      'a dialog that takes an answer',
    )
    await page.getByRole('link', { name: 'Now' }).click()
    await page.locator(rowOf(id)).waitFor()
    expect(await page.locator(rowOf(id)).count()).toBe(1)
  })

  test('outlives the host, which comes back as another process', async () => {
    const { api, browser, agent: start } = await pageStage()
    const agent = await start()
    const { id } = await agent.row(() => true)
    const { page } = await openLullPage(browser, api)
    await page.locator(rowOf(id)).waitFor()
    await lullHere(['host', 'stop'], api.env)
    await shows(page, 'no connection: this may be old')
    await lullHere(['host', 'start'], api.env)
    await page.locator('.link.live').waitFor()
    agent.say('ask ls')
    await page.locator(`${rowOf(id)}.answer`).waitFor()
    await page.locator(rowOf(id)).waitFor()
    expect(await page.locator(rowOf(id)).count()).toBe(1)
  })

  test('of a browser whose token was revoked ends, and says how to get another', async () => {
    const { api, browser } = await pageStage()
    const { page } = await openLullPage(browser, api)
    await page.locator('.link.live').waitFor()
    await lullHere(['serve', 'token', 'revoke', 'ci'], api.env)
    await shows(page, 'The token of this browser was revoked')
    await shows(page, 'lull serve token add')
  })
})

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as { violations: readonly Violation[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

describe.runIf(file)(`each view is for everybody${skipped}`, () => {
  test.each(['light', 'dark'] as const)('%s: axe finds nothing', async colorScheme => {
    const { api, browser, agent: start } = await pageStage()
    await api.post('/v1/open', { name: 'shell', words: ['bash', '--norc'] })
    const agent = await start()
    agent.say('ask rm -rf build')
    const { id } = await agent.asked()
    const { page, wrongs } = await openLullPage(browser, api)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const folder = path.join(api.env.XDG_STATE_HOME ?? '', 'lull/recordings')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const recording = 'claude-agent.cast.gz'
    copyFileSync(path.resolve(import.meta.dirname, '../../demo', recording), path.join(folder, recording))
    for (const view of ['', 's', 'time', 'replay', `replay/${recording}/12`, 'runs', 'devices']) {
      await page.goto(`${api.url}/#/${view === 's' ? `s/${id}` : view}`)
      await page
        .locator(view === 's' ? '.option' : view.startsWith('replay/') ? '.screen' : 'h1')
        .first()
        .waitFor()
      for (const summary of await page.locator('summary').all()) await summary.click()
      expect([view, await violations(page)]).toEqual([view, []])
      // 320 pixels: 1280 at 400 %.
      for (const width of [400, 320]) {
        await page.setViewportSize({ width, height: 800 })
        const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
        expect([view, width, fits]).toEqual([view, width, true])
      }
    }
    expect(wrongs).toEqual([])
  })
})

/** `LULL_KEEP_PICTURES=1 npx vitest run test/page` writes those of the README. */
async function keepPicture(page: Page, name: string): Promise<void> {
  if (!process.env.LULL_KEEP_PICTURES) return
  await page.screenshot({
    path: path.resolve(import.meta.dirname, '../../docs', name),
    animations: 'disabled',
  })
}

describe.runIf(file)(`the demo${skipped}`, () => {
  test('plays the recordings: one link lets a browser in, and each session changes', async () => {
    const demo = path.resolve(import.meta.dirname, '../../demo')
    const files = readdirSync(demo).flatMap(name =>
      name.endsWith('.cast.gz') ? [path.join(demo, name)] : [],
    )
    const { link, close } = await openDemoDoor(files, packageJson.version)
    onTestFinished(close)
    const page = await (await startBrowser()).newPage()
    await page.setViewportSize({ width: 400, height: 500 })
    await page.goto(link)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('waiting/permission').waitFor()
    await page.getByText('done', { exact: true }).waitFor()
    expect(await page.locator('.row').count()).toBe(files.length)
    await keepPicture(page, 'page-now.png')
    expect(await textOf(page)).not.toContain('lull serve token add')
    await shows(page, 'Recorded sessions: nothing here can be answered')
  })

  test('has of a session what a recording has, and leads to its replay', async () => {
    const demo = path.resolve(import.meta.dirname, '../../demo')
    const { link, close } = await openDemoDoor(
      [path.join(demo, 'opencode-permission.cast.gz')],
      packageJson.version,
    )
    onTestFinished(close)
    const page = await (await startBrowser()).newPage()
    await page.goto(link)
    await page.getByRole('button', { name: 'Yes' }).click()
    await openSession(page, page.locator('.row.answer'))
    await shows(page, 'its processes and its terminal are not here')
    const text = await textOf(page)
    for (const lacking of ['Processes', 'lull record', 'lull serve', 'tmux', 'cannot be read'])
      expect(text).not.toContain(lacking)
    expect(await page.getByLabel('A prompt for it').count()).toBe(0)
    const id = page.url().split('/').at(-1)
    for (const what of ['processes', 'screen'])
      expect(
        await page.evaluate(`fetch('/v1/sessions/${id}/${what}').then(one => one.json())`),
      ).toMatchObject({
        error: { code: 'RECORDED', message: expect.stringMatching(/is a recording: .* not here$/) },
      })
    await page.getByRole('link', { name: 'Replay it' }).click()
    await page.locator('.replay .screen').waitFor()
    await page.goto(link)
    await shows(page, 'lull demo --page makes another')
    await page.getByRole('link', { name: 'open the page' }).click()
    await page.locator('.row').first().waitFor()
  })

  test('has a dialog beside it on the front page', async () => {
    const { api, browser, agent: start } = await pageStage()
    const agent = await start()
    agent.say('ask git push --force origin main')
    const { id } = await agent.asked()
    const { page } = await openLullPage(browser, api, { view: `#/s/${id}` })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 400, height: 500 })
    await page.locator('.option').first().click()
    await page.getByRole('button', { name: 'Tap again' }).waitFor()
    await keepPicture(page, 'page-dialog.png')
  })
})
