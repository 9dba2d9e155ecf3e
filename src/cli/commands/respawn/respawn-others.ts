/** What is asked of respawns that run elsewhere, and of the history that they left. */

import { isLullError } from '../../../core/lull-error.ts'
import { oneLine } from '../../../core/text/printable.ts'
import { isRecord } from '../../../core/trace/trace.ts'
import type { StoredEntry } from '../../../history/entry.ts'
import { openHistory } from '../../../history/open-history.ts'
import { connect, placesOf } from '../../../index.ts'
import { controlRespawn, listRespawns } from '../../../respawn/control/respawn-requests.ts'
import type { RespawnControl } from '../../../respawn/control/respawn-server.ts'
import { readPastEvent, summaryOf } from '../../../respawn/past-event.ts'
import type { RespawnStatus } from '../../../respawn/status.ts'
import { durationFlag } from '../../flags/flag-values.ts'
import { wrap } from '../../ui/cells.ts'
import { dayOf } from '../../ui/clock-words.ts'
import { jsonLine, lines, onNotice, print, terminalWidth } from '../../ui/print.ts'
import { pastRespawnLines } from '../../ui/respawn-line.ts'

type JsonFlag = { readonly json?: boolean }

export async function respawnPsCommand({ json }: JsonFlag): Promise<void> {
  const all = await listRespawns(placesOf(), onNotice)
  if (json) for (const status of all) print(jsonLine(statusJson(status)))
  else print(all.length === 0 ? lines('no respawn runs') : lines(...all.map(lineOf)))
}

export async function respawnStatusCommand(session: string, { json }: JsonFlag): Promise<void> {
  const id = await idOf(session)
  const status = (await listRespawns(placesOf(), onNotice)).find(one => one.session === id)
  // This throws the error for a session without a respawn.
  if (!status) await controlRespawn(placesOf(), id, 'resume')
  else
    print(
      json ? jsonLine(statusJson(status)) : lines(lineOf(status), oneLine(status.detection.statusText, 500)),
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
    showLog(entries)
  } finally {
    history.close()
  }
}

function showLog(entries: readonly StoredEntry[]): void {
  const width = terminalWidth()
  let day = ''
  for (const entry of entries) {
    const past = readPastEvent(entry)
    if (!past || past.type === 'phase') continue
    const { at, agent = '', session: id = '', data } = entry
    const name = isRecord(data) && typeof data.name === 'string' ? data.name : undefined
    const who = [agent, name, id, past.isDry ? 'dry run' : undefined]
    if (dayOf(at) !== day) {
      day = dayOf(at)
      print(lines(day))
    }
    print(lines(...pastRespawnLines(at, past, width, who.filter(word => word !== undefined).join(' '))))
  }
  print(lines(...wrap(summaryOf(entries), width)))
}

/** Those of the session, and of all that had its name: who asks in the morning may find it gone, or another in its place. */
async function entriesOf(session: string, all: readonly StoredEntry[]): Promise<readonly StoredEntry[]> {
  const named = all.filter(({ data }) => isRecord(data) && data.name === session)
  const id = await idOf(session).catch(error => {
    if (named.length === 0) throw error
  })
  return all.filter(entry => entry.session === id || named.includes(entry))
}

const statusJson = ({ since, ...status }: RespawnStatus) => ({
  ...status,
  since: new Date(since).toISOString(),
})

/** Of the session that is found; or of the respawn that was begun for this, which may wait to start its agent again. */
async function idOf(session: string): Promise<string> {
  const respawns = await listRespawns(placesOf())
  const called = respawns.filter(({ name, address }) => name === session || address === session)
  const [kept, other] = called
  await using lull = await connect({ onNotice })
  try {
    const { id } = await lull.find(session)
    // Between a crash and its relaunch the terminal itself is what has that name.
    const isKept = respawns.some(respawn => respawn.session === id)
    return !isKept && kept && !other ? kept.session : id
  } catch (error) {
    if (!isLullError(error, 'NO_SESSION')) throw error
    if (/^[a-z0-9]{8}$/.test(session)) return session
    if (kept && !other) return kept.session
    throw error
  }
}

function lineOf({ session, agent, name, plan, phase, cycle, step, steps, tally }: RespawnStatus): string {
  const who = oneLine([agent, name, session].filter(word => word !== undefined).join(' '), 60)
  const where = `step ${step} of ${steps}, cycle ${cycle}  sent ${tally.sent}, turns ${tally.turns}`
  return `${who}  ${oneLine(phase, 20)}  ${where}  ${oneLine(plan, 80)}`
}
