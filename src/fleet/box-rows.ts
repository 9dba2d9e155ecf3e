/** What a viewer shows of a box: its sessions under their addresses and within bounds, and a row for a box that can't be asked. Pure. */
import { firstVerdict, type Verdict } from '../core/judge/verdict.ts'
import { newSession } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { addressOn } from './box-address.ts'

/** More of a box are not shown: nobody runs so many, and a box must not fill this machine's memory. */
export const mostSessions = 500
/** Characters of each text: the longest last message that is worth reading. */
const longestText = 16_384
const deepest = 12
/** Values of one list or object. */
const mostValues = 1000

/** An id holds no `@`: what is behind that is the box, which the viewer alone knows. */
export const isId = (id: string): boolean => /^[\w-]{1,40}$/.test(id)

/** @returns undefined where its id could be taken for that of another box */
export function onBox(live: LiveSession, box: string): LiveSession | undefined {
  if (!isId(live.id) || live.pid < 0) return undefined
  const { ancestors, stands, ...rest } = bounded(live) as LiveSession
  return {
    ...rest,
    id: addressOn(live.id, box),
    host: box,
    ...(ancestors ? { ancestors: ancestors.filter(isId).map(id => addressOn(id, box)) } : {}),
    ...(stands !== undefined && isId(stands) ? { stands: addressOn(stands, box) } : {}),
  }
}

/** Those that are shown of it. */
export const allOnBox = (sessions: readonly LiveSession[], box: string): readonly LiveSession[] =>
  sessions.slice(0, mostSessions).flatMap(live => onBox(live, box) ?? [])

function bounded(value: unknown, levels = deepest): unknown {
  if (typeof value === 'string') return value.length > longestText ? `${value.slice(0, longestText)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return Array.isArray(value) ? [] : {}
  if (Array.isArray(value)) return value.slice(0, mostValues).map(one => bounded(one, levels - 1))
  const fields = Object.entries(value).slice(0, mostValues)
  return Object.fromEntries(fields.map(([name, field]) => [name, bounded(field, levels - 1)]))
}

/** What nobody hears of any more is unknown, whatever it was. @param since when it was last heard of */
export function unheard(live: LiveSession, why: string, since: Instant): LiveSession {
  const { settledFrom: _, isSinceLook: __, ...rest } = live
  const { verdict } = live.session
  return {
    ...rest,
    session: { ...live.session, verdict: { ...unknownSince(why, since), turn: verdict.turn } },
  }
}

export const boxId = (box: string): string => `@${box}`

/** The row of the box itself, while it can't be asked. */
export function boxRow(box: string, why: string, since: Instant): LiveSession {
  const session = { ...newSession(since), verdict: unknownSince('this box cannot be asked', since) }
  return {
    ...{ id: boxId(box), host: box, agent: boxAgent, pid: 0, note: oneLine(why, 400) },
    hooks: 'unknown',
    isSeen: true,
    session,
  }
}

/** In the place of an agent's name. */
const boxAgent = 'box'

/** A verdict that claims nothing: nobody judges from afar. */
function unknownSince(why: string, since: Instant): Verdict {
  const verdict = firstVerdict(since)
  const { state } = verdict
  const sign = { type: 'sign', source: 'session', what: oneLine(why, 400), state, tier: 'inferred' } as const
  return { ...verdict, because: [{ ...sign, lag: 0, excludes: [], alive: false, since, seen: since }] }
}
