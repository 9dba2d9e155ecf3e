/** Which sessions a person has seen: marked by `lull seen` and `lull go`, or shown in a terminal in use. */
import { type Stats, statSync } from 'node:fs'
import path from 'node:path'
import type { Session } from '../../../core/session.ts'
import type { Instant } from '../../../core/state.ts'
import { attempt } from '../../../os/attempt.ts'
import { changeJsonFile, readJsonFile } from '../../../os/file/json-file.ts'
import type { PersonNear } from '../../person-near.ts'
import type { LiveSession } from '../../session-source.ts'
import type { PaneInFront } from './panes-in-front.ts'

export type Seen = {
  /** ms since the epoch; 0 where nobody has. */
  at(id: string): number
  /** @throws {LullError} as `changeJsonFile` does; the file is unchanged then */
  mark(ids: readonly string[], wall: number): Promise<void>
}

/** Ended sessions are not removed one by one; beyond this many the oldest are dropped. */
const mostKept = 500

export function openSeen(folder: string): Seen {
  const file = path.join(folder, 'seen.json')
  /** What was read of it, and as what it stood there: it is asked for with each change of a session. */
  let read: { readonly stat: Stats | undefined; readonly times: ReadonlyMap<string, number> } | undefined

  function times(): ReadonlyMap<string, number> {
    const stat = attempt(() => statSync(file, { throwIfNoEntry: false }))
    if (!read || !isSame(read.stat, stat)) read = { stat, times: timesIn(readJsonFile(file)) }
    return read.times
  }

  return {
    at: id => times().get(id) ?? 0,
    mark(ids, wall) {
      return changeJsonFile(file, before => {
        const all = new Map([...timesIn(before), ...ids.map(id => [id, Math.round(wall)] as const)])
        return Object.fromEntries([...all].sort(([, a], [, b]) => b - a).slice(0, mostKept))
      })
    },
  }
}

/** Each change puts a new file in the place of the old one. */
const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a?.ino === b?.ino && a?.ctimeMs === b?.ctimeMs && a?.size === b?.size

const timesIn = (entries: Readonly<Record<string, unknown>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(entries).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))

type SeenAs = Pick<LiveSession, 'isSeen' | 'isSeenByFocus'>

export type WhoLooked = {
  /** @param epoch the machine's monotonic 0, ms since the epoch */
  of(id: string, session: Session, epoch: number): SeenAs
  /** A look at the terminals: those that are not among them have nobody before them. */
  take(panes: readonly Pick<PaneInFront, 'id' | 'near'>[], sessionOf: SessionOf, epoch: number): void
  /** @throws {LullError} as `changeJsonFile` does */
  mark(ids: readonly string[], wall: number): Promise<void>
  forget(id: string): void
}

type SessionOf = (id: string) => Session | undefined

/** Wall time is read in whole milliseconds, and steps a little. */
const clockJitterMs = 20

/**
 * @param folder where it is kept
 * @param changed called for each session that becomes seen or unseen
 */
export function whoLooked(folder: string, changed: (id: string) => void): WhoLooked {
  const marked = openSeen(folder)
  /** ms since the epoch. Beside the file, which may be on a disk that takes nothing. */
  const looked = new Map<string, number>()
  const focused = new Set<string>()

  function of(id: string, session: Session, epoch: number): SeenAs {
    const at = Math.max(marked.at(id), looked.get(id) ?? 0)
    if (at + clockJitterMs >= lastEnd(session) + epoch) return { isSeen: true }
    return focused.has(id) ? { isSeen: true, isSeenByFocus: true } : { isSeen: false }
  }

  function note(id: string, near: PersonNear | undefined): void {
    const { seenAt = 0, hasFocus = false } = near ?? {}
    looked.set(id, Math.max(looked.get(id) ?? 0, seenAt))
    if (hasFocus) focused.add(id)
    else focused.delete(id)
  }

  return {
    of,
    take(panes, sessionOf, epoch) {
      const nears = new Map(panes.map(({ id, near }) => [id, near]))
      for (const id of new Set([...focused, ...nears.keys()])) {
        const session = sessionOf(id)
        if (!session) continue
        const before = of(id, session, epoch)
        note(id, nears.get(id))
        const now = of(id, session, epoch)
        if (before.isSeen === now.isSeen && before.isSeenByFocus === now.isSeenByFocus) continue
        // For who asks when that person has gone elsewhere. That it can't be kept keeps nothing from being seen.
        const isSure = now.isSeen && !now.isSeenByFocus
        if (isSure) void marked.mark([id], looked.get(id) ?? 0).catch(() => undefined)
        changed(id)
      }
    },
    mark: marked.mark,
    forget(id) {
      looked.delete(id)
      focused.delete(id)
    },
  }
}

/** When the last turn ended, as far as any source reported it. */
const lastEnd = ({ verdict, turns }: Session): Instant =>
  verdict.state.kind === 'idle' ? Math.max(verdict.since, turns.lastEnd) : turns.lastEnd
