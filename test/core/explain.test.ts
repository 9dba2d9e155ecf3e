import { describe, expect, test } from 'vitest'
import { advance } from '../../src/core/advance.ts'
import type { News, Sign } from '../../src/core/evidence/signal.ts'
import {
  describeState,
  explain,
  explainEvidence,
  explainReason,
  explainSinceLook,
  explainWhy,
} from '../../src/core/explain/explain.ts'
import { causes, explainHealth, isCause } from '../../src/core/explain/explain-health.ts'
import { outlook } from '../../src/core/explain/explanation.ts'
import { firstVerdict, type Rule, type Verdict } from '../../src/core/judge/verdict.ts'
import { newSession } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import { oneLine } from '../../src/core/text/printable.ts'

/** What a person reads. Times are ms. */

const stop: News = {
  type: 'news',
  source: 'hook',
  what: 'Stop',
  lane: 'main',
  state: { kind: 'idle', after: 'turn' },
  at: 7000,
  seen: 7000,
}
const status: Sign = {
  type: 'sign',
  source: 'status',
  what: 'busy',
  state: { kind: 'working' },
  excludes: [],
  tier: 'declared',
  lag: 500,
  since: 8000,
  seen: 8000,
  alive: true,
}

const verdict = (more: Partial<Verdict>): Verdict => ({
  ...firstVerdict(0),
  rule: 'news',
  because: [stop],
  since: 7000,
  ...more,
})

test('who is idle and will be woken is told so', () => {
  const idle = verdict({ state: { kind: 'idle', after: 'turn' } })
  const facts = {
    wakes: [
      { kind: 'cron', what: '0 9 * * *' },
      { kind: 'wakeup', at: 8000 },
    ],
    goal: 'tests pass',
  } as const
  expect(explain(idle, 9000, facts)).toContain(' It will be woken: cron (0 9 * * *), goal (tests pass).')
  expect(explain(verdict({ state: { kind: 'working' } }), 9000, facts)).not.toContain('woken')
})

test('what was so at the first look is told without a time, and by whom', () => {
  const title: Sign = { ...status, source: 'title', what: '[ ! ] Action Required | web', tier: 'seen' }
  const asks: State = { kind: 'waiting', for: 'dialog' }
  const shown = verdict({ state: asks, rule: 'busier', because: [title, { ...stop, what: 'PreToolUse' }] })
  expect(explainSinceLook(shown, 9000)).toBe(
    'Waiting for an answer to a dialog: the title ([ ! ] Action Required | web) shows it, later than the PreToolUse hook 2.0 s ago.',
  )
  expect(explainSinceLook(verdict({ ...shown, rule: 'sign', because: [title] }), 9000)).toBe(
    'Waiting for an answer to a dialog: the title ([ ! ] Action Required | web) shows it.',
  )
})

