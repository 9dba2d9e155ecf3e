/** How a wait ended, as JSON: the fields that `lull wait`, `lull send --wait` and the API have in common. */
import type { Clock } from '../../core/clock.ts'
import { exitCode } from '../../core/exit-codes.ts'
import { jsonRow } from '../session-json.ts'
import type { Done } from './wait-step.ts'

export function doneJson({ outcome, sessions }: Done, clock: Pick<Clock, 'now' | 'wall'>) {
  const now = clock.now()
  const epoch = clock.wall() - now
  return { outcome, code: exitCode[outcome], sessions: sessions.map(live => jsonRow(live, now, epoch)) }
}
