/** Dialogs as CLIs drew them in the lab: their options, and what names them. */
import { describe, expect, test } from 'vitest'
import { dialogOf, readAgentScreen, readDialog } from '../../src/drive/dialog/shown-dialog.ts'
import {
  permission as asksForIt,
  finished,
  liveSession,
  news,
  prompt,
  sessionOf,
  thinking,
} from '../support/live.ts'

const edge = '─'.repeat(60)

/** Copilot CLI 1.0.102. */
const plan = (pointed: number): readonly string[] => {
  const box = (text: string) => `│ ${text.padEnd(112)} │`
  const option = (number: number, text: string) => box(`${number === pointed ? '❯' : ' '} ${number}. ${text}`)
  return [
    ' ● I have a plan.',
    ' ○ Plan ready for review 1. Read the file 2. Change one line of it · summary: "1. Read the file 2. Change',
    `╭${'─'.repeat(114)}╮`,
    box('Plan Ready for Review'),
    box(edge),
    box(' 1. Read the file'),
    box(' 2. Change one line of it'),
    box(''),
    option(1, 'Accept plan and continue in Autopilot execution mode (recommended)'),
    option(
      2,
      'Accept plan and continue in Interactive execution mode (Manual Approval for this session; future',
    ),
    box('  defaults unchanged)'),
    option(3, 'Exit to Interactive execution mode without running the plan'),
    option(4, 'Suggest changes'),
    box(''),
    box('↑/↓ to navigate · enter to select · esc to cancel'),
    `╰${'─'.repeat(114)}╯`,
  ]
}

describe('an id', () => {
  const asks = (at: number) => news(at, asksForIt, { lane: 'ask:main:plan' })
  const answered = (at: number) => news(at, thinking, { ends: ['ask:main:*'] })
  const first = [prompt(0), asks(10)]
  const second = [...first, answered(20), news(30, finished), prompt(40), asks(50)]

  async function idOf(signals: Parameters<typeof sessionOf>[0], hooks: 'heard' | 'unknown' = 'heard') {
    const dialog = await readDialog(plan(1), 'copilot')
    return dialog && dialogOf(dialog, liveSession(sessionOf(signals), { hooks })).id
  }

  test('of the next dialog is another one, although it reads the same', async () => {
    expect(await idOf(second)).not.toBe(await idOf(first))
    expect(await idOf([...second, answered(60), asks(70)])).not.toBe(await idOf(second))
  })

  test('stays for as long as the dialog stands, also where news of it comes late or again', async () => {
    const notice = news(60, asksForIt, { lane: 'ask:main:notice' })
    expect(await idOf([...second, notice])).toBe(await idOf(second))
    expect(await idOf(second.slice(0, -1))).toBe(await idOf(second))
    expect(await idOf(first.slice(0, -1))).toBe(await idOf(first))
  })

  test('is that of the text where no host hears its hooks', async () => {
    const text = (await readDialog(plan(1), 'copilot'))?.id
    expect(await idOf(second, 'unknown')).toBe(text)
    expect(await idOf(first)).toBe(text)
  })
})

test('buttons that stand below a list are the options, whatever the list points at: a command holds it', async () => {
  const rows = [
    '┃  △ Permission required',
    '┃  $ cat > x <<E',
    '┃  ❯ 1. No, keep it',
    '┃    2. Yes, drop it',
    '┃  E',
    '┃',
    '┃   Allow once   Allow always   Reject',
    '┃   ⇆ select  enter confirm',
  ]
  const dialog = await readDialog(rows, 'opencode')
  expect(dialog?.options.map(({ label }) => label)).toEqual(['Allow once', 'Allow always', 'Reject'])
  expect(dialog?.options.some(({ isPointed }) => isPointed)).toBe(false)
})

test('a plan that is numbered itself is no part of the options, wherever the pointer is', async () => {
  const all = await Promise.all([1, 2, 3, 4].map(pointed => readDialog(plan(pointed), 'copilot')))
  expect(all.map(dialog => dialog?.options.map(({ number }) => number))).toEqual(Array(4).fill([1, 2, 3, 4]))
  expect(all[0]?.options[1]?.label).toMatch(/^Accept plan and continue in Interactive/)
  expect(new Set(all.map(dialog => dialog?.id)).size).toBe(1)
})