describe('a state', () => {
  test.each<[State, string, string]>([
    [{ kind: 'starting' }, 'Starting', 'starting'],
    [{ kind: 'working' }, 'Working', 'working'],
    [{ kind: 'working', doing: 'thinking' }, 'Working, the model is at it,', 'working/thinking'],
    [{ kind: 'working', doing: 'streaming' }, 'Working, the answer is being written,', 'working/streaming'],
    [{ kind: 'working', doing: 'tool' }, 'Working, a tool runs (Bash),', 'working/tool'],
    [
      { kind: 'working', doing: 'compacting' },
      'Working, the conversation is being compacted,',
      'working/compacting',
    ],
    [
      { kind: 'working', doing: 'background' },
      'Working, background work goes on, the turn itself is over,',
      'working/background',
    ],
    [
      { kind: 'working', doing: 'retrying' },
      'Working, the provider refused, it tries again,',
      'working/retrying',
    ],
    [{ kind: 'working', doing: 'command' }, 'Working, a command runs,', 'working/command'],
    [{ kind: 'waiting', for: 'permission' }, 'Waiting for a permission (“May I?”)', 'waiting/permission'],
    [
      { kind: 'waiting', for: 'question' },
      'Waiting for the answer to a question (“May I?”)',
      'waiting/question',
    ],
    [{ kind: 'waiting', for: 'plan' }, 'Waiting for the approval of a plan (“May I?”)', 'waiting/plan'],
    [{ kind: 'waiting', for: 'trust' }, 'Waiting for the trust in a folder (“May I?”)', 'waiting/trust'],
    [{ kind: 'waiting', for: 'login' }, 'Waiting for a login (“May I?”)', 'waiting/login'],
    [{ kind: 'waiting', for: 'dialog' }, 'Waiting for an answer to a dialog', 'waiting/dialog'],
    [{ kind: 'waiting', for: 'password' }, 'Waiting for a password (“May I?”)', 'waiting/password'],
    [
      { kind: 'waiting', for: 'confirmation' },
      'Waiting for a confirmation (“May I?”)',
      'waiting/confirmation',
    ],
    [{ kind: 'waiting', for: 'keypress' }, 'Waiting for a key (“May I?”)', 'waiting/keypress'],
    [{ kind: 'waiting', for: 'pager' }, 'Waiting for its pager to be closed (“May I?”)', 'waiting/pager'],
    [{ kind: 'waiting', for: 'editor' }, 'Waiting for its editor to be closed (“May I?”)', 'waiting/editor'],
    [{ kind: 'waiting', for: 'input' }, 'Waiting for input (“May I?”)', 'waiting/input'],
    [{ kind: 'idle' }, 'Idle', 'idle'],
    [{ kind: 'idle', after: 'turn' }, 'Idle, the turn is finished,', 'idle/turn'],
    [{ kind: 'idle', after: 'interrupt' }, 'Idle, the turn was interrupted,', 'idle/interrupt'],
    [{ kind: 'idle', after: 'error' }, 'Idle, the turn ended in an error,', 'idle/error'],
    [{ kind: 'idle', after: 'limit' }, 'Idle, the turn ended at the provider’s limit,', 'idle/limit'],
    [{ kind: 'exited', code: 1 }, 'Gone', 'exited'],
    [{ kind: 'exited', signal: 'SIGKILL' }, 'Gone, ended by SIGKILL,', 'exited'],
    [{ kind: 'unknown' }, 'Unknown', 'unknown'],
  ])('%j is “%s”', (state, sentence, short) => {
    const facts = { tool: 'Bash', question: 'May I?' }
    expect(explain(verdict({ state }), 9000, facts)).toBe(
      `${sentence} for 2.0 s: the Stop hook said so 2.0 s ago.`,
    )
    expect(describeState(state)).toBe(short)
  })

  test('says nothing of a tool or a question that is not known, and cuts a long one', () => {
    const working = verdict({ state: { kind: 'working', doing: 'tool' } })
    const waiting = verdict({ state: { kind: 'waiting', for: 'question' } })
    expect(explain(working, 7000)).toBe('Working, a tool runs, for 0.0 s: the Stop hook said so just now.')
    expect(explain(waiting, 7000)).toBe(
      'Waiting for the answer to a question for 0.0 s: the Stop hook said so just now.',
    )
    expect(explain(working, 7000, { tool: 'x'.repeat(41) })).toContain(`(${'x'.repeat(40)}…)`)
    expect(explain(waiting, 7000, { question: 'x'.repeat(61) })).toContain(`(“${'x'.repeat(60)}…”)`)
  })
})

