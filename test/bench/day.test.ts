/** The truth of the scripted day, and how what lull said is laid beside it. */
import { describe, expect, test } from 'vitest'
import { compare, type Said } from '../../bench/day/compare.ts'
import { type Mark, type Span, type Truth, truthOf } from '../../bench/day/truth.ts'
import type { ModelEvent } from '../../bench/lab/truth.ts'
import type { Kind } from '../../src/core/state.ts'

type Directive = readonly [name: string, argument?: string]

const event = (at: number, type: string, [name, argument]: Directive, more: object = {}, step = 0) =>
  ({ at, type, request: { kind: 'main', step, directive: { name, argument } }, ...more }) as ModelEvent
/** @param step how many answers came before: more than one since the prompt where something has woken it */
const asked = (at: number, directive: Directive, step = 0) => event(at, 'request', directive, {}, step)
const ended = (at: number, directive: Directive, step = 0) =>
  event(at, 'end', directive, { endsTurn: true }, step)
const called = (at: number, directive: Directive) => event(at, 'end', directive, { endsTurn: false })
const mark = (at: number, type: string, directive?: string) =>
  ({ at, type, ...(directive ? { directive } : {}) }) as Mark

const told = (marks: readonly Mark[], events: readonly ModelEvent[], end = 20_000) =>
  truthOf([mark(0, 'ready'), ...marks], events, end).map(({ from, truth }) => `${from} ${truth}`)

const short: Directive = ['short']
const touch: Directive = ['touch', 'a']

describe('the truth', () => {
  test('a turn lasts from Enter to the last word of the model', () => {
    expect(told([mark(1000, 'prompted', '[[short]]')], [asked(1100, short), ended(3000, short)])).toEqual([
      '0 idle',
      '1000 working',
      '3000 idle',
    ])
  })

  test('a permission is waited for from its dialog to the key that grants it', () => {
    const marks = [mark(1000, 'prompted', '[[touch:a]]'), mark(2500, 'dialog'), mark(6000, 'granted')]
    const events = [asked(1100, touch), called(2000, touch), asked(7000, touch), ended(8000, touch)]
    expect(told(marks, events)).toEqual([
      '0 idle',
      '1000 working',
      '2000 asking',
      '2500 waiting',
      '6000 working',
      '8000 idle',
    ])
  })

  test('the last word of a subagent ends no turn', () => {
    const marks = [mark(1000, 'prompted', '[[agent:9]]')]
    const events = [
      asked(1100, ['agent', '9']),
      called(1200, ['agent', '9']),
      asked(1300, ['bash', '9']),
      ended(4000, ['bash', '9']),
      ended(5000, ['agent', '9']),
    ]
    expect(told(marks, events).at(-1)).toBe('5000 idle')
  })

  test('a subagent that outlives the turn is background work, until the agent is woken', () => {
    const marks = [mark(1000, 'prompted', '[[agent:9]]')]
    const events = [
      asked(1100, ['agent', '9']),
      called(1200, ['agent', '9']),
      ended(2000, ['agent', '9']),
      asked(2010, ['bash', '9']),
      ended(9000, ['bash', '9']),
      asked(9100, ['agent', '9'], 2),
      ended(9500, ['agent', '9'], 2),
    ]
    expect(told(marks, events)).toEqual([
      '0 idle',
      '1000 working',
      '2000 background',
      '9100 working',
      '9500 idle',
    ])
  })

  test('what is asked again from its beginning after its answer is no turn', () => {
    const events = [asked(1100, short), ended(3000, short), asked(3100, short), called(3200, short)]
    expect(told([mark(1000, 'prompted', '[[short]]')], events)).toEqual([
      '0 idle',
      '1000 working',
      '3000 idle',
    ])
  })

  test('what another life of the session is still told counts for nothing', () => {
    const marks = [mark(1000, 'prompted', '[[short]]'), mark(2000, 'killed'), mark(3000, 'started')]
    const events = [asked(1100, short), ended(5000, short)]
    expect(told([...marks, mark(4000, 'ready')], events)).toEqual([
      '0 idle',
      '1000 working',
      '2000 exited',
      '3000 open',
      '4000 idle',
    ])
  })

  test('between two prompts of which one was queued nobody can know', () => {
    const marks = [mark(1000, 'prompted', '[[short]]'), mark(2000, 'queued', '[[touch:a]]')]
    const events = [asked(1100, short), ended(3000, short), asked(3200, touch), ended(4000, touch)]
    expect(told(marks, events)).toEqual(['0 idle', '1000 working', '3000 open', '3200 working', '4000 idle'])
  })

  test('an error after which the client asks again is none, and one after which it does not is open, then idle', () => {
    const limit: Directive = ['limit', '1']
    const failed = (at: number) => event(at, 'error', limit, { status: 429 })
    const begins = mark(1000, 'prompted', '[[limit:1]]')
    expect(
      told([begins], [asked(1100, limit), failed(1200), asked(3000, limit), ended(4000, limit)]),
    ).toEqual(['0 idle', '1000 working', '4000 idle'])
    expect(told([begins], [asked(1100, limit), failed(1200)])).toEqual([
      '0 idle',
      '1000 working',
      '1200 open',
      '4200 idle',
    ])
  })

  test('an interrupt ends a turn, and a kill all', () => {
    const begins = mark(1000, 'prompted', '[[short]]')
    expect(told([begins, mark(3000, 'interrupted')], [asked(1100, short)])).toEqual([
      '0 idle',
      '1000 working',
      '3000 open',
      '4000 idle',
    ])
    expect(told([begins, mark(3000, 'killed')], [asked(1100, short)]).at(-1)).toBe('3000 exited')
  })
})

