/** From the history to the webhook: in order, over restarts, with a receiver that fails, hangs, and wants no more. */
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openHistory } from '../../../src/history/open-history.ts'
import type { Delivery } from '../../../src/notify/deliver/delivery.ts'
import type { TransitionsHook } from '../../../src/notify/rules/destination-fields.ts'
import { queueFacts } from '../../../src/notify/transitions/queue-facts.ts'
import type { QueueNote } from '../../../src/notify/transitions/run-queue.ts'
import { runTransitions, type Transitions } from '../../../src/notify/transitions/run-transitions.ts'
import type { SessionTransition } from '../../../src/notify/transitions/transition.ts'
import { virtualClock } from '../../../src/track/clock.ts'
import { newPlaces } from '../../support/history.ts'
import { settle } from '../../support/live.ts'

const now = Date.UTC(2026, 10, 24)
const hook = (url = 'https://fleet/x'): TransitionsHook => ({
  by: 'transitions',
  url,
  secret: { variable: 'X' },
})

type Sent = { readonly to: string; readonly transition: SessionTransition; readonly attempt: number }

function world() {
  const { places, file } = newPlaces()
  const clock = virtualClock(now)
  const history = openHistory(places, { kept: { ageMs: Infinity } })
  const sent: Sent[] = []
  const notes: QueueNote[] = []
  const complaints: string[] = []
  let answer: (sent: Sent) => Delivery | 'hangs' = () => ({ is: 'done' })
  let running: Transitions | undefined
  const start = (hooks: Readonly<Record<string, TransitionsHook>> = { fleet: hook() }) => {
    running = runTransitions(hooks, {
      places,
      clock,
      complain: sentence => void complaints.push(sentence),
      note: note => void notes.push(note),
      send(to, transition, { attempt, signal }) {
        const one = { to: to.url, transition, attempt }
        sent.push(one)
        const came = answer(one)
        if (came !== 'hangs') return Promise.resolve(came)
        return new Promise(resolve =>
          signal.addEventListener('abort', () => resolve({ is: 'failed', why: 'called off' })),
        )
      },
    })
    return running
  }
  const stop = async () => {
    await running?.close()
    running = undefined
  }
  onTestFinished(stop)
  return {
    places,
    file,
    clock,
    history,
    sent,
    notes,
    complaints,
    start,
    stop,
    answers: (next: typeof answer) => {
      answer = next
    },
    comes: (session: string, state: string, at = now) => {
      history.add({ at, kind: 'session.state', session, agent: 'claude', data: { state, turn: 1 } })
      running?.kept()
    },
    advance: async (ms: number) => {
      clock.advance(ms)
      for (let turns = 0; turns < 5; turns++) await settle()
    },
    words: () =>
      sent.map(({ transition: { session, from, to } }) => `${session.id} ${from?.state ?? ''}>${to.state}`),
  }
}

test('each transition is sent once, in order, with the state before; none of those before the destination', async () => {
  const { comes, start, advance, words, sent } = world()
  comes('a', 'working')
  start()
  await advance(0)
  comes('a', 'waiting')
  comes('b', 'working')
  comes('a', 'idle')
  await advance(0)
  expect(words()).toEqual(['a working>waiting', 'b >working', 'a waiting>idle'])
  expect(new Set(sent.map(({ transition }) => transition.id)).size).toBe(3)
})

test('one that fails holds back the others, and is sent again', async () => {
  const { comes, start, advance, words, sent, answers, notes } = world()
  start()
  answers(({ attempt }) =>
    attempt < 3 ? { is: 'failed', why: 'host answered 500', status: 500 } : { is: 'done' },
  )
  comes('a', 'working')
  comes('a', 'waiting')
  await advance(0)
  await advance(999)
  expect(words()).toEqual(['a >working'])
  await advance(1)
  await advance(5000)
  expect(sent.slice(0, 3).map(({ attempt, transition: { id } }) => [attempt, id])).toEqual(
    [1, 2, 3].map(attempt => [attempt, sent[0]?.transition.id]),
  )
  expect(words().slice(2, 4)).toEqual(['a >working', 'a working>waiting'])
  expect(notes.slice(0, 2)).toMatchObject([
    {
      what: 'failed',
      to: 'fleet',
      why: 'host answered 500',
      again: 1000,
      transition: { to: { state: 'working' } },
    },
    { what: 'sent', to: 'fleet' },
  ])
})

test('a destination that hangs holds up no other one', async () => {
  const { comes, start, advance, sent, answers } = world()
  answers(({ to }) => (to.includes('slow') ? 'hangs' : { is: 'done' }))
  start({ slow: hook('https://slow/x'), fast: hook('https://fast/x') })
  for (const state of ['working', 'waiting', 'idle']) comes('a', state)
  await advance(0)
  expect(sent.map(({ to }) => to).filter(to => to.includes('fast'))).toHaveLength(3)
  expect(sent.map(({ to }) => to).filter(to => to.includes('slow'))).toHaveLength(1)
})

