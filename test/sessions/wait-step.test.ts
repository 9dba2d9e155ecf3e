/** When a wait is over: what was heard when, the outcome and its instant out. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advance } from '../../src/core/advance.ts'
import type { News, Signal } from '../../src/core/evidence/signal.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { startWait, stepWait, type WaitOutcome, type WaitRequest } from '../../src/sessions/wait/wait-step.ts'
import {
  background,
  broken,
  exit,
  finished,
  interrupted,
  limited,
  liveSession,
  news,
  permission,
  prompt,
  status,
  thinking,
} from '../support/live.ts'

const toIdle: WaitRequest = { for: ['idle'], next: false, mode: 'all', ignoreBackground: false, held: 0 }

/** What a session hears at an instant, or what becomes of the source. */
type Row = readonly [at: number, id: string, ...heard: readonly (Signal | 'gone')[]]

type Ended = { readonly outcome: WaitOutcome; readonly at: number; readonly sessions: readonly LiveSession[] }

const level = (session: Session, level: 'likely_stuck' | 'confirmed_stuck'): Session => ({
  ...session,
  verdict: { ...session.verdict, health: { level, certainty: 'high' } },
})

/**
 * Plays rows to a wait that begins at `from`, with every recheck that falls due. What came before is known then.
 * @returns how it ended; undefined where it still waits at `until`
 */
function waited(
  request: Partial<WaitRequest>,
  rows: readonly Row[],
  {
    from = 1000,
    until = 3_600_000,
    ids = ['a'],
    typedAt,
    isSinceLook = false,
  }: {
    from?: number
    until?: number
    ids?: readonly string[]
    /** When lull typed into the pane. */
    typedAt?: number
    isSinceLook?: boolean
  } = {},
): Ended | undefined {
  const asked = { ...toIdle, ...request }
  const sessions = new Map<string, Session>(ids.map(id => [id, newSession(0)]))
  const live = (id: string): LiveSession =>
    liveSession(sessions.get(id) as Session, { id, ...(isSinceLook ? { isSinceLook } : {}) })
  const hear = (id: string, at: number, heard: readonly (Signal | 'gone')[]) => {
    const signals = heard.filter(signal => signal !== 'gone')
    sessions.set(
      id,
      signals.reduce((session, signal) => advance(session, at, signal), sessions.get(id) as Session),
    )
  }
  for (const [at, id, ...heard] of rows.filter(([at]) => at <= from)) hear(id, at, heard)
  let now = from
  for (const id of ids) sessions.set(id, advance(sessions.get(id) as Session, now))
  let step = startWait(asked, ids.map(live), now, () => typedAt)
  const ended = (): Ended | undefined => step.done && { ...step.done, at: now }
  const tell = (change: LiveChange) => {
    step = stepWait(asked, step.state, { type: 'change', change, now })
  }
  /** Rechecks of the wait and of the sessions, in the order of their time. */
  const goOn = (to: number) => {
    for (;;) {
      const due = ids.map(id => [id, sessions.get(id)?.verdict.recheckAt ?? Infinity] as const)
      const [id, at] = due.reduce((a, b) => (b[1] < a[1] ? b : a))
      const next = Math.min(at, step.recheckAt ?? Infinity)
      if (next > to || step.done) return
      now = Math.max(now, next)
      if (next === at) {
        sessions.set(id, advance(sessions.get(id) as Session, now))
        tell({ type: 'changed', session: live(id) })
      } else step = stepWait(asked, step.state, { type: 'time', now })
    }
  }
  for (const [at, id, ...heard] of rows.filter(([at]) => at > from)) {
    goOn(at)
    if (step.done) return ended()
    now = at
    hear(id, at, heard)
    tell(heard.includes('gone') ? { type: 'gone', id } : { type: 'changed', session: live(id) })
    if (step.done) return ended()
  }
  goOn(until)
  return ended()
}

const ended = (...args: Parameters<typeof waited>): string | undefined => {
  const end = waited(...args)
  return end && `${end.outcome} ${end.at}`
}

/** A turn of a session, from its prompt to its end. */
const turn = (from: number, to: number, end: State = finished): readonly Row[] => [
  [from, 'a', prompt(from)],
  [to, 'a', news(to, end)],
]

