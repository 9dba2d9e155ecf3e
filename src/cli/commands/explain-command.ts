/**
 * `lull explain FILE --at 12.5s`: the verdict at an instant of a recording, with all its evidence. `lull explain SESSION`:
 * of a live session, now. `lull explain pid:N`: of any process, with what it waits for.
 */

import { existsSync, statSync } from 'node:fs'
import { explain, explainEvidence, instantOf, oneLine } from '../../core/explain/explain.ts'
import { outlook } from '../../core/explain/outlook.ts'
import { idleConfidence } from '../../core/judge/idle-confidence.ts'
import type { Evidence } from '../../core/judge/verdict.ts'
import type { Session } from '../../core/session.ts'
import { findSession, matchSessions } from '../../sessions/address.ts'
import { realClock } from '../../track/clock.ts'
import { here } from '../caller-context.ts'
import { connect } from '../connect.ts'
import { usageOf } from '../error-sentence.ts'
import { type InputOptions, openTrace } from '../trace-input.ts'
import { complaintsTo } from '../ui/complaints.ts'
import { jsonEvidence } from '../ui/print-verdict.ts'
import { diagnoseNow, explainProcess, pidOf, processText } from './explain-process.ts'

export type ExplainFlags = { readonly at?: string; readonly agent?: string; readonly json?: boolean }

export async function explainCommand(target: string, flags: ExplainFlags): Promise<void> {
  const isRecording = /\.cast(\.gz)?$/.test(target) || flags.at !== undefined || flags.agent !== undefined
  if (isRecording || (target.includes('/') && isFile(target))) explainFile(target, flags)
  else await explainSession(target, flags)
}

const isFile = (path: string): boolean => existsSync(path) && !statSync(path).isDirectory()

async function explainSession(address: string, flags: ExplainFlags): Promise<void> {
  const live = await connect()
  const pid = pidOf(address)
  try {
    const sessions = await live.list()
    const isProcess = pid !== undefined && matchSessions(address, sessions, here()).length === 0
    if (isProcess) return await explainProcess(pid, flags)
    const { session, ...place } = findSession(address, sessions, here())
    const now = realClock().now()
    const processes = pid === undefined ? undefined : await diagnoseNow(pid)
    const text = flags.json
      ? `${JSON.stringify({ ...place, ...asJson(session, now), ...(processes ? { processes } : {}) })}\n`
      : asText(session, now)
    process.stdout.write(text)
    if (place.note !== undefined && !flags.json) process.stdout.write(`  ${place.note}\n`)
    if (processes && !flags.json) process.stdout.write(`\nits processes: ${processText(processes)}`)
  } finally {
    await live.close()
  }
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

/** Everything that is held about a session, the weightiest first; `used` marks what the verdict rests on. */
function evidenceOf({
  verdict,
  lanes,
  signs,
}: Session): { evidence: Evidence; used: boolean; note: string }[] {
  const rows: { evidence: Evidence; used: boolean; note: string }[] = verdict.because.map(evidence => ({
    evidence,
    used: true,
    note: '',
  }))
  // A session that came over a socket holds copies: evidence is known by what it says, not by identity.
  const used = new Set(verdict.because.map(keyOf))
  for (const [lane, { news, by }] of Object.entries(lanes)) {
    const witnesses = by.length > 1 ? `, also told by ${by.filter(s => s !== news.source).join(', ')}` : ''
    if (!used.has(keyOf(news)))
      rows.push({ evidence: news, used: false, note: `lane ${oneLine(lane, 60)}${witnesses}` })
  }
  for (const { sign, onProbation } of Object.values(signs)) {
    const note = onProbation ? 'late or stuck: does not count' : sign.alive ? '' : 'gone'
    if (!used.has(keyOf(sign))) rows.push({ evidence: sign, used: false, note })
  }
  return rows
}

const keyOf = (evidence: Evidence): string =>
  `${evidence.type} ${evidence.source} ${instantOf(evidence)} ${evidence.what}`

function asText(session: Session, now: number): string {
  const { verdict, facts } = session
  const rows = evidenceOf(session).map(
    ({ evidence, used, note }) =>
      `  ${used ? '*' : ' '} ${explainEvidence(evidence, now)}${note ? ` (${note})` : ''}`,
  )
  const idle =
    verdict.state.kind === 'idle'
      ? `, idle confidence of document 003: ${idleConfidence(session, now)} %`
      : ''
  const confidence = `confidence ${verdict.confidence.toFixed(2)}, turn ${verdict.turn}${verdict.turnOver ? ' (over)' : ''}${idle}`
  const next = outlook(session, now).map(line => `    ${line}`)
  return `${explain(verdict, now, facts)}\n${rows.join('\n')}\n  ${confidence}\n  what would change it:\n${next.join('\n')}\n`
}

function asJson(session: Session, now: number) {
  const { verdict, facts } = session
  return {
    t: now / 1000,
    sentence: explain(verdict, now, facts),
    state: verdict.state,
    health: verdict.health,
    confidence: verdict.confidence,
    idleConfidence: idleConfidence(session, now),
    turn: verdict.turn,
    turnOver: verdict.turnOver,
    since: verdict.since / 1000,
    rule: verdict.rule,
    because: verdict.because.map(evidence => jsonEvidence(evidence, undefined)),
    evidence: evidenceOf(session).map(({ evidence, used, note }) => ({
      ...jsonEvidence(evidence, undefined),
      used,
      ...(note ? { note } : {}),
    })),
    wouldChange: outlook(session, now),
    facts,
  }
}
