/** What is learnt besides the state, and what it is forgotten with. Times are ms. */
import { expect, test } from 'vitest'
import { advance } from '../../src/core/advance.ts'
import type { FactSignal, Facts, News, Signal } from '../../src/core/evidence/signal.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import type { Doing, State } from '../../src/core/state.ts'
import { news } from '../support/core-signals.ts'

const facts = (at: number, facts: Facts): FactSignal => ({ type: 'facts', facts, at })
const says = (at: number, state: State, more: Partial<News> = {}): News =>
  news(state.kind, at, { state, ...more })
const working = (at: number, doing: Doing, more: Partial<News> = {}): News =>
  says(at, { kind: 'working', doing }, more)

/** Each signal arrives `seen` ms after the start, in this order. */
const arrived = (...signals: readonly (readonly [seen: number, signal: Signal])[]): Session =>
  signals.reduce((session, [seen, signal]) => advance(session, seen, signal), newSession(0))

const begun = working(1, 'thinking', { starts: true })

test('a tool and what it works on stand while it runs', () => {
  const run = arrived([1, begun], [2, working(2, 'tool')], [2, facts(2, { tool: 'Bash', about: 'npm test' })])
  expect(run.facts).toEqual({ tool: 'Bash', about: 'npm test' })
})

test('both are forgotten once it has ended', () => {
  const run = arrived(
    [2, working(2, 'tool')],
    [2, facts(2, { tool: 'Bash', about: 'npm test' })],
    [3, working(3, 'thinking')],
  )
  expect(run.facts).toEqual({})
})

test('they outlive the dialog in which the tool asks', () => {
  const run = arrived(
    [2, working(2, 'tool')],
    [2, facts(2, { tool: 'Bash', about: 'npm publish' })],
    [3, says(3, { kind: 'waiting', for: 'permission' }, { lane: 'ask:main:1' })],
    [3, facts(3, { question: 'npm publish' })],
    [9, working(9, 'tool', { ends: ['ask:main:*'] })],
  )
  expect(run.facts).toEqual({ tool: 'Bash', about: 'npm publish' })
})

test('the next tool is not about what the last one was', () => {
  const run = arrived(
    [2, working(2, 'tool')],
    [2, facts(2, { tool: 'Bash', about: 'npm test' })],
    [3, facts(3, { tool: 'Think' })],
  )
  expect(run.facts).toEqual({ tool: 'Think' })
})

test('a transcript that tells late of a tool takes none back that runs since', () => {
  const run = arrived(
    [5, working(5, 'tool')],
    [5, facts(5, { tool: 'Read', about: 'a.ts' })],
    [6, facts(3, { tool: 'Bash', about: 'npm test' })],
  )
  expect(run.facts).toEqual({ tool: 'Read', about: 'a.ts' })
})

test('what it works on may be told late, where its name was told alone', () => {
  const run = arrived(
    [5, working(5, 'tool')],
    [5, facts(5, { tool: 'bash' })],
    [6, facts(4, { tool: 'bash', about: 'npm test' })],
  )
  expect(run.facts).toEqual({ tool: 'bash', about: 'npm test' })
})

test('the last prompt is the one that was given last, not the one that is told last', () => {
  const run = arrived(
    [5, begun],
    [5, facts(5, { prompt: 'second' })],
    [6, facts(2, { prompt: 'first', model: 'm' })],
  )
  expect(run.facts).toEqual({ prompt: 'second', model: 'm' })
  expect(advance(run, 7, facts(7, { prompt: 'third' })).facts.prompt).toBe('third')
})

test('what tells of no prompt says nothing of when the last one was given; of two at one instant the later told stands', () => {
  const run = arrived([5, begun], [5, facts(5, { prompt: 'second' })], [9, facts(9, { model: 'm' })])
  expect(advance(run, 10, facts(6, { prompt: 'third' })).facts.prompt).toBe('third')
  expect(advance(run, 10, facts(5, { prompt: 'as well' })).facts.prompt).toBe('as well')
  expect(advance(run, 10, facts(4, { prompt: 'first' })).facts.prompt).toBe('second')
})

test('of two tools at one instant the later told runs; the same one again is about what it was', () => {
  const run = arrived([5, working(5, 'tool')], [5, facts(5, { tool: 'Bash', about: 'npm test' })])
  expect(advance(run, 6, facts(5, { tool: 'Read', about: 'a.ts' })).facts).toEqual({
    tool: 'Read',
    about: 'a.ts',
  })
  expect(advance(run, 6, facts(6, { tool: 'Bash' })).facts).toEqual({ tool: 'Bash', about: 'npm test' })
  expect(advance(run, 6, facts(4, { tool: 'Bash', about: 'npm publish' })).facts.about).toBe('npm test')
  expect(advance(run, 6, facts(4, { tool: 'Read', about: 'a.ts' })).facts.about).toBe('npm test')
})

test('of a question the fuller text stands', () => {
  const asked = says(3, { kind: 'waiting', for: 'permission' }, { lane: 'ask:main:1' })
  const after = (question: string) =>
    arrived(
      [1, begun],
      [3, asked],
      [3, facts(3, { question: 'npm publish --tag next\nrm -r dist' })],
      [4, facts(4, { question })],
    ).facts.question
  expect(after('npm publish\nrm -r dist')).toBe('npm publish --tag next\nrm -r dist')
  expect(after('npm publish\ngit push')).toBe('npm publish\ngit push')
  expect(after('npm publish --tag next --force')).toBe('npm publish --tag next --force')
})

test('an error is its turn’s', () => {
  const failed = arrived(
    [1, begun],
    [2, says(2, { kind: 'idle', after: 'error' })],
    [2, facts(2, { error: '400: too long' })],
  )
  expect(failed.facts.error).toBe('400: too long')
  expect(advance(failed, 9, working(9, 'thinking', { starts: true })).facts.error).toBeUndefined()
})

test('of an error the words stand, whichever source tells its kind', () => {
  const run = arrived(
    [1, begun],
    [2, says(2, { kind: 'idle', after: 'error' })],
    [2, facts(2, { error: 'API Error: too long' })],
    [3, facts(3, { error: 'invalid_request' })],
  )
  expect(run.facts.error).toBe('API Error: too long')
  expect(advance(run, 4, facts(4, { error: 'API Error: no key' })).facts.error).toBe('API Error: no key')
  const kinds = advance(run, 4, facts(4, { model: 'm' }))
  expect(kinds.facts.error).toBe('API Error: too long')
})

test('of two kinds of an error the later stands, and what is told in more than a word', () => {
  const failed = arrived(
    [1, begun],
    [2, says(2, { kind: 'idle', after: 'error' })],
    [2, facts(2, { error: 'invalid_request' })],
  )
  expect(advance(failed, 3, facts(3, { error: 'rate_limit' })).facts.error).toBe('rate_limit')
  const words = advance(failed, 3, facts(3, { error: '429: too many' }))
  expect(advance(words, 4, facts(4, { error: '(overloaded)' })).facts.error).toBe('(overloaded)')
})

test('what is learnt moves no verdict', () => {
  const run = arrived([1, begun], [2, working(2, 'tool')])
  const told = advance(run, 2, facts(2, { tool: 'Bash', about: 'x', prompt: 'y' }))
  expect(told.verdict).toBe(run.verdict)
})
