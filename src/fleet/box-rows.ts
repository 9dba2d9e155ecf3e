/** What a viewer shows of a box: its sessions under their addresses and within bounds, and a row for a box that can't be asked. Pure. */
import { firstVerdict, type Verdict } from '../core/judge/verdict.ts'
import { newSession } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { addressOn } from './box-address.ts'

/** More of a box are not shown: nobody runs so many, and a box must not fill this machine's memory. */
export const mostSessions = 500
/** Characters of each text: the longest last message that is worth reading; and, where its session is too large with those, fewer. */
const longestTexts = [16_384, 1024, 128] as const
/** Of a session, and of all that are shown of a box. Characters of JSON. */
const mostOfSession = 65_536
const mostOfBox = 4_000_000

/** An id holds no `@`: what is behind that is the box, which the viewer alone knows. */
export const isId = (id: string): boolean => /^[\w-]{1,40}$/.test(id)

/** `size`: characters of JSON. */
export type Sized = { readonly live: LiveSession; readonly size: number }

/** @returns undefined where its id could be taken for that of another box, and where it is too large however short its texts */
export function onBox(live: LiveSession, box: string): Sized | undefined {
  if (!isId(live.id) || live.pid < 0) return undefined
  const whole = sized(addressed(live, box))
  // No text in it is too long then.
  if (whole.size <= longestTexts[0]) return whole
  for (const most of longestTexts) {
    const cut = sized(addressed(withTexts(live, most), box))
    if (cut.size <= mostOfSession) return cut
  }
  return undefined
}

function addressed({ ancestors, stands, ...live }: LiveSession, box: string): LiveSession {
  return {
    ...live,
    id: addressOn(live.id, box),
    host: box,
    ...(ancestors ? { ancestors: ancestors.filter(isId).map(id => addressOn(id, box)) } : {}),
    ...(stands !== undefined && isId(stands) ? { stands: addressOn(stands, box) } : {}),
  }
}

/** Its texts are copies: a part of a text keeps the whole one in memory. */
const withTexts = (live: LiveSession, most: number): LiveSession =>
  JSON.parse(
    JSON.stringify(live, (_, value: unknown) =>
      typeof value === 'string' && value.length > most ? `${value.slice(0, most)}…` : value,
    ),
  )

/** Those that are shown of it: the first that have room. */
export function allOnBox(sessions: readonly LiveSession[], box: string): readonly Sized[] {
  const sizes: number[] = []
  return sessions.slice(0, mostSessions).flatMap(one => {
    const shown = onBox(one, box)
    if (!shown || !hasRoom(sizes, shown.size)) return []
    sizes.push(shown.size)
    return shown
  })
}

/** @param sizes of those that are shown of its box already */
export const hasRoom = (sizes: readonly number[], size: number): boolean =>
  sizes.length < mostSessions && sizes.reduce((sum, one) => sum + one, size) <= mostOfBox

export const sized = (live: LiveSession): Sized => ({ live, size: JSON.stringify(live).length })

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