describe('waiting for idle', () => {
  test.each([
    ['a turn that is finished', finished, 'reached'],
    ['one that ended by an error', broken, 'turnFailed'],
    ['one that was interrupted', interrupted, 'turnFailed'],
    ['one that ended at the limit', limited, 'limited'],
  ])('%s: at once if it is so already, else when it comes', (_, end, outcome) => {
    expect(ended({}, turn(100, 900, end))).toBe(`${outcome} 1000`)
    expect(ended({}, turn(100, 5000, end))).toBe(`${outcome} 5000`)
  })

  test.each<[string, readonly Row[]]>([
    ['nothing was heard', []],
    ['it works', [[100, 'a', prompt(100)]]],
    ['it starts', [[100, 'a', news(100, { kind: 'starting' })]]],
    ['background work goes on', [...turn(100, 900), [950, 'a', news(950, background, { lane: 'bg:1' })]]],
    [
      'paint contradicts idleness',
      [
        ...turn(100, 900),
        [9000, 'a', status(9000, thinking, { source: 'keys', tier: 'inferred', hold: 1e9, excludes: [] })],
      ],
    ],
  ])('goes on while %s', (_, rows) => {
    expect(ended({}, rows, { from: 10_000 })).toBeUndefined()
  })

  test('a permission ends it at once, even where the state has to settle', () => {
    const rows: readonly Row[] = [
      [100, 'a', prompt(100)],
      [5000, 'a', news(5000, permission, { lane: 'ask:main:1' })],
    ]
    expect(ended({}, rows)).toBe('waitsForPerson 5000')
    expect(ended({ held: 60_000 }, rows)).toBe('waitsForPerson 5000')
    expect(ended({ for: ['idle', 'waiting'] }, rows)).toBe('reached 5000')
  })

  test.each<[string, Row]>([
    ['its exit', [5000, 'a', exit(5000)]],
    ['its being forgotten', [5000, 'a', 'gone']],
  ])('%s ends it as gone', (_, row) => {
    expect(ended({}, [[100, 'a', prompt(100)], row])).toBe('gone 5000')
    expect(ended({ for: ['idle', 'exited'] }, [[100, 'a', prompt(100)], row])).toBe('reached 5000')
  })

  test('one that had exited before is gone at once', () => {
    expect(ended({}, [...turn(100, 200), [300, 'a', exit(300)]])).toBe('gone 1000')
  })

  test('background work counts for nothing where it is to be ignored', () => {
    const ended = (end: State): readonly Row[] => [
      [100, 'a', prompt(100)],
      [2000, 'a', news(2000, background, { lane: 'bg:1' })],
      [3000, 'a', news(3000, end)],
    ]
    expect(waited({}, ended(finished))).toBeUndefined()
    expect(waited({ ignoreBackground: true }, ended(finished))).toMatchObject({
      outcome: 'reached',
      at: 3000,
    })
    expect(waited({ ignoreBackground: true }, ended(broken))).toMatchObject({
      outcome: 'turnFailed',
      at: 3000,
    })
  })

  test('of some kinds alone, where that is asked for', () => {
    const rows = (more: object): readonly Row[] => [
      [100, 'a', prompt(100)],
      [2000, 'a', news(2000, background, { lane: 'bg:1', background: 'remote' })],
      [2100, 'a', news(2100, background, { lane: 'bg:2', ...more })],
      [3000, 'a', news(3000, finished)],
    ]
    expect(waited({ ignoreBackground: ['remote'] }, rows({}))).toBeUndefined()
    const reached = { outcome: 'reached', at: 3000 }
    expect(waited({ ignoreBackground: ['remote', 'task'] }, rows({}))).toMatchObject(reached)
    expect(waited({ ignoreBackground: ['remote'] }, rows({ background: 'remote' }))).toMatchObject(reached)
  })

  test('an end that news report without saying how counts as soon as their source had time to say more', () => {
    const turn: Row[] = [
      [100, 'a', prompt(100)],
      [5000, 'a', news(5000, { kind: 'idle' })],
    ]
    expect(ended({}, turn)).toBe('reached 5300')
    expect(ended({}, [...turn, [5014, 'a', news(5014, broken)]])).toBe('turnFailed 5014')
  })

  test('an end that only a sign shows counts 2 s later: the news may tell that it was broken off', () => {
    const rows: readonly Row[] = [
      [100, 'a', prompt(100)],
      [200, 'a', status(200, { kind: 'working' }, { lag: 750 })],
      [900, 'a', news(900, { kind: 'working', doing: 'tool' })],
      [5000, 'a', status(5000, { kind: 'idle' }, { lag: 750 })],
    ]
    expect(ended({}, rows)).toBe('reached 7000')
    expect(ended({}, [...rows, [5400, 'a', news(5400, interrupted)]])).toBe('turnFailed 5400')
    expect(ended({ held: 1000 }, rows)).toBe('reached 7000')
    expect(ended({ held: 5000 }, rows)).toBe('reached 10000')
  })

  test('a prompt of which nothing came before a sign shows idleness was taken back', () => {
    const rows: readonly Row[] = [
      [100, 'a', prompt(100)],
      [200, 'a', status(200, { kind: 'working' }, { lag: 750 })],
      [5000, 'a', status(5000, { kind: 'idle' }, { lag: 750 })],
    ]
    expect(ended({}, rows)).toBe('turnFailed 7000')
    expect(ended({}, [...rows, [5400, 'a', news(5400, finished)]])).toBe('reached 5400')
  })

  test('what the agent asked, and nothing came of before a sign shows idleness, was refused', () => {
    const screen = { lag: 100 }
    const asked: readonly Row[] = [
      [100, 'a', prompt(100)],
      [200, 'a', status(200, { kind: 'working' }, screen)],
      [500, 'a', news(500, permission, { lane: 'ask:main:p' })],
      [600, 'a', status(600, permission, screen)],
    ]
    const idle: Row = [5000, 'a', status(5000, { kind: 'idle' }, screen)]
    expect(ended({}, [...asked, idle], { from: 5500 })).toBe('turnFailed 7000')
    const granted: Row = [4000, 'a', news(4000, { kind: 'working' }, { ends: ['ask:main:*'] })]
    expect(ended({}, [...asked, granted, idle], { from: 5500 })).toBe('reached 7000')
    const gone = news(4000, { kind: 'working' }, { source: 'screen', hold: 3000, ends: ['ask:main:p'] })
    for (const from of [5500, 9000])
      expect(ended({}, [...asked, [4000, 'a', gone], idle], { from })).toMatch(/^turnFailed/)
    // Of one that was granted the source reports what came of it.
    const end: Row = [4800, 'a', news(4800, { kind: 'idle', after: 'turn' })]
    expect(ended({}, [...asked, [4000, 'a', gone], end, idle], { from: 5500 })).toMatch(/^reached/)
    const over: Row = [4000, 'a', news(4000, { kind: 'idle', after: 'turn' })]
    const ofSub: Row = [500, 'a', news(500, permission, { lane: 'ask:sub:s:p', outlasts: [] })]
    expect(ended({}, [...asked.slice(0, 2), ofSub, over, idle], { from: 5500 })).toMatch(/^reached/)
  })

  test('where its source tells of no end at all nothing was taken back by its silence', () => {
    const rows: readonly Row[] = [
      [100, 'a', { ...prompt(100), hold: 10_000 }],
      [200, 'a', status(200, { kind: 'working' }, { lag: 750 })],
      [5000, 'a', status(5000, { kind: 'idle' }, { lag: 750 })],
    ]
    expect(ended({}, rows)).toBe('reached 7000')
  })

  test('a session that has had no turn is ready at once', () => {
    expect(ended({}, [[900, 'a', status(900, { kind: 'idle' })]])).toBe('reached 1000')
  })
})

