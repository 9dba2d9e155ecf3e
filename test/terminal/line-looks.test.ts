/** What stands behind a prompt, by its looks alone: where the reader's own count is hidden, and in agents' composers. */
import { describe, expect, test } from 'vitest'
import { findComposer } from '../../src/agents/screen/find-composer.ts'
import { colouredRows } from '../../src/core/text/coloured-rows.ts'
import { composerLooks, cursorRowLooks, solidText } from '../../src/terminal/classify/ghost-text.ts'
import { lineLooks } from '../../src/terminal/classify/line-looks.ts'
import { isMenu } from '../../src/terminal/classify/menus.ts'

const at = (before: string, after = '', above: readonly string[] = []) => ({
  rows: [...above, `${before}${after}`],
  columns: 40,
  cursor: { row: above.length, column: before.length },
})
const looks = (before: string, after?: string, above?: readonly string[], own?: RegExp): string => {
  const { is, text } = lineLooks(at(before, after, above), above ?? [], own)
  return text === '' ? is : `${is}: ${text}`
}

describe('behind a prompt', () => {
  test.each([
    ['$ ', 'empty'],
    ['ada@box:~/src$ ', 'empty'],
    ['(venv) [12:00] ada % ', 'empty'],
    ['output 50% of it$ ', 'empty'],
    ['➜  src git:(main) ✗ ', 'empty'],
    ['➜  ~ ', 'empty'],
    [' ~ \ue0b0 main \ue0b0 ', 'empty'],
    ['', 'empty'],
    ['$ rm -rf ', 'held: rm -rf'],
    ['ada@box ~> git commit -m "x > y', 'held: git commit -m "x > y'],
    ['➜  src git:(main) ✗ ls', 'held: ls'],
    ['➜  ~ ls', 'held: ls'],
    [' ~ \ue0b0 ls', 'held: ls'],
    ['ready: ', 'unsure: ready:'],
  ])('%j is %s', (before, expected) => {
    expect(looks(before)).toBe(expected)
  })

  test('two signs are told by other prompts', () => {
    expect(looks('λ ~ » ')).toBe('unsure: λ ~ »')
    expect(looks('λ ~ » ', '', ['λ ~ » ls', 'file'])).toBe('empty')
    expect(looks('$ echo 5$ ', '', ['$ ls', 'file'])).toBe('held: echo 5$')
  })

  test('another sign is a prompt where something stood behind it above', () => {
    expect(looks('db(3)= ')).toBe('unsure: db(3)=')
    expect(looks('db(3)= ', '', ['db(2)= show', 'file'])).toBe('empty')
    expect(looks('☂ ', '', ['☂ show', 'file'])).toBe('empty')
    expect(looks('db(3)= (a + ', '', ['db(2)= (a + b)', 'file'])).toBe('held: (a +')
    expect(looks('db(3)= ', '', ['db(2)=', 'file'])).toBe('unsure: db(3)=')
  })

  test('a right prompt is none of it; what is right of the cursor is', () => {
    expect(looks('$ ', `${' '.repeat(32)}12:00`)).toBe('empty')
    expect(looks('$ ', 'rm -rf x')).toBe('held: rm -rf x')
    expect(looks('$ ', ' x')).toBe('held: x')
  })

  test('rows that it filled are part of it', () => {
    expect(looks('end', '', [`$ echo ${'x'.repeat(33)}`])).toBe(`held: echo ${'x'.repeat(33)}end`)
  })

  test('of a REPL, what its prompt looks like is known', () => {
    expect(looks('irb(main):001> 1 > ', '', [], /^irb\([^)]*\):\d+> /)).toBe('held: 1 >')
    expect(looks('> ', '', [], /^> /)).toBe('empty')
  })
})

/** The line of the composer that is found in these rows, as tmux shows them (`capture-pane -e`). */
function composed(printed: readonly string[], cursor?: { readonly row: number; readonly column: number }) {
  const rows = colouredRows(printed)
  const texts = rows.map(({ text }) => text.trimEnd())
  const composer = findComposer(texts)
  const screen = { rows: texts, columns: 80, ...(cursor ? { cursor } : { isCursorHidden: true as const }) }
  const { is, text } = composer ? composerLooks(rows, composer, screen) : cursorRowLooks(rows, screen)
  return text ? `${is}: ${text}` : is
}
const edge = '─'.repeat(40)

