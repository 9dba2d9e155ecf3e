/** Dialogs whose options have no numbers, and forms with tabs: of workflows, updates, trust, models, limits. */
import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../../src/agents/agent-names.ts'
import { composerWith, edge, readText, wordOf } from '../../support/agent-screen.ts'

const word = (screen: string, agent?: AgentName): string => wordOf(readText(agent, screen))

/** Below what the turn printed before. */
const below = (dialog: string): string => `● I have looked at the folder.\n\n${dialog}`

describe('waits', () => {
  test.each<readonly [string, string, string, AgentName]>([
    [
      'a workflow that is to be started',
      `${edge}
  Start this workflow?

  nightly-audit
    4 phases, at most 9 agents at a time

❯ Start it
  Show the script first
  Not now

  ↑↓ to move · Enter to confirm · Esc to cancel`,
      'waiting',
      'claude',
    ],
    [
      'an update, its pointer at the very left',
      `${edge}
  A newer version is there: 2.4.0 (you have 2.3.1)

› Install it now
  Remind me later
  Skip this version

  Press Enter to continue`,
      'waiting',
      'codex',
    ],
    [
      'a folder that is not trusted yet',
      `${edge}
  Do you trust the files in this folder?

  /home/ann/shop

  ❯ Yes, go on
    No, leave

  Enter to confirm · Esc to exit`,
      'waiting/trust',
      'claude',
    ],
    [
      'a limit, with what can be done about it',
      `${edge}
  You have used up your hours for today · they come back at 16:00

  What shall happen?

  ❯ Wait until then
    Go on with extra usage
    Use a smaller model

  Enter to confirm · Esc to cancel`,
      'waiting',
      'claude',
    ],
    [
      'a question with explained options',
      `${edge}
  ☐ Store

  Where shall the carts be kept?

  ❯ SQLite
      One file beside the program
    Postgres
      A server of its own
    Type something else

  Enter to select · ↑/↓ to navigate · Esc to cancel`,
      'waiting/question',
      'claude',
    ],
    [
      'a form with tabs',
      `${edge}
←  ☐ Store  ☒ Login  ✔ Submit  →

Who may log in?

❯ Everybody
  Those who are invited

Enter to select · Tab/Arrow keys to navigate · Esc to cancel`,
      'waiting/question',
      'claude',
    ],
    [
      'the last tab of a form',
      `${edge}
←  ☒ Store  ☒ Login  ✔ Submit  →

Review your answers

 ● Where shall the carts be kept?
   → SQLite

Ready to submit your answers?

❯ Submit answers
  Cancel`,
      'waiting',
      'claude',
    ],
    [
      'a form with fields',
      `${edge}
  The server “tickets” asks for input

  A ticket for the broken cart

  ❯ Title      Cart totals are wrong
    Severity   low
    Notify     no

    Accept   Decline

  Enter to edit · ↑↓ to move · Esc to cancel`,
      'waiting',
      'claude',
    ],
    [
      'a model that is no longer there, its pointer a filled circle',
      `${edge}
  The model swift-2 is gone since yesterday

  Which one shall take its place?

  ● swift-3
  ○ swift-3 large
  ○ none: end here

  (Use Enter to select)`,
      'waiting',
      'gemini',
    ],
    [
      'a frame below the rule around the options',
      `╭──────────────────────────────────────────────────────────────╮
│ The plan of the workflow has changed                         │
│                                                              │
│ ❯ Go on with the new plan                                    │
│   Keep the old one                                           │
│                                                              │
│ ↑↓ move  enter choose  esc cancel                            │
╰──────────────────────────────────────────────────────────────╯`,
      'waiting',
      'copilot',
    ],
  ])('for %s', (_, dialog, expected, agent) => {
    const said = word(below(dialog), agent)
    expect(said.startsWith(expected), said).toBe(true)
  })
})