describe('what was so before lull typed', () => {
  const asks: readonly Row[] = [
    [100, 'a', prompt(100)],
    [500, 'a', news(500, permission)],
  ]

  test('counts again only once nothing has told otherwise for as long as it may take', () => {
    expect(ended({}, asks, { typedAt: 900 })).toBe('waitsForPerson 3900')
    expect(ended({ for: ['waiting'] }, asks, { typedAt: 900 })).toBe('reached 3900')
    expect(ended({}, turn(100, 500), { typedAt: 900 })).toBe('reached 3900')
    expect(ended({}, turn(100, 500), { typedAt: -5000 })).toBe('reached 1000')
  })

  test('is over with the first that tells otherwise, and what comes then counts at once', () => {
    const granted: readonly Row[] = [...asks, [1500, 'a', news(1500, thinking)]]
    expect(ended({}, [...granted, [1800, 'a', news(1800, finished)]], { typedAt: 900 })).toBe('reached 1800')
    expect(ended({}, [...granted, [1800, 'a', news(1800, permission)]], { typedAt: 900 })).toBe(
      'waitsForPerson 1800',
    )
  })

  test('what has become so since counts at once, unless that was only seen then', () => {
    expect(ended({}, asks, { typedAt: 400 })).toBe('waitsForPerson 1000')
    expect(ended({}, asks, { typedAt: 400, isSinceLook: true })).toBe('waitsForPerson 3400')
  })

  test('an exit is one, whatever was typed', () => {
    expect(ended({}, [[500, 'a', exit(500)]], { typedAt: 900 })).toBe('gone 1000')
  })

  test('a time that lies ahead is of another clock', () => {
    expect(ended({}, asks, { typedAt: 5000 })).toBe('waitsForPerson 1000')
  })
})

