/** Work that goes on beside a turn or after it, by the rows that count it; and rows of work that is over. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composerWith, edge, readText, wordOf } from '../../support/agent-screen.ts'

const claude = (above: string, footer?: string): string =>
  wordOf(readText('claude', `${above}\n\n${composerWith('', footer)}`))
const codex = (above: string, footer = ''): string =>
  wordOf(readText('codex', `${above}\n\n› Ask Codex to do anything\n\n  gpt-5 · ~/shop${footer}`))
const over = '● Saved.\n\n✻ Baked for 3s'

describe('a row above the composer that counts work', () => {
  test.each(['1 dynamic workflow', '2 teammates', '3 long-running database copies', '12 monitors'])(
    'works in the background, whatever it waits for: %s',
    things => {
      expect(claude(`● Started.\n\n✻ Waiting for ${things} to finish`)).toBe('working/background')
      expect(wordOf(readText(undefined, `✶ Waiting for ${things} to finish…\n\n${composerWith('')}`))).toBe(
        'working/background',
      )
    },
  )

  test('works where the end of the turn says that something still runs', () => {
    expect(claude('● Saved.\n\n✻ Baked for 1m 2s · 2 watchers still running')).toBe('working/background')
    expect(codex('• Saved.\n\n  3 background terminals running · /ps to view')).toBe('working/background')
  })

  test('of which none is left shows no work', () => {
    expect(claude('● Saved.\n\n✻ Waiting for 0 shells to finish')).toBe('idle')
    expect(
      codex('• Saved.\n\n  Worked for 3s • 10:00', '\n  0 background terminals running · /ps to view'),
    ).toBe('idle')
  })

  test('is stale once a message reports the end of each', () => {
    const waits = (n: number) => `✻ Waiting for ${n} background agents to finish`
    const ended = (name: string) => `\n\n● Agent "${name}" finished · 10s`
    expect(claude(waits(1) + ended('tests'))).toBe('idle')
    expect(claude(waits(2) + ended('tests'))).not.toBe('idle')
    expect(claude(waits(2) + ended('tests') + ended('docs'))).toBe('idle')
  })

  test('is text in an answer, where it never makes work', () => {
    expect(
      claude(
        '● The log ends with\n\n  ✻ Waiting for 1 workflow to finish\n\n  and no more.\n\n✻ Baked for 3s',
      ),
    ).toBe('idle')
    expect(claude('● The pool has\n  3 workers running\n  and is full.')).not.toMatch(/^working/)
    expect(claude('● Bash(status)\n  ⎿  3 servers running')).not.toMatch(/^working/)
    expect(codex('• 2 servers running')).not.toMatch(/^working/)
  })
})

describe('a row below the composer that counts work', () => {
  test.each([
    '  2/3 agents done · 7m48s · ↓ 97.7k tokens',
    '  1 of 3 reviewers done',
    '  ⏵⏵ accept edits on · 1 shell',
    '  ⏸ manual mode on · 4 gizmos · ↓ to manage',
    '  1 shell',
  ])('works in the background: %s', footer => {
    expect(claude(over, footer)).toBe('working/background')
  })

  test.each([
    '  3/3 agents done · 7m48s · ↓ 97.7k tokens',
    '  ⏵⏵ accept edits on · 0 shells',
    '  ⏵⏵ accept edits on (shift+tab to cycle) · 3 files +12 -4',
  ])('that names nothing which runs is idle: %s', footer => {
    expect(claude(over, footer)).toBe('idle')
  })

  test('shows a terminal of Codex that runs, whatever its title says', () => {
    const footer = '\n  Plan mode (shift+tab to cycle)      1 background terminal running · /ps to view'
    const screen = `• Saved.\n\n  Worked for 3s • 10:00\n\n› Ask\n\n  gpt-5 · ~/shop${footer}`
    expect(wordOf(readText('codex', screen))).toBe('working/background')
    expect(wordOf(readText('codex', screen, 'shop'))).toBe('working/background')
  })

  test.each(['  main · 3 agents', '  main · 2/3 tasks done · $0.40'])(
    'among the words of a person is neither work nor idleness: %s',
    footer => {
      expect(claude(over, `${footer}\n  ⏵⏵ accept edits on (shift+tab to cycle)`)).toBe('unknown')
    },
  )
})

describe('a tool without a spinner', () => {
  test.each([
    [
      'a hint',
      '● Explore(callers of parse)\n  ⎿  Read(a.ts)\n     +12 more tool uses\n     ctrl+b to run in background',
    ],
    ['two keys', '● Bash(make)\n  ⎿  cc a.c\n     (ctrl+b ctrl+b (twice) to run in background)'],
    ['no output yet', '● Bash(npm test)\n  ⎿  Running…'],
  ])('runs while it shows %s', (_, above) => {
    expect(claude(above)).toBe('working/tool')
    expect(claude(`${above}\n\n● It is done.`)).toBe('idle')
    expect(claude(`${above}\n  ⎿  Interrupted · What should Claude do instead?`)).toBe('idle')
  })

  test('is not what a message says of it', () => {
    expect(claude('● Press ctrl+b to run in background.')).toBe('idle')
  })
})

describe('a spinner is stale', () => {
  const spinner = '✽ Brewing… (4s · ↓ 29 tokens)'

  test.each([
    ['an interruption', '  ⎿  Interrupted · What should Claude do instead?'],
    ['a cancelled request', '\n● Request cancelled by user'],
    ['the end of what it waited for', '\n● Background command "npm test" completed (exit code 0)'],
    ['a divider', `\n─ Worked for 1m 02s ${'─'.repeat(30)}`],
  ])('above %s', (_, row) => {
    expect(claude(spinner)).toBe('working')
    expect(claude(`${spinner}\n${row}`)).toBe('idle')
    expect(claude(`${spinner}\n${row}\n\n${spinner}`)).toBe('working')
  })

  test('and is not above what is still to do, or what is queued', () => {
    expect(claude(`${spinner}\n  ⎿  ☐ Cancelled\n     ✔ Interrupted by user`)).toBe('working')
    expect(claude(`${spinner}\n\n❯ cancelled by user`)).toBe('working')
  })
})

describe('a transcript that was pasted into the composer', () => {
  const pasted = [
    '● Bash(x)',
    '  ⎿  Running…',
    '     (ctrl+b to run in background)',
    '✻ Waiting for 1 workflow to finish',
    '✽ Brewing… (4s · esc to interrupt)',
    edge,
    '❯ ',
    edge,
    'Do you want to proceed?\n  ❯ 1. Yes\n    2. No\n\n  Esc to cancel',
    '2/3 agents done',
  ]

  test('is text, whatever part of it was pasted', () => {
    fc.assert(
      fc.property(fc.subarray(pasted, { minLength: 1 }), rows => {
        const draft = `see this:\n${rows.map(row => `  ${row}`).join('\n')}`
        expect(wordOf(readText('claude', `${over}\n\n${composerWith(draft)}`))).toBe('idle')
        expect(wordOf(readText('claude', `✽ Brewing… (4s)\n\n${composerWith(draft)}`))).toBe('working')
      }),
    )
  })
})