describe('why', () => {
  test.each<[Rule, string, string]>([
    ['exit', 'Stop', 'Stop'],
    ['news', 'the Stop hook said so 3.0 s ago', 'the Stop hook said so 3.0 s ago'],
    ['nothing', 'Stop', 'Stop'],
    [
      'agreed',
      'the Stop hook said so 3.0 s ago, the status file (busy) agrees',
      'the Stop hook said so 3.0 s ago',
    ],
    [
      'sign',
      'the Stop hook has said so for 3.0 s, nothing else is known',
      'the Stop hook has said so for 3.0 s, nothing else is known',
    ],
    [
      'busier',
      'the Stop hook shows it, later than the status file (busy) 2.0 s ago',
      'the Stop hook shows it',
    ],
    [
      'overturned',
      'the Stop hook has said so for 3.0 s; the last news was the status file (busy) 2.0 s ago',
      'the Stop hook has said so for 3.0 s',
    ],
    [
      'contradicted',
      'the Stop hook said so 3.0 s ago; the status file (busy) says otherwise, but is not believed alone',
      'the Stop hook said so 3.0 s ago',
    ],
    ['doubt', 'the status file (busy) speaks for idle, but Stop', 'Stop'],
  ])('%s', (rule, both, alone) => {
    expect(explainWhy(verdict({ rule, because: [stop, status] }), 10_000)).toBe(both)
    expect(explainWhy(verdict({ rule, because: [stop] }), 10_000)).toBe(alone)
    expect(explainWhy(verdict({ rule, because: [] }), 10_000)).toBe('nothing has been heard yet')
    expect(explainReason(verdict({ rule, because: [stop, status] }))).not.toMatch(/\d s\b| ago|just now/)
  })

  test('a sign that moved before what it contradicts has not moved since', () => {
    const older = verdict({ rule: 'contradicted', because: [stop, { ...status, since: 6000 }] })
    expect(explainWhy(older, 10_000)).toMatch(/says otherwise, but it has not moved since$/)
  })

  test('doubt where a sign and the news differ names both', () => {
    const why = explainWhy(verdict({ rule: 'doubt', because: [status, stop] }), 10_000)
    expect(why).toBe(
      'the status file (busy) and the Stop hook 3.0 s ago say different things, and either may be late',
    )
  })

  test.each([
    [99, 'just now'],
    [100, '0.1 s ago'],
    [-5, 'just now'],
  ])('%i ms later it was %s', (later, text) =>
    expect(explainWhy(verdict({}), stop.at + later)).toBe(`the Stop hook said so ${text}`),
  )

  test('an instant before the evidence counts as the evidence’s', () => {
    expect(explain(verdict({ state: { kind: 'idle' } }), 6000)).toMatch(/^Idle for 0\.0 s:/)
  })
})

describe('a piece of evidence', () => {
  test.each([
    ['hook', 'the Stop hook'],
    ['transcript', 'the transcript (Stop)'],
    ['rows', 'the output row (Stop)'],
    ['status', 'the status file (Stop)'],
    ['osc7501', 'the program status (Stop)'],
    ['title', 'the title (Stop)'],
    ['progress', 'the progress code (Stop)'],
    ['paint', 'the terminal (Stop)'],
    ['keys', 'the keyboard (Stop)'],
    ['screen', 'the screen (Stop)'],
    ['process', 'the process (Stop)'],
    ['session', 'the Stop'],
  ] as const)('of the source %s is %s', (source, name) =>
    expect(explainEvidence({ ...stop, source }, 9000)).toBe(`${name}: idle/turn [news, 2.0 s old]`),
  )

  test('tells its tier and its age', () => {
    expect(explainEvidence(status, 9000)).toBe('the status file (busy): working [declared, 1.0 s old]')
    expect(explainEvidence({ type: 'exit', source: 'process', what: 'gone', at: 1 }, 1)).toBe(
      'the process (gone): exited [proven, 0.0 s old]',
    )
    expect(explainEvidence({ ...stop, what: 'x'.repeat(41) }, 7000)).toContain(`the ${'x'.repeat(40)}… hook`)
  })
})

