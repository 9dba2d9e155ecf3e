/** A change of a verdict as one line. */

import type { Change } from '../../agents.ts'
import { describeState, explainWhy } from '../../core/explain/explain.ts'
import { explainHealth } from '../../core/explain/explain-health.ts'
import { timeOf } from '../../shapes/verdict-json.ts'

/** A change on one line: time, state, why. */
export function describeChange({ at, verdict }: Change, epoch: number | undefined): string {
  const time = epoch === undefined ? `${(at / 1000).toFixed(1)} s`.padStart(9) : timeOf(at, epoch)
  const health = explainHealth(verdict, at)
  return `${time}  ${describeState(verdict.state).padEnd(22)}  ${explainWhy(verdict, at)}${health && `. ${health}`}`
}
