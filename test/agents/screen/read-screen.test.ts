/** What screens of agents say: by their parts, and never by what a model or a tool has printed above them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentNames, isAgentName } from '../../../src/agents/agent-names.ts'
import { edge, readText as read, wordOf as word } from '../../support/agent-screen.ts'

const composer = `${edge}\n❯ \n${edge}\n  ? for shortcuts`
const dialog = `${edge}
 Bash command

   rm -rf build

 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and don't ask again
   3. No

 Esc to cancel`

describe('a screen', () => {
  test('says that its turn is over where nothing shows work', () => {
    expect(word(read('claude', `● Done.\n\n✻ Baked for 3s\n\n${composer}`))).toBe('idle')
  })

  test.each([
    ['a spinner', `✽ Brewing… (4s · ↓ 29 tokens)\n\n${composer}`, 'working'],
    [
      'a spinner above what is to do',
      `✶ Fixing… (4s)\n  ⎿  ☐ Write tests\n     ☐ Run them\n\n${composer}`,
      'working',
    ],
    ['a footer that tells how to stop it', `● A\n\n${composer} · esc to interrupt`, 'working'],
    [
      'a shell in the background',
      `✻ Baked for 3s · 1 shell still running\n\n${composer}`,
      'working/background',
    ],
    [
      'a provider that is asked again',
      `✻ 429 too many · retrying in 8s · attempt 6/10\n\n${composer}`,
      'working/retrying',
    ],
    ['compaction', `✻ Compacting conversation… (3s)\n\n${composer}`, 'working/compacting'],
    ['an error', `  ⎿  API Error: 500\n● API Error: 500\n\n${composer}`, 'idle/error'],
  ])('says what it does: %s', (_, screen, expected) => {
    expect(word(read('claude', screen))).toBe(expected)
  })

  // A real screen of Claude Code 2.1.330 in a turn.
  test('of which a list of commands covers where work would show says nothing', () => {
    const list = '  ❯ /add-dir      Add a working directory\n    /autocompact  Set how full the context gets'
    const typed = composer.replace('❯ ', '❯ /')
    expect(word(read('claude', `● word1 word2\n\n${list}\n${typed}`))).toBe('unknown')
    expect(word(read('claude', `● Done.\n\n✻ Baked for 3s\n\n${typed}`))).toBe('idle')
  })

  // Its sign is like a pointer at the first of two options.
  test.each([
    ['claude', `● Done.\n\n${edge}\n❯ one\n  two\n${edge}\n  ? for shortcuts`, 'idle'],
    ['kimi', `Done.\n\n ╭${edge}╮\n │ > 1. one │\n │   2. two │\n ╰${edge}╯\n context: 0%`, 'idle'],
    [
      'droid',
      `Done.\n\n╭${edge}╮\n│ > one │\n│   Enter to steer · Ctrl+Enter to queue │\n╰${edge}╯`,
      'working',
    ],
    ['codex', '• Done.\n\n› one\n  two\n\n  gpt-5 · ~/src', 'unknown'],
  ] as const)('with a draft of several lines asks nothing: %s', (agent, screen, expected) => {
    expect(word(read(agent, screen))).toBe(expected)
  })

  test('asks where a frame with options alone offers to agree, or tells how to choose', () => {
    const box = (below: string, ...labels: readonly string[]) =>
      ['Done.', '', `╭${edge}╮`, ...labels.map(label => `│ ${label} │`), `╰${edge}╯`, below].join('\n')
    expect(word(read('droid', box('', '> Yes, allow', '  No, cancel')))).toMatch(/^waiting/)
    expect(word(read('droid', box('Enter select   Esc cancel', '> one', '  two')))).toMatch(/^waiting/)
  })

  test('rests below a prompt that quotes one which works', () => {
    const sent = '> What is "✻ Pondering… (12s · esc to interrupt)"?'
    expect(word(read('gemini', `${sent}\n✦ A spinner.\n\n${edge}\n > \n${edge}\n ~/work`))).toBe('idle')
  })

  test('says what it asks, and what can be answered', () => {
    const asks = read('claude', dialog)
    expect(word(asks)).toBe('waiting/permission')
    expect(asks.options).toEqual([
      { label: 'Yes', number: 1, isPointed: true },
      { label: "Yes, and don't ask again", number: 2, isPointed: false },
      { label: 'No', number: 3, isPointed: false },
    ])
  })

  test('tells a menu that a person opened from a dialog, and goes on working beside it', () => {
    const menu = `${edge}\n Select model\n\n ❯ 1. Large\n   2. Small\n\n Enter to confirm · Esc to exit`
    expect(word(read('claude', menu))).toBe('idle, a menu')
    expect(word(read('claude', `✽ Brewing… (4s)\n\n${menu}`))).toBe('working')
  })

  test('is not moved by what stands above its composer', () => {
    const fakes = [dialog, '⠋ Working… (3s · esc to interrupt)', `✽ Brewing… (4s)\n\n${composer}`, composer]
    for (const fake of fakes) {
      const printed = `● Read(log.txt)\n${fake}\n\n● That is all.\n\n  Nothing else stands there.\n\n✻ Baked for 3s\n\n${composer}`
      expect(word(read('claude', printed))).toBe('idle')
      expect(word(read('claude', `${fake}\n● So.\n\n✽ Brewing… (4s)\n\n${composer}`))).toBe('working')
    }
  })

  test('is not moved by what a dialog shows', () => {
    const shows = dialog.replace('rm -rf build', `cat <<E\n${composer}\n✻ Baked for 3s\nE`)
    expect(word(read('claude', shows))).toBe('waiting/permission')
  })

  test('that streams its answer may look like one at rest: then only the title tells', () => {
    const streams = '• word0 word1\n\n› Ask Codex to do anything\n\n  gpt-5 · ~/project'
    expect(word(read('codex', streams))).toBe('unknown')
    expect(word(read('codex', streams, '⠋ project'))).toBe('working')
    expect(word(read('codex', streams, 'project'))).toBe('idle')
    expect(word(read('codex', dialog, 'project'))).toBe('waiting/permission')
  })

  test('of an agent that nobody knows is read by what all have in common', () => {
    expect(word(read(undefined, dialog))).toBe('waiting/permission')
    expect(word(read(undefined, `⠙ Thinking… (3s · ctrl+c to stop)\n\n${composer}`))).toBe('working')
    expect(word(read(undefined, 'Run shell command? (Y)es/(N)o [Yes]:'))).toBe('waiting/permission')
    expect(word(read(undefined, 'building…'))).toBe('unknown')
  })

  test('of an agent that nobody has checked is believed less', () => {
    const rests = read('goose', 'The rate is applied twice.\n\n( O)> ')
    expect([word(rests), rests.confidence]).toEqual(['idle', 0.6])
    expect(read('kimi', '✨ go\n\n● Done.\n\n╭──────────╮\n│ >        │\n╰──────────╯').confidence).toBe(0.9)
  })

  test('with a spinner further up than it should be is unknown', () => {
    const queued = `⠋ Working...\n\n Steering: the tests\n Then: commit\n Then: push\n\n${edge}\n\n${edge}\n~/shop`
    expect(word(read('pi', queued))).toBe('unknown')
  })

  test('of any make is read, and the same each time', () => {
    const row = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.constantFrom(
        '',
        edge,
        '❯ ',
        '│ > x │',
        '╭────────────╮',
        '╰────────────╯',
        ' ❯ 1. Yes',
        '   2. No',
        '┃',
        '╹▀▀▀▀▀▀▀▀▀▀▀▀',
        '▌ x',
        '漢字',
      ),
    )
    fc.assert(
      fc.property(fc.constantFrom(...agentNames), fc.array(row, { maxLength: 60 }), (agent, rows) => {
        const said = read(agent, rows.join('\n'))
        expect(said).toEqual(read(agent, rows.join('\n')))
        expect(said.state.kind === 'unknown').toBe(said.match === undefined)
      }),
    )
  })
})

// Their composers, menus and work as Nanocoder 1.30.0 and Continue 1.5.47 draw them.
describe('a screen of a CLI that is known by its screen alone', () => {
  const bar = (...rows: readonly string[]) => ['┃', ...rows.map(row => `┃ ${row}`), '┃'].join('\n')
  const asked = `${bar('Done.')}\n\nWorked for a brisk 8s.\n\nWhat would you like me to help with?\n`
  const mode = '▶ normal mode on · tune: full (auto)'
  const busy = '⠼ Press Esc to cancel · ctrl-o expand tool results'

  test.each([
    ['rests', `${asked}\n${bar('> / commands, ! bash')}\n\n${mode}`, 'idle'],
    ['rests with a draft, which takes the sign away', `${asked}\n${bar('fix it')}\n\n${mode}`, 'idle'],
    ['works', `${asked}\n${bar('> / commands', '', busy)}\n\n${mode}`, 'working'],
    ['works below a draft', `${asked}\n${bar('fix it', '', busy)}\n\n${mode}`, 'working'],
    ['works and takes no draft', `${bar('Done.')}\n\n${busy}\n${mode}`, 'working'],
    ['works below a model that writes its mode', `${bar('Done.', mode)}\n\n${busy}\n${mode}`, 'working'],
    [
      'asks, its options apart by blank rows',
      `${bar('Which?')}\n\n❯ One\n\n  Two\n\n↑/↓ to move · Enter to select · Esc to cancel`,
      'waiting/question',
    ],
  ])('of Nanocoder %s', (_, screen, expected) => {
    expect(word(read('nanocoder', screen))).toBe(expected)
  })

  const boxed = (...rows: readonly string[]) =>
    [`╭${edge}╮`, ...rows.map(row => `│ ${row.padEnd(edge.length - 2)} │`), `╰${edge}╯`].join('\n')
  const footer = '  /home/ann/shop          ◉ Continue CLI'

  test.each([
    ['rests', `● Done.\n\n${boxed('● ▋Ask anything')}\n${footer}`, 'idle'],
    ['with a draft has no caret', `● Done.\n\n${boxed('● fix it')}\n${footer}`, 'unknown'],
    ['works', `● go\n\n ⠒⠔⠃  ( 6s • esc to interrupt )\n${boxed('● ▋Ask')}\n${footer}`, 'working'],
    [
      'shows a menu',
      `● Done.\n\n${boxed('Select Model', '➤ One ✔', '↑/↓ to navigate, Enter to select, Esc to cancel')}\n${footer}`,
      'idle, a menu',
    ],
  ])('of Continue %s', (_, screen, expected) => {
    expect(word(read('cn', screen))).toBe(expected)
  })

  test('of Auggie shows what goes on beside its turns, and its turn before that', () => {
    const composer = `${edge}\n› \n${edge}\n ? to show shortcuts`
    expect(word(read('auggie', `● Done.\n\n ⠋ Preparing your workspace...\n${composer}`))).toBe(
      'working/background',
    )
    const both = ' ⠳ Sending request... (3s • esc to interrupt)\n ⠋ Preparing your workspace...'
    expect(word(read('auggie', `› go\n\n${both}\n${composer}`))).toBe('working')
  })
})

// A hint on how to choose is no work that can be broken off.
test('an unknown agent that says how to choose and to cancel does not work', () => {
  const rows = '  One\n\n  Two\n\n↑/↓ to move · Enter to select · Esc to cancel'
  expect(word(read(undefined, rows))).toBe('unknown')
})

type Drawn = {
  readonly agent: string
  readonly screen: string
  readonly title?: string
  readonly truth: { readonly state: string }
  /** What it would be wrong to say above all. */
  readonly never?: readonly string[]
}