/** Rows of recorded sessions of corpus/, replayed in a pane. */
test.each([
  ['claude', '\u001b[39m❯\u00a0\u001b[7m \u001b[27m', 'empty'],
  ['claude', '\u001b[39m❯\u00a0run a command\u001b[7m \u001b[27m', 'held: run a command'],
  ['claude', '❯\u00a0\u001b[7mT\u001b[27m\u001b[2mry "edit <file>"\u001b[22m', 'empty'],
  // Its shell: what is typed now would run as a command.
  ['claude', '!\u00a0\u001b[7m \u001b[27m', 'held: !'],
  ['copilot', '❯', 'empty'],
  [
    'gemini',
    '\u001b[48;2;95;95;95m \u001b[38;2;215;175;255m> \u001b[7m\u001b[39m \u001b[0m\u001b[38;2;175;175;175m\u001b[48;2;95;95;95m Type your message\u001b[39m',
    'empty',
  ],
  [
    'gemini',
    ' \u001b[38;2;215;175;255m> \u001b[38;2;255;255;255mgo\u001b[7m\u001b[39m \u001b[27m',
    'held: go',
  ],
  [
    'qwen',
    '\u001b[38;2;203;166;247m> \u001b[39m\u001b[4m \u001b[24m\u001b[38;2;108;112;134m Type your message',
    'empty',
  ],
  ['cline', '\u001b[38;5;111m❯\u001b[39m \u001b[38;5;102mWhat can I do for you?', 'empty'],
  // It has no sign.
  ['pi', '\u001b[7m \u001b[27m', 'empty'],
  ['pi', 'half a prompt\u001b[7m \u001b[27m', 'held: half a prompt'],
  ['pi', '> quoted\u001b[7m \u001b[27m', 'held: quoted'],
])('the composer of %s: %j is %s', (_, row, expected) => {
  const sign = /[❯›>!]/u.exec(row)?.[0] ?? ''
  expect(composed([`${sign} what was asked`, '', '● Done.', '', edge, row, edge, '  ? for help'])).toBe(
    expected,
  )
})

test.each([
  ['\u001b[1m›\u001b[22m \u001b[2mAsk Codex to do anything\u001b[22m', 'empty'],
  ['\u001b[1m›\u001b[0m say hello', 'held: say hello'],
])('a composer with nothing around it: %j is %s', (row, expected) => {
  expect(composed(['› what was asked', '', '• Done.', '', row, '', '  gpt · ~/src'])).toBe(expected)
})

test('a composer in a box', () => {
  const box = (row: string) => [`╭${edge}╮`, row, `╰${edge}╯`]
  expect(composed(box('│ > \u001b[0mhalf      │'))).toBe('held: half')
  expect(composed(box('│ >           │'))).toBe('empty')
})

describe('a composer of several rows', () => {
  test('a draft is all down to the cursor', () => {
    const rows = ['● Done.', edge, '❯ one', '  > two', '  three\u001b[7m \u001b[27m', edge]
    expect(composed(rows)).toBe('held: one > two three')
  })

  // pi 0.73.1 after Ctrl-U in the last of two rows.
  test('whose last row is empty is not', () => {
    expect(composed(['● Done.', edge, 'please multi', '\u001b[7m \u001b[27m', edge, '~/src'])).toBe(
      'held: please multi',
    )
    const boxed = ['│ > please multi │', '│   \u001b[7m \u001b[27m            │']
    expect(composed([`╭${edge}╮`, ...boxed, `╰${edge}╯`])).toBe('held: please multi')
  })

  // OpenCode 1.18.33 shows its mode and its model in it.
  const barred = (row: string) => [
    '┃',
    `┃  ${row}`,
    '┃',
    '┃  Build  Big Pickle OpenCode Zen',
    `╹${'▀'.repeat(40)}`,
  ]
  test.each([
    ['\u001b[38;2;128;128;128mAsk anything... "Fix a TODO"', 3, 'empty'],
    ['half a prompt', 16, 'held: half a prompt'],
    ['', 3, 'empty'],
  ])('what stands below the cursor is the program’s: %j', (row, column, expected) => {
    expect(composed(barred(row), { row: 1, column })).toBe(expected)
  })

  test('whose cursor is not seen, without a sign, shows nothing that was surely typed', () => {
    expect(composed(barred('half a prompt'))).toBe('empty')
  })
})

