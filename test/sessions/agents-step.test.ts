/** The agents of a machine that a test makes up: processes come and go, files and hooks tell of them, time passes. */
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { noAgents } from '../../src/sessions/agents/agents-state.ts'
import { stepAgents } from '../../src/sessions/agents/agents-step.ts'
import type { TranscriptFinding } from '../../src/sessions/agents/follow-step.ts'
import { viewOf } from '../../src/sessions/agents/session-view.ts'
import { answer, epoch, machine, prompt, row } from '../support/machine.ts'

const guessed = (path: string): TranscriptFinding => ({ how: 'guessed', path })

test('who searches for a transcript knows whether another agent is in its folder', () => {
  const at = machine()
  at.start('a')
  at.search()
  expect(at.isAlone('a')).toBe(true)
  at.start('bb', { surroundings: { cwd: '/q' } })
  at.search(2000)
  expect([at.isAlone('a'), at.isAlone('bb')]).toEqual([true, true])
  at.start('ccc')
  at.search(8000)
  at.search(32_000)
  expect([at.isAlone('a'), at.isAlone('bb'), at.isAlone('ccc')]).toEqual([false, true, false])
  at.end('ccc')
  at.search(32_000)
  at.search(32_000)
  expect(at.isAlone('a')).toBe(true)
})

test('and since when it is alone there: what was written before may be the other one’s', () => {
  const at = machine()
  at.start('a')
  at.start('bb', { surroundings: { cwd: '/q' } })
  at.start('ccc')
  at.search(1000)
  at.end('ccc')
  at.search(4000)
  expect([at.of('a')?.besideUntil, at.of('bb')?.besideUntil]).toEqual([epoch + 5000, undefined])
  expect(at.of('ccc')?.besideUntil).toBeUndefined()
})

test('who may have moved from a proven transcript searches again at each write to a file of nobody', () => {
  const at = machine()
  at.start('a')
  at.start('bb')
  at.finds({ a: { how: 'open', path: '/a.jsonl' } })
  at.search(1000)
  at.feed({ type: 'file stirred', agent: agents.claude, file: '/b.jsonl' })
  at.done()
  const searches = (ms: number) => {
    at.search(ms)
    at.done()
    at.feed({ type: 'file stirred', agent: agents.claude, file: '/b.jsonl' })
    return at.done().filter(one => one === 'a: search').length
  }
  expect(searches(1000)).toBe(0)
  at.finds({ a: { how: 'several' } })
  at.search(60_000)
  at.done()
  expect([searches(1000), searches(1000)]).toEqual([1, 1])
  expect(at.of('a')?.follow.path).toBe('/a.jsonl')
})

test('those are observed that may have written each other’s files', () => {
  const at = machine()
  at.start('a')
  at.start('bb', { surroundings: { cwd: '/q' } })
  at.start('ccc', { agent: 'copilot' })
  for (const id of ['one', 'other']) at.start(id, { agent: 'cline' })
  at.search()
  expect(at.undecided()).toEqual([])
  at.start('dddd')
  at.start('eeeee', { surroundings: { note: 'another user’s' } })
  at.search(1000)
  expect(at.undecided()).toEqual(['a', 'dddd'])
  at.hook('a', 'SessionStart', {}, '/a.jsonl')
  expect(at.undecided()).toEqual(['a', 'dddd'])
  at.hook('dddd', 'SessionStart', {}, '/d.jsonl')
  expect(at.undecided()).toEqual([])
})

