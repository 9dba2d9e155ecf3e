/** Whom `lull go` means, one after the other. */
import { describe, expect, test } from 'vitest'
import type { State } from '../../src/core/state.ts'
import { nextToGo } from '../../src/sessions/rank.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { withVerdict } from '../support/live.ts'

const of = (id: string, state: State, since: number, isSeen = false): LiveSession =>
  withVerdict({ state, since, turn: 1, turnOver: state.kind === 'idle' }, { id, isSeen })

const waiting = (id: string, since: number) => of(id, { kind: 'waiting', for: 'permission' }, since)
const failed = (id: string, since: number, isSeen?: boolean) =>
  of(id, { kind: 'idle', after: 'error' }, since, isSeen)
const done = (id: string, since: number, isSeen?: boolean) =>
  of(id, { kind: 'idle', after: 'turn' }, since, isSeen)
const works = of('works', { kind: 'working', doing: 'tool' }, 0)

/** Each pane that is gone to: what is done is seen by that. */
function round(all: readonly LiveSession[], steps: number): readonly string[] {
  const gone: string[] = []
  for (let n = 0; n < steps; n++) {
    const now = all.map(one => (gone.includes(one.id) ? { ...one, isSeen: true } : one))
    const here = now.find(({ id }) => id === gone.at(-1))
    gone.push(nextToGo(now, here)?.id ?? '-')
  }
  return gone
}

describe('lull go', () => {
  test('goes from who waits the longest to what failed to what is done, and round', () => {
    const all = [done('d1', 1), works, failed('f1', 5), waiting('w2', 9), done('d2', 3), waiting('w1', 4)]
    expect(round(all, 7)).toEqual(['w1', 'w2', 'f1', 'd1', 'd2', 'w1', 'w2'])
  })

  test('begins anew from the pane of one that needs nobody', () => {
    expect(nextToGo([works, waiting('w1', 4)], works)?.id).toBe('w1')
  })

  test('goes to nobody where nobody needs a person, and stays with the only one', () => {
    expect(nextToGo([works, done('d1', 1, true)], undefined)).toBeUndefined()
    const only = waiting('w1', 1)
    expect(nextToGo([only, works], only)?.id).toBe('w1')
  })
})
