/** `lull history` and `lull since`: past states of sessions, and what lull did, from the store that a host keeps. */

import path from 'node:path'
import { LullError } from '../../../core/lull-error.ts'
import type { StoredEntry } from '../../../history/entry.ts'
import { openHistory } from '../../../history/open-history.ts'
import { findHost, whyNoHost } from '../../../host/find-host.ts'
import { placesOf } from '../../../index.ts'
import { homeFolder } from '../../../sessions/caller-context.ts'
import { jsonAway, jsonEntry } from '../../../sessions/history/past-json.ts'
import { awaySince, entriesAt } from '../../../sessions/history/read-past.ts'
import { inFull } from '../../../sessions/history/session-past.ts'
import { readTime } from '../../flags/flag-values.ts'
import { isElsewhere, type OnFlag } from '../../flags/on-flag.ts'
import { ranThere } from '../../run-there.ts'
import { wrap } from '../../ui/cells.ts'
import { dayOf } from '../../ui/clock-words.ts'
import { awayHeadline, awayLines, lastedOf, pastLines, shownPast } from '../../ui/past-line.ts'
import { jsonLine, lines, onNotice, print, terminalWidth } from '../../ui/print.ts'

type SinceFlags = OnFlag & { readonly json?: boolean }

export async function sinceCommand(time: string, { json, on }: SinceFlags): Promise<void> {
  const now = Date.now()
  const from = readTime('lull since', time, now)
  if (on !== undefined) return await sinceElsewhere(on, from, now, json)
  const places = placesOf()
  const history = openHistory(places, { readOnly: true })
  try {
    const away = awaySince(history, from, now)
    for (const notice of history.notices) onNotice(notice)
    const found = await findHost(places)
    if (found.is !== 'running') onNotice(`new states are not stored: ${whyNoHost(found, places)}`)
    if (json) {
      for (const one of away) print(jsonLine(jsonAway(one)))
      return
    }
    const width = terminalWidth()
    const rows = away.flatMap(one => awayLines(one, homeFolder(), width))
    print(lines(...wrap(awayHeadline(away, from, now, history.begin()), width), ...rows))
  } finally {
    history.close()
  }
}

async function sinceElsewhere(on: string, from: number, now: number, json = false): Promise<void> {
  const [{ sinceOnBoxes }, { boxesNamed }] = await Promise.all([
    import('../../../fleet/since-boxes.ts'),
    import('../../../fleet/box-address.ts'),
  ])
  const { away, unasked } = await sinceOnBoxes(boxesNamed(on, []), from, now)
  if (json) {
    for (const one of away) print(jsonLine(jsonAway(one)))
    for (const one of unasked) print(jsonLine({ ...one, outcome: 'unknown' }))
    return
  }
  const width = terminalWidth()
  const rows = away.flatMap(one => awayLines(one, homeFolder(), width))
  // Since when each box has a history is not known here.
  print(lines(...wrap(awayHeadline(away, from, now, from), width), ...rows))
  print(lines(...unasked.flatMap(({ host, why }) => wrap(`${host}: unknown: ${why}`, width))))
}

type HistoryFlags = OnFlag & { readonly since?: string; readonly until?: string; readonly json?: boolean }

export async function historyCommand(
  session: string | undefined,
  { since = '24h', until, json, ...on }: HistoryFlags,
): Promise<void> {
  const now = Date.now()
  const from = readTime('--since', since, now)
  const to = until === undefined ? now : readTime('--until', until, now)
  const filter = { since: from, until: to, most: Infinity }
  const published = await publishedHistory(session, on)
  if (!published && (await ranThere(session, on))) return
  const history = published?.history ?? openHistory(placesOf(), { readOnly: true })
  try {
    const found =
      published?.entries(filter) ??
      (session === undefined
        ? history.entries(filter)
        : entriesAt(history, session, path.resolve(session), filter))
    const entries = inFull(shownPast(found).toSorted((a, b) => a.at - b.at || a.id - b.id))
    for (const notice of history.notices) onNotice(notice)
    if (json) for (const entry of entries) print(jsonLine(jsonEntry(entry)))
    else show(entries)
  } finally {
    history.close()
  }
}

/** Of hosts of the fleet, away or not: what they have published. Undefined where the command means something else. */
async function publishedHistory(session: string | undefined, { on }: OnFlag) {
  if (!isElsewhere({ on }, [session])) return undefined
  const { openPublished } = await import('../../../fleet/history/open-published.ts')
  const published = await openPublished(session, on)
  if (published || session !== undefined) return published
  throw new LullError(
    'USAGE',
    'lull history of a box that ssh reaches needs a session, like web@box1; lull since --on box1 shows all of them',
  )
}

function show(entries: readonly StoredEntry[]): void {
  if (entries.length === 0) print(lines('no history for that time; a host stores it (lull host status)'))
  const lasted = lastedOf(entries)
  let day = ''
  for (const entry of entries) {
    if (dayOf(entry.at) !== day) {
      day = dayOf(entry.at)
      print(lines(day))
    }
    print(lines(...pastLines(entry, lasted.get(entry), homeFolder(), terminalWidth())))
  }
}