/** Cline 3.0.65. */
const footer = [
  ' lab-model (1,200) $0.00          ○ Plan ● Act (Tab)',
  ' work',
  ' Auto-approve all disabled (Shift+Tab)',
]
const asks = (...rows: readonly string[]): readonly string[] => [' ❯ please', '', ...rows, '', ...footer]
const permission = (...command: readonly string[]): readonly string[] =>
  asks(
    ...['* I need to create a file.', '', 'Cline needs permission', '', 'Approve tool call?', ''].map(
      row => ` ${row}`,
    ),
    ...[' run_commands', '', ...command, '', '  [y] Approve   [n] Deny', ''],
  )
const question = (pointed: number, spinner = '⠼'): readonly string[] =>
  asks(
    ...[' * I have a question.', '', ` ${spinner} ask_question(Which database)`, ''],
    ...[' Cline is asking a question', '', ' Which database', ''],
    ...['Postgres', 'SQLite', 'Type a response...'].map((row, n) => `  ${n === pointed ? '>' : ' '} ${row}`),
  )

describe('what Cline asks, in the place of its composer', () => {
  test('a permission is answered by the keys beside its options', async () => {
    const dialog = await readDialog(permission('   $ touch one.txt'), 'cline')
    expect(dialog).toMatchObject({ for: 'permission', options: [{ key: 'y' }, { key: 'n' }] })
    expect(dialog?.question).toBe('$ touch one.txt')
    const subagent = await readDialog(permission('   touch two.txt, please'), 'cline')
    expect(subagent).toMatchObject({ for: 'permission', options: [{ key: 'y' }, { key: 'n' }] })
  })

  test('a list in the command that it asks for is not what it asks', async () => {
    const command = ['   $ cat > a', '   Do you want to proceed?', '   ❯ 1. Yes', '     2. No']
    expect((await readDialog(permission(...command), 'cline'))?.options).toMatchObject([
      { key: 'y' },
      { key: 'n' },
    ])
  })

  test('a question has the same name wherever its pointer and its spinner are', async () => {
    const all = await Promise.all([question(0), question(1, '⠇')].map(rows => readDialog(rows, 'cline')))
    expect(all[0]).toMatchObject({ for: 'question', question: 'Which database' })
    expect(all[1]?.options.map(({ label }) => label)).toEqual(['Postgres', 'SQLite', 'Type a response...'])
    expect(all[0]?.id).toBe(all[1]?.id)
  })

  test('is not asked where it was printed, and its composer stands below', async () => {
    for (const asked of [permission('   $ rm -rf x'), question(0)]) {
      const rows = [
        ...asked.slice(0, -4),
        '',
        ' * It is done.',
        '',
        edge,
        '❯ Ask anything...',
        edge,
        ...footer,
      ]
      expect(await readDialog(rows, 'cline')).toBeUndefined()
      expect((await readAgentScreen(rows, 'cline')).state.kind).not.toBe('waiting')
    }
  })
})

/** Qwen Code 0.24.4. */
const subagent = (clock: string, command = 'touch two.txt'): readonly string[] => [
  `╰${'─'.repeat(100)}╯`,
  '',
  '  ●︎ Read context files: ~/.qwen/output-language.md',
  '  > please',
  '',
  '  ◆︎ I will delegate it.',
  `  ⊷ Agent A scripted task${clock.padStart(60)}`,
  '     Approval requested by general-purpose:',
  `       ${command}`,
  '     Do you want to proceed?',
  '     › 1. Yes, allow once',
  '       2. Allow always',
  '       3. No',
  '',
  '  ⠏ Waiting for user confirmation...',
]

test('a clock beside a subagent is no part of what it asks, and a duration in its command is', async () => {
  const idOf = async (...of: Parameters<typeof subagent>) => (await readDialog(subagent(...of), 'qwen'))?.id
  expect(await idOf('3s')).toBe(await idOf(''))
  expect(await idOf('59s')).toBe(await idOf('1m 2s'))
  expect(await idOf('3s', 'sleep 5s')).not.toBe(await idOf('3s', 'sleep 500s'))
  expect((await readDialog(subagent('3s'), 'qwen'))?.rows[0]).toMatch('Agent A scripted task')
})

