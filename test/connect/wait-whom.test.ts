/** Whom a wait means: who is there, who comes later, and whoever it may be. */
import { describe, expect, test } from 'vitest'
import { requestOf, type WaitForOptions } from '../../src/connect/wait-for.ts'
import { everyone, whomOf } from '../../src/connect/wait-whom.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { lastingChanges } from '../../src/sessions/wait/lasting-changes.ts'
import { wait } from '../../src/sessions/wait/wait.ts'
import {
  fakeLive,
  finished,
  liveSession,
  news,
  permission,
  prompt,
  sessionOf,
  settle,
} from '../support/live.ts'

const caller = { cwd: '/', home: '/home/dev' }

/** A wait among sessions that the test moves. */
async function waiting(
  source: ReturnType<typeof fakeLive>,
  addresses: readonly string[],
  options: WaitForOptions,
) {
  const request = requestOf(options)
  const { find, appearing } = whomOf(addresses, request, options, caller)
  const changes = await lastingChanges(source.live, () => Promise.reject(new Error('no other')))
  let outcome: string | undefined
  wait(request, find, {
    changes,
    clock: source.clock,
    signal: new AbortController().signal,
    onRegistered: () => undefined,
    appearing,
  }).then(
    done => {
      outcome = `${done?.outcome}: ${done?.sessions.map(({ id }) => id).join(' ')}`
    },
    (error: Error) => {
      outcome = error.message
    },
  )
  await settle()
  return async () => {
    await settle()
    return outcome
  }
}

describe('whoever is there', () => {
  test('the first that is reached ends the wait', async () => {
    const source = fakeLive()
    source.file('aaaa', prompt(0))
    source.file('bbbb', prompt(0))
    const outcome = await waiting(source, [everyone], { any: true, until: 'waiting' })
    expect(await outcome()).toBeUndefined()
    source.file('bbbb', news(0, permission))
    expect(await outcome()).toBe('reached: bbbb')
  })

  test('whoever comes counts, from a turn on that began since the wait did', async () => {
    const source = fakeLive()
    source.file('aaaa', prompt(0), news(0, finished))
    const outcome = await waiting(source, [everyone], { any: true, next: true })
    source.clock.advance(1000)
    // When it is found, its first turn runs already.
    source.file('bbbb', prompt(900))
    expect(await outcome()).toBeUndefined()
    source.clock.advance(1000)
    source.file('bbbb', news(2000, finished))
    expect(await outcome()).toBe('reached: bbbb')
  })

  test('nobody is there, or all have failed: it goes on, until its timeout', async () => {
    const source = fakeLive()
    const outcome = await waiting(source, [everyone], { any: true, timeout: 5000 })
    source.file('aaaa', prompt(0), news(0, permission))
    expect(await outcome()).toBeUndefined()
    source.forget('aaaa')
    expect(await outcome()).toBeUndefined()
    source.clock.advance(5000)
    expect(await outcome()).toBe('timeout: aaaa')
  })

  test('terminals, what has exited, and agents of other users are nobody', () => {
    const { find } = whomOf([everyone], requestOf({ any: true }), {}, caller)
    const exited = sessionOf([prompt(0), { type: 'exit', source: 'process', what: 'kill', at: 1 }])
    const all: readonly LiveSession[] = [
      liveSession(sessionOf([prompt(0)]), { id: 'mine' }),
      liveSession(sessionOf([prompt(0)]), { id: 'shell', agent: 'terminal' }),
      liveSession(sessionOf([prompt(0)]), { id: 'other', owner: 'eve' }),
      liveSession(exited, { id: 'over' }),
    ]
    expect(find(all).map(({ id }) => id)).toEqual(['mine'])
  })

  test('they can’t all be ready at one moment, nor be named besides', () => {
    const whom = (addresses: readonly string[], options: WaitForOptions) => () =>
      whomOf(addresses, requestOf(options), options, caller)
    expect(whom([everyone], {})).toThrow('give it alone, with any')
    expect(whom([everyone, 'api'], { any: true })).toThrow('give it alone, with any')
  })
})

describe('one that is to appear', () => {
  test('is waited for; of all, those that are there are not enough', async () => {
    const source = fakeLive()
    source.file('aaaa', prompt(0), news(0, finished))
    const outcome = await waiting(source, ['aaaa', 'bbbb'], { appear: true })
    expect(await outcome()).toBeUndefined()
    source.file('cccc', prompt(0), news(0, finished))
    expect(await outcome()).toBeUndefined()
    source.file('bbbb', prompt(0), news(0, finished))
    expect(await outcome()).toBe('reached: aaaa bbbb')
  })

  test('is a mistake where nobody said that it will', async () => {
    const outcome = await waiting(fakeLive(), ['bbbb'], {})
    expect(await outcome()).toBe('no session "bbbb": no agent runs on this machine')
  })

  test('is another one where the one of that name has exited', () => {
    const { find, appearing } = whomOf(['api'], requestOf({}), { appear: true }, caller)
    const over = sessionOf([prompt(0), { type: 'exit', source: 'process', what: 'kill', at: 1 }])
    expect(find([liveSession(over, { id: 'old' })])).toEqual([])
    const change: LiveChange = {
      type: 'changed',
      session: liveSession(sessionOf([prompt(0)]), { id: 'new' }),
    }
    expect(appearing.toCome()).toBe(1)
    expect(appearing.among(change).map(({ id }) => id)).toEqual(['new'])
    expect(appearing.toCome()).toBe(0)
  })
})