test('a host that is started again loses none, and repeats what was on its way alone', async () => {
  const { comes, start, stop, advance, words, sent, answers } = world()
  start()
  comes('a', 'working')
  await advance(0)
  answers(() => 'hangs')
  comes('a', 'waiting')
  comes('a', 'idle')
  await advance(0)
  await stop()
  comes('a', 'exited')
  answers(() => ({ is: 'done' }))
  start()
  await advance(0)
  expect(words()).toEqual([
    'a >working',
    'a working>waiting',
    'a working>waiting',
    'a waiting>idle',
    'a idle>exited',
  ])
  expect(sent[1]?.transition.id).toBe(sent[2]?.transition.id)
})

test('one that wants no more gets none, until it has another address', async () => {
  const { comes, start, stop, advance, sent, answers, notes, history } = world()
  start()
  answers(({ to }) =>
    to.includes('new') ? { is: 'done' } : { is: 'failed', why: 'host answered 410', status: 410 },
  )
  comes('a', 'working')
  comes('a', 'idle')
  await advance(1_000_000)
  expect(sent).toHaveLength(1)
  expect(notes).toMatchObject([{ what: 'failed', why: expect.stringContaining('it wants no more') }])
  expect(notes[0]).not.toHaveProperty('again')
  expect(queueFacts(history.outbox, 'fleet', hook())).toEqual({ queued: 2, isStopped: true })
  await stop()
  start()
  await advance(1_000_000)
  expect(sent).toHaveLength(1)
  await stop()
  start({ fleet: hook('https://new/x') })
  await advance(0)
  expect(sent.slice(1).map(({ to }) => to)).toEqual(['https://new/x', 'https://new/x'])
  expect(queueFacts(history.outbox, 'fleet', hook('https://new/x'))).toEqual({ queued: 0, isStopped: false })
})

test('a change of the file leaves those alone that it does not change', async () => {
  const { comes, start, advance, sent, answers } = world()
  answers(() => 'hangs')
  const transitions = start()
  comes('a', 'working')
  await advance(0)
  transitions.change({ fleet: hook(), other: hook('https://other/x') })
  await advance(0)
  expect(sent).toHaveLength(1)
  answers(() => ({ is: 'done' }))
  transitions.change({ fleet: { ...hook(), secret: { variable: 'Y' } } })
  await advance(0)
  expect(sent.map(({ to, attempt }) => [to, attempt])).toEqual([
    ['https://fleet/x', 1],
    ['https://fleet/x', 1],
  ])
})

test('what is older than the history keeps is given up, with a sentence', async () => {
  const { comes, start, advance, words, answers, complaints } = world()
  answers(() => ({ is: 'failed', why: 'no route' }))
  start()
  comes('a', 'working')
  comes('a', 'waiting')
  await advance(0)
  const month = 30 * 24 * 60 * 60 * 1000
  await advance(month + 1)
  comes('a', 'idle', now + month)
  answers(() => ({ is: 'done' }))
  await advance(5000)
  expect(words()).toEqual(['a >working', 'a >working', 'a waiting>idle'])
  expect(complaints).toEqual(['2 transitions were not sent to fleet: the history keeps them no more'])
})

test('a history that was begun anew is sent from its first entry on', async () => {
  const { comes, start, advance, words, file, sent } = world()
  start()
  for (const state of ['working', 'waiting', 'idle']) comes('a', state)
  await advance(0)
  for (const end of ['', '-wal', '-shm']) renameSync(`${file}${end}`, `${file}.away${end}`)
  comes('b', 'working', now + 1)
  await advance(0)
  expect(words().slice(3)).toEqual(['b >working'])
  expect(new Set(sent.map(({ transition }) => transition.id)).size).toBe(4)
})

test('a history that takes nothing for a while delays, and nothing is sent twice', async () => {
  const { comes, start, advance, words, file, answers, notes } = world()
  start()
  await advance(0)
  comes('a', 'working')
  await advance(0)
  answers(() => {
    renameSync(file, `${file}.away`)
    mkdirSync(file)
    return { is: 'done' }
  })
  comes('a', 'waiting')
  await advance(0)
  expect(notes.at(-1)).toMatchObject({ what: 'failed', why: expect.stringContaining('is in the way') })
  answers(() => ({ is: 'done' }))
  rmdirSync(file)
  renameSync(`${file}.away`, file)
  comes('a', 'idle')
  await advance(1000)
  expect(words()).toEqual(['a >working', 'a working>waiting', 'a waiting>idle'])
})
