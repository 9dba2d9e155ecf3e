/** The agents of a machine that a test makes up: processes come and go, files and hooks tell of them, time passes. */
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import {
  type AgentsEffect,
  type AgentsEvent,
  type FoundAgent,
  noAgents,
} from '../../src/sessions/agents/agents-state.ts'
import { stepAgents } from '../../src/sessions/agents/agents-step.ts'
import type { TranscriptFinding } from '../../src/sessions/agents/follow-step.ts'
import type { Surroundings } from '../../src/sessions/discover/surroundings.ts'
import { virtualClock } from '../../src/track/clock.ts'
import type { RawInput } from '../../src/track/raw-input.ts'
import { createTrack } from '../../src/track/track.ts'

const epoch = 1_795_294_800_000

type Process = {
  readonly surroundings?: Partial<Surroundings>
  /** Its status file, as it stands when it is found. */
  readonly status?: string
  readonly startedAt?: number
}

const row = (at: number, row: object): string =>
  JSON.stringify({ timestamp: new Date(epoch + at).toISOString(), ...row })
const prompt = (at: number): string => row(at, { type: 'user', message: { role: 'user', content: 'go' } })
const answer = (at: number): string =>
  row(at, {
    type: 'assistant',
    message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] },
  })

/** Carries effects out as agent-provider.ts does, on files that are a table. */
function machine() {
  const clock = virtualClock(epoch)
  const track = createTrack(clock)
  const running = new Map<string, Process>()
  const files = new Map<string, string[]>()
  const done: string[] = []
  let found: Record<string, TranscriptFinding> = {}
  let state = noAgents({ now: 0, wall: epoch })

  const agentOf = (id: string) => ({ agent: agents.claude, pid: id.length, parent: 1, start: '7' })

  function feed(event: AgentsEvent): void {
    const step = stepAgents(state, event, { now: clock.now(), wall: clock.wall() })
    state = step.state
    for (const effect of step.effects) carryOut(effect)
  }

  function carryOut(effect: AgentsEffect): void {
    const { id } = effect
    done.push(effect.do === 'follow' ? `${id}: follow ${effect.path}` : `${id}: ${effect.do}`)
    switch (effect.do) {
      case 'find': {
        const { surroundings, status, startedAt = clock.wall() } = running.get(id) ?? {}
        const agent: FoundAgent = {
          id,
          process: effect.process,
          surroundings: { env: {}, cwd: '/p', ...surroundings },
          startedAt,
          branch: undefined,
          status: '/home/dev/.claude/sessions/7.json',
        }
        feed({ type: 'found', found: agent, content: status ?? null })
        feed({ type: 'read', id })
        break
      }
      case 'look':
        feed({ type: 'due', id })
        break
      case 'search':
        feed({ type: 'searched', id, finding: found[effect.session ?? id] ?? { how: 'nothing' } })
        break
      case 'follow':
        lines(id, effect.path, ...(files.get(effect.path) ?? []))
        break
      case 'begin':
        track.begin(id, effect.session)
        break
      case 'file':
        track.file(id, effect.signals)
        break
      case 'forget':
        track.forget(id)
        break
      case 'leave':
      case 'record':
      case 'stop':
        break
    }
  }

  function lines(id: string, path: string, ...texts: readonly string[]): void {
    const inputs = texts.map((line): RawInput => ({ type: 'line', path, line }))
    if (inputs.length > 0) feed({ type: 'input', id, inputs })
  }

  return {
    track,
    lines,
    feed,
    start: (id: string, process: Process = {}) => running.set(id, process),
    end: (id: string) => running.delete(id),
    file: (path: string, ...rows: readonly string[]) => files.set(path, [...rows]),
    /** What searches find from now on, by session. */
    finds(next: Record<string, TranscriptFinding>) {
      found = next
    },
    look(ms = 0) {
      clock.advance(ms)
      feed({ type: 'running', processes: new Map([...running.keys()].map(id => [id, agentOf(id)])) })
    },
    hook: (id: string, event: string, payload: object = {}, transcript?: string) =>
      feed({ type: 'hook', id, input: { type: 'hook', agent: 'claude', event, payload }, transcript }),
    says: (id: string) => track.get(id)?.verdict.state.kind,
    of: (id: string) => state.sessions.get(id),
    /** What was done since it was last asked. */
    done: () => done.splice(0),
  }
}

const guessed = (path: string): TranscriptFinding => ({ how: 'guessed', path })