/** Screens that were drawn by who had not read the rules, with what is said of them. */
function drawn(name: string) {
  const file = path.resolve(import.meta.dirname, '../../../bench/screens', `${name}.jsonl`)
  const all = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Drawn)
  return all.map(({ agent, screen, title, truth, never = [] }) => {
    const { kind } = read(isAgentName(agent) ? agent : undefined, screen, title).state
    const isFalselyIdle = kind === 'idle' && (truth.state === 'working' || truth.state === 'waiting')
    return {
      agent,
      isRight: kind === truth.state,
      isUnknown: kind === 'unknown',
      isDangerous: isFalselyIdle || (kind === 'idle' && never.includes('idle')),
    }
  })
}

/** The figures of the first run: docs/benchmarks.md#benchscreens. */
test('screens of versions that were never recorded are right in 95 of 100, and none that works or asks is called idle', () => {
  const all = drawn('versions')
  expect(all.filter(({ isDangerous }) => isDangerous)).toEqual([])
  expect(all.filter(({ isRight }) => isRight).length / all.length).toBeGreaterThan(0.95)
})

/** The rules were written from these: a changed rule must still hold for them. */
test('recorded screens of agents of which nothing else is read are right', () => {
  const all = drawn('recorded')
  expect(all.length).toBeGreaterThan(50)
  expect(all.filter(({ isRight }) => !isRight)).toEqual([])
})

test('screens that were drawn from memory or from words of a package are right or unknown', () => {
  const all = drawn('documented')
  expect(all.filter(({ isRight, isUnknown }) => !isRight && !isUnknown)).toEqual([])
  expect(all.filter(({ isRight }) => isRight).length / all.length).toBeGreaterThan(0.6)
})

test('hostile screens make nobody idle that works or asks', () => {
  expect(drawn('hostile').filter(({ isDangerous }) => isDangerous)).toEqual([])
})
