/** Which sessions started an agent, by what it inherited: the agents of a machine in, the ids above each of them out. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/core/session.ts'
import type { FollowedAgent } from '../../src/sessions/agents/agents-state.ts'
import { viewOf } from '../../src/sessions/agents/session-view.ts'
import { type Starter, startersIn } from '../../src/sessions/discover/starters.ts'
import { sessionIndex } from '../../src/sessions/session-index.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { settledOf } from '../../src/sessions/settled.ts'
import { answer, epoch, machine, prompt } from '../support/machine.ts'

const startedBy = (...starters: readonly Starter[]) => ({ surroundings: { starters } })
const above = (at: ReturnType<typeof machine>, id: string) => at.of(id)?.process.ancestors?.toSorted()

describe('an environment', () => {
  test('names agents by their process, or by their session', () => {
    const env = { CLAUDE_PID: '412', CODEX_SESSION_ID: '01a2-b', PATH: '/bin', CLAUDE_CODE_SESSION_ID: 'x' }
    expect(startersIn(env)).toEqual([
      { agent: 'claude', pid: 412 },
      { agent: 'codex', session: '01a2-b' },
    ])
  })

  test.each(['', '0', '-1', '4.5', '12345678901', '7 8', 'self'])('names no process by %j', pid => {
    expect(startersIn({ CLAUDE_PID: pid, CODEX_SESSION_ID: '' })).toEqual([])
  })
})

describe('an agent without a living process between it and its starter', () => {
  test('is linked by the process id that it inherited, whichever of the two is found first', () => {
    for (const order of [
      ['parent', 'kid'],
      ['kid', 'parent'],
    ]) {
      const at = machine()
      const given = {
        parent: { startedAt: epoch - 5000 },
        kid: { startedAt: epoch - 1000, ...startedBy({ agent: 'claude', pid: 'parent'.length }) },
      }
      for (const id of order) {
        at.start(id, given[id as 'parent' | 'kid'])
        at.search(800)
      }
      expect(above(at, 'kid')).toEqual(['parent'])
      expect(above(at, 'parent')).toBeUndefined()
    }
  })

  test('is linked by the session id that it inherited, once the starter is known to have it', () => {
    const at = machine()
    at.start('parent')
    at.start('kid', startedBy({ agent: 'claude', session: 'S' }))
    at.search()
    expect(above(at, 'kid')).toBeUndefined()
    at.done()
    at.hook('parent', 'SessionStart', { session_id: 'S' })
    expect(above(at, 'kid')).toEqual(['parent'])
    expect(at.done()).toContain('kid: show')
  })

  test('keeps the link where the starter begins another session, or another process takes its number', () => {
    const at = machine()
    at.start('parent')
    at.search()
    at.hook('parent', 'SessionStart', { session_id: 'S' })
    at.start('kid', startedBy({ agent: 'claude', session: 'S' }, { agent: 'claude', pid: 'parent'.length }))
    at.search(800)
    at.hook('parent', 'SessionStart', { session_id: 'T' })
    at.end('parent')
    at.start('sixsix')
    at.search(800)
    expect(above(at, 'kid')).toEqual(['parent'])
  })

  test('is linked to those above its starter too, also after that one is forgotten', () => {
    const at = machine()
    at.start('parent')
    at.start('kid', startedBy({ agent: 'claude', pid: 'parent'.length }))
    at.start('leaf', startedBy({ agent: 'claude', pid: 'kid'.length }))
    at.search()
    at.end('kid')
    at.search(800)
    at.search(61_000)
    expect(at.of('kid')).toBeUndefined()
    expect(above(at, 'leaf')).toEqual(['kid', 'parent'])
  })

  test('unsettles its starter while it works', () => {
    const at = machine()
    at.start('parent', { startedAt: epoch })
    at.start('kid', { startedAt: epoch, ...startedBy({ agent: 'claude', pid: 'parent'.length }) })
    at.file('p', prompt(0), answer(0))
    at.file('k', prompt(0))
    at.finds({ parent: { how: 'named', path: 'p' }, kid: { how: 'named', path: 'k' } })
    at.search(1000)
    const viewed = (id: string): LiveSession =>
      viewOf(at.of(id) as FollowedAgent, at.track.get(id) as Session, {
        seen: { isSeen: false },
        receivesHooks: true,
      })
    const settled = () =>
      settledOf(sessionIndex([viewed('parent'), viewed('kid')])).map(
        ({ settledFrom }) => settledFrom !== undefined,
      )
    expect(settled()).toEqual([false, false])
    at.lines('kid', 'k', answer(1000))
    expect(settled()).toEqual([true, true])
    at.lines('kid', 'k', prompt(1000))
    expect(settled()).toEqual([false, false])
    at.end('kid')
    at.search(800)
    expect(settled()).toEqual([true, true])
  })
})

describe('an agent is not linked', () => {
  test('to a process that began after it: that one has the number of another', () => {
    const at = machine()
    at.start('kid', { startedAt: epoch - 5000, ...startedBy({ agent: 'claude', pid: 'parent'.length }) })
    at.start('parent', { startedAt: epoch - 1000 })
    at.search()
    expect(above(at, 'kid')).toBeUndefined()
  })

  test('to an agent of another kind, or to itself', () => {
    const at = machine()
    at.start('parent', { agent: 'codex' })
    at.start('kid', startedBy({ agent: 'claude', pid: 'parent'.length }, { agent: 'claude', pid: 3 }))
    at.search()
    expect(above(at, 'kid')).toBeUndefined()
  })

  test('to another user’s, or to one in a container', () => {
    const at = machine()
    at.start('parent', { surroundings: { note: 'it belongs to another user' } })
    at.start('kid', startedBy({ agent: 'claude', pid: 'parent'.length }))
    at.search()
    expect(above(at, 'kid')).toBeUndefined()
  })
})

test('links are only added, and the order in which agents are found does not count', () => {
  const ids = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
  const family = fc.tuple(
    ...ids.map(id =>
      fc.record({
        starters: fc.uniqueArray(
          fc.integer({ min: 1, max: ids.length }).map((pid): Starter => ({ agent: 'claude', pid })),
          { maxLength: 2 },
        ),
        ancestors: fc.subarray([...ids.filter(other => other !== id), 'init']),
      }),
    ),
  )
  fc.assert(
    fc.property(family, fc.shuffledSubarray(ids, { minLength: ids.length }), (all, order) => {
      const play = (ordered: readonly string[]) => {
        const at = machine()
        for (const id of ordered) {
          const { starters, ancestors } = all[ids.indexOf(id)] as (typeof all)[number]
          at.start(id, { startedAt: epoch, surroundings: { starters }, ancestors })
          at.search()
        }
        return ids.map(id => above(at, id))
      }
      const found = play(order)
      expect(found).toEqual(play(ids))
      for (const [at, one] of all.entries()) expect(found[at]).toEqual(expect.arrayContaining(one.ancestors))
    }),
  )
})
