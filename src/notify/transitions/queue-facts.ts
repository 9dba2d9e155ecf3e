/** How far each webhook's transitions have come, for who looks from outside of the host. */
import { openHistory } from '../../history/open-history.ts'
import type { Outbox } from '../../history/outbox.ts'
import { attempt } from '../../os/attempt.ts'
import type { Places } from '../../os/file/places.ts'
import { stateKind } from '../../sessions/history/session-past.ts'
import type { TransitionsHook } from '../rules/destination-fields.ts'
import { markOf } from './run-queue.ts'

export type QueueFacts = {
  /** Transitions that are still to be sent. */
  readonly queued: number
  /** It answered 410. */
  readonly isStopped: boolean
}

/** @returns undefined for one that no host has begun */
export function queueFacts(outbox: Outbox, name: string, { url }: TransitionsHook): QueueFacts | undefined {
  const cursor = outbox.cursor(name)
  if (!cursor) return undefined
  return { queued: outbox.countAfter(stateKind, cursor.entry), isStopped: cursor.stopped === markOf(url) }
}

/** By name; empty without a history that can be read. */
export function queuesOf(
  hooks: Readonly<Record<string, TransitionsHook>>,
  places: Places,
): Readonly<Record<string, QueueFacts>> {
  const history = attempt(() => openHistory(places, { readOnly: true }))
  if (!history) return {}
  try {
    const facts = Object.entries(hooks).flatMap(([name, hook]) => {
      const found = attempt(() => queueFacts(history.outbox, name, hook))
      return found ? [[name, found] as const] : []
    })
    return Object.fromEntries(facts)
  } finally {
    history.close()
  }
}
