/** `lull watch`: the agents of this machine as they change; a table in a terminal, lines anywhere else. */

import { defined } from '../../core/defined.ts'
import type { Printable } from '../../core.ts'
import { realClock } from '../../index.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import { narrowed } from '../../sessions/narrowed.ts'
import { byNeed } from '../../sessions/rank.ts'
import { jsonRow } from '../../sessions/session-json.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveChange, LiveSession } from '../../sessions/session-source.ts'
import type { OnFlag } from '../flags/on-flag.ts'
import { isOfProcess, notOfProcess, pidOf } from '../flags/process-flags.ts'
import { openLull } from '../open-lull.ts'
import { printHint } from '../ui/hint.ts'
import { jsonLine, lines, onNotice, print } from '../ui/print.ts'
import { rowOf } from '../ui/session-rows.ts'
import { watchScreen } from '../watch/watch-runner.ts'
import type { ProcessFlags } from './process-command.ts'

export async function watchCommand(
  addresses: readonly string[],
  flags: ProcessFlags & OnFlag,
): Promise<void> {
  const [pid, ...others] = addresses.map(pidOf)
  if (pid !== undefined && others.length === 0 && flags.on === undefined)
    return (await import('./process-command.ts')).watchOneProcess(pid, flags)
  const { json } = flags
  if (isOfProcess(flags)) throw notOfProcess()
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  // A dumb terminal shows lines, and draws no pictures.
  const isScreen = !json && isTerminal && process.env.TERM !== 'dumb'
  // A sentence on a screen that is drawn over would be lost.
  await using lull = await openLull(flags, addresses, { startsHost: true, ...(isScreen ? {} : { onNotice }) })
  const changes = () => narrowed(lull.changes(), addresses)
  if (isScreen) await watchScreen(lull, changes)
  else await watchLines(changes(), json ? jsonLines : plainLines)
}

async function watchLines(
  changes: AsyncIterable<LiveChange>,
  toLines: (change: LiveChange) => readonly Printable[],
): Promise<void> {
  let isHinted = toLines === jsonLines
  for await (const change of changes) {
    print(...toLines(change))
    const shown = change.type === 'snapshot' ? change.sessions : []
    if (!isHinted) isHinted = await printHint(change.type === 'changed' ? [change.session] : shown)
  }
}

const time = (): string => new Date().toISOString()

function plainLines(change: LiveChange): readonly Printable[] {
  const line = (session: LiveSession): Printable => {
    const clock = realClock()
    const { state, where, now, why } = rowOf(session, clock.now(), homeFolder(), clock.wall() - clock.now())
    const words = [time(), nameOf(session, homeFolder()), where, state, now || why]
    return lines(words.filter(word => word !== '').join('  '))
  }
  switch (change.type) {
    case 'snapshot':
      return change.sessions.length === 0
        ? [lines(`${time()}  no agent runs yet`)]
        : byNeed(change.sessions).map(line)
    case 'changed':
      return [line(change.session)]
    case 'gone':
      // The agent that is shown in its place has just been printed, by the same name.
      return change.shownAs === undefined ? [lines(`${time()}  ${change.id}  gone`)] : []
  }
}

function jsonLines(change: LiveChange): readonly Printable[] {
  const clock = realClock()
  const now = clock.now()
  const row = (session: LiveSession) => jsonRow(session, now, clock.wall() - now)
  const at = time()
  switch (change.type) {
    case 'snapshot':
      return [jsonLine({ event: 'snapshot', at, sessions: byNeed(change.sessions).map(row) })]
    case 'changed':
      return [jsonLine({ event: 'changed', at, session: row(change.session) })]
    case 'gone':
      return [jsonLine({ event: 'gone', at, id: change.id, ...defined({ shownAs: change.shownAs }) })]
  }
}
