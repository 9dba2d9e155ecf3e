/** A verdict in full, as lines: the sentence, the evidence, what would change it. */
import { explainEvidence } from '../../core/explain/explain.ts'
import { explanationOf } from '../../core/explain/explanation.ts'
import type { Session } from '../../core.ts'

export function explanationLines(session: Session, now: number): readonly string[] {
  const { verdict, sentence, evidence, wouldChange, idleConfidence } = explanationOf(session, now)
  const rows = evidence.map(
    ({ evidence, used, note }) =>
      `  ${used ? '*' : ' '} ${explainEvidence(evidence, now)}${note ? ` (${note})` : ''}`,
  )
  const idle =
    verdict.state.kind === 'idle'
      ? `, ${idleConfidence} % by the sum of weights of document 003 (no verdict rests on it)`
      : ''
  const confidence = `confidence ${verdict.confidence.toFixed(2)}, turn ${verdict.turn}${verdict.turnOver ? ' (over)' : ''}${idle}`
  const next = wouldChange.map(line => `    ${line}`)
  return [sentence, ...rows, `  ${confidence}`, '  what would change it:', ...next]
}
