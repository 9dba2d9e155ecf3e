/** How a judge fails that gives no answer, whatever it is. */
import { LullError } from '../../core/lull-error.ts'
import { formatDuration } from '../../core/text/duration.ts'

export type JudgeLimits = {
  /** ms */
  readonly timeout: number
  /** The answer is not wanted any more: a definitive signal came. */
  readonly signal?: AbortSignal | undefined
}

export const judgeFailed = (message: string): LullError<'JUDGE_FAILED'> =>
  new LullError('JUDGE_FAILED', message)

export const judgeTimedOut = (timeout: number): LullError<'JUDGE_FAILED'> =>
  judgeFailed(`the judge did not answer within ${formatDuration(timeout)}`)

export const judgeCancelled = (): LullError<'JUDGE_FAILED'> =>
  judgeFailed('the judge’s answer is not wanted any more')

/** Node's timers overflow past 2^31 ms and then fire at once. */
export const timerOf = (ms: number): number => Math.min(ms, 2_000_000_000)
