/** The arithmetic of being idle: how long to wait after the nth idle iteration, and when there was enough of it. */
import type { Instant } from '../../core/state.ts'
import { formatDuration } from '../../core/text/duration.ts'

/** The `idle:` block. ms; `backoff` is a factor. */
export type IdleRule = {
  readonly delay: number
  readonly backoff: number
  readonly maxDelay: number
  readonly max: number
}

/** docs/seeds.md#001: `delay: 30s, backoff: 2.0, max_delay: 5m, max: 6h`. */
export const idleDefaults: IdleRule = { delay: 30_000, backoff: 2, maxDelay: 300_000, max: 21_600_000 }

/** What somebody wrote of a rule. */
export type WrittenIdle = { readonly [Name in keyof IdleRule]?: IdleRule[Name] | undefined }

/**
 * A whole rule. A limit that nobody wrote is no reason to refuse a delay: it is raised to it.
 * @param base what holds where nothing is written
 * @returns also a sentence for each limit that was raised
 */
export function idleRuleOf(
  written: WrittenIdle,
  base: IdleRule = idleDefaults,
): { readonly idle: IdleRule; readonly raised: readonly string[] } {
  const { delay = base.delay, backoff = base.backoff, maxDelay = base.maxDelay, max = base.max } = written
  const idle = { delay, backoff, maxDelay: Math.max(maxDelay, delay), max: Math.max(max, delay) }
  const raised = [...(maxDelay < delay ? ['max_delay'] : []), ...(max < delay ? ['max'] : [])]
  const sentence = (name: string): string =>
    `idle.${name} is raised to ${formatDuration(delay)}, as idle.delay is longer`
  return { idle, raised: raised.map(sentence) }
}

/** Iterations in a row that found nothing to do. */
export type IdleRun = {
  readonly count: number
  /** When the first of them ended; later by the time that does not count. */
  readonly since: Instant
  /** From when on time does not count: the provider's limit is no idleness. */
  readonly suspendedAt?: Instant
}

/** One more idle iteration, which ended `now`. */
export const oneMore = (run: IdleRun | undefined, now: Instant): IdleRun =>
  run ? { ...run, count: run.count + 1 } : { count: 1, since: now }

/** How long it has been idle: from the end of the first idle iteration on, iterations and waits alike. */
export const idleFor = (run: IdleRun, now: Instant): number =>
  Math.max(0, (run.suspendedAt ?? now) - run.since)

/** Time from `at` on does not count. */
export const suspended = (run: IdleRun, at: Instant): IdleRun =>
  run.suspendedAt === undefined ? { ...run, suspendedAt: at } : run

/** Time counts again from `at` on. */
export function resumed({ suspendedAt, ...run }: IdleRun, at: Instant): IdleRun {
  return suspendedAt === undefined ? run : { ...run, since: run.since + (at - suspendedAt) }
}

/**
 * The wait after the `count`th iteration in a row: `delay · backoff^(count − 1)`, `maxDelay` at the most.
 * @returns ms, never more than `maxDelay`, whatever the count
 */
export function delayAfter({ delay, backoff, maxDelay }: IdleRule, count: number): number {
  // The power overflows to Infinity (2^1024), which the cap takes in; delay is never 0, so this is never NaN.
  return Math.min(maxDelay, delay * backoff ** Math.max(0, count - 1))
}

/**
 * The next wait, or none where it has been idle for as long as it may. The last one is cut to what is left: there is one
 * more look when the time is up, and no wait goes beyond it.
 * @param wanted the agent's own delay, ms
 */
export function nextWait(rule: IdleRule, run: IdleRun, now: Instant, wanted?: number): number | undefined {
  const left = rule.max - idleFor(run, now)
  if (left <= 0) return undefined
  return Math.min(left, wanted ?? delayAfter(rule, run.count))
}
