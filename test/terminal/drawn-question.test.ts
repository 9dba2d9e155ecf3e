/** What programs ask that read keys and draw their questions themselves: as kits of prompts drew them, and as others draw. */
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import { asksForLine } from '../../src/terminal/classify/drawn-question.ts'
import { nothingLearned } from '../../src/terminal/classify/learned.ts'
import { probeOf, process, type Told, word } from '../support/probes.ts'

/** Rows as they stand, the cursor behind the last one; hidden where the kit hides it. */
function asks(rows: readonly string[], told: Told & { readonly isShown?: boolean } = {}): string {
  const { isShown, ...rest } = told
  const last = rows.at(-1) ?? ''
  const screen = {
    rows: rows.map(row => row.trimEnd()),
    columns: 80,
    cursor: { row: rows.length - 1, column: [...last].length },
    alternate: false,
    ...(isShown ? {} : { isCursorHidden: true as const }),
  }
  const reader = process('node ask.js', 'epoll_pwait+2~')
  return word(classify(probeOf([reader], { mode: 'ce', screen, quiet: 300, ...rest }), nothingLearned))
}

describe('asks', () => {
  test.each<[string, readonly string[], string]>([
    [
      'prompts select',
      ['? Pick › - Use arrow-keys. Return to submit.', '❯   a', '    b', ''],
      'waiting/input',
    ],
    ['clack select', ['┌  hello', '│', '◆  Pick', '│  ● a', '│  ○ b', '└', ''], 'waiting/input'],
    ['clack multiselect', ['│', '◆  Many', '│  ◻ a', '│  ◻ b', '└', ''], 'waiting/input'],
    ['clack text', ['│', '◆  Your name?', '│  ada', '└', ''], 'waiting/input'],
    ['clack confirm', ['│', '◆  Sure?', '│  ● Yes / ○ No', '└', ''], 'waiting/confirmation'],
    ['dialoguer select', ['? Pick ›', '❯ a', '  b', ''], 'waiting/input'],
    ['a list without a title', ['Which one?', '> a', '  b', ''], 'waiting/input'],
    ['inquirer confirm', ['? Go on? (Y/n) '], 'waiting/confirmation'],
    ['inquirer input', ['? Your name '], 'waiting/input'],
  ])('%s', (_, rows, expected) => {
    expect(asks(rows)).toBe(expected)
    // Not before it is quiet.
    expect(asks(rows, { quiet: 0 })).toBe('working')
  })
})

describe('hides what is typed', () => {
  test.each<[string, readonly string[]]>([
    ['clack', ['│', '◆  Password', '│  _', '└', '']],
    ['clack, some typed', ['│', '◆  Password', '│  ▪▪▪▪_', '└', '']],
    ['inquirer', ['? Password [input is masked] ']],
    ['inquirer with a mask', ['? Enter your token ']],
    ['inquirer with a mask, some typed', ['? Enter your token ****']],
    ['prompts', ['? Secret › ']],
    ['enquirer', ['? Password ‣ ']],
    ['prompt_toolkit, some typed', ['Password: *****']],
    ['promptui, below a sign of its own', ['✔ Passcode: █', '']],
    ['with a note behind it', ['🔑 Passphrase: (any length) ']],
    ['for somebody', ['? Passphrase for key id_ed25519: ']],
  ])('%s', (_, rows) => {
    expect(asks(rows)).toBe('waiting/password')
  })
  test.each<[string, readonly string[]]>([
    ['what is shown is none', ['? Enter your token abc']],
    ['nor what only mentions one', ['? Which password manager ']],
    ['nor what somebody types', ['? Your wish forgot my password']],
    ['nor a question that somebody types', ['Ask: what is a token?']],
    ['nor a question that comes after one', ['✔ Password ****', '? Name: ']],
  ])('%s', (_, rows) => {
    expect(asks(rows)).toBe('waiting/input')
  })
})

describe('asks nothing', () => {
  test.each<[string, readonly string[]]>([
    ['a log', ['listening on 3000', '']],
    ['rows that all are pointed at', ['  ➜  Local: http://localhost:5173/', '  ➜  press h to show help', '']],
    ['what was answered', ['✔ Pick › a', '']],
    ['a question farther up', ['? Pick', '', 'building', '', '']],
  ])('%s', (_, rows) => {
    expect(asks(rows, { quiet: 60_000 })).toBe('working')
  })
  test('a list below which a cursor blinks was printed', () => {
    expect(asks(['Steps', '> a', '  b', ''], { isShown: true, quiet: 60_000 })).toBe('working')
  })
})

describe('what moves beside a question', () => {
  const moves = { quiet: 10, isShown: true }
  test('keeps nobody from being asked, once its line stands still', () => {
    expect(asks(['12:00:01', 'Name: '], { ...moves, still: 300 })).toBe('waiting/input')
    expect(asks(['12:00:01', 'Name: '], { ...moves, still: 299 })).toBe('working')
  })
  test('is work where that line asks nothing', () => {
    expect(asks(['12:00:01', 'building'], { ...moves, still: 60_000 })).toBe('working')
    expect(asks(['12:00:01', ''], { ...moves, still: 60_000 })).toBe('working')
  })
})

describe('a line', () => {
  test('that is read is no key, whatever the question calls it', () => {
    const reads = probeOf([process('installer', 'read(1024)')], { line: 'Press Enter to continue ' })
    expect(word(classify(reads))).toBe('waiting/input')
  })
  test('is asked for where the cursor stands behind a question', () => {
    const line = (text: string, isCursorHidden?: true) => {
      const cursor = { row: 0, column: [...text].length }
      return asksForLine({ rows: [text], columns: 80, cursor, ...(isCursorHidden && { isCursorHidden }) })
    }
    for (const text of [
      'Name? ',
      'Name: ',
      'package name: (kits) ',
      'port [8080]: ',
      '? Your name ',
      '? Name? › ',
    ])
      expect([text, line(text)]).toEqual([text, true])
    for (const text of [
      'up',
      'Press r: ',
      '[r]eload, [q]uit? ',
      'reload (r) or quit (q)? ',
      'building: 3 ',
      '',
    ])
      expect([text, line(text)]).toEqual([text, false])
    expect(line('Name? ', true)).toBe(false)
  })
})
