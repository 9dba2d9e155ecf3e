/** Answers dialogs as a person does on a phone: opens the session on the page, reads what it asks, and taps. */
import type { Page } from 'playwright-core'
import type { LabCli } from '../../scripts/setup-lab.ts'
import { cookieNameOf } from '../../src/serve/gate.ts'
import { launchBrowser } from '../lab/browser.ts'
import { run } from '../live/processes.ts'
import { ownHome } from '../own-home.ts'
import { serveApi, sessionIn } from './served-api.ts'

type Option = {
  readonly choice: string | number
  readonly label: string
  readonly lasts?: true
  readonly refuses?: true
}

/** ms */
const effectMs = 20_000

/** As `lull answer` means a word. */
function isMeant({ choice, label, lasts, refuses }: Option, word: string): boolean {
  if (word === 'yes') return !lasts && !refuses
  if (word === 'no') return refuses === true
  return String(choice) === word || label.toLowerCase().includes(word)
}

export async function pageAnswerer(env: NodeJS.ProcessEnv) {
  const api = await serveApi(env)
  const browser = await launchBrowser(ownHome('answer-page').home)
  const cookie = { name: cookieNameOf({ port: api.port }), value: api.token, domain: '127.0.0.1', path: '/' }
  await browser.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
  const page = await browser.newPage()
  await page.setViewportSize({ width: 400, height: 800 })
  page.setDefaultTimeout(effectMs)

  async function optionsOf(id: string): Promise<readonly Option[]> {
    const { dialog } = (await api.get(`/v1/sessions/${id}`)) as { dialog?: { options: readonly Option[] } }
    return dialog?.options ?? []
  }

  /** @returns what became of it: the code and the words of `lull answer` */
  async function choose(id: string, words: readonly string[]) {
    const options = await optionsOf(id)
    const meant = words.map(word => options.find(option => isMeant(option, word)))
    const began = performance.now()
    if (words[0] === '--text') {
      await page.locator('.own input').fill(words[1] ?? '')
      await page.locator('.own button').click()
    } else if ((await page.locator('.tick').count()) > 0) {
      for (const option of meant) await page.locator('.tick', { hasText: option?.label ?? '' }).click()
      await page.getByRole('button', { name: 'Submit' }).click()
    } else {
      const button = page.locator('.option').nth(buttonOf(options, meant[0]))
      await button.click()
      if ((await button.textContent())?.startsWith('Tap again')) {
        await page.waitForTimeout(600)
        await button.click()
      }
    }
    const said = await outcomeOn(page)
    return { ...said, stderr: '', ms: performance.now() - began }
  }

  return {
    /** @param choice the words of `lull answer` */
    async answer(cli: LabCli, folder: string, choice: readonly string[]) {
      const id = await sessionIn(api, cli, folder)
      if (id === undefined) return { code: 5, stdout: '', stderr: 'no session', ms: 0 }
      try {
        // A new document: what was answered before is not shown.
        await page.goto('about:blank')
        await page.goto(`http://127.0.0.1:${api.port}/#/s/${id}`)
        await page.locator('.dialog:not(.over)').waitFor()
        // What has just come into sight takes no tap.
        await page.locator('.dialog [aria-disabled="false"]').waitFor()
        if (choice[0] !== '--list') return await choose(id, choice)
        const shown = (await page.locator('.dialog').textContent()) ?? ''
        return { code: 3, stdout: shown, stderr: '', ms: 0 }
      } catch (error) {
        const shown = (await page.locator('body').textContent()) ?? ''
        return { code: 1, stdout: shown, stderr: (error as Error).message, ms: 0 }
      }
    },
    async close(): Promise<void> {
      await browser.close()
      await run(['host', 'stop'], env)
    },
  }
}

/** A text of one's own has a field instead of a button. */
const buttonOf = (options: readonly (Option & { needsText?: true })[], meant: Option | undefined): number =>
  options.filter(({ needsText }) => !needsText).indexOf(meant as Option)

/** The steps until the last one, or why there is none. */
async function outcomeOn(page: Page) {
  const end = page.getByText(/✓ confirmed by the agent|not answered:|unknown:|has not confirmed/)
  await end.first().waitFor()
  const stdout = (await page.locator('.steps').last().textContent()) ?? ''
  return { code: stdout.includes('✓ confirmed') ? 0 : 1, stdout }
}