const span = (from: number, to: number, truth: Truth, situation = 's'): Span => ({
  from,
  to,
  truth,
  situation,
})
const said = (at: number, kind: Kind): Said => ({ at, kind, state: kind, by: 'news: hook Stop' })
const kinds = (spans: readonly Span[], all: readonly Said[]) =>
  compare(spans, all).disagreements.map(({ kind, at, lasted }) => `${kind} ${at} ${lasted}`)

describe('a command that outlives its interrupt', () => {
  const marks = [mark(1000, 'prompted', '[[bash:61]]'), mark(5000, 'interrupted'), mark(5900, 'outlived')]
  const events = [asked(1100, ['bash', '61']), called(1200, ['bash', '61'])]
  test('is background work until it ends', () => {
    expect(told([...marks, mark(9000, 'outrun')], events)).toEqual([
      '0 idle',
      '1000 working',
      '5000 open',
      '5900 background',
      '9000 open',
      '12000 idle',
    ])
  })
  test('is found late as well', () => {
    const late = [...marks.slice(0, 2), mark(6500, 'outlived'), mark(9000, 'outrun')]
    expect(told(late, events).slice(2)).toEqual([
      '5000 open',
      '6000 idle',
      '6500 background',
      '9000 open',
      '12000 idle',
    ])
  })
  test('ends nothing of the turn that is begun beside it', () => {
    const next = [mark(7000, 'prompted', '[[short]]'), mark(8000, 'outrun')]
    expect(told([...marks, ...next], events).at(-1)).toBe('7000 working')
  })
  test('outlives the turn that is begun beside it, too', () => {
    const next = [mark(7000, 'prompted', '[[short]]'), mark(9000, 'outrun')]
    const turn = [asked(7100, short), ended(7500, short)]
    expect(told([...marks, ...next], [...events, ...turn]).slice(4)).toEqual([
      '7000 working',
      '7500 background',
      '9000 open',
      '12000 idle',
    ])
  })
})

describe('what lull said', () => {
  test('may be late by two seconds, and is late from then on', () => {
    const spans = [span(0, 5000, 'idle'), span(5000, 20_000, 'working')]
    expect(kinds(spans, [said(0, 'idle'), said(6900, 'working')])).toEqual([])
    expect(kinds(spans, [said(0, 'idle'), said(8000, 'working')])).toEqual(['false idle 7000 1000'])
  })

  test('is not said anew where only what it rests on changes', () => {
    const spans = [span(0, 5000, 'idle'), span(5000, 20_000, 'working')]
    expect(kinds(spans, [said(0, 'idle'), said(5500, 'idle'), said(6500, 'working')])).toEqual([])
    expect(kinds(spans, [said(0, 'idle'), said(5500, 'idle'), said(8000, 'working')])).toEqual([
      'false idle 7000 1000',
    ])
  })

  test('is wrong at once where it is said anew', () => {
    const spans = [span(0, 5000, 'idle'), span(5000, 20_000, 'working')]
    const all = [said(0, 'idle'), said(5100, 'working'), said(5600, 'idle'), said(6000, 'working')]
    expect(kinds(spans, all)).toEqual(['false idle 5600 400'])
  })

  test('waiting after the answer is stale, and waiting without a question false', () => {
    const spans = [span(0, 5000, 'waiting'), span(5000, 20_000, 'working'), span(20_000, 30_000, 'idle')]
    const all = [said(0, 'waiting'), said(9000, 'working'), said(20_000, 'idle'), said(25_000, 'waiting')]
    expect(kinds(spans, all)).toEqual(['stale waiting 7000 2000', 'false waiting 25000 5000'])
  })

  test('unknown is never right and never wrong', () => {
    const { disagreements, sums } = compare([span(0, 5000, 'working')], [said(0, 'unknown')])
    expect({ disagreements, sums }).toEqual({
      disagreements: [],
      sums: { right: 0, unknown: 5000, wrong: 0, late: 0 },
    })
  })

  test('a new situation gives no new time to be late, and one mistake over two of them is one', () => {
    const spans = [span(0, 1000, 'working'), span(1000, 9000, 'idle', 'a'), span(9000, 12_000, 'idle', 'b')]
    expect(kinds(spans, [said(0, 'working')])).toEqual(['late idle 3000 9000'])
  })

  test('nothing is said of what nobody can know', () => {
    expect(kinds([span(0, 9000, 'open')], [said(0, 'waiting')])).toEqual([])
  })
})