describe('waiting for something else', () => {
  const asks: readonly Row[] = [
    [100, 'a', prompt(100)],
    [5000, 'a', news(5000, permission, { lane: 'ask:main:1' })],
  ]
  test.each<[WaitRequest['for'], readonly Row[], string | undefined]>([
    [['waiting'], asks, 'reached 5000'],
    [['waiting'], turn(100, 5000), undefined],
    [
      ['waiting'],
      [
        [100, 'a', prompt(100)],
        [5000, 'a', exit(5000)],
      ],
      'gone 5000',
    ],
    [['exited'], turn(100, 5000), undefined],
    [['exited'], asks, undefined],
    [
      ['exited'],
      [
        [100, 'a', prompt(100)],
        [5000, 'a', exit(5000)],
      ],
      'reached 5000',
    ],
    [['stuck'], turn(100, 5000), undefined],
    [['waiting', 'idle'], turn(100, 5000), 'reached 5000'],
  ])('%j', (goals, rows, end) => {
    expect(ended({ for: goals }, rows)).toBe(end)
  })

  const told = (request: Partial<WaitRequest>, session: Session) => {
    const asked = { ...toIdle, ...request }
    return startWait(asked, [liveSession(session)], 1000).done?.outcome
  }
  const working = advance(newSession(0), 100, prompt(100))
  const idle = advance(working, 200, news(200, finished))

  test('stuck for sure ends every wait; perhaps stuck ends only one for it', () => {
    expect(told({}, level(working, 'confirmed_stuck'))).toBe('stuck')
    expect(told({ for: ['waiting'] }, level(working, 'confirmed_stuck'))).toBe('stuck')
    expect(told({ for: ['stuck'] }, level(working, 'confirmed_stuck'))).toBe('reached')
    expect(told({ for: ['stuck'] }, level(working, 'likely_stuck'))).toBe('reached')
    expect(told({}, level(working, 'likely_stuck'))).toBeUndefined()
    expect(told({}, level(idle, 'confirmed_stuck'))).toBe('stuck')
  })

  test('stuckness settles from when it was first told', () => {
    const request: WaitRequest = { ...toIdle, for: ['stuck'], held: 3000 }
    const stuck = liveSession(level(working, 'likely_stuck'))
    const first = startWait(request, [liveSession(working)], 1000)
    const second = stepWait(request, first.state, {
      type: 'change',
      change: { type: 'changed', session: stuck },
      now: 2000,
    })
    expect(second.recheckAt).toBe(5000)
    expect(stepWait(request, second.state, { type: 'time', now: 4999 }).done).toBeUndefined()
    expect(stepWait(request, second.state, { type: 'time', now: 5000 }).done?.outcome).toBe('reached')
  })
})

describe('--held', () => {
  test('the state must hold: one that does not begins anew', () => {
    const rows: readonly Row[] = [...turn(100, 2000), ...turn(4000, 6000)]
    expect(ended({ held: 3000 }, rows)).toBe('reached 9000')
    expect(ended({ held: 2000 }, rows)).toBe('reached 4000')
  })

  test('what has held for long already is reached at once', () => {
    expect(ended({ held: 3000 }, turn(100, 2000), { from: 5000 })).toBe('reached 5000')
    expect(ended({ held: 3000 }, turn(100, 2000), { from: 4000 })).toBe('reached 5000')
    const asks: readonly Row[] = [[2000, 'a', news(2000, permission)]]
    expect(ended({ for: ['waiting'], held: 3000 }, asks)).toBe('reached 5000')
  })

  test('an error settles too: the agent may yet go on', () => {
    const retried: readonly Row[] = [...turn(100, 2000, broken), ...turn(3000, 4000)]
    expect(ended({ held: 2000 }, retried)).toBe('reached 6000')
  })
})

