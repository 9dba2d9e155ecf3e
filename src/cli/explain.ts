/** `lull explain FILE --at 12.5s`: the verdict at an instant of a recording, with all its evidence. */
import { explain, explainEvidence, oneLine } from '../core/explain.ts'
import { idleConfidence } from '../core/idle-confidence.ts'
import type { Session } from '../core/session.ts'
import type { Evidence } from '../core/verdict.ts'
import { complaintsTo } from './complaints.ts'
import { sentenceFor, UsageError } from './exit.ts'
import { type InputOptions, openTrace } from './input.ts'
import { jsonEvidence } from './replay.ts'

export type ExplainFlags = { readonly at?: string; readonly agent?: string; readonly json?: boolean }

export function explainCommand(file: string, flags: ExplainFlags): void {
  const complaints = complaintsTo(text => process.stderr.write(text))
  const options: InputOptions = {
    complain: complaints.complain,
    ...(flags.at === undefined ? {} : { until: flags.at }),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
  }
  const session = judgeAll(file, options)
  process.stdout.write(flags.json ? `${JSON.stringify(asJson(session))}\n` : asText(session))
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
    const sentence = sentenceFor(error, file)
    if (sentence === undefined) throw error
    throw new UsageError(sentence)
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
  for (const [lane, { news, by }] of Object.entries(lanes)) {
    const witnesses = by.length > 1 ? `, also told by ${by.filter(s => s !== news.source).join(', ')}` : ''
    if (!verdict.because.includes(news))
      rows.push({ evidence: news, used: false, note: `lane ${oneLine(lane, 60)}${witnesses}` })
  }
  for (const { sign, late } of Object.values(signs)) {
    const note = late ? 'late or stuck: does not count' : sign.alive ? '' : 'gone'
    if (!verdict.because.includes(sign)) rows.push({ evidence: sign, used: false, note })
  }
  return rows
}

function asText(session: Session): string {
  const { verdict, now, facts } = session
  const rows = evidenceOf(session).map(
    ({ evidence, used, note }) =>
      `  ${used ? '*' : ' '} ${explainEvidence(evidence, now)}${note ? ` (${note})` : ''}`,
  )
  const next =
    verdict.recheckAt === undefined
      ? 'only new evidence changes it'
      : `judged again at ${(verdict.recheckAt / 1000).toFixed(1)} s even if nothing is heard`
  const idle =
    verdict.state.kind === 'idle'
      ? `, idle confidence of document 003: ${idleConfidence(session, now)} %`
      : ''
  const confidence = `confidence ${verdict.confidence.toFixed(2)}, turn ${verdict.turn}${verdict.turnOver ? ' (over)' : ''}, ${next}${idle}`
  return `${explain(verdict, now, facts)}\n${rows.join('\n')}\n  ${confidence}\n`
}

function asJson(session: Session) {
  const { verdict, now, facts } = session
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
    facts,
  }
}
