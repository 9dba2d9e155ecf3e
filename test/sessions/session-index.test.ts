/** The index of sessions finds what a search among all of them finds, after any changes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sessionIndex } from '../../src/sessions/session-index.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { withVerdict } from '../support/live.ts'

const ids = ['a', 'b', 'c', 'd']
const sessions = fc
  .record(
    {
      id: fc.constantFrom(...ids),
      ancestors: fc.subarray([...ids, 'nobody']),
      stands: fc.constantFrom(...ids),
      pane: fc.constantFrom('%1', '%2'),
      tmux: fc.constantFrom('s', 't'),
      terminal: fc.constantFrom('web', 'api'),
    },
    { requiredKeys: ['id'] },
  )
  .map(more => withVerdict({}, more as Partial<LiveSession>))
const changes = fc.array(fc.oneof(sessions, fc.constantFrom(...ids)), { maxLength: 20 })

const idsOf = (found: readonly LiveSession[]): readonly string[] => found.map(({ id }) => id).sort()

test('finds what a search finds', () => {
  fc.assert(
    fc.property(changes, all => {
      const index = sessionIndex()
      const known = new Map<string, LiveSession>()
      for (const change of all) {
        if (typeof change === 'string') index.delete(change)
        else index.set(change)
        if (typeof change === 'string') known.delete(change)
        else known.set(change.id, change)
      }
      expect(index.all).toEqual(known)
      const searched = (isIn: (live: LiveSession) => boolean) => idsOf([...known.values()].filter(isIn))
      for (const id of [...ids, 'nobody']) {
        expect(idsOf(index.startedBy(id))).toEqual(searched(one => one.ancestors?.includes(id) ?? false))
        expect(idsOf(index.replacing(id))).toEqual(searched(one => one.stands === id))
      }
      for (const live of known.values()) {
        const { pane, tmux, terminal } = live
        const isBeside = (one: LiveSession) =>
          one.pane === pane && one.tmux === tmux && one.terminal === terminal
        expect(idsOf(index.besides(live))).toEqual(searched(isBeside))
      }
    }),
  )
})

test('gives a session as it was set last', () => {
  const index = sessionIndex([withVerdict({ turn: 1 }, { id: 'a', ancestors: ['b'] })])
  index.set(withVerdict({ turn: 2 }, { id: 'a', ancestors: ['b'] }))
  expect(index.startedBy('b').map(({ session }) => session.verdict.turn)).toEqual([2])
})
