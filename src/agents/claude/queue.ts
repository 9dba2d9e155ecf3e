/** The queue of Claude Code's prompts, read from its transcript. */
import type { LanePattern } from '../../core/evidence/signal.ts'
import { claimsOf, type Memory, type Moment, nothing, type Reading, read } from '../kit/agent.ts'
import { wakeDue } from '../kit/beside-turn.ts'
import { stringOf } from '../kit/fields.ts'

/** A queued prompt that is taken up begins its turn within this time (docs/research/agents.md#trap-2). */
const takenUpMs = 1000

const taskDone = /^<task-notification>\s*<task-id>([\w-]{1,100})<\/task-id>/

/** The id of the task that a notification reports as finished. */
export const finishedTask = (text: string): string | undefined => taskDone.exec(text)?.[1]

/** A prompt that waits for the end of the turn, or that was taken back. A task's notice is queued like one. */
export function readQueue(
  row: { readonly operation?: string | undefined; readonly content?: unknown },
  at: number,
  { seen }: Moment,
  memory: Memory,
): Reading {
  const what = `queue ${row.operation ?? ''}`.trim()
  const finished = finishedTask(stringOf(row.content))
  const ends: readonly LanePattern[] = finished ? [`bg:${finished}`, `sub:${finished}`] : []
  switch (row.operation) {
    case 'enqueue': {
      const named = memory.turn === undefined ? {} : { turn: memory.turn }
      const claim = claimsOf('transcript', what, at, seen)
      // Within a turn a notice waits like a prompt. After it the notice begins the next one.
      const wake = finished ? [wakeDue(claim, ends)] : []
      return read(...wake, claim.news('queue', { kind: 'working' }, named))
    }
    case 'dequeue':
      // It is taken up: its turn begins at once, or has begun, where nobody types (a headless session).
      return read(
        claimsOf('transcript', what, at, seen).news(
          'queue',
          { kind: 'working' },
          { onlyFrom: ['working'], hold: takenUpMs },
        ),
      )
    case 'remove':
    case 'popAll':
      return read(claimsOf('transcript', what, at, seen).ended(['queue', ...ends]))
    default:
      return nothing
  }
}