test.each([
  ['', 5, ''],
  ['12345', 5, '12345'],
  ['123456', 5, '12345…'],
  ['1234 6', 5, '1234…'],
  ['a\nb\u0000c\u001bd', 9, 'a b c d'],
  ['a\u007fb\u009fc', 9, 'a b c'],
  ['a\u001fb\u0020c\u007ed\u00a0e', 9, 'a b c~d\u00a0e'],
  ['\n padded\t', 20, 'padded'],
  ['😀😀', 2, '😀…'],
])('%j on one line of %i is %j', (text, most, line) => expect(oneLine(text, most)).toBe(line))

describe('health', () => {
  const of = (level: Verdict['health']['level'], advice?: string, cause?: 'stdin') =>
    verdict({
      health: { level, certainty: 'high', ...(cause && { cause }) },
      healthBy: {
        type: 'health',
        source: 'process',
        owner: 'pid:7',
        what: 'cat(7) reads its stdin',
        health: { level, certainty: 'high' },
        since: 5000,
        seen: 5000,
        alive: true,
        ...(advice && { advice }),
      },
    })

  test.each([
    ['healthy', ''],
    ['suspicious', 'Perhaps stuck for 2.0 s (it waits for input): cat(7) reads its stdin. Close it.'],
    ['likely_stuck', 'Probably stuck for 2.0 s (it waits for input): cat(7) reads its stdin. Close it.'],
    ['confirmed_stuck', 'Stuck for 2.0 s (it waits for input): cat(7) reads its stdin. Close it.'],
  ] as const)('%s: %s', (level, sentence) =>
    expect(explainHealth(of(level, 'close it', 'stdin'), 7000)).toBe(sentence),
  )

  test('without advice, and of a cause that is not known', () => {
    expect(explainHealth(of('suspicious'), 4000)).toBe(
      'Perhaps stuck for 0.0 s (what it waits for is not known): cat(7) reads its stdin.',
    )
  })

  test('that nobody reported tells its cause alone', () => {
    const alone = verdict({ health: { level: 'suspicious', certainty: 'low', cause: 'no_progress' } })
    expect(explainHealth(alone, 9000)).toBe('No sign of progress for more than five minutes.')
    expect(explain({ ...alone, state: { kind: 'idle' } }, 9000)).toBe(
      'Idle for 2.0 s: the Stop hook said so 2.0 s ago. No sign of progress for more than five minutes.',
    )
  })

  test('each cause has its words', () => {
    expect(causes).toEqual({
      no_progress: 'no sign of progress for more than five minutes',
      exited: 'it has ended',
      zombie: 'it has ended, and its parent does not take note',
      stopped: 'it is stopped by a signal',
      frozen: 'its control group is frozen',
      traced: 'a debugger holds it',
      deadlock: 'it holds locks in a ring',
      starved: 'it gets no processor',
      computing: 'it computes',
      disk: 'it waits for the disk',
      dead_peer: 'whoever it is connected with does not answer any more',
      unreachable: 'whoever it tries to reach does not answer',
      network: 'it waits for the network',
      connecting: 'it is being connected',
      outsider: 'it waits for another program',
      output: 'its output is full, and nobody reads it',
      timer: 'it waits for a timer',
      ticking: 'it wakes again and again and gets nothing done',
      stdin: 'it waits for input',
      server: 'it waits for requests',
      signal: 'it waits for a signal',
      closed_wait: 'nothing is left that could wake it',
      unknown: 'what it waits for is not known',
    })
    expect(Object.keys(causes).every(isCause)).toBe(true)
  })

  test.each(['', 'constructor', 'toString', 5, undefined, null])('%j is no cause', word =>
    expect(isCause(word)).toBe(false),
  )
})