describe('an agent', () => {
  test('is found, followed, exits with its last lines read before, and is forgotten after a minute', () => {
    const at = machine()
    at.start('a')
    at.search()
    expect(at.done()).toEqual(['a: find', 'a: search', 'a: begin', 'a: poll'])
    expect(at.says('a')).toBe('starting')
    at.end('a')
    at.search(800)
    expect(at.done()).toEqual(['a: poll', 'a: record', 'a: file', 'a: stop'])
    expect(at.says('a')).toBe('exited')
    at.search(60_000)
    expect(at.done()).toEqual([])
    at.search(1)
    expect(at.done()).toEqual(['a: forget'])
    expect(at.of('a')).toBeUndefined()
  })

  test('that runs already is judged by what stands in its transcript, at the times that stand there', () => {
    const at = machine()
    at.start('a', { startedAt: epoch })
    at.file('t', prompt(10_000), answer(20_000))
    at.finds({ a: guessed('t') })
    at.search(60_000)
    expect(at.track.get('a')?.verdict).toMatchObject({
      state: { kind: 'idle', after: 'turn' },
      turn: 1,
      since: 20_000,
    })
    expect(at.of('a')).toMatchObject({ turnsBefore: 1 })
    expect(at.of('a')).not.toHaveProperty('past')
  })

  test('is not busy with a turn of before its process started', () => {
    const at = machine()
    at.start('a', { startedAt: epoch + 30_000 })
    at.file('t', prompt(10_000))
    at.finds({ a: guessed('t') })
    at.search(31_000)
    expect(at.says('a')).toBe('starting')
  })

  test('whose status file names its session has that session’s transcript', () => {
    const at = machine()
    at.start('a', { status: '{"sessionId":"s1"}', startedAt: epoch })
    at.file('s1.jsonl', prompt(0))
    at.finds({ s1: { how: 'named', path: 's1.jsonl' } })
    at.search(1000)
    expect(at.says('a')).toBe('working')
    expect(at.of('a')?.follow).toMatchObject({ path: 's1.jsonl', isSure: true })
  })

  test('whose status file says that it works does, if that says so still', () => {
    const at = machine()
    at.start('a', { status: `{"pid":1,"status":"busy","statusUpdatedAt":${epoch + 100}}`, startedAt: epoch })
    at.start('bb', { startedAt: epoch })
    at.search(1000)
    expect(at.says('a')).toBe('working')
    expect(at.says('bb')).toBe('starting')
  })

  test('whose turn runs another session does not follow that one’s transcript', () => {
    const at = machine()
    at.start('a')
    at.search()
    at.hook('a', 'UserPromptSubmit', { session_id: 's', prompt_id: 'p' }, 's.jsonl')
    at.hook('a', 'UserPromptSubmit', { session_id: 'inner', prompt_id: 'q' }, 'inner.jsonl')
    at.hook('a', 'PreToolUse', { session_id: 's', agent_id: 'sub', agent_type: 'x' }, 'sub.jsonl')
    expect(at.of('a')?.follow.path).toBe('s.jsonl')
  })

  test('that went on in another thread, unheard, has not ended with the one that it left', () => {
    const at = machine()
    at.start('a')
    at.search()
    at.hook('a', 'UserPromptSubmit', { session_id: 's', prompt_id: 'p' }, 's.jsonl')
    at.hook('a', 'Stop', { session_id: 's', prompt_id: 'p' }, 's.jsonl')
    at.file('t.jsonl', prompt(0))
    at.finds({ a: { how: 'open', path: 't.jsonl' } })
    at.feed({ type: 'file stirred', agent: agents.claude, file: 't.jsonl' })
    at.search(1000)
    expect(at.of('a')?.follow.path).toBe('t.jsonl')
    at.hook('a', 'SessionEnd', { session_id: 's', reason: 'other' }, 's.jsonl')
    expect([at.says('a'), at.of('a')?.follow.path]).toEqual(['working', 't.jsonl'])
  })

  test('that begins a file of its own keeps nothing of the one that it guessed, which a dead process wrote', () => {
    const at = machine()
    at.start('a', { startedAt: epoch })
    const broken = row(2000, { type: 'user', message: { content: '[Request interrupted by user]' } })
    at.file('old', prompt(1000), broken)
    at.finds({ a: guessed('old') })
    at.search(3000)
    expect(at.track.get('a')).toMatchObject({
      verdict: { state: { after: 'interrupt' }, turn: 1 },
      facts: { prompt: 'go' },
    })
    at.hook('a', 'SessionStart', { session_id: 's', source: 'startup' }, 'new')
    expect(at.of('a')?.follow.path).toBe('new')
    expect(at.track.get('a')?.verdict).toMatchObject({ state: { kind: 'starting' }, turn: 0 })
    expect(at.track.get('a')?.facts).not.toHaveProperty('prompt')
  })

  test('that goes on in another session has no words of the last one, by hook or by status file', () => {
    const at = machine()
    at.start('a')
    at.start('bb', { status: '{"pid":2,"sessionId":"s","status":"idle"}' })
    at.search()
    at.hook('a', 'SessionStart', { session_id: 's', source: 'startup' })
    for (const id of ['a', 'bb']) {
      at.hook(id, 'UserPromptSubmit', { session_id: 's', prompt: 'go' })
      at.hook(id, 'Stop', { session_id: 's', last_assistant_message: 'It is done.' })
      expect(at.track.get(id)?.facts).toMatchObject({ prompt: 'go', finalMessage: 'It is done.' })
    }
    at.search(1000)
    at.hook('a', 'SessionEnd', { session_id: 's', reason: 'clear' })
    at.hook('a', 'SessionStart', { session_id: 't', source: 'clear' })
    const content = '{"pid":2,"sessionId":"t","status":"idle"}'
    const status = { type: 'status', path: '/home/dev/.claude/sessions/7.json', content } as const
    at.feed({ type: 'input', id: 'bb', inputs: [status] })
    for (const id of ['a', 'bb'])
      expect(at.track.get(id)?.facts).toMatchObject({ prompt: '', finalMessage: '' })
    at.search(1000)
    at.hook('a', 'UserPromptSubmit', { session_id: 't', prompt: 'more' })
    expect(at.track.get('a')?.facts.prompt).toBe('more')
  })

  test('that was out of sight for a look has not ended: by its number and its start it is the same process', () => {
    const at = machine()
    at.start('a')
    at.search()
    at.end('a')
    at.search(800)
    at.done()
    at.start('a')
    at.search(800)
    expect(at.done().slice(0, 2)).toEqual(['a: forget', 'a: find'])
    expect(at.says('a')).toBe('starting')
  })

  test('that turns out to have only started the program is no session, and has not exited', () => {
    const at = machine()
    at.start('a')
    at.search()
    at.done()
    at.start('a', { isLauncher: true })
    at.start('bb')
    at.search(800)
    expect(at.done()).toContain('a: forget')
    expect(at.of('a')).toBeUndefined()
    expect(at.says('a')).toBeUndefined()
    expect(at.says('bb')).toBe('starting')
  })

  test('keeps the id of its session until another is named, and a hook that says nothing is recorded alone', () => {
    const at = machine()
    at.start('a')
    at.search()
    at.hook('a', 'SessionStart', { session_id: 's2' })
    at.done()
    at.hook('a', 'NoSuchEvent')
    expect(at.done()).toEqual(['a: record'])
    at.hook('a', 'UserPromptSubmit', { prompt: 'go' })
    expect(at.of('a')).toMatchObject({ agentSession: 's2', hooks: 3 })
  })

  test('that nobody knows is not made up', () => {
    const at = machine()
    at.search()
    at.lines('a', 't', prompt(0))
    at.hook('a', 'UserPromptSubmit', { prompt: 'go' }, 't')
    for (const type of ['due', 'read'] as const) at.feed({ type, id: 'a' })
    expect(at.of('a')).toBeUndefined()
    expect(at.done()).toEqual([])
  })

  test('that another conversation’s hook names is searched for by that id, a transcript’s own id changes nothing', () => {
    const at = machine()
    at.start('a')
    at.search()
    at.lines('a', 't', row(0, { type: 'user', sessionId: 'x', message: { role: 'user', content: 'go' } }))
    expect(at.of('a')?.follow.session).toBeUndefined()
    at.hook('a', 'SessionStart', { session_id: 's2' })
    expect(at.of('a')).toMatchObject({ hooks: 1, follow: { session: 's2' } })
    at.done()
    at.finds({ s2: { how: 'named', path: 's2.jsonl' } })
    at.search(800)
    expect(at.done()).toEqual(['a: poll', 'a: search', 'a: follow s2.jsonl'])
  })

  test('whose hook names its transcript follows that', () => {
    const at = machine()
    at.start('a')
    at.search()
    at.done()
    at.hook('a', 'SessionStart', {}, '/own.jsonl')
    expect(at.done().at(-1)).toBe('a: follow /own.jsonl')
  })

  test('whose files are not ours to read is followed by its process alone', () => {
    const at = machine()
    at.start('a', { surroundings: { note: 'another user’s' } })
    at.finds({ a: guessed('t') })
    at.search()
    at.hook('a', 'Stop', {}, '/own.jsonl')
    expect(at.done().filter(one => /search|follow/.test(one))).toEqual([])
  })
})