describe('the next turn, or the one that runs', () => {
  const next = { next: 'or-running' } as const

  test('a turn that runs counts, once none has begun behind it for three seconds', () => {
    expect(ended(next, turn(100, 5000))).toBe('reached 8000')
    expect(ended(next, turn(100, 5000, broken))).toBe('turnFailed 8000')
  })

  test('one that begins behind it is the one', () => {
    expect(ended(next, [...turn(100, 5000), ...turn(6000, 9000)])).toBe('reached 9000')
  })

  test('what was idle has to begin one', () => {
    expect(ended(next, turn(100, 900))).toBeUndefined()
    expect(ended(next, [...turn(100, 900), ...turn(2000, 3000)])).toBe('reached 3000')
  })

  test('one that goes on behind its turn is idle: that turn is over', () => {
    const beside: readonly Row[] = [...turn(100, 800), [900, 'a', news(900, background, { lane: 'bg:1' })]]
    expect(ended({ ...next, ignoreBackground: true }, beside)).toBeUndefined()
  })

  test('a dialog in the turn that runs is a person’s', () => {
    expect(
      ended(next, [
        [100, 'a', prompt(100)],
        [5000, 'a', news(5000, permission, { lane: 'ask:main:1' })],
      ]),
    ).toBe('waitsForPerson 5000')
  })
})

describe('--next', () => {
  const next = { next: true }

  test('the turn that runs does not count, the one after it does', () => {
    expect(ended(next, turn(100, 5000))).toBeUndefined()
    expect(ended(next, [...turn(100, 5000), ...turn(6000, 7000)])).toBe('reached 7000')
  })

  test('being idle does not count, the next turn does, however it ends', () => {
    expect(ended(next, turn(100, 200))).toBeUndefined()
    expect(ended(next, [...turn(100, 200), ...turn(6000, 7000, broken)])).toBe('turnFailed 7000')
  })

  test('a prompt of before that is heard after is one of before', () => {
    const late: Row = [1100, 'a', { ...prompt(900), seen: 1100 }]
    const end: Row = [5000, 'a', news(5000, finished)]
    expect(ended(next, [...turn(100, 200), late, end])).toBeUndefined()
    expect(ended(next, [...turn(100, 200), late, end, ...turn(6000, 7000)])).toBe('reached 7000')
  })

  test('a turn that comes to light half-way began before', () => {
    const tool: Row = [2000, 'a', news(2000, { kind: 'working', doing: 'tool' })]
    const end: Row = [5000, 'a', news(5000, finished)]
    expect(ended(next, [tool, end])).toBeUndefined()
    expect(ended(next, [tool, end, ...turn(6000, 7000)])).toBe('reached 7000')
    expect(ended(next, [end, ...turn(6000, 7000)])).toBe('reached 7000')
  })

  test('the end of a turn of which nothing else was heard is none of a coming one', () => {
    const end: Row = [5000, 'a', news(5000, finished, { turn: 't1' })]
    expect(ended(next, [end])).toBeUndefined()
    expect(ended(next, [end, ...turn(6000, 7000)])).toBe('reached 7000')
  })

  test('a turn of whose beginning nobody told counts once it was seen that none ran', () => {
    const tool = (at: number): Row => [at, 'a', news(at, { kind: 'working', doing: 'tool' })]
    const end = (at: number): Row => [at, 'a', news(at, finished)]
    expect(ended(next, [tool(2000), end(5000), tool(9000), end(10_000)])).toBe('reached 10000')
  })

  test('the first prompt of a session of which nothing was known', () => {
    expect(ended(next, turn(2000, 3000))).toBe('reached 3000')
  })

  test('a turn that only the status file shows', () => {
    const seen = (at: number, says: State): Row => [at, 'a', status(at, says)]
    const idle: State = { kind: 'idle' }
    expect(ended(next, [seen(100, idle), seen(3000, { kind: 'working' }), seen(5000, idle)])).toBe(
      'reached 7000',
    )
    expect(ended(next, [seen(100, { kind: 'working' }), seen(5000, idle)])).toBeUndefined()
  })

  test('what stays asked where none ran is of a turn whose work no look has seen', () => {
    const seen = (at: number, says: State): Row => [at, 'a', status(at, says)]
    const rests = seen(100, { kind: 'idle' })
    const rows = [rests, seen(3000, permission)]
    expect(ended(next, rows)).toBe('waitsForPerson 6000')
    expect(ended({ next: true, for: ['idle', 'waiting'] }, rows)).toBe('reached 6000')
    expect(ended({ next: true, for: ['waiting'], held: 5000 }, rows)).toBe('reached 8000')
    expect(ended(next, [...rows, seen(5900, { kind: 'idle' })])).toBeUndefined()
    expect(ended(next, [rests, seen(3000, { kind: 'waiting', for: 'trust' })])).toBeUndefined()
    expect(ended(next, [seen(100, { kind: 'working' }), seen(3000, permission)])).toBeUndefined()
  })

  test('a permission of the turn that runs is not what is waited for; that of the next is', () => {
    const asks = (at: number): Row => [at, 'a', news(at, permission, { lane: 'ask:main:1' })]
    expect(ended(next, [[100, 'a', prompt(100)], asks(5000)])).toBeUndefined()
    expect(ended(next, [...turn(100, 200), [5000, 'a', prompt(5000)], asks(6000)])).toBe(
      'waitsForPerson 6000',
    )
  })

  test('an exit ends it, whichever turn runs', () => {
    expect(
      ended(next, [
        [100, 'a', prompt(100)],
        [5000, 'a', exit(5000)],
      ]),
    ).toBe('gone 5000')
  })
})

