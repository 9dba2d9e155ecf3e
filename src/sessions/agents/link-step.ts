/**
 * Links a session to those that its environment names, because the processes between them may have ended before lull looked. A
 * link is only added, and a session that is linked has the ancestors of its starter from then on: the starter may go. Pure.
 */
import type { Starter } from '../discover/starters.ts'
import type { FollowedAgent } from './agents-state.ts'

/** @returns the sessions that have more ancestors because of what changed */
export function linkStarters(
  sessions: ReadonlyMap<string, FollowedAgent>,
  changed: readonly FollowedAgent[],
): readonly FollowedAgent[] {
  const fresh = changed.filter(one => isFresh(sessions.get(one.id), one))
  if (fresh.length === 0) return []
  const latest = new Map(changed.map(one => [one.id, one]))
  const linked = new Map<string, FollowedAgent>()
  const nowOf = (one: FollowedAgent) => linked.get(one.id) ?? latest.get(one.id) ?? one
  function* all(): Generator<FollowedAgent> {
    for (const one of sessions.values()) yield nowOf(one)
    for (const one of latest.values()) if (!sessions.has(one.id)) yield nowOf(one)
  }
  /** All below it get them, too. */
  function link(below: FollowedAgent, starter: FollowedAgent): void {
    const more = [starter.id, ...ancestorsOf(starter)]
    if (hasAll(ancestorsOf(below), more, below.id)) return
    for (const one of all()) {
      if (one.id !== below.id && !ancestorsOf(one).includes(below.id)) continue
      const before = ancestorsOf(one)
      const ancestors = [...new Set([...before, ...more])].filter(id => id !== one.id)
      if (ancestors.length > before.length)
        linked.set(one.id, { ...one, process: { ...one.process, ancestors } })
    }
  }
  for (const one of fresh) {
    for (const other of all()) {
      if (isAbove(other, nowOf(one))) link(nowOf(one), other)
      if (isAbove(nowOf(one), other)) link(nowOf(other), nowOf(one))
    }
  }
  return [...linked.values()]
}

const hasAll = (known: readonly string[], ids: readonly string[], own: string): boolean =>
  ids.every(id => id === own || known.includes(id))

const ancestorsOf = ({ process }: FollowedAgent): readonly string[] => process.ancestors ?? []

/** It may name others now, or others it. */
const isFresh = (before: FollowedAgent | undefined, now: FollowedAgent): boolean =>
  !before || before.agentSession !== now.agentSession

const isAbove = (one: FollowedAgent, below: FollowedAgent): boolean =>
  ancestorsOf(below).includes(one.id) || isStarterOf(one, below)

/** What runs with other rights, or in a container, has process ids and an environment of another's. */
const isStarterOf = (one: FollowedAgent, below: FollowedAgent): boolean =>
  one.id !== below.id &&
  one.surroundings.note === undefined &&
  (below.surroundings.starters?.some(starter => isNamed(one, starter, below)) ?? false)

/** A process that began later has the number of one that has ended. */
const isNamed = (one: FollowedAgent, starter: Starter, below: FollowedAgent): boolean =>
  one.process.agent.name === starter.agent &&
  ('pid' in starter
    ? one.process.pid === starter.pid && one.startedAt <= below.startedAt
    : one.agentSession === starter.session)