describe('two agents in one folder', () => {
  test('that would guess one transcript both lose it: what it told counts for nothing', () => {
    const at = machine()
    at.file('t', prompt(0))
    at.start('a', { startedAt: epoch })
    at.finds({ a: guessed('t'), bb: guessed('t') })
    at.search(1000)
    expect(at.says('a')).toBe('working')
    at.start('bb')
    at.search(800)
    expect(at.says('a')).toBe('starting')
    expect(at.says('bb')).toBe('starting')
    expect(at.of('a')?.follow).not.toHaveProperty('path')
    at.search(60_000)
    expect(at.of('bb')?.follow).not.toHaveProperty('path')
  })

  test('that would guess one transcript keep what hooks and the status file told, and the dialog that is open', () => {
    const at = machine()
    at.start('a', { startedAt: epoch })
    at.start('bb', { startedAt: epoch })
    at.search(1000)
    at.hook('a', 'UserPromptSubmit', { prompt: 'go on' })
    at.hook('a', 'Stop', { last_assistant_message: 'That was it.' })
    at.hook('bb', 'UserPromptSubmit', { prompt: 'remove it' })
    at.hook('bb', 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm -r build' } })
    at.file('t', prompt(1000), answer(1500))
    at.finds({ a: guessed('t') })
    at.search(60_000)
    expect(at.of('a')?.follow.path).toBe('t')
    const before = at.track.get('bb')
    at.finds({ a: guessed('t'), bb: guessed('t') })
    at.search(60_000)
    expect(at.of('a')?.follow).not.toHaveProperty('path')
    expect(at.track.get('a')).toMatchObject({
      verdict: { state: { kind: 'idle', after: 'turn' }, turn: 1, since: 1000 },
      facts: { prompt: 'go on', finalMessage: 'That was it.' },
    })
    expect(at.track.get('bb')).toMatchObject({
      verdict: { state: { kind: 'waiting', for: 'permission' }, since: before?.verdict.since },
      facts: { question: 'rm -r build' },
    })
    at.hook('a', 'UserPromptSubmit', { prompt: 'and more' })
    expect(at.track.get('a')?.verdict.turn).toBe(2)
  })

  test('of which one turns out to write what the other guessed: the other knows what it knew without', () => {
    const at = machine()
    at.start('a', { startedAt: epoch })
    at.start('bb', { startedAt: epoch })
    at.search(1000)
    at.hook('bb', 'UserPromptSubmit', { prompt: 'mine' })
    at.hook('bb', 'Stop')
    at.file('t', prompt(60_000))
    at.finds({ bb: guessed('t') })
    at.search(60_000)
    expect(at.says('bb')).toBe('working')
    at.hook('a', 'UserPromptSubmit', { prompt: 'go' }, 't')
    expect([at.of('a')?.follow.path, at.of('bb')?.follow.path]).toEqual(['t', undefined])
    expect(at.track.get('bb')).toMatchObject({
      verdict: { state: { kind: 'idle', after: 'turn' }, turn: 1 },
      facts: { prompt: 'mine' },
    })
  })

  test('that guess two transcripts keep them, until one is named by another’s session', () => {
    const at = machine()
    at.start('a', { startedAt: epoch })
    at.file('t', prompt(0))
    at.finds({ a: guessed('t'), bb: guessed('u') })
    at.search(1000)
    at.start('bb')
    at.search(800)
    expect([at.of('a')?.follow.path, at.of('bb')?.follow.path]).toEqual(['t', 'u'])
    at.start('ccc')
    at.finds({ ccc: { how: 'named', path: 't' } })
    at.search(800)
    expect([at.of('a')?.follow.path, at.of('ccc')?.follow.path]).toEqual([undefined, 't'])
  })

  test('of what was lost nothing is kept, not even whose session it was', () => {
    const at = machine()
    at.file('t', row(0, { type: 'user', sessionId: 'x', message: { role: 'user', content: 'go' } }))
    at.start('a', { startedAt: epoch })
    at.finds({ a: guessed('t'), bb: guessed('t') })
    at.search(1000)
    expect(at.of('a')?.agentSession).toBe('x')
    at.start('bb')
    at.search(800)
    expect(at.of('a')?.agentSession).toBeUndefined()
  })

  test('a thousand stray files are remembered, and one more, and then none', () => {
    const at = machine()
    at.start('a')
    at.search()
    const stray = (file: string) => {
      at.feed({ type: 'file stirred', agent: agents.claude, file })
      return at.strays()
    }
    for (let n = 1; n <= 1001; n++) expect(stray(`${n}`)).toBe(n)
    expect(stray('1002')).toBe(1)
  })

  test('of which one is sure of its transcript: the other does not take it away', () => {
    const at = machine()
    at.start('a')
    at.start('bb')
    at.search()
    at.search(800)
    at.hook('a', 'UserPromptSubmit', { prompt: 'go' }, 't')
    at.finds({ bb: guessed('t') })
    at.search(2000)
    expect(at.of('a')?.follow.path).toBe('t')
    expect(at.of('bb')?.follow).not.toHaveProperty('path')
    expect(at.says('a')).toBe('working')
  })

  test('a new file concerns both, one that was there before only who has none', () => {
    const at = machine()
    at.start('a')
    at.start('bb')
    at.finds({ a: guessed('t') })
    at.search()
    at.done()
    const stir = (file: string) => {
      at.feed({ type: 'file stirred', agent: agents.claude, file })
      return at.done()
    }
    expect(stir('t')).toEqual([])
    at.search(300)
    at.done()
    expect(stir('new')).toEqual(['a: search', 'bb: search'])
    at.search(300)
    at.done()
    expect(stir('new')).toEqual(['bb: search'])
    at.feed({ type: 'file stirred', agent: agents.codex, file: 'another' })
    expect(at.done()).toEqual([])
  })
})

test('the epoch stays one while the wall clock is corrected, and leaps with it', () => {
  const at = (wall: number) =>
    stepAgents(noAgents({ now: 0, wall: 1000 }), { type: 'read', id: 'x' }, { now: 500, wall }).epoch
  expect(at(1500)).toBe(1000)
  expect(at(1740)).toBe(1000)
  expect(at(1750)).toBe(1000)
  expect(at(1260)).toBe(1000)
  expect(at(1751)).toBe(1251)
  expect(at(9500)).toBe(9000)
})

test('a dialog of which only a log tells is over when it has gone from the screen', () => {
  const at = machine()
  at.start('a', { agent: 'opencode' })
  at.finds({ a: { how: 'open', path: 'o.log' } })
  at.search()
  const log = (ms: number, text: string) =>
    `timestamp=${new Date(epoch + ms).toISOString()} level=INFO run=1 message=${text}`
  at.search(1000)
  at.lines(
    'a',
    'o.log',
    log(1000, 'loop session.id=s step=0'),
    log(1001, 'asking id=per_1 patterns="[\\"ls\\"]"'),
  )
  const look = (isShown: boolean) => at.feed({ type: 'dialog', id: 'a', isShown })
  at.search(1000)
  for (const isShown of [false, false, true, false]) look(isShown)
  expect(at.says('a')).toBe('waiting')
  look(false)
  expect(at.says('a')).toBe('working')
  at.search(4000)
  expect(at.says('a')).toBe('unknown')
})

test('a dialog that has gone before the first look leaves what the screen shows', () => {
  const at = machine()
  at.start('a', { agent: 'opencode' })
  at.finds({ a: { how: 'open', path: 'o.log' } })
  at.search()
  const log = (ms: number, text: string) =>
    `timestamp=${new Date(epoch + ms).toISOString()} level=INFO run=1 message=${text}`
  at.search(1000)
  at.lines('a', 'o.log', log(1000, 'loop session.id=s step=0'), log(1001, 'asking id=per_1'))
  at.search(60_000)
  expect(at.says('a')).toBe('waiting')
  const look = () => at.feed({ type: 'dialog', id: 'a', isShown: false, isAtComposer: true })
  const read = { state: 'idle', rule: 'composer', row: '┃' } as const
  at.feed({ type: 'input', id: 'a', inputs: [{ type: 'screen', rows: ['┃'], isStill: true, read }] })
  look()
  expect(at.says('a')).toBe('waiting')
  look()
  expect(at.says('a')).toBe('idle')
})

test('the second of two processes that write one log has lines of its own', () => {
  const at = machine()
  const log = (ms: number, run: string, text: string) =>
    `timestamp=${new Date(epoch + ms).toISOString()} level=INFO run=${run} message=${text}`
  at.finds({ a: { how: 'open', path: 'o.log' }, bb: { how: 'open', path: 'o.log' } })
  at.start('a', { agent: 'opencode' })
  at.search()
  at.search(5000)
  at.start('bb', { agent: 'opencode' })
  at.search(5000)
  const write = (...lines: readonly string[]) => {
    at.lines('bb', 'o.log', ...lines)
    at.lines('a', 'o.log', ...lines)
  }
  // The first one's first line comes after the second was started.
  write(log(12_000, 'x', 'init'))
  write(log(28_000, 'y', 'init'))
  at.search(30_000)
  write(log(40_000, 'x', 'loop session.id=s step=0'))
  expect([at.says('a'), at.says('bb')]).toEqual(['working', 'unknown'])
  write(log(41_000, 'y', 'loop session.id=t step=0'), log(42_000, 'x', '"exiting loop" session.id=s'))
  expect([at.says('a'), at.says('bb')]).toEqual(['idle', 'working'])
})

test('whoever sends no hooks for want of any is not hook-blind', () => {
  const at = machine()
  for (const agent of ['claude', 'droid'] as const) at.start(agent, { agent })
  at.search()
  const hooksOf = (id: string) => {
    const [agent, session] = [at.of(id), at.track.get(id)]
    if (!agent || !session) throw new Error('it is not followed')
    const verdict = { ...session.verdict, turn: 3, turnOver: true }
    return viewOf(agent, { ...session, verdict }, { seen: { isSeen: false }, receivesHooks: true }).hooks
  }
  expect([hooksOf('claude'), hooksOf('droid')]).toEqual(['blind', 'unknown'])
})

test('a version that nobody checked is believed less, and an agent of which none was', () => {
  const at = machine()
  for (const agent of ['claude', 'kiro'] as const) at.start(agent, { agent })
  at.search()
  const confidenceOf = (id: string, version?: string) => {
    const [agent, session] = [at.of(id), at.track.get(id)]
    if (!agent || !session) throw new Error('it is not followed')
    const sure = { ...session, facts: { ...session.facts, ...(version === undefined ? {} : { version }) } }
    const verdict = { ...session.verdict, confidence: 0.98, rule: 'news' as const }
    const view = viewOf(agent, { ...sure, verdict }, { seen: { isSeen: false }, receivesHooks: false })
    return view.session.verdict.confidence
  }
  expect(confidenceOf('claude')).toBe(0.98)
  expect(confidenceOf('claude', agents.claude.screens.version)).toBe(0.98)
  expect(confidenceOf('claude', '99.0.0')).toBe(0.95)
  expect(confidenceOf('kiro')).toBe(0.6)
})

test('since when a title is so is not known where it was so already at the first look', () => {
  const at = machine()
  at.start('a', { agent: 'codex', startedAt: epoch - 60_000 })
  at.search()
  const shows = (title: string) => at.feed({ type: 'title', id: 'a', title })
  const isSinceLook = () => {
    const [agent, session] = [at.of('a'), at.track.get('a')]
    if (!agent || !session) throw new Error('it is not followed')
    return viewOf(agent, session, { seen: { isSeen: false }, receivesHooks: false }).isSinceLook
  }
  expect(isSinceLook()).toBeUndefined()
  shows('[ ! ] Action Required | web')
  at.search(800)
  shows('[ . ] Action Required | web')
  expect([at.says('a'), isSinceLook()]).toEqual(['waiting', true])
  for (const ms of [800, 800]) {
    at.search(ms)
    shows('⠋ web')
  }
  expect([at.says('a'), isSinceLook()]).toEqual(['working', undefined])
})

test('who lives is not ended by a transcript that is only guessed: another has ended, who wrote it', () => {
  const at = machine()
  for (const id of ['a', 'bb']) at.start(id, { agent: 'copilot' })
  at.search()
  const event = (t: number, type: string, data: object) => row(t, { type, data })
  const begun = [event(1000, 'user.message', { content: 'go' }), event(2000, 'assistant.idle', {})]
  at.file('t', ...begun)
  at.finds({ a: guessed('t') })
  at.feed({ type: 'file stirred', agent: agents.copilot, file: 't' })
  at.search(3000)
  at.lines('a', 't', event(3000, 'session.shutdown', {}))
  expect(at.says('a')).toBe('idle')
  // Found later, it is read as what was there before.
  at.end('a')
  at.search(1000)
  at.start('c', { agent: 'copilot', startedAt: epoch })
  at.file('t', ...begun, event(3000, 'session.shutdown', {}))
  at.finds({ c: guessed('t') })
  at.search(1000)
  expect(at.says('c')).not.toBe('exited')
})