describe('--timeout', () => {
  test('ends it when nothing else has, and names who was not reached', () => {
    const end = waited({ timeout: 4000 }, [...turn(100, 200), [300, 'b', prompt(300)]], { ids: ['a', 'b'] })
    expect(end).toMatchObject({ outcome: 'timeout', at: 5000, sessions: [{ id: 'b' }] })
  })

  test('what is reached at that very moment is reached', () => {
    expect(ended({ timeout: 4000, held: 2000 }, turn(100, 3000))).toBe('reached 5000')
    expect(ended({ timeout: 4000, held: 2001 }, turn(100, 3000))).toBe('timeout 5000')
  })
})

describe('several sessions', () => {
  const ids = ['a', 'b']
  const of = (id: string, at: number, says: State, more: Partial<News> = {}): Row => [
    at,
    id,
    news(at, says, more),
  ]
  const both: readonly Row[] = [
    [100, 'a', prompt(100)],
    [100, 'b', prompt(100)],
  ]

  test('all: at one moment', () => {
    const rows = [...both, of('a', 2000, finished), of('b', 3000, finished)]
    expect(waited({}, rows, { ids })).toMatchObject({
      outcome: 'reached',
      at: 3000,
      sessions: [{ id: 'a' }, { id: 'b' }],
    })
    const again: readonly Row[] = [
      ...both,
      of('a', 2000, finished),
      [2500, 'a', prompt(2500)],
      of('b', 3000, finished),
      of('a', 9000, finished),
    ]
    expect(ended({}, again, { ids })).toBe('reached 9000')
  })

  test('all: one that fails ends it, the first of the command line where several do', () => {
    const rows = [...both, of('b', 2000, broken)]
    expect(waited({}, rows, { ids })).toMatchObject({
      outcome: 'turnFailed',
      at: 2000,
      sessions: [{ id: 'b' }],
    })
    const failed = [...both, of('a', 200, limited), of('b', 200, broken)]
    expect(waited({}, failed, { ids })).toMatchObject({ outcome: 'limited', sessions: [{ id: 'a' }] })
    expect(waited({}, failed, { ids: ['b', 'a'] })).toMatchObject({
      outcome: 'turnFailed',
      sessions: [{ id: 'b' }],
    })
  })

  test('any: the first that is reached, whatever became of the others', () => {
    const rows = [...both, of('a', 2000, broken), of('b', 3000, finished)]
    expect(waited({ mode: 'any' }, rows, { ids })).toMatchObject({
      outcome: 'reached',
      at: 3000,
      sessions: [{ id: 'b' }],
    })
  })

  test('any: none can be reached any more', () => {
    const rows = [...both, of('b', 2000, broken), of('a', 3000, permission, { lane: 'ask:main:1' })]
    expect(waited({ mode: 'any' }, rows, { ids })).toMatchObject({
      outcome: 'waitsForPerson',
      at: 3000,
      sessions: [{ id: 'a' }],
    })
  })
})

