/** Waiting for an agent before it is typed to: out of doubt, and until the turn of the prompt before shows. */
import { expect, test } from 'vitest'
import { awaitTurn, outOfDoubt } from '../../src/drive/await-agent.ts'
import type { Judged } from '../../src/drive/refusal.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { finished, liveSession, news, prompt, sessionOf } from '../support/live.ts'

const idle = liveSession(sessionOf([prompt(1), news(2, finished)]))
const working = liveSession(sessionOf([prompt(1), news(2, finished), prompt(1010)]))
const done = liveSession(sessionOf([prompt(1), news(2, finished), prompt(1010), news(1011, finished)]))

/** Gives one after the other, and the last again and again. */
function shown<T>(...all: readonly T[]) {
  let looks = 0
  const look = async (): Promise<T> => all[Math.min(looks++, all.length - 1)] as T
  return { look, looks: () => looks }
}

test.concurrent.each<readonly [what: string, LiveSession | undefined]>([
  ['runs', working],
  ['is over already', done],
  ['can’t be, as the agent has gone', undefined],
])('a prompt that was typed a moment ago is waited for until its turn %s', async (_, after) => {
  const { look, looks } = shown(idle, idle, after)
  await awaitTurn({ at: 1000, prompt: 'do it' }, look, () => 1001)
  expect(looks()).toBe(3)
})

test.each([
  ['was not typed by lull', { at: 1000 }, 1001],
  ['was typed some time ago', { at: 1000, prompt: '/clear' }, 4001],
])('nobody waits where a prompt %s', async (_, typed, now) => {
  const { look, looks } = shown(idle)
  await awaitTurn(typed, look, () => now)
  expect(looks()).toBe(0)
})

const observation = { verdict: { state: { kind: 'waiting' } }, probe: {} } as unknown as Judged['observation']

test.concurrent('an agent of which nothing is known is looked at again, until something is', async () => {
  const unknown: Judged = { observation, agent: liveSession(sessionOf([])), isStranger: false }
  const known: Judged = { observation, agent: idle, isStranger: false }
  const { look, looks } = shown(unknown, unknown, known)
  expect(await outOfDoubt(look, () => undefined)).toBe(known)
  expect(looks()).toBe(3)
})

test.concurrent('who wants it no more does not look again', async () => {
  const unknown: Judged = { observation, isStranger: true }
  const { look, looks } = shown(unknown)
  const off = () => {
    throw new Error('called off')
  }
  await expect(outOfDoubt(look, off)).rejects.toThrow('called off')
  expect(looks()).toBe(1)
})