describe('an agent', () => {
  test('is found, followed, exits with its last lines read before, and is forgotten after a minute', () => {
    const at = machine()
    at.start('a')
    at.look()
    expect(at.done()).toEqual(['a: find', 'a: search', 'a: begin', 'a: look'])
    expect(at.says('a')).toBe('starting')
    at.end('a')
    at.look(800)
    expect(at.done()).toEqual(['a: look', 'a: record', 'a: file', 'a: stop'])
    expect(at.says('a')).toBe('exited')
    at.look(60_000)
    expect(at.done()).toEqual([])
    at.look(1)
    expect(at.done()).toEqual(['a: forget'])
    expect(at.of('a')).toBeUndefined()
  })

  test('that runs already is judged by what stands in its transcript, at the times that stand there', () => {
    const at = machine()
    at.start('a', { startedAt: epoch })
    at.file('t', prompt(10_000), answer(20_000))
    at.finds({ a: guessed('t') })
    at.look(60_000)
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
    at.look(31_000)
    expect(at.says('a')).toBe('starting')
  })

  test('whose status file names its session has that session’s transcript', () => {
    const at = machine()
    at.start('a', { status: '{"sessionId":"s1"}', startedAt: epoch })
    at.file('s1.jsonl', prompt(0))
    at.finds({ s1: { how: 'named', path: 's1.jsonl' } })
    at.look(1000)
    expect(at.says('a')).toBe('working')
    expect(at.of('a')?.follow).toMatchObject({ path: 's1.jsonl', isSure: true })
  })

  test('that another conversation’s hook names is searched for by that id, a transcript’s own id changes nothing', () => {
    const at = machine()
    at.start('a')
    at.look()
    at.lines('a', 't', row(0, { type: 'user', sessionId: 'x', message: { role: 'user', content: 'go' } }))
    expect(at.of('a')?.follow.session).toBeUndefined()
    at.hook('a', 'SessionStart', { session_id: 's2' })
    expect(at.of('a')).toMatchObject({ hooks: 1, follow: { session: 's2' } })
    at.done()
    at.finds({ s2: { how: 'named', path: 's2.jsonl' } })
    at.look(800)
    expect(at.done()).toEqual(['a: look', 'a: search', 'a: follow s2.jsonl'])
  })

  test('whose hook names its transcript follows that', () => {
    const at = machine()
    at.start('a')
    at.look()
    at.done()
    at.hook('a', 'SessionStart', {}, '/own.jsonl')
    expect(at.done().at(-1)).toBe('a: follow /own.jsonl')
  })

  test('whose files are not ours to read is followed by its process alone', () => {
    const at = machine()
    at.start('a', { surroundings: { note: 'another user’s' } })
    at.finds({ a: guessed('t') })
    at.look()
    at.hook('a', 'Stop', {}, '/own.jsonl')
    expect(at.done().filter(one => /search|follow/.test(one))).toEqual([])
  })
})

describe('two agents in one folder', () => {
  test('that would guess one transcript both lose it: what was told counts for nothing', () => {
    const at = machine()
    at.file('t', prompt(0))
    at.start('a', { startedAt: epoch })
    at.finds({ a: guessed('t'), bb: guessed('t') })
    at.look(1000)
    expect(at.says('a')).toBe('working')
    at.start('bb')
    at.look(800)
    expect(at.says('a')).toBe('unknown')
    expect(at.says('bb')).toBe('starting')
    expect(at.of('a')?.follow).not.toHaveProperty('path')
    at.look(60_000)
    expect(at.of('bb')?.follow).not.toHaveProperty('path')
  })

  test('of which one is sure of its transcript: the other does not take it away', () => {
    const at = machine()
    at.start('a')
    at.start('bb')
    at.look()
    at.look(800)
    at.hook('a', 'UserPromptSubmit', { prompt: 'go' }, 't')
    at.finds({ bb: guessed('t') })
    at.look(2000)
    expect(at.of('a')?.follow.path).toBe('t')
    expect(at.of('bb')?.follow).not.toHaveProperty('path')
    expect(at.says('a')).toBe('working')
  })

  test('a new file concerns both, one that was there before only who has none', () => {
    const at = machine()
    at.start('a')
    at.start('bb')
    at.finds({ a: guessed('t') })
    at.look()
    at.done()
    const stir = (file: string) => {
      at.feed({ type: 'stirred', agent: agents.claude, file })
      return at.done()
    }
    expect(stir('t')).toEqual([])
    at.look(300)
    at.done()
    expect(stir('new')).toEqual(['a: search', 'bb: search'])
    at.look(300)
    at.done()
    expect(stir('new')).toEqual(['bb: search'])
    at.feed({ type: 'stirred', agent: agents.codex, file: 'another' })
    expect(at.done()).toEqual([])
  })
})

test('the epoch stays one while the wall clock is corrected, and leaps with it', () => {
  const at = (wall: number) =>
    stepAgents(noAgents({ now: 0, wall: 1000 }), { type: 'read', id: 'x' }, { now: 500, wall }).state.epoch
  expect(at(1500)).toBe(1000)
  expect(at(1740)).toBe(1000)
  expect(at(1260)).toBe(1000)
  expect(at(1751)).toBe(1251)
  expect(at(9500)).toBe(9000)
})