// An attacker's: a draft may look like anything, and what is not surely empty is not.
test.each([
  ['a number first', ['', '› 1. fix the bug', '', '  gpt'], [1, 16], 'unsure: 1. fix the bug'],
  [
    'four paragraphs',
    ['', '› one', '', '  two', '', '  three', '', '  four', '', '  gpt'],
    [7, 6],
    'unsure: four',
  ],
  ['an empty row', ['', '›', '', '  second', '', '  gpt'], [3, 8], 'unsure: second'],
  ['another sign', ['', '! ls', '', '  gpt'], [1, 4], 'unsure: ! ls'],
  [
    'a line across',
    [edge, '❯ table:', `  ${edge}`, '  x\u001b[7m \u001b[27m', edge, '  ? for'],
    undefined,
    `held: table: ${edge} x`,
  ],
  [
    'its last row empty',
    [edge, '❯ a', `  ${edge}`, '  \u001b[7m \u001b[27m', edge],
    undefined,
    `held: a ${edge}`,
  ],
  [
    'a status line of strokes',
    [edge, '❯ delete\u001b[7m \u001b[27m', edge, '  ━━━━━━━━━━── 45%'],
    undefined,
    'held: delete',
  ],
  [
    'light colours',
    [edge, '❯ \u001b[38;2;0;0;0mdelete\u001b[39m', '  \u001b[7m \u001b[27m', edge],
    undefined,
    'held: delete',
  ],
  [
    'grey above the cursor',
    [edge, '❯ \u001b[90mdelete\u001b[39m', '  \u001b[7m \u001b[27m', edge],
    undefined,
    'held: delete',
  ],
  ['nothing, behind a prompt', ['Aider', '', 'architect> '], [2, 11], 'empty'],
  ['nothing, and no sign', ['Welcome', '', ''], [2, 0], 'empty'],
] as const)('a draft with %s', (_, rows, cursor, expected) => {
  const [row = 0, column = 0] = cursor ?? []
  expect(composed(['● Hello.', ...rows], cursor && { row: row + 1, column })).toBe(expected)
})

/** `[` begins a style, `_` is the program's own cursor on a blank, `^` the terminal's cursor before what follows. */
test.each([
  // A theme of 256 colours has no grey for it (Qwen Code 0.24.4).
  ['[38;5;183m> [4m[39m_[0m[38;5;103m Type your message', 'empty'],
  ['[35m> [7m[39m_[27m[32m What shall be done?', 'empty'],
  ['> [7mW[27m[2mhat shall be done?', 'empty'],
  ['> ^[90mWhat shall be done?', 'empty'],
  // A person may have pressed Home.
  ['[35m> [39m[4mh[24mello', 'held: hello'],
  ['[35m> [7m[32mh[27mello', 'held: hello'],
  ['[35m> [4m/[24m[35mhelp', 'held: /help'],
  ['[35m> [39m[7m_[27m[35m@README.md', 'held: @README.md'],
  ['[35m> [39m[7m_[27mgo [32m@README.md', 'held: go @README.md'],
  ['> [7mh', 'held: h'],
  ['> ^hello', 'held: hello'],
  // What is left of the cursor was typed, in a grey too; a suggestion goes on behind it.
  ['> [90mhello^', 'held: hello'],
  ['> [38;2;131;148;150mhello[7m_', 'held: hello'],
  ['> hel[7ml[27m[2mo world', 'held: hel'],
  ['> hel^[90mlo world', 'held: hel'],
] as const)('a placeholder is known by colour and cursor: %s is %s', (drawn, expected) => {
  const printed = drawn.replaceAll('[', '\u001b[').replace('_', ' ').replace('^', '')
  const plain = (text: string): string => text.replace(/\[[\d;]*m/g, '')
  const marked = drawn.indexOf('^')
  const cursor = { row: 0, column: plain(drawn.slice(0, Math.max(0, marked))).length }
  const rows = [plain(drawn).replace('^', '')]
  const screen = { rows, columns: 80, cursor, ...(marked < 0 ? { isCursorHidden: true as const } : {}) }
  const { is, text } = composerLooks(colouredRows([printed]), { first: 0, last: 0 }, screen)
  expect(text ? `${is}: ${text}` : is).toBe(expected)
})

test('ghost text is dim or grey', () => {
  const solid = (printed: string): string => colouredRows([printed]).map(solidText).join('')
  expect(solid('ls\u001b[38;5;240m -la\u001b[39m now').replace(/ +/g, ' ')).toBe('ls now')
  expect(solid('ls\u001b[90m -la')).toBe('ls    ')
  // Claude Code 2.1.330 after a limit: what is dim stays so in any colour.
  expect(solid('❯ \u001b[7mR\u001b[0;2m\u001b[39m\u001b[49mesend it\u001b[0m').trim()).toBe('❯')
  expect(solid('\u001b[2mls\u001b[22m\u001b[39m -la')).toBe('   -la')
  expect(solid('\u001b[1;32mls\u001b[0m -la')).toBe('ls -la')
})

test.each([
  ['(1/1) Stage this hunk [y,n,q,a,d,e,?]? ', [], true],
  ['#? ', [], true],
  ['Which one? ', ['1) one  2) two'], true],
  ['Go on? [y/N] ', [], false],
  ['Are you sure (yes/no/[fingerprint])? ', [], false],
  ['Name: ', ['Hello.'], false],
])('%j is a menu: %j %s', (before, above, expected) => {
  expect(isMenu(at(before, '', above))).toBe(expected)
})
