/**
 * `lull explain FILE --at 12.5s`: the verdict at an instant of a recording, with all its evidence. `lull explain SESSION`:
 * of a live session, now. `lull explain pid:N`: of any process, with what it waits for.
 */

import { existsSync, statSync } from 'node:fs'
import { endOfTrace, type InputOptions, openTrace } from '../../connect/open-recording.ts'
import { usageOf } from '../../core/error-sentence.ts'
import { LullError } from '../../core/lull-error.ts'
import { formatDuration } from '../../core/text/duration.ts'
import type { Session } from '../../core.ts'
import { type Lull, placesOf, realClock } from '../../index.ts'
import { findSession, matchSessions } from '../../sessions/address.ts'
import { callerContext } from '../../sessions/caller-context.ts'
import { jsonExplanation, jsonRow, sentenceOf } from '../../sessions/session-json.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { jsonVerdict, timeOf } from '../../shapes/verdict-json.ts'
import { durationFlag } from '../flags/flag-values.ts'
import { isElsewhere, type OnFlag } from '../flags/on-flag.ts'
import { pidOf } from '../flags/process-flags.ts'
import { openLull } from '../open-lull.ts'
import { ranThere } from '../run-there.ts'
import { explanationLines } from '../ui/explanation-lines.ts'
import { jsonLine, lines, newComplaints, onNotice, print } from '../ui/print.ts'
import { explainProcess, processJson, processLines } from './explain-process.ts'

export type ExplainFlags = OnFlag & {
  readonly at?: string
  readonly agent?: string
  readonly json?: boolean
  readonly processes?: boolean
  readonly socket?: string
}

export async function explainCommand(target: string, flags: ExplainFlags): Promise<void> {
  const isRecording = /\.cast(\.gz)?$/.test(target) || flags.at !== undefined || flags.agent !== undefined
  if (isRecording || (isNoFolder(target) && !isElsewhere(flags, [target]))) explainFile(target, flags)
  else await explainSession(target, flags)
}

/** A path that a file has, or nothing: of a folder its sessions are meant. */
const isNoFolder = (path: string): boolean =>
  /^(?!~).*\//.test(path) && !(existsSync(path) && statSync(path).isDirectory())

async function explainSession(address: string, flags: ExplainFlags): Promise<void> {
  if (flags.processes && (await ranThere(address, flags))) return
  await using lull = await openLull(flags, [address], { onNotice })
  const pid = flags.on === undefined ? pidOf(address) : undefined
  const sessions = await lull.sessions()
  const isProcess = pid !== undefined && matchSessions(address, sessions, callerContext()).length === 0
  if (isProcess) return await explainProcess(lull, pid, flags)
  const live = await liveAt(lull, address, sessions, flags.socket).catch(async error => {
    throw await (await import('../../connect/wait-whom.ts')).endedInstead(error, placesOf())
  })
  const { session, note } = live
  const isFollowed = (await lull.via()) === 'host'
  const clock = realClock()
  const now = clock.now()
  const isInQuestion = session.verdict.health.level !== 'healthy'
  const isAsked = flags.processes || isInQuestion || (flags.json && pid !== undefined)
  const processes = isAsked && live.host === undefined ? await lull.diagnose(live.pid) : undefined
  if (flags.json) {
    const epoch = clock.wall() - now
    const row = {
      at: timeOf(now, epoch),
      ...jsonRow(live, now, epoch),
      ...jsonExplanation(session, now, epoch, isFollowed),
    }
    print(
      jsonLine({
        ...row,
        sentence: sentenceOf(live, now),
        ...(processes ? { processes: processJson(processes) } : {}),
      }),
    )
    return
  }
  const [, ...rest] = explanationLines(session, now, isFollowed)
  print(lines(sentenceOf(live, now), ...rest, ...(note === undefined ? [] : [`  ${note}`])))
  if (!processes) return
  const [sentence, ...tree] = processLines(processes)
  print(lines('', `its processes: ${sentence}`, ...tree))
}

/** A pane of tmux that is no session is observed once. */
async function liveAt(
  lull: Lull,
  address: string,
  sessions: readonly LiveSession[],
  socket: string | undefined,
): Promise<LiveSession> {
  const isPane = /^(tmux:|%)/.test(address)
  if (socket !== undefined && !isPane)
    throw new LullError('USAGE', `--socket ${socket}: ${address} needs no socket; use it with tmux:%3`)
  const isNumber = socket === undefined && /^tmux:%\d+$/.test(address)
  const isKnown = isNumber && matchSessions(address, sessions, callerContext()).length > 0
  if (!isPane || isKnown) return findSession(address, sessions, callerContext())
  const [live] = await lull.sessions([address], socket === undefined ? {} : { socket })
  return live as LiveSession
}

function explainFile(file: string, flags: ExplainFlags): void {
  const at = durationFlag('--at', flags.at)
  const complaints = newComplaints()
  const options: InputOptions = {
    complain: complaints.complain,
    ...(flags.at === undefined ? {} : { until: flags.at }),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
  }
  const session = judgeAll(file, options)
  const end = at === undefined ? Infinity : endOfTrace(file)
  if (at !== undefined && at > end)
    onNotice(
      `--at ${flags.at} is after the end of the recording (${formatDuration(end)}); judged as if nothing more had happened`,
    )
  const { now, verdict } = session
  const row = {
    t: timeOf(now, undefined),
    ...jsonVerdict(verdict, undefined),
    ...jsonExplanation(session, now, undefined),
  }
  print(flags.json ? jsonLine(row) : lines(...explanationLines(session, now)))
  complaints.end()
}

function judgeAll(file: string, options: InputOptions): Session {
  try {
    const { changes } = openTrace(file, options)
    for (;;) {
      const next = changes.next()
      if (next.done) return next.value
    }
  } catch (error) {
    throw usageOf(error, file)
  }
}