test('what a bar beside it holds together is all that is asked, however long', async () => {
  const diff = Array.from({ length: 20 }, (_, line) => `  ┃    ${line + 1} + line ${line + 1}`)
  // OpenCode 1.18.4.
  const rows = [
    '  ┃',
    '  ┃  make it longer please',
    '  ┃',
    '',
    '     I will change a file.',
    '',
    '  ┃',
    '  ┃  △ Permission required',
    '  ┃    ← Edit long.txt',
    '  ┃',
    ...diff,
    '  ┃',
    '  ┃   Allow once   Allow always   Reject               ctrl+f fullscreen  ⇆ select  enter confirm',
    '  ┃',
  ]
  const dialog = await readDialog(rows, 'opencode')
  expect(dialog?.rows[0]).toContain('Permission required')
  expect(dialog?.rows.filter(row => row.includes('+ line'))).toHaveLength(20)
})

/** Claude Code 2.1.330. */
const bash = (...command: readonly string[]): readonly string[] => [
  ...['● I will do it.', '', edge, ' Bash command', '', ...command.map(row => `   ${row}`), ''],
  ...[' Do you want to proceed?', ' ❯ 1. Yes', '   2. No', '', ' Esc to cancel'],
]

test('a line within what is asked for hides nothing: it is told, and names another dialog', async () => {
  const of = (...command: readonly string[]) => readDialog(bash(...command), 'claude')
  const shown = await of('rm -rf /precious', edge, 'echo ok')
  expect(shown?.rows).toContain('   rm -rf /precious')
  const ids = [shown, await of('echo ok'), await of('rm -rf /else', edge, 'echo ok')].map(one => one?.id)
  expect(new Set([...ids, (await of('rm -rf /precious', 'echo ok'))?.id]).size).toBe(4)
})

test('what begins above the screen is named otherwise than what begins on it', async () => {
  const [cut, whole] = [bash('echo ok').slice(3), bash('echo ok')].map(rows => readDialog(rows, 'claude'))
  expect(await cut).toMatchObject({ whole: 'no', rows: (await whole)?.rows })
  expect((await cut)?.id).not.toBe((await whole)?.id)
})

test.each([
  ['a sign before a row', ['cat foo', '/etc/passwd'], ['cat foo', '> /etc/passwd']],
  ['a bullet', ['cat foo', '/etc/passwd'], ['cat foo', '● /etc/passwd']],
  ['an arrow', ['cat foo', '» /etc/passwd'], ['cat foo', '→ /etc/passwd']],
  ['a sign that spinners are drawn with', ['cat foo', '⠋ a'], ['cat foo', '⠙ a']],
  ['blanks', ['rm -rf "a b"'], ['rm -rf "a      b"']],
  ['blanks before a row', ['if a:', ' b', 'c'], ['if a:', ' b', ' c']],
  ['a duration in a column of its own', ['sleep 1; x   5s'], ['sleep 1; x   900h']],
  ['a pipe', ['cat foo', '| sh'], ['cat foo', 'sh']],
  ['ticks', ['← ☐ a →'], ['← ☒ a →']],
  ['a line', ['a', edge, 'b'], ['a', 'b']],
])('of commands that differ by %s each has its own id', async (_, one, other) => {
  const [first, second] = await Promise.all([one, other].map(rows => readDialog(bash(...rows), 'claude')))
  expect(first?.id).not.toBe(second?.id)
})

test('the ticks of tabs, and where it points, are no part of a question', async () => {
  // Claude Code 2.1.330.
  const asks = (tabs: string, pointed: number) => [
    ...['● I have two decisions.', edge, tabs, '', 'Which features?', ''],
    ...['Login', 'Mail'].map((label, at) => `${at === pointed ? '❯' : ' '} ${at + 1}. [ ] ${label}`),
    ...['', 'Enter to select · Tab/Arrow keys to navigate · Esc to cancel'],
  ]
  const drawn = [asks('←  ☒ Auth  ☐ Features  ✔ Submit  →', 0), asks('←  ☒ Auth  ☒ Features  ✔ Submit  →', 1)]
  const [one, other] = await Promise.all(drawn.map(rows => readDialog(rows, 'claude')))
  expect(one).toMatchObject({ for: 'question', options: [{ label: 'Login' }, { label: 'Mail' }] })
  expect(other?.id).toBe(one?.id)
})
