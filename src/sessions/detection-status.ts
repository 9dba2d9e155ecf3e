/** docs/seeds.md#003's `DetectionStatus` of any session: which hooks ended its turn, and how idle it is. Pure. */
import { explain } from '../core/explain/explain.ts'
import { idleConfidence } from '../core/judge/idle-confidence.ts'
import type { Evidence } from '../core/judge/verdict.ts'
import type { Instant } from '../core/state.ts'
import type { LiveSession } from './session-source.ts'

/** Times are ms since the epoch; null where there is none. */
export type DetectionStatus = {
  readonly stopHookReceived: boolean
  readonly stopHookTime: number | null
  readonly idlePromptReceived: boolean
  readonly idlePromptTime: number | null
  readonly transcriptComplete: boolean
  readonly blocked: boolean
  readonly working: boolean
  /** The verdict's own, percent: measured, where the document adds weights. */
  readonly confidence: number
  /** The document's sum of weights. */
  readonly idleConfidence: number
  readonly statusText: string
}

/** Of all notices only `idle_prompt` means idle. */
export const isPrompt = ({ source, what }: Evidence): boolean => source === 'hook' && what === 'Notification'

/** `isIdle` and `statusText`: as a respawn sees the session; the verdict decides where they are not given. */
type Seen = { readonly isIdle?: boolean; readonly statusText?: string }

export function detectionStatus(
  { session }: LiveSession,
  { now, wall }: { readonly now: Instant; readonly wall: number },
  seen: Seen = {},
): DetectionStatus {
  const { verdict, facts, lanes } = session
  const { isIdle = verdict.state.kind === 'idle', statusText = explain(verdict, now, facts) } = seen
  const end = isIdle && lanes.main?.news.state.kind === 'idle' ? lanes.main : undefined
  // The transcript may report an end before the hook does: both stand behind one claim.
  const endedAt = end?.by.includes('hook') ? Math.round(wall - (now - end.news.at)) : null
  const isPrompted = end !== undefined && isPrompt(end.news)
  return {
    stopHookReceived: endedAt !== null && !isPrompted,
    stopHookTime: isPrompted ? null : endedAt,
    idlePromptReceived: isPrompted,
    idlePromptTime: isPrompted ? endedAt : null,
    transcriptComplete: end?.by.includes('transcript') === true,
    blocked: verdict.state.kind === 'waiting',
    working: verdict.state.kind === 'working',
    confidence: Math.round(verdict.confidence * 100),
    idleConfidence: idleConfidence(session, now),
    statusText,
  }
}
