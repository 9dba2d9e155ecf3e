/** The row of a loop in `lull ps`: which iteration, how the last one ended, and when the next begins. */
import type { IdleAfter } from '../../core.ts'
import { realClock } from '../../index.ts'
import type { AgentSession } from '../../loop/loop-agent.ts'
import type { LoopEvent } from '../../loop/loop-events.ts'
import type { LoopRow } from '../../sessions/runs/publish-loop.ts'

export type LoopPublisher = {
  begun(session: AgentSession): void
  take(event: LoopEvent): void
  /** Once; @param code of the loop's end, where it was no person's wish */
  close(code?: number): void
}

/** @param most how many iterations there may be */
export function loopPublisher(row: LoopRow, name: string, most: number | undefined): LoopPublisher {
  let iteration = 0
  /** The iteration of the last event. */
  let told = 0
  let last = ''
  let end = ''
  let isClosed = false
  let after: IdleAfter | undefined
  const clock = realClock()
  const note = (): string =>
    `loop ${name}, iteration ${iteration}${most === undefined ? '' : ` of ${most}`}${last && `, last: ${last}`}${end && `: ${end}`}`
  return {
    begun({ id, iteration: now, ...session }) {
      iteration = now
      row.run({ ...session, id, loop: id, note })
    },
    take(event) {
      if (event.type === 'RUN_STOPPED') end = event.message
      const ended = endIn(event)
      if (ended) [last, after] = ended
      // Events arrive late: the next run may be under way by then.
      if ('iteration' in event) told = event.iteration
      if (told < iteration) return
      if (event.type === 'RUN_PAUSED') row.rest(clock.now(), `${note()}, paused`, after)
      if (event.type === 'RUN_RESUMED') row.between(clock.now(), note())
      if (event.type === 'ITERATION_STARTED') iteration = event.iteration
      if (ended) row.between(clock.now(), note())
      if (event.type === 'DELAY_STARTED') row.rest(clock.now(), note(), after, clock.now() + event.delay)
    },
    close(code) {
      if (!isClosed) row.close(clock.now(), note(), code)
      isClosed = true
    },
  }
}

/** How an iteration ended, in a word, and as the end of a turn. */
function endIn(event: LoopEvent): readonly [string, IdleAfter] | undefined {
  switch (event.type) {
    case 'ITERATION_COMPLETED':
      return ['completed', 'turn']
    case 'ITERATION_IDLE':
      return [event.reason === undefined ? event.state : `${event.state} (${event.reason})`, 'turn']
    case 'ITERATION_TIMED_OUT':
      return ['timed out', 'error']
    case 'ITERATION_FAILED':
      return event.reason === 'limit' ? ['limited', 'limit'] : ['failed', 'error']
    default:
      return undefined
  }
}
