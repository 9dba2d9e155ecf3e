/** What is asked of respawns that run elsewhere, and of the history that they left. */

import { oneLine } from '../../../core/text/printable.ts'
import { isRecord } from '../../../core/trace/trace.ts'
import type { StoredEntry } from '../../../history/entry.ts'
import { openHistory } from '../../../history/open-history.ts'
import { connect, placesOf } from '../../../index.ts'
import { findRespawn } from '../../../respawn/control/find-respawn.ts'
import { controlRespawn, jsonRespawn, listRespawns } from '../../../respawn/control/respawn-requests.ts'
import type { RespawnControl } from '../../../respawn/control/respawn-server.ts'
import { cutOff, type PastRespawnEvent, readPastEvent, summaryOf } from '../../../respawn/past-event.ts'
import type { RespawnStatus } from '../../../respawn/status.ts'
import { durationFlag } from '../../flags/flag-values.ts'
import { wrap } from '../../ui/cells.ts'
import { dayOf } from '../../ui/clock-words.ts'
import { jsonLine, lines, onNotice, print, terminalWidth } from '../../ui/print.ts'
import { pastRespawnLines } from '../../ui/respawn-line.ts'

type JsonFlag = { readonly json?: boolean }

export async function respawnPsCommand({ json }: JsonFlag): Promise<void> {
  const all = await listRespawns(placesOf(), onNotice)
  if (json) for (const status of all) print(jsonLine(jsonRespawn(status)))
  else print(all.length === 0 ? lines('no respawn runs') : lines(...all.map(lineOf)))
}

export async function respawnStatusCommand(session: string, { json }: JsonFlag): Promise<void> {
  const id = await idOf(session)
  const status = (await listRespawns(placesOf(), onNotice)).find(one => one.session === id)
  // This throws the error for a session without a respawn.
  if (!status) await controlRespawn(placesOf(), id, 'resume')
  else
    print(
      json ? jsonLine(jsonRespawn(status)) : lines(lineOf(status), oneLine(status.detection.statusText, 500)),
    )
}

export async function respawnControlCommand(session: string, what: RespawnControl): Promise<void> {
  print(lines(lineOf(await controlRespawn(placesOf(), await idOf(session), what))))
}

const dayMs = 86_400_000

export async function respawnLogCommand(
  session: string | undefined,
  { since, json }: JsonFlag & { readonly since?: string },
): Promise<void> {
  // Before the entries are read: one that ends in between has reported it.
  const running = json ? [] : await listRespawns(placesOf())
  const history = openHistory(placesOf(), { readOnly: true })
  try {
    const from = Date.now() - (durationFlag('--since', since) ?? dayMs)
    const all = history.entries({ since: from }).filter(({ kind }) => kind.startsWith('respawn.'))
    const entries = session === undefined ? all : await entriesOf(session, all)
    for (const notice of history.notices) onNotice(notice)
    if (json) {
      for (const { at, ...entry } of entries) print(jsonLine({ at: new Date(at).toISOString(), ...entry }))
      return
    }
    showLog(entries, cutOff(all, new Set(running.map(one => one.session))))
  } finally {
    history.close()
  }
}

function showLog(entries: readonly StoredEntry[], cut: ReadonlySet<StoredEntry>): void {
  const width = terminalWidth()
  let day = ''
  for (const entry of entries) {
    const past = readPastEvent(entry)
    if (!past) continue
    const shown = [...(past.type === 'phase' ? [] : [past]), ...(cut.has(entry) ? [wasCut(past)] : [])]
    if (shown.length === 0) continue
    const { at, agent = '', session: id = '', data } = entry
    const name = isRecord(data) && typeof data.name === 'string' ? data.name : undefined
    const who = [agent, name, id, past.isDry ? 'dry run' : undefined].filter(word => word !== undefined)
    if (dayOf(at) !== day) {
      day = dayOf(at)
      print(lines(day))
    }
    for (const one of shown) print(lines(...pastRespawnLines(at, one, width, who.join(' '))))
  }
  print(lines(...wrap(summaryOf(entries), width)))
}

/** It is shown at the time of its last entry: when its process ended is not known. */
const wasCut = ({ isDry }: PastRespawnEvent): PastRespawnEvent => ({
  type: 'no report after this',
  why: 'it was killed, it hangs, or the machine went down',
  isDry,
})

/** Those of the session, and of all that had its name: who asks in the morning may find it gone, or another in its place. */
async function entriesOf(session: string, all: readonly StoredEntry[]): Promise<readonly StoredEntry[]> {
  const named = all.filter(({ data }) => isRecord(data) && data.name === session)
  const id = await idOf(session).catch(error => {
    if (named.length === 0) throw error
  })
  return all.filter(entry => entry.session === id || named.includes(entry))
}

async function idOf(session: string): Promise<string> {
  await using lull = await connect({ onNotice })
  // Awaited before the connection is closed.
  return await findRespawn(session, placesOf(), lull.find)
}

function lineOf({ session, agent, name, plan, phase, cycle, step, steps, tally }: RespawnStatus): string {
  const who = oneLine([agent, name, session].filter(word => word !== undefined).join(' '), 60)
  const where = `step ${step} of ${steps}, cycle ${cycle}  sent ${tally.sent}, turns ${tally.turns}`
  return `${who}  ${oneLine(phase, 20)}  ${where}  ${oneLine(plan, 80)}`
}
