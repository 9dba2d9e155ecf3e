/** What opens the page tells its link to nobody else: whoever uses it first is let in. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { showInBrowser } from '../../src/serve/browser/show-in-browser.ts'
import { browserProgram, startBrowser } from '../support/browser.ts'
import { httpServer } from '../support/http-server.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

/** Opens a link on a desktop whose opener notes the words that it was given. */
async function shown(link: string) {
  const [folder, programs] = [temporaryFolder(), temporaryFolder()]
  const note = path.join(programs, 'words')
  const opener = `#!/bin/sh\nprintf '%s' "$*" >${note}.new; mv ${note}.new ${note}\n`
  for (const name of ['xdg-open', 'open']) writeFileSync(path.join(programs, name), opener, { mode: 0o755 })
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
  vi.stubEnv('DISPLAY', ':9')
  try {
    showInBrowser(link, folder)
  } finally {
    vi.unstubAllEnvs()
  }
  const words = await until(
    () => attempt(() => readFileSync(note, 'utf8')),
    text => text !== undefined,
    'the words of the opener',
  )
  return { folder, file: words as string }
}

test('every user reads the words of a command: the link is not among them', async () => {
  const { folder, file } = await shown('http://127.0.0.1:4770/pair?code=secret')
  expect(file).not.toContain('secret')
  expect(path.dirname(file)).toBe(folder)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

const { file: chromium, skipped } = browserProgram

describe.runIf(chromium)(`a browser${skipped}`, () => {
  test('is led there', async () => {
    const { url } = await httpServer()
    const { file } = await shown(`${url}/pair?code=a-b_c`)
    const page = await (await startBrowser()).newPage()
    await page.goto(`file://${file}`)
    await page.waitForURL(`${url}/pair?code=a-b_c`)
  })
})
