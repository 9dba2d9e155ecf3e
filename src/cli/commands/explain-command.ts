/**
 * `lull explain FILE --at 12.5s`: the verdict at an instant of a recording, with all its evidence. `lull explain SESSION`:
 * of a live session, now. `lull explain pid:N`: of any process, with what it waits for.
 */

import { existsSync, statSync } from 'node:fs'
import { type InputOptions, openTrace } from '../../connect/open-recording.ts'
import { explainEvidence, explanationOf, type Session, usageOf } from '../../core.ts'
import { connect, realClock } from '../../index.ts'
import { findSession, matchSessions } from '../../sessions/address.ts'
import { callerContext } from '../../sessions/caller-context.ts'
import { complaintsTo } from '../ui/complaints.ts'
import { jsonEvidence } from '../ui/print-verdict.ts'
import { explainProcess, pidOf, processText } from './explain-process.ts'

export type ExplainFlags = { readonly at?: string; readonly agent?: string; readonly json?: boolean }

export async function explainCommand(target: string, flags: ExplainFlags): Promise<void> {
  const isRecording = /\.cast(\.gz)?$/.test(target) || flags.at !== undefined || flags.agent !== undefined
  if (isRecording || (target.includes('/') && isFile(target))) explainFile(target, flags)
  else await explainSession(target, flags)
}

const isFile = (path: string): boolean => existsSync(path) && !statSync(path).isDirectory()

async function explainSession(address: string, flags: ExplainFlags): Promise<void> {
  await using lull = await connect()
  const pid = pidOf(address)
  const sessions = await lull.sessions()
  const isProcess = pid !== undefined && matchSessions(address, sessions, callerContext()).length === 0
  if (isProcess) return await explainProcess(pid, flags)
  const { session, ...place } = findSession(address, sessions, callerContext())
  const now = realClock().now()
  const processes = pid === undefined ? undefined : await lull.diagnose(pid)
  const text = flags.json
    ? `${JSON.stringify({ ...place, ...asJson(session, now), ...(processes ? { processes } : {}) })}\n`
    : asText(session, now)
  process.stdout.write(text)
  if (place.note !== undefined && !flags.json) process.stdout.write(`  ${place.note}\n`)
  if (processes && !flags.json) process.stdout.write(`\nits processes: ${processText(processes)}`)
}

function explainFile(file: string, flags: ExplainFlags): void {
  const complaints = complaintsTo(text => process.stderr.write(text))
  const options: InputOptions = {
    complain: complaints.complain,
    ...(flags.at === undefined ? {} : { until: flags.at }),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
  }
  const session = judgeAll(file, options)
  process.stdout.write(
    flags.json ? `${JSON.stringify(asJson(session, session.now))}\n` : asText(session, session.now),
  )
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

function asText(session: Session, now: number): string {
  const { verdict, sentence, evidence, wouldChange, idleConfidence } = explanationOf(session, now)
  const rows = evidence.map(
    ({ evidence, used, note }) =>
      `  ${used ? '*' : ' '} ${explainEvidence(evidence, now)}${note ? ` (${note})` : ''}`,
  )
  const idle = verdict.state.kind === 'idle' ? `, idle confidence of document 003: ${idleConfidence} %` : ''
  const confidence = `confidence ${verdict.confidence.toFixed(2)}, turn ${verdict.turn}${verdict.turnOver ? ' (over)' : ''}${idle}`
  const next = wouldChange.map(line => `    ${line}`)
  return `${sentence}\n${rows.join('\n')}\n  ${confidence}\n  what would change it:\n${next.join('\n')}\n`
}

function asJson(session: Session, now: number) {
  const { verdict, sentence, evidence, wouldChange, idleConfidence } = explanationOf(session, now)
  return {
    t: now / 1000,
    sentence,
    state: verdict.state,
    health: verdict.health,
    confidence: verdict.confidence,
    idleConfidence,
    turn: verdict.turn,
    turnOver: verdict.turnOver,
    since: verdict.since / 1000,
    rule: verdict.rule,
    because: verdict.because.map(evidence => jsonEvidence(evidence, undefined)),
    evidence: evidence.map(({ evidence, used, note }) => ({
      ...jsonEvidence(evidence, undefined),
      used,
      ...(note ? { note } : {}),
    })),
    wouldChange,
    facts: session.facts,
  }
}
