/** Composers by what is drawn around them, of any width and with any words of a person. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../../src/agents/agent-names.ts'
import { composerWith, edge, readText, wordOf } from '../../support/agent-screen.ts'

const over = '● Saved.\n\n✻ Baked for 3s'
const spinner = '✽ Brewing… (4s)'
const ruled = (top: string, bottom = top) => `${top}\n❯ \n${bottom}\n  ? for shortcuts`

/** The same composer rests below a turn that is over, and works below a spinner. */
function expectComposer(composer: string, agent: AgentName = 'claude'): void {
  expect(wordOf(readText(agent, `${over}\n\n${composer}`))).toBe('idle')
  expect(wordOf(readText(agent, `${agent === 'claude' ? spinner : '⠋ Thinking…'}\n\n${composer}`))).toBe(
    'working',
  )
}

describe('a composer', () => {
  test.each([
    ['a branch in its upper line', ruled(`${'─'.repeat(12)} feature/a-long-branch-name ◐ medium ──`, edge)],
    ['a mode in its lower line', ruled(edge, '── accept edits on · ◐ medium · opus · main ────────')],
    ['words first', ruled(`main ${'─'.repeat(55)}`, edge)],
    ['dashes', ruled('╌'.repeat(60))],
    ['dots', ruled('┈'.repeat(60))],
    ['plain dashes', ruled('- '.repeat(30))],
  ])('may have %s', (_, composer) => {
    expectComposer(composer)
  })

  test.each([
    ['empty', '│                    │'],
    ['with a draft', '│ fix the totals     │'],
    ['with a sign', '│ > fix the totals   │'],
  ])('may carry a status line in its frame: %s', (_, inside) => {
    expectComposer(`╭─ π | ~/shop | main | 3% ─╮\n${inside}\n╰──────────────────────────╯`, 'pi')
  })

  test.each([
    ['  Opus 5 │ main ✗ 3?', '  ━━━━━━━━──────── 41% · enter the void', '  1. ship it? 2. esc'],
    ['  ❯ main ✓', '  working on the login', '  waiting for a review (y/n)'],
    ['  ● main', '  ○ staging', '  ○ prod'],
    ['  ╭─ shop on main', '  ├─ $0.40 today', '  ╰─ 5h ▁▂▃▄▅▆▇█ 40%'],
  ])('has a footer of a person’s own words: %s', (...footer) => {
    expectComposer(composerWith('', footer.join('\n')))
  })

  test('has a footer of any plain words', () => {
    const word = fc.stringMatching(/^[a-z~/$.%]{1,12}$/).filter(text => !/^(?:esc|ctrl)/.test(text))
    const row = fc.array(word, { minLength: 1, maxLength: 6 }).map(words => `  ${words.join(' ')}`)
    fc.assert(
      fc.property(fc.array(row, { minLength: 3, maxLength: 3 }), rows => {
        expectComposer(composerWith('', rows.join('\n')))
      }),
    )
  })

  test('may be cut off below', () => {
    expectComposer(`${edge}\n❯ `)
    expectComposer('╭──────────────────────╮\n│ > fix it')
  })

  test('that is cut off shows nothing of a CLI that shows work below it', () => {
    expect(wordOf(readText('copilot', `● Saved.\n\n${edge}\n❯ `))).toBe('unknown')
  })

  test.each([
    ['claude', '╭──────────────╮\n│ >            │\n╰──────────────╯\n  ? for shortcuts'],
    ['claude', '> \n  ? for shortcuts'],
    ['gemini', '╭──────────────────────╮\n│ Type your message    │\n╰──────────────────────╯\n ~/shop'],
    ['qwen', '│ Type your message or @path/to/file\n\n ~/shop'],
  ] as const)('of an earlier version is one: %s', (agent, composer) => {
    expectComposer(composer, agent)
  })

  test.each(['▌ Ask Codex to do anything', '▌ Ask Codex to do anything\n\n ⏎ send   ⌃C quit'])(
    'of an earlier Codex is one: %s',
    composer => {
      expect(wordOf(readText('codex', `■ Conversation interrupted\n\n${composer}`))).toBe('idle/interrupt')
    },
  )
})

describe('no composer', () => {
  test.each([
    ['a dialog that is cut off', `${edge}\n❯ 1. Yes\n  2. No`],
    ['a box that is cut off, with options', '╭──────────╮\n│ ❯ Yes, allow\n│   No, cancel'],
    [
      'a box with a title and text',
      '╭─ Permission | bash ─────╮\n│ Run rm -rf build?       │\n╰─────────────────────────╯',
    ],
    ['a field for a key', 'Enter your key\n╭────────────────╮\n│                │\n╰────────────────╯'],
    ['a prompt that was sent, above a spinner', '❯ go on\n\n· Brewing… (3s)'],
  ])('is %s', (_, screen) => {
    for (const agent of ['claude', 'pi', 'gemini'] as const)
      expect(wordOf(readText(agent, `● Saved.\n\n${screen}`))).not.toMatch(/^idle/)
  })

  test('is one that a dialog quotes', () => {
    const quoted = [ruled(`${'─'.repeat(12)} main ◐ medium ──`), ruled('╌'.repeat(60)), `${edge}\n❯ `]
    for (const text of quoted) {
      const dialog = `${edge}\n Bash command\n\n${text}\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel`
      expect(wordOf(readText('claude', dialog))).toBe('waiting/permission')
    }
  })
})
