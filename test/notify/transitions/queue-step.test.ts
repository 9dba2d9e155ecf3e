/** One transition at a time, each until it has arrived: state in, effects out. */
import { describe, expect, test } from 'vitest'
import {
  newQueue,
  type QueueEffect,
  type QueueInput,
  type QueueState,
  queueStep,
} from '../../../src/notify/transitions/queue-step.ts'

type Happened = QueueInput extends infer Each
  ? Each extends QueueInput
    ? Omit<Each, 'now' | 'oldest'>
    : never
  : never

const kept: Happened = { type: 'kept' }
const time: Happened = { type: 'time' }
const none: Happened = { type: 'none' }
const delivered: Happened = { type: 'delivered' }
const moved: Happened = { type: 'moved' }
const next = (entry: number, more: object = {}): Happened => ({
  type: 'next',
  entry,
  at: 1000,
  isPassed: false,
  ...more,
})
const failed = (why = 'host answered 500'): Happened => ({ type: 'failed', why })

function walk(inputs: readonly Happened[], from: QueueState = newQueue, { now = 0, oldest = 0 } = {}) {
  let state = from
  let effects: readonly QueueEffect[] = []
  for (const input of inputs) ({ state, effects } = queueStep(state, { ...input, now, oldest } as QueueInput))
  return { state, effects }
}

const begun = [kept, next(5)]

describe('what arrives', () => {
  test('is followed by the next one, once the cursor is moved', () => {
    expect(walk([kept]).effects).toEqual([{ do: 'read' }])
    expect(walk(begun).effects).toEqual([{ do: 'send', attempt: 1 }])
    expect(walk([...begun, delivered]).effects).toEqual([
      { do: 'note', what: 'sent' },
      { do: 'move', to: 5 },
    ])
    const after = walk([...begun, delivered, moved])
    expect(after.effects).toEqual([{ do: 'read' }])
    expect(walk([next(6), delivered], after.state).effects).toEqual([{ do: 'move', to: 6 }])
    expect(walk([none], after.state)).toMatchObject({ state: { is: 'resting' }, effects: [] })
  })

  test('is not sent again where the cursor can’t be moved', () => {
    const full = walk([...begun, delivered, { type: 'refused', why: 'the disk is full' }])
    expect(full.effects).toEqual([
      { do: 'note', what: 'failed', why: 'the disk is full', again: 1000 },
      { do: 'timer', at: 1000 },
    ])
    expect(walk([time], full.state).effects).toEqual([{ do: 'move', to: 5 }])
    expect(walk([time, moved], full.state).effects).toEqual([{ do: 'read' }])
  })
})

describe('while one is on its way', () => {
  test.each([
    ['sending', begun],
    ['waiting', [...begun, failed()]],
    ['moving', [...begun, delivered]],
  ] as const)('%s: no other one is sent', (is, inputs) => {
    const before = walk(inputs)
    expect(before.state.is).toBe(is)
    expect(walk([kept], before.state)).toEqual({ state: before.state, effects: [] })
  })
})

describe('what fails', () => {
  test('is sent again after a second, later more rarely, at last every five minutes', () => {
    let { state } = walk(begun)
    const waits: unknown[] = []
    for (let attempt = 1; attempt < 8; attempt++) {
      const after = walk([failed()], state)
      waits.push(after.effects.at(-1))
      const again = walk([time, next(5)], after.state)
      expect(again.effects).toEqual([{ do: 'send', attempt: attempt + 1 }])
      state = again.state
    }
    expect(waits).toEqual(
      [1000, 5000, 30_000, 300_000, 300_000, 300_000, 300_000].map(at => ({ do: 'timer', at })),
    )
  })

  test('is noted once for each reason, and that it arrives again', () => {
    const proven = walk([...begun, delivered, moved, next(6)])
    const first = walk([failed()], proven.state)
    expect(first.effects[0]).toEqual({ do: 'note', what: 'failed', why: 'host answered 500', again: 1000 })
    const second = walk([time, next(6), failed()], first.state)
    expect(second.effects).toEqual([{ do: 'timer', at: 5000 }])
    expect(walk([time, next(6), failed('no route')], second.state).effects[0]).toMatchObject({
      why: 'no route',
    })
    expect(walk([time, next(6), delivered], second.state).effects[0]).toEqual({ do: 'note', what: 'sent' })
  })

  test('and is too old is given up, with a sentence for all in a row', () => {
    const { state } = walk([...begun, failed()])
    const old = walk([time, next(5)], state, { oldest: 1001 })
    expect(old.effects).toEqual([{ do: 'move', to: 5 }])
    const second = walk([moved, next(6)], old.state, { oldest: 1001 })
    expect(walk([moved, next(7, { at: 2000 })], second.state, { oldest: 1001 }).effects).toEqual([
      { do: 'complain', givenUp: 2 },
      { do: 'send', attempt: 1 },
    ])
    expect(walk([moved, none], second.state).effects).toEqual([{ do: 'complain', givenUp: 2 }])
  })

  test('and that the history keeps no more is given up, too', () => {
    const { state } = walk([...begun, failed()])
    expect(walk([time, next(9)], state).effects).toEqual([
      { do: 'complain', givenUp: 1 },
      { do: 'send', attempt: 1 },
    ])
    expect(walk([time, none], state).effects).toEqual([{ do: 'complain', givenUp: 1 }])
  })
})

test('what is not to be sent is passed over', () => {
  expect(walk([kept, next(5, { isPassed: true })]).effects).toEqual([{ do: 'move', to: 5 }])
  expect(walk([kept, next(5, { isPassed: true }), moved, none]).effects).toEqual([])
})

test('a history that can’t be read is read again later, and counts as no attempt', () => {
  const { state, effects } = walk([kept, { type: 'refused', why: 'it is damaged' }])
  expect(effects.at(-1)).toEqual({ do: 'timer', at: 1000 })
  expect(walk([time, next(5)], state).effects).toEqual([{ do: 'send', attempt: 1 }])
})

test('a receiver that wants no more gets no more, also after a restart', () => {
  const gone = walk([...begun, { type: 'unwanted', why: 'host answered 410' }])
  expect(gone.effects).toEqual([{ do: 'stop' }, { do: 'note', what: 'failed', why: 'host answered 410' }])
  for (const input of [kept, time]) expect(walk([input], gone.state).effects).toEqual([])
  const known = walk([kept, { type: 'unwanted', why: '', isKnown: true }])
  expect(known).toMatchObject({ state: { is: 'stopped' }, effects: [] })
})
