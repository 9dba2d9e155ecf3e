/** What a terminal does, in one word: what is not known is never told as running, and the rest of something never as ready. */
import { expect, test } from 'vitest'
import { describeState } from '../../src/core/explain/explain.ts'
import type { State } from '../../src/core/state.ts'
import { type TerminalWord, terminalWord } from '../../src/drive/terminal-word.ts'
import { classify } from '../../src/terminal/classify/classify.ts'
import type { TerminalVerdict } from '../../src/terminal/classify/terminal-verdict.ts'
import { probeOf, process } from '../support/probes.ts'

const seen = classify(probeOf([process('bash', 'pselect6')], { mode: 'ce', line: '$ ' }))
const wordOf = (state: State, more: Partial<TerminalVerdict> = {}): TerminalWord =>
  terminalWord({ ...seen, state, ...more })

test.each<[State, TerminalWord]>([
  [{ kind: 'unknown' }, 'unknown'],
  [{ kind: 'working' }, 'running'],
  [{ kind: 'starting' }, 'running'],
  [{ kind: 'idle' }, 'ready'],
  [{ kind: 'exited' }, 'exited'],
  [{ kind: 'waiting', for: 'password' }, 'password'],
  [{ kind: 'waiting', for: 'keypress' }, 'keypress'],
  [{ kind: 'waiting', for: 'pager' }, 'pager'],
  [{ kind: 'waiting', for: 'editor' }, 'editor'],
  [{ kind: 'waiting', for: 'input' }, 'question'],
  [{ kind: 'waiting', for: 'permission' }, 'question'],
])('%j is %s', (state, word) => {
  expect(wordOf(state)).toBe(word)
})

test('what was begun is a question, whatever it looks like', () => {
  expect(wordOf({ kind: 'waiting', for: 'input' }, { isContinuation: true })).toBe('question')
  expect(wordOf({ kind: 'idle', at: 'shell' }, { isContinuation: true })).toBe('question')
})

test('what can’t go on is frozen, whatever it did', () => {
  const health = { level: 'confirmed_stuck', certainty: 'certain' } as const
  for (const state of [{ kind: 'working' }, { kind: 'idle' }, { kind: 'unknown' }] as const)
    expect(wordOf(state, { health })).toBe('frozen')
})

test('no sentence on a state speaks of "a editor" or of a thread’s name', () => {
  const reasons = ['password', 'keypress', 'pager', 'editor', 'input', 'permission', 'plan', 'login'] as const
  for (const reason of reasons)
    expect(describeState({ kind: 'waiting', for: reason })).not.toMatch(/\ba [aeio]|MainThread/)
})
