/**
 * Sessions, with those that each one concerns: below it, in its place, shown instead of it. A host asks at every change of every
 * session, so none is looked for among all of them. Pure.
 */
import type { LiveSession } from './session-source.ts'

export type SessionIndex = {
  /** By id. */
  readonly all: ReadonlyMap<string, LiveSession>
  /** Whose processes the process of this id started, itself or one above them. */
  startedBy(id: string): readonly LiveSession[]
  /** Which replace the agent's session of this id (`stands`). */
  replacing(id: string): readonly LiveSession[]
  /** Which live in the same pane or terminal, itself included. */
  besides(live: LiveSession): readonly LiveSession[]
  set(live: LiveSession): void
  delete(id: string): void
}

const placeKey = ({ pane = '', tmux = '', terminal = '' }: LiveSession): string =>
  `in ${pane}\0${tmux}\0${terminal}`

function keysOf(live: LiveSession): readonly string[] {
  const { ancestors = [], stands } = live
  const keys = ancestors.map(id => `below ${id}`)
  if (stands !== undefined) keys.push(`for ${stands}`)
  keys.push(placeKey(live))
  return keys
}

/** What its keys are made of is as it was: so at most changes. */
const hasSameKeys = (a: LiveSession, b: LiveSession): boolean =>
  a.stands === b.stands &&
  a.pane === b.pane &&
  a.tmux === b.tmux &&
  a.terminal === b.terminal &&
  (a.ancestors === b.ancestors || a.ancestors?.join() === b.ancestors?.join())

export function sessionIndex(sessions: Iterable<LiveSession> = []): SessionIndex {
  const all = new Map<string, LiveSession>()
  const ids = new Map<string, Set<string>>()

  function unlink(live: LiveSession): void {
    for (const key of keysOf(live)) {
      const found = ids.get(key)
      found?.delete(live.id)
      if (found?.size === 0) ids.delete(key)
    }
  }

  function set(live: LiveSession): void {
    const before = all.get(live.id)
    all.set(live.id, live)
    if (before && hasSameKeys(before, live)) return
    if (before) unlink(before)
    for (const key of keysOf(live)) {
      const found = ids.get(key)
      if (found) found.add(live.id)
      else ids.set(key, new Set([live.id]))
    }
  }

  const under = (key: string): readonly LiveSession[] => {
    const found = ids.get(key)
    return found ? [...found].flatMap(id => all.get(id) ?? []) : []
  }

  for (const live of sessions) set(live)
  return {
    all,
    set,
    startedBy: id => under(`below ${id}`),
    replacing: id => under(`for ${id}`),
    besides: live => under(placeKey(live)),
    delete(id) {
      const before = all.get(id)
      if (before) unlink(before)
      all.delete(id)
    },
  }
}
