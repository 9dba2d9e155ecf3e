/** What became of the sessions of boxes since an instant, from the history that the host of each keeps. */
import { parseJson } from '../core/trace/trace.ts'
import type { History } from '../history/open-history.ts'
import { byOutcome, isOutcomeAway, type SessionAway } from '../sessions/history/while-away.ts'
import { sinceShape } from '../shapes/api-shapes.ts'
import { knownPart } from '../shapes/wire.ts'
import { realClock } from '../track/clock.ts'
import { addressOn } from './box-address.ts'
import { isId, mostSessions } from './box-rows.ts'
import { type OpenBox, whyAway } from './open-box.ts'
import { type OpenBoxes, openBoxes } from './open-boxes.ts'

export type SinceBoxes = {
  readonly away: readonly SessionAway[]
  /** The boxes that can't be asked, each with why. */
  readonly unasked: readonly { readonly host: string; readonly why: string }[]
}

/**
 * @param from and `now`: ms since the epoch
 * @returns instants of this machine's clock: those of a box count back from its own now
 */
export async function sinceOnBoxes(names: readonly string[], from: number, now: number): Promise<SinceBoxes> {
  const clock = realClock(true)
  const open = await openBoxes(names, clock)
  try {
    return await sinceOnAll(open, from, now)
  } finally {
    await open.close()
  }
}

/** As `sinceOnBoxes`. A host that can't be asked: what it has published by then. */
export async function sinceOnAll(
  { boxes, published }: Pick<OpenBoxes, 'boxes' | 'published'>,
  from: number,
  now: number,
): Promise<SinceBoxes> {
  const asked = await Promise.all(
    [...boxes.values()].map(async box => {
      try {
        return { away: await sinceOn(box, from, now), unasked: [] }
      } catch (error) {
        return { away: [], unasked: [{ host: box.name, why: whyAway(error) }] }
      }
    }),
  )
  const unasked = asked.flatMap(one => one.unasked)
  const kept = unasked.length > 0 && published ? await publishedBy(unasked, published, from, now) : []
  return { away: [...asked.flatMap(one => one.away), ...kept].sort(byOutcome), unasked }
}

/** Nothing where the server is away, too: that they can't be asked is shown in any case. */
async function publishedBy(
  hosts: SinceBoxes['unasked'],
  published: () => Promise<History>,
  from: number,
  now: number,
): Promise<readonly SessionAway[]> {
  const [history, { awayOnHost }] = await Promise.all([
    published().catch((error: Error) => void whyAway(error)),
    import('./history/kept-history.ts'),
  ])
  try {
    return history ? hosts.flatMap(({ host }) => awayOnHost(history, host, from, now)) : []
  } finally {
    history?.close()
  }
}

async function sinceOn(
  { name, link, api }: OpenBox,
  from: number,
  now: number,
): Promise<readonly SessionAway[]> {
  const { greeting, wall } = await link.open()
  const text = await api.read(`/v1/since?${new URLSearchParams({ time: `${Math.round(now - from)}ms` })}`, {
    away: { patience: 0 },
  })
  const read = sinceShape.safeParse(parseJson(text))
  const { entries } = api.understood(read.data)
  const behind = wall - greeting.wall
  return entries.slice(0, mostSessions).flatMap(({ id, since, waited, ...entry }) => {
    const { agent, cwd, outcome, finished, failed, limited, waits, ...last } = entry
    const at = Date.parse(since) + behind
    const known = knownPart('pastState', last)
    const isReal = isId(id) && isOutcomeAway(outcome) && !Number.isNaN(new Date(at).getTime())
    if (!known || !isReal) return []
    return {
      ...{ session: addressOn(id, name), agent, last: known, since: at, outcome },
      ...{ finished, failed, limited, waits, waited: waited * 1000 },
      ...(cwd === undefined ? {} : { cwd }),
    }
  })
}
