/** A verdict in full, as lines: the sentence, the evidence, what would change it. */
import { explainEvidence } from '../../core/explain/explain.ts'
import { explanationOf } from '../../core/explain/explanation.ts'
import type { Session } from '../../core.ts'

export function explanationLines(session: Session, now: number, isFollowed = true): readonly string[] {
  const { verdict, sentence, evidence, wouldChange } = explanationOf(session, now, isFollowed)
  const rows = evidence.map(
    ({ evidence, used, note }) =>
      `  ${used ? '*' : ' '} ${explainEvidence(evidence, now)}${note ? ` (${note})` : ''}`,
  )
  const confidence = `confidence ${verdict.confidence.toFixed(2)}, turn ${verdict.turn}${verdict.turnOver ? ' (over)' : ''}`
  const next = wouldChange.map(line => `    ${line}`)
  return [sentence, ...rows, `  ${confidence}`, '  what would change it:', ...next]
}
