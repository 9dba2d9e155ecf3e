import { expect, test } from 'vitest'
import { type Kind, type State, sameState, weight } from '../../src/core/state.ts'

const states: readonly State[] = [
  { kind: 'starting' },
  { kind: 'unknown' },
  { kind: 'working' },
  { kind: 'working', doing: 'tool' },
  { kind: 'working', doing: 'thinking' },
  { kind: 'waiting', for: 'plan' },
  { kind: 'waiting', for: 'question' },
  { kind: 'idle' },
  { kind: 'idle', at: 'shell' },
  { kind: 'idle', at: 'composer' },
  { kind: 'idle', after: 'turn' },
  { kind: 'idle', at: 'shell', after: 'turn' },
  { kind: 'exited' },
  { kind: 'exited', code: 0 },
  { kind: 'exited', code: 1 },
  { kind: 'exited', signal: 'SIGHUP' },
  { kind: 'exited', code: 1, signal: 'SIGHUP' },
]

test('each state is the same as itself, and as no other', () => {
  for (const [at, state] of states.entries())
    expect(states.map(other => sameState({ ...state }, { ...other }))).toEqual(states.map((_, n) => n === at))
})

test('a state is the same as itself at once', () => {
  const state: State = { kind: 'idle' }
  expect(sameState(state, state)).toBe(true)
})

test('of several lanes the one counts that it would cost most to miss', () => {
  const kinds: readonly Kind[] = ['exited', 'waiting', 'working', 'idle', 'starting', 'unknown']
  expect(kinds.toSorted((a, b) => weight[b] - weight[a])).toEqual(kinds)
  expect(new Set(Object.values(weight)).size).toBe(kinds.length)
})