describe('what would change a verdict', () => {
  const told = (...signals: readonly (News | Sign)[]) =>
    signals.reduce((session, signal) => advance(session, signal.seen, signal), newSession(0))
  const working = { ...stop, what: 'prompt', state: { kind: 'working' }, starts: true } as const

  test.each<[State, string]>([
    [{ kind: 'starting' }, 'a prompt, a dialog, or idleness that its agent declares ends it'],
    [
      { kind: 'working' },
      'the end of its turn, a dialog, or a sign of idleness that moves after the last news ends it',
    ],
    [{ kind: 'waiting', for: 'plan' }, 'an answer to what it asks, or the end of its turn ends it'],
    [{ kind: 'idle' }, 'the next prompt ends it'],
  ])('%j', (says, line) => expect(outlook(told({ ...stop, state: says }), 7000)[0]).toBe(line))

  test('nothing is known, or nothing is left', () => {
    expect(outlook(newSession(0), 0)).toEqual(['any news of its agent'])
    const gone = advance(newSession(0), 1, { type: 'exit', source: 'process', what: 'gone', at: 1 })
    expect(outlook(gone, 1)).toEqual(['nothing: a process that is gone stays gone'])
  })

  test('by itself: a claim that expires, and silence', () => {
    const held = told({ ...working, hold: 60_000 })
    expect(outlook(held, 8000)).toEqual([expect.any(String), 'in 59 s, if nothing is heard, it is unknown'])
    const silent = told(working)
    expect(outlook(silent, 7000)).toEqual([
      expect.any(String),
      'in 5 min, if nothing is heard, its health is suspicious',
    ])
    expect(outlook(silent, 400_000)[1]).toBe('in 0.0 s, if nothing is heard, its health is suspicious')
  })

  test('a screen that is looked at again and again is no forecast; another claim that lapses is one', () => {
    const seen = { ...status, state: { kind: 'working' }, hold: 15_000, since: 8000, seen: 100_000 } as const
    const alone = (source: Sign['source']) => outlook(told({ ...seen, source, tier: 'seen' }), 105_000)
    expect(alone('screen').join()).not.toContain('if nothing is heard')
    expect(alone('progress').join()).toMatch(/in 10\S* s, if nothing is heard, it is unknown/)
  })

  test('what rests on the first look at a sign is a forecast where something goes on looking', () => {
    const asked = { ...working, lane: 'ask:main:1', state: { kind: 'waiting', for: 'permission' } } as const
    const shown = { ...status, source: 'screen', tier: 'seen', state: { kind: 'idle' } } as const
    const look = { ...shown, excludes: ['working', 'waiting'], since: 60_000, seen: 60_000 } as const
    const seen = told(working, asked, { ...look, isSinceLook: true })
    const forecast = /if nothing is heard, it is unknown/
    expect(outlook(seen, 60_000).join()).toMatch(forecast)
    expect(outlook(seen, 60_000, false).join()).not.toMatch(forecast)
    const held = told({ ...working, hold: 60_000 })
    expect(outlook(held, 8000, false).join()).toMatch(forecast)
  })

  test('signs that say something else', () => {
    const idle = {
      ...status,
      state: { kind: 'idle' },
      excludes: ['working'],
      since: 6000,
      seen: 7000,
    } as const
    const other = told(idle, working)
    expect(outlook(other, 7000)).toContain(
      'the status says idle: it counts once it moves after the last news',
    )
    const later = told(working, { ...idle, since: 9000, seen: 9000 })
    expect(outlook(later, 9000)).toContain(
      'the status says idle: it counts once it has been seen to keep step with the news',
    )
    const { status: tracked } = other.signs
    if (!tracked) throw new Error('no sign was kept')
    const late = { ...other, signs: { status: { ...tracked, onProbation: true } } }
    expect(outlook(late, 7000)).toContain(
      'the status says idle, but was late or stuck: it counts again once it has kept step with the news',
    )
    const lines = (more: Partial<Sign>) =>
      outlook({ ...other, signs: { status: { ...tracked, sign: { ...idle, ...more } } } }, 7000).length
    expect(lines({})).toBe(3)
    expect(lines({ alive: false })).toBe(2)
    expect(lines({ tier: 'inferred' })).toBe(2)
    expect(lines({ state: { kind: 'working' } })).toBe(2)
  })
})
