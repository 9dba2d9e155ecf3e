/** pi ends its agent before every retry, and clears its progress: until the next attempt is due, it works. */
import type { News } from '../../core/evidence/signal.ts'
import type { Claims } from '../kit/agent.ts'

/** Up to three retries, after 2, 4 and 8 s (its `auto_retry_start` rows). */
const delays = [2000, 4000, 8000]
/** How much later than announced the next attempt may begin. */
const margin = 2000

/** What pi tries again: limits, overload, and a lost connection. */
export const isRetried = (error: string | undefined): boolean =>
  /^(429|5\d\d)\b|overloaded|rate.?limit|timed? ?out|connection|fetch failed|terminated/i.test(error ?? '')

/** The end of a turn that failed: by the provider's limit, or else. */
export function failed(
  error: string | undefined,
  claim: Claims,
  more: { ends?: readonly ['bg:retry'] } = {},
): News {
  const isLimit = /^429\b|rate.?limit|quota/i.test(error ?? '')
  return claim.failed(isLimit, more)
}

/** Work that outlasts the end of the agent, until the attempt that is due after `delay` ms. */
export const retrying = (claim: Claims, delay: number): News =>
  claim.news(
    'bg:retry',
    { kind: 'working', doing: 'retrying' },
    { hold: delay + margin, limit: {}, outlasts: ['progress'] },
  )

/** When the attempt is due that follows this one, ms; none where it was the last. */
const delayAfter = (attempt: number): number | undefined => delays[attempt - 1]

/** The attempt failed; it is followed by another unless it was the last. */
export function failedAttempt(claim: Claims, error: string | undefined, attempt: number): News[] {
  const delay = delayAfter(attempt)
  return delay === undefined ? [failed(error, claim)] : [failed(error, claim), retrying(claim, delay)]
}

/**
 * The same, told by a source that tells nothing of the next attempt until it has ended, nor that the wait for it was called
 * off: the turn goes on, and from when the attempt is due nobody knows.
 */
export function failedUnseen(claim: Claims, error: string | undefined, attempt: number): News {
  const delay = delayAfter(attempt)
  if (delay === undefined) return failed(error, claim)
  return claim.working('retrying', { hold: delay + margin, limit: {}, outlasts: ['progress'] })
}
