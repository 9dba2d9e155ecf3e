/** `lull ps`: the agents of this machine and the terminals that were named, those that need a person first. */

import { defined } from '../../core/defined.ts'
import type { Instant } from '../../core.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import { systemTable } from '../../sessions/discover/system-table.ts'
import { byNeed, needsPerson } from '../../sessions/rank.ts'
import { jsonRow } from '../../sessions/session-json.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { realClock } from '../../track/clock.ts'
import { isElsewhere, type OnFlag } from '../flags/on-flag.ts'
import { openLull } from '../open-lull.ts'
import { printHint } from '../ui/hint.ts'
import { colouredLines, jsonLine, onNotice, print, terminalWidth } from '../ui/print.ts'
import { rowOf } from '../ui/session-rows.ts'
import { sessionTable } from '../ui/session-table.ts'

export type PsFlags = OnFlag & {
  readonly needsMe?: boolean
  readonly why?: boolean
  readonly json?: boolean
  readonly socket?: string
}

export async function psCommand(addresses: readonly string[], flags: PsFlags): Promise<void> {
  await using lull = await openLull(flags, addresses)
  const { socket } = flags
  const given = addresses.length === 0 ? undefined : addresses
  const all = byNeed(await lull.sessions(given, socket === undefined ? {} : { socket }))
  const shown = flags.needsMe ? all.filter(needsPerson) : all
  const { stdout } = process
  const clock = realClock()
  const now = clock.now()
  const epoch = clock.wall() - now
  const isHere = !isElsewhere(flags, addresses)
  const unsupportedReason = isHere ? systemTable().unsupportedReason() : undefined
  if (unsupportedReason !== undefined) onNotice(unsupportedReason)
  if (flags.json) {
    const sessions = shown.map(session => jsonRow(session, now, epoch))
    const at = new Date(clock.wall()).toISOString()
    print(jsonLine({ via: await lull.via(), at, ...defined({ unsupportedReason }), sessions }))
    return
  }
  const text = psText(shown, all.length, {
    now,
    epoch,
    home: homeFolder(),
    width: terminalWidth(),
    isColoured: stdout.isTTY && !process.env.NO_COLOR,
    isHere,
    ...(flags.why ? { hasWhy: true } : {}),
  })
  print(colouredLines(...text.split('\n')))
  await printHint(shown)
}

type PsView = {
  readonly now: Instant
  /** ms since the epoch at the machine's monotonic 0 */
  readonly epoch: number
  readonly home: string
  readonly width: number
  readonly isColoured: boolean
  readonly hasWhy?: boolean
  /** Of this machine; else of boxes. */
  readonly isHere?: boolean
}

/** @param count of all sessions, shown or not */
export function psText(shown: readonly LiveSession[], count: number, view: PsView): string {
  if (shown.length === 0) return emptyText(count, view.isHere)
  const { now, epoch, home, width } = view
  const rows = shown.map(session => rowOf(session, now, home, epoch))
  const { heading, lines } = sessionTable(rows, { ...view, width: width - 2 })
  const body = rows.flatMap(row => {
    const [first, ...below] = lines(row)
    return [`${row.needsMe ? '●' : ' '} ${first}`, ...below.map(line => `  ${line}`)]
  })
  return [`  ${heading}`, ...body].join('\n')
}

export const emptyText = (count: number, isHere = true): string =>
  count === 0
    ? `no coding agent found ${isHere ? 'on this machine' : 'on these boxes'}`
    : `no session needs you: ${count === 1 ? 'one agent runs' : `${count} agents run`}, lull ps lists ${count === 1 ? 'it' : 'them'}`
