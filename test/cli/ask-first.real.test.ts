/** `lull hooks install` in a terminal: a summary and a question come before anything is written. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { answerOf, summary } from '../../src/cli/commands/hooks/ask-first.ts'
import { bin } from '../support/lull.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { until } from '../support/until.ts'

describe('the question', () => {
  test.each([
    ['y', 'yes'],
    ['YES ', 'yes'],
    ['', 'no'],
    ['n', 'no'],
    ['diff', 'diff'],
    ['d', 'diff'],
    ['yess', undefined],
    ['?', undefined],
  ])('%j: %s', (line, answer) => expect(answerOf(line)).toBe(answer))

  test('its summary has each file once, with its size, and what several share as such', () => {
    const forwarder = { file: '/home/ada/.local/share/lull/hook', before: undefined, after: 'a\nb\n' }
    const changed = (file: string, before: string | undefined, after: string) => ({ file, before, after })
    const rows = summary(
      [
        {
          named: 'claude 2.1',
          events: 9,
          changes: [forwarder, changed('/home/ada/.claude/s.json', '{}\n', '{\n1\n}\n')],
        },
        { named: 'codex', events: 4, changes: [forwarder, changed('/srv/hooks.json', 'a\nb\nc\n', 'a\n')] },
      ],
      '/home/ada',
    )
    expect(rows.slice(1, -1)).toEqual([
      '  all:                  ~/.local/share/lull/hook (new, 2 lines)',
      '  claude 2.1, 9 events: ~/.claude/s.json (2 lines more)',
      '  codex, 4 events:      /srv/hooks.json (2 lines fewer)',
    ])
  })
})

describe('in a terminal', () => {
  const own = ownTerminals(afterAll)
  const home = own.env.HOME ?? ''
  const settings = path.join(home, '.claude/settings.json')

  async function asked(name: string, ...args: readonly string[]) {
    const programs = path.join(home, 'bin')
    mkdirSync(programs, { recursive: true })
    const list = JSON.stringify(['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop'])
    writeFileSync(path.join(programs, 'claude'), `#!/bin/sh\necho "2.1.0"\nexit\nvar a=1,E=${list};\n`, {
      mode: 0o755,
    })
    const words = [process.execPath, bin, 'hooks', 'install', ...args]
    const variables = ['--env', `PATH=${programs}:/usr/bin:/bin`, '--size', '100x200']
    expect(await own.lull('open', name, ...variables, '--', ...words)).toMatchObject({ code: 0 })
    const shows = (text: string | RegExp) =>
      until(
        async () => (await own.lull('read', name)).stdout,
        shown => shown.search(text) >= 0,
        `${text}`,
      )
    async function type(text: string): Promise<void> {
      const { pid } = await own.requests.describe(name)
      await own.requests.type(name, pid, Buffer.from(`${text}\r`), { isPaste: false })
    }
    return { shows, type }
  }

  test('no is nothing; diff shows it and asks again; yes installs without the diff', async () => {
    const refusing = await asked('refuses')
    await refusing.shows(/claude 2\.1\.0, \d+ events: +~\/\.claude\/settings\.json \(new, \d+ lines\)/)
    await refusing.shows('Install them\\? yes, no \\(default\\) or diff:')
    await refusing.type('')
    await refusing.shows('nothing was changed')
    expect(existsSync(settings)).toBe(false)

    mkdirSync(path.dirname(settings), { recursive: true })
    writeFileSync(settings, '{\n  "mine": 1\n}\n')
    const { shows, type } = await asked('agrees')
    await shows('Install them')
    await type('d')
    await shows(/\+\+\+ .*settings\.json[\s\S]*Install them/)
    await type('y')
    await shows(/claude 2\.1\.0: installed hooks for \d+ events/)
    expect(readFileSync(settings, 'utf8')).toContain('# lull')
    const again = await asked('again')
    await again.shows('nothing to do')
  })

  test('--yes asks nothing', async () => {
    const { shows } = await asked('yes', '--yes')
    await shows(/claude 2\.1\.0: (installed|nothing to do)/)
  })
})