describe('another source', () => {
  const request = toIdle
  const snapshot = (now: number, ...sessions: readonly LiveSession[]) =>
    ({ type: 'change', change: { type: 'snapshot', sessions }, now }) as const
  const busy = advance(newSession(0), 900, prompt(900))
  const begun = startWait(request, [liveSession(busy)], 1000)

  test('that does not find the session: gone, even where its exit was waited for', () => {
    const waits: WaitRequest = { ...request, for: ['exited'] }
    expect(stepWait(waits, begun.state, snapshot(2000)).done?.outcome).toBe('gone')
  })

  test('that knows less than the first ends nothing', () => {
    const older = advance(advance(newSession(0), 100, prompt(100)), 500, news(500, finished))
    const step = stepWait(request, begun.state, snapshot(2000, liveSession(advance(older, 2000))))
    expect(step.done).toBeUndefined()
    const ended = advance(older, 2500, news(2500, finished, { source: 'transcript' }))
    const changed = { type: 'changed', session: liveSession(ended) } as const
    expect(stepWait(request, step.state, { type: 'change', change: changed, now: 2500 }).done).toBeUndefined()
    const later = advance(advance(older, 3000, prompt(3000)), 4000, news(4000, finished))
    const last = { type: 'changed', session: liveSession(later) } as const
    expect(stepWait(request, step.state, { type: 'change', change: last, now: 4000 }).done?.outcome).toBe(
      'reached',
    )
  })

  test('that knows only the middle of the turn that ran: it is none that has begun since', () => {
    const next: WaitRequest = { ...request, next: true }
    const first = startWait(next, [liveSession(busy)], 1000)
    const middle = advance(newSession(0), 1500, news(1500, { kind: 'working', doing: 'tool' }))
    const step = stepWait(next, first.state, snapshot(2000, liveSession(advance(middle, 2000))))
    const change = {
      type: 'changed',
      session: liveSession(advance(middle, 3000, news(3000, finished))),
    } as const
    expect(stepWait(next, step.state, { type: 'change', change, now: 3000 }).done).toBeUndefined()
  })

  test('that reports a turn which began while nobody looked: it is the next one', () => {
    const next: WaitRequest = { ...request, next: true }
    const first = startWait(next, [liveSession(busy)], 1000)
    const turns = [news(1200, finished), prompt(1500), news(1800, finished)]
    const ended = turns.reduce((session, signal) => advance(session, signal.at, signal), busy)
    expect(stepWait(next, first.state, snapshot(2000, liveSession(ended))).done?.outcome).toBe('reached')
    const old = advance(busy, 1200, news(1200, finished))
    expect(stepWait(next, first.state, snapshot(2000, liveSession(old))).done).toBeUndefined()
  })

  test('that tells of a question which was answered since: nobody waits for a person', () => {
    const either: WaitRequest = { ...request, for: ['idle', 'waiting'] }
    const first = startWait(either, [liveSession(busy)], 1000)
    const asked = advance(newSession(0), 500, news(500, permission, { lane: 'ask:main:1' }))
    expect(
      stepWait(either, first.state, snapshot(2000, liveSession(advance(asked, 2000)))).done,
    ).toBeUndefined()
  })

  test('that heard of the end meanwhile', () => {
    const ended = advance(busy, 1500, news(1500, finished))
    expect(stepWait(request, begun.state, snapshot(2000, liveSession(ended))).done?.outcome).toBe('reached')
  })

  test('that counts turns otherwise: the coming one is none of its old ones', () => {
    const next: WaitRequest = { ...request, next: true }
    const first = startWait(next, [liveSession(advance(busy, 950, news(950, finished)))], 1000)
    const many = [
      prompt(100),
      news(200, finished),
      prompt(300),
      news(400, finished),
      prompt(500),
      news(600, finished),
    ]
    const other = many.reduce((session, signal) => advance(session, signal.at, signal), newSession(0))
    const step = stepWait(next, first.state, snapshot(2000, liveSession(advance(other, 2000))))
    expect(step.done).toBeUndefined()
    const again = advance(advance(other, 3000, prompt(3000)), 4000, news(4000, finished))
    const told = (session: Session, now: number) =>
      ({ type: 'change', change: { type: 'changed', session: liveSession(session) }, now }) as const
    expect(stepWait(next, step.state, told(again, 4000)).done?.outcome).toBe('reached')
    // Written before that source looked first, and read after it.
    const late = { ...prompt(1900), seen: 2100 }
    const read = advance(advance(advance(other, 2000), 2100, late), 2200, news(2200, finished))
    expect(stepWait(next, step.state, told(read, 2200)).done?.outcome).toBe('reached')
  })
})

