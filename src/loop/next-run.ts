/** What a final message means to a loop, for loops that are not lull's: when to run the agent again, or to stop. */

import { checkValues, is } from '../core/check-values.ts'
import { sentenceFor } from '../core/error-sentence.ts'
import { LullError } from '../core/lull-error.ts'
import { readPlainText, readStdin } from '../os/file/plain-file.ts'
import { messageOf } from './headless-rows.ts'
import { type Marker, searchMarker, type Uncounted, type Until } from './marker/marker.ts'
import { type IdleRule, idleFor, idleRuleOf, nextWait, oneMore } from './step/idle-backoff.ts'

/** @throws {LullError} USAGE where it can't be read */
export const readMessage = (): string => readOrTell('stdin', name => readStdin(name).toString('utf8'))

/** @throws {LullError} USAGE where it can't be read */
export const readPrompt = (file: string): string => readOrTell(file, readPlainText)

function readOrTell(file: string, read: (file: string) => string): string {
  try {
    return read(file)
  } catch (error) {
    throw new LullError('USAGE', sentenceFor(error, file) ?? `${file}: ${(error as Error).message}`)
  }
}

/** How often in a row nothing was to do, and since when, ms since the epoch: given back with the next message. */
export type IdleBefore = { readonly count: number; readonly since: number }

export type NextRun = {
  /** `working` where it reports none. */
  readonly state: 'working' | 'idle' | 'waiting' | 'blocked' | 'done'
  readonly reason?: string
  readonly until?: Until
  /** A name that is none of lull's: it changes nothing. */
  readonly reported?: string
  /** A marker that is there and does not count, and why. */
  readonly uncounted?: Uncounted
  /** ms until the next run; undefined where the loop stops. */
  readonly delay?: number
  readonly stop?: 'done' | 'blocked' | 'idle_max'
  /** Undefined where there was something to do. */
  readonly idle?: IdleBefore
}

export type NextRunOptions = {
  /** As in a RALPH.md, ms; docs/loop.md#idle where not given. */
  readonly idle?: Partial<IdleRule>
  /** The agent's prompt: a marker that only repeats it does not count. */
  readonly prompt?: string
  /** `idle` of the run before. */
  readonly before?: IdleBefore
  /** ms since the epoch. */
  readonly now?: number
}

const optionChecks = is.options<NextRunOptions>({
  idle: is.record,
  prompt: is.text,
  before: is.record,
  now: is.duration,
})

/**
 * ```ts
 * const { stop, delay, idle } = nextRun(message, { before })
 * ```
 * @param message the agent's final message, whole, or what its CLI printed as JSON; docs/loop.md#state-markers describes where a
 *   marker counts
 */
export function nextRun(message: string, options: NextRunOptions = {}): NextRun {
  checkValues('nextRun', [message, options], { message: is.text, options: optionChecks })
  const { idle: written = {}, prompt, before, now = Date.now() } = options
  const { idle: rule } = idleRuleOf(written)
  const { marker, uncounted } = searchMarker(messageOf(message) ?? message, prompt)
  const report = { ...reportedBy(marker), ...(uncounted === undefined ? {} : { uncounted }) }
  if (report.state === 'working') return { ...report, delay: 0 }
  if (report.state === 'done') return { ...report, stop: 'done' }
  const { until } = report
  if (report.state === 'blocked' && until === undefined) return { ...report, stop: 'blocked' }
  const idle = oneMore(before && { ...before }, now)
  const asked = until && ('at' in until ? until.at - now : until.in)
  const delay = nextWait(rule, idle, now, asked !== undefined && asked > 0 ? asked : undefined)
  const run = { count: idle.count, since: now - idleFor(idle, now) }
  return delay === undefined ? { ...report, stop: 'idle_max', idle: run } : { ...report, delay, idle: run }
}

function reportedBy(marker: Marker | undefined): Pick<NextRun, 'state' | 'reason' | 'until' | 'reported'> {
  const { name, reason, until } = marker ?? {}
  switch (name) {
    case undefined:
      return { state: 'working' }
    case 'idle':
    case 'waiting':
    case 'blocked':
    case 'done':
      return {
        state: name,
        ...(reason === undefined ? {} : { reason }),
        ...(until === undefined ? {} : { until }),
      }
    default:
      return { state: 'working', reported: name }
  }
}
