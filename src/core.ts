/**
 * The pure core: evidence in, verdicts out. No clock, no timer, no file, nothing of Node: it runs in a browser as it is.
 *
 * ```ts
 * import { advance, explain, newSession } from 'lull/core'
 *
 * const state = { kind: 'idle', after: 'turn' } as const
 * const stop = { type: 'news', source: 'hook', what: 'Stop', lane: 'main', state, at: 5, seen: 5 } as const
 * console.log(explain(advance(newSession(0), 5, stop).verdict, 5))
 * ```
 *
 * @packageDocumentation
 */

export { advance, startedSession } from './core/advance.ts'
export type { Clock, Timer } from './core/clock.ts'
export { isOfMachine, notWritten, sentenceFor, usageOf } from './core/error-sentence.ts'
export {
  type Background,
  type BackgroundKind,
  backgroundKinds,
  isBackgroundKind,
  type Wake,
} from './core/evidence/background.ts'
export { wakesOf } from './core/evidence/beside.ts'
export type * from './core/evidence/signal.ts'
export type * from './core/evidence/turns.ts'
export { type ExitCode, type ExitName, exitCode, exitMeaning } from './core/exit-codes.ts'
export {
  describeState,
  explain,
  explainEvidence,
  explainSinceLook,
  explainWhy,
  heldSince,
  instantOf,
} from './core/explain/explain.ts'
export { causes, explainHealth } from './core/explain/explain-health.ts'
export { type Explanation, explanationOf, type HeldEvidence, outlook } from './core/explain/explanation.ts'
export { idleConfidence } from './core/judge/idle-confidence.ts'
export { judge } from './core/judge/judge.ts'
export type * from './core/judge/verdict.ts'
export type * from './core/lull-error.ts'
export { errorTable, isLullError, LullError } from './core/lull-error.ts'
export { redact } from './core/redact/redact.ts'
export type * from './core/session.ts'
export { newSession } from './core/session.ts'
export type * from './core/state.ts'
export { whyNot } from './core/system-refusal.ts'
export { formatDuration, parseDuration } from './core/text/duration.ts'
export type { Grid } from './core/text/grid.ts'
export { coloured, oneLine, type Printable, printable, printableJson } from './core/text/printable.ts'
export { parseIso } from './core/trace/time-stamp.ts'
export type * from './core/trace/trace.ts'
export { isComplaint, isRecord, parseJson, readEvent, readHeader, traceVersion } from './core/trace/trace.ts'
export { writeEvent, writeHeader } from './core/trace/trace-write.ts'