describe('is a menu, which blocks no turn', () => {
  test.each([
    [
      'of models, without numbers',
      `${edge}
  Select model
  For this session and the next ones

  ❯ Usual        the newest
    Large        for hard work
    Small        for quick answers

  Enter to set · Esc to exit`,
    ],
    [
      'of settings with tabs',
      `${edge}
  Settings:  Status   Config   Usage

  ❯ Verbose output      false
    Theme               dark
    Notifications       auto

  Enter/Space to change · Esc to cancel`,
    ],
  ])('%s', (_, menu) => {
    const reading = readText('claude', below(menu))
    expect([reading.state.kind, reading.isMenu]).toEqual(['idle', true])
  })
})

describe('does not wait', () => {
  test.each([
    [
      'a list in an answer',
      `● You can\n\n  ❯ start it\n    leave it\n\n✻ Baked for 3s\n\n${composerWith('')}`,
    ],
    [
      'a draft of several lines',
      `● Done.\n\n✻ Baked for 3s\n\n${composerWith('keep this\n  and that\n  and those')}`,
    ],
    [
      'a rule and a list in an answer',
      `● Two ways:\n\n  ${edge}\n  ❯ this one\n    that one\n  Enter to confirm\n\n✻ Baked for 3s\n\n${composerWith('')}`,
    ],
  ])('%s', (_, screen) => expect(word(screen, 'claude')).toBe('idle'))
})

describe('in the ways of different programs', () => {
  test.each<readonly [string, string, AgentName | undefined, RegExp]>([
    [
      'workspace trust, keys in brackets',
      `  ⚠ This workspace is not trusted yet

  /srv/jobs/billing

  Files of it may run commands.

  ▶ [t] Trust the workspace
    [v] View what is in it
    [q] Leave

  Arrow keys to move, Enter to choose, or press the key`,
      'cursor-agent',
      /^waiting/,
    ],
    [
      'pointer right below a rule, a rule below the options',
      `● The plugin is installed.

  Update the plugin “formatter” to 1.4?
${edge}
❯ Update
  Leave it at 1.3
  Always update
${edge}
  enter to confirm · esc to cancel`,
      'claude',
      /^waiting/,
    ],
    [
      'radio circles in a box',
      `╭────────────────────────────────────────────────────────────╮
│ Your daily quota for the large model is used up.           │
│                                                            │
│ ● Go on with the small model                               │
│ ○ Stop                                                     │
│                                                            │
│ (Use Enter to select)                                      │
╰────────────────────────────────────────────────────────────╯`,
      'gemini',
      /^waiting/,
    ],
    [
      'a list beside a bar, as prompts libraries draw it',
      `┌  Set up the agent
│
◆  Which provider do you use?
│  ● Anthropic
│  ○ OpenAI
│  ○ A server of my own
└`,
      undefined,
      /^waiting/,
    ],
    [
      'a question mark, the options at the left',
      `? An update to 3.1.0 is available. Install it? (Use arrow keys)
❯ Yes, and restart
  No
  Never ask for this version`,
      'qwen',
      /^waiting/,
    ],
    [
      'a form with tabs, the second one open, explanations',
      `${edge}
 ← ☒ Region  ☐ Backup  ☐ Owner  ✔ Submit →

 How often shall a backup be made?

 ❯ Hourly
   Keeps the last two days
   Nightly
   Keeps the last four weeks
   Type something.

 Enter to select · Tab/Arrow keys to navigate · Esc to cancel`,
      'claude',
      /^waiting\/question/,
    ],
    [
      'boxes to check, without numbers',
      `${edge}
 Which checks shall run before each commit?

 ❯ ☒ types
   ☐ tests
   ☒ style

   Submit

 Space to toggle · Enter to confirm · Esc to cancel`,
      'claude',
      /^waiting/,
    ],
    [
      'a model menu opened by a person',
      `${edge}
 Select a model

 ❯ swift-3 (current)
     for most things
   swift-3 large
     for hard ones

 Enter to select · Esc to cancel`,
      'copilot',
      /^idle, a menu/,
    ],
    [
      'an answer that shows such a dialog, the composer below it',
      `● It draws this:

  Which region?

  ❯ Europe
      near the users
    Asia

  Enter to select · Esc to cancel

✻ Baked for 4s

${composerWith('')}`,
      'claude',
      /^idle$/,
    ],
    [
      'a pasted list in the draft, each entry explained',
      `● Fine.

✻ Baked for 4s

${composerWith('alpha\n    the first\n  beta\n    the second')}`,
      'claude',
      /^idle$/,
    ],
    [
      'radio bullets of a finished answer',
      `● Three things changed.
● The tests pass.
● Nothing else is open.

✻ Baked for 2s

${composerWith('')}`,
      'claude',
      /^idle$/,
    ],
  ])('%s', (_, screen, agent, expected) => expect(word(screen, agent)).toMatch(expected))

  test('options with blank rows between them are not read, and not taken for a composer', () => {
    expect(
      word(
        `● Ready.

${edge}
 How should the migration run?

 ❯ All tables at once
     Fast, locks writes for a minute

   One table after the other
     Slow, nothing is locked

   Not today

 Enter to select · ↑/↓ to navigate · Esc to cancel`,
        'claude',
      ),
    ).toBe('unknown')
  })
})