describe('whatever is heard', () => {
  const states = fc.constantFrom<State>(
    { kind: 'starting' },
    thinking,
    background,
    permission,
    finished,
    broken,
    interrupted,
    limited,
    { kind: 'idle' },
    { kind: 'unknown' },
  )
  const at = fc.integer({ min: 1, max: 20_000 })
  const signals = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record({
          at,
          state: states,
          starts: fc.boolean(),
          late: fc.nat(1500),
          lane: fc.constantFrom('main' as const, 'bg:1' as const, 'ask:main:1' as const),
          turn: fc.constantFrom(undefined, 'one', 'two'),
        })
        .map(({ at, state, starts, late, lane, turn }): readonly [number, Signal] => [
          at,
          {
            ...news(Math.max(0, at - late), state, { starts, lane, ...(turn === undefined ? {} : { turn }) }),
            seen: at,
          },
        ]),
    },
    {
      weight: 3,
      arbitrary: fc
        .record({ at, state: states })
        .map(({ at, state }): readonly [number, Signal] => [at, status(at, state)]),
    },
    { weight: 1, arbitrary: at.map((at): readonly [number, Signal] => [at, exit(at)]) },
  )
  const histories = fc
    .array(fc.tuple(fc.constantFrom('a', 'b'), signals), { maxLength: 30 })
    .map(all => all.map(([id, [at, signal]]): Row => [at, id, signal]).sort((a, b) => a[0] - b[0]))
  const requests = fc.record({
    for: fc.constantFrom<WaitRequest['for']>(
      ['idle'],
      ['waiting'],
      ['exited'],
      ['idle', 'waiting'],
      ['stuck', 'idle'],
    ),
    next: fc.boolean(),
    mode: fc.constantFrom('any' as const, 'all' as const),
    ignoreBackground: fc.boolean(),
    held: fc.constantFrom(0, 500, 3000),
    timeout: fc.constantFrom(10_000, 30_000),
  })

  const matches = (request: WaitRequest, { session: { verdict, lanes } }: LiveSession): boolean =>
    request.for.some(goal => {
      if (goal === 'stuck') return verdict.health.level.endsWith('stuck')
      if (goal !== 'idle') return verdict.state.kind === goal
      const { state, turnOver } = verdict
      const isReady = state.kind === 'idle' && (state.after ?? 'turn') === 'turn'
      const ended = lanes.main?.news.state
      const isApart = state.kind === 'working' && state.doing === 'background' && turnOver
      return (
        isReady ||
        (request.ignoreBackground &&
          isApart &&
          (ended?.kind !== 'idle' || (ended.after ?? 'turn') === 'turn'))
      )
    })

  test('it is reached only while every session is as wanted, and has been for as long as wanted', () => {
    fc.assert(
      fc.property(histories, requests, (rows, request) => {
        const end = waited(request, rows, { ids: ['a', 'b'] })
        expect(end).toBeDefined()
        if (end?.outcome !== 'reached') return
        expect(end.sessions).toHaveLength(request.mode === 'all' ? 2 : 1)
        for (const session of end.sessions) {
          expect(matches(request, session)).toBe(true)
          const { state, since } = session.session.verdict
          if (state.kind !== 'exited') expect(end.at - since).toBeGreaterThanOrEqual(request.held)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('--next is reached only by a turn of which something was heard that happened after', () => {
    fc.assert(
      fc.property(histories, requests, (rows, request) => {
        const end = waited({ ...request, next: true }, rows, { ids: ['a', 'b'], from: 8000 })
        if (end?.outcome !== 'reached') return
        for (const { id, session } of end.sessions) {
          if (session.verdict.state.kind === 'exited') continue
          const { state, because } = session.verdict
          // What a sign shows to ask is of a turn whose start nobody told.
          const isShownToAsk = state.kind === 'waiting' && because[0]?.type === 'sign'
          if (!isShownToAsk) expect(session.turns.lastStart).toBeGreaterThan(8000)
          const heard = rows.filter(([at, of]) => of === id && at > 8000 && at <= end.at)
          const begins = heard.some(([, , signal]) => {
            if (
              signal === 'gone' ||
              signal === undefined ||
              signal.type === 'exit' ||
              signal.type === 'health' ||
              signal.type === 'facts'
            )
              return false
            const instant = signal.type === 'sign' ? signal.since : signal.at
            return instant > 8000 && signal.state.kind !== 'idle' && signal.state.kind !== 'unknown'
          })
          expect(begins).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('rechecks lie ahead, and a wait with a timeout ends', () => {
    fc.assert(
      fc.property(histories, requests, (rows, request) => {
        const end = waited(request, rows, { ids: ['a', 'b'] })
        expect(end?.at).toBeLessThanOrEqual(1000 + request.timeout)
      }),
    )
  })
})
