/**
 * When an agent counts as halted: stopped by a signal, frozen, or blocked on terminal output. Its own reports do not count
 * then. The first look counts at once, a later one only when a second look agrees: a program that is stopped and resumed
 * repeatedly (cpulimit) is slow, not halted.
 */
import type { Instant, State } from '../../core/state.ts'
import { type HealthReport, reportEveryMs } from '../../process/health-report.ts'
import type { HaltedBy, HaltedLook } from '../../process/linux/look-halted.ts'

export type Halted = {
  readonly look: HaltedLook
  /** Since when each look has had the same result. */
  readonly since: Instant
  /** When it was last reported, if at all. */
  readonly reportedAt?: Instant
  readonly isSure?: boolean
}

/**
 * An agent is looked at with every other search; less often where that would change little: who is idle keeps nobody waiting,
 * and who is unknown stays so, but for the reason.
 */
const searchesPerLook = { quiet: 6, other: 2 }

export function isLookDue(
  halted: Halted | undefined,
  state: State['kind'] | undefined,
  searches: number,
): boolean {
  const isQuiet =
    halted !== undefined && halted.look.by === undefined && (state === 'idle' || state === 'unknown')
  return searches % searchesPerLook[isQuiet ? 'quiet' : 'other'] === 0
}

/** A terminal may be full for a moment, too (terminal/classify, frozenQuietMs). */
const mutedMs = 1000

/** @returns the next state, and a report if one is due */
export function stepHalted(
  before: Halted | undefined,
  look: HaltedLook,
  who: { readonly name: string; readonly pid: number },
  now: Instant,
): { readonly halted: Halted; readonly report?: HealthReport } {
  const { by } = look
  const isSame = before !== undefined && before.look.by === by
  const since = isSame ? before.since : now
  const wasReported = before?.reportedAt !== undefined
  if (by === undefined || !isConfirmed(before, look, now))
    return { halted: { look, since }, ...(wasReported ? { report: over(who.pid) } : {}) }
  const isSure = by !== 'output' && isSame && !hasRun(before, look)
  const isDue =
    !wasReported || !isSame || isSure !== before?.isSure || now - (before.reportedAt ?? 0) >= reportEveryMs
  const reportedAt = isDue ? now : before.reportedAt
  return {
    halted: { look, since, isSure, ...(reportedAt === undefined ? {} : { reportedAt }) },
    ...(isDue ? { report: reportOf(by, who, isSure, now - since) } : {}),
  }
}

function isConfirmed(before: Halted | undefined, look: HaltedLook, now: Instant): boolean {
  if (before === undefined) return true
  if (hasRun(before, look)) return false
  if (before.reportedAt !== undefined) return true
  return before.look.by === look.by && (look.by !== 'output' || now - before.since >= mutedMs)
}

/** A program with a blocked terminal runs on until it prints. */
const hasRun = (before: Halted, { by, runs }: HaltedLook): boolean =>
  by !== 'output' && before.look.runs !== runs

const words: Readonly<Record<HaltedBy, { readonly is: string; advice(pid: number): string }>> = {
  stopped: {
    is: 'was stopped by a signal (Ctrl+Z)',
    advice: pid => `let it go on: fg in its shell, or kill -CONT ${pid}`,
  },
  frozen: { is: 'is in a control group that is frozen', advice: () => 'thaw its control group' },
  output: {
    is: 'prints to a terminal that takes no output (Ctrl-S)',
    advice: () => 'let it go on: Ctrl-Q in its terminal',
  },
}

const reportOf = (
  by: HaltedBy,
  { name, pid }: { readonly name: string; readonly pid: number },
  isSure: boolean,
  held: number,
): HealthReport => ({
  pid,
  health: isSure
    ? { level: 'confirmed_stuck', cause: by, certainty: 'certain' }
    : { level: 'likely_stuck', cause: by, certainty: 'high' },
  held,
  reason: `${name}(${pid}) ${words[by].is}`,
  recommendation: words[by].advice(pid),
  isHalted: true,
})

const over = (pid: number): HealthReport => ({
  pid,
  health: { level: 'healthy', certainty: 'low' },
  held: 0,
  reason: 'it goes on',
  isOver: true,
})