describe('options', () => {
  const labels = (screen: string, agent?: AgentName) =>
    readText(agent, screen).options?.map(({ label, number, isPointed }) => [isPointed, number, label])

  test('are those at one column, and neither what explains them nor how to choose', () => {
    const list = '❯ Ask first\n      Slow and safe\n    Go on\n      Fast'
    expect(labels(`${edge}\n  How?\n\n  ${list}\n    Enter to select · Esc to cancel`, 'claude')).toEqual([
      [true, undefined, 'Ask first'],
      [false, undefined, 'Go on'],
    ])
  })

  test('end at what is no option, where nothing tells how to choose', () => {
    const rows = '❯ Ask first\n    Go on\n      and on\n    Stop'
    expect(labels(`${edge}\n  How?\n\n  ${rows}`, 'claude')).toHaveLength(2)
  })

  test('may be circles, of which the filled one is pointed at', () => {
    const list = '  ○ Ask first\n  ● Go on\n  ○ Stop'
    expect(labels(`${edge}\n How?\n\n${list}`, 'gemini')?.map(([isPointed]) => isPointed)).toEqual([
      false,
      true,
      false,
    ])
  })

  test('may have their numbers in brackets', () => {
    const list = '   → [1] Ask first\n         Slow\n     [2] Go on'
    expect(labels(`${edge}\n  How?\n\n${list}`, 'kimi')).toEqual([
      [true, 1, 'Ask first'],
      [false, 2, 'Go on'],
    ])
  })
})

test('a list of agents below the composer is no dialog', () => {
  const agents = '  ● main\n  ◯ reviewer   reads the change   4s · ↓ 1.2k tokens'
  const screen = (footer: string, above = '✢ Generating… (4s · ↓ 11 tokens)') =>
    word(`● Agent(read it)\n\n${above}\n\n${composerWith('', `${footer}\n\n${agents}`)}`, 'claude')
  expect(screen('  ⏸ manual mode on · esc to interrupt · ↓ to manage')).toBe('working')
  expect(screen('  ⏸ manual mode on · ? for shortcuts · ↓ to manage')).toBe('working')
  expect(screen('  ⏸ manual mode on · ? for shortcuts', '✻ Baked for 3s')).toBe('idle')
})

test('a draft of two lines above a footer with an arrow is a draft', () => {
  expect(
    word(`● Done.\n\n✻ Baked for 3s\n\n${composerWith('this\n  and that', '  ↓ for more')}`, 'claude'),
  ).toBe('idle')
})
