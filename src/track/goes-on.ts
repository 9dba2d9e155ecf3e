/**
 * That an agent goes on which has reported its end: its process runs. It has begun another conversation, where it does not say so
 * itself (Copilot CLI 1.0.102 after `/clear`). Pure.
 */
import type { Signal } from '../core/evidence/signal.ts'
import type { Session } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'

/** A program that ends takes some time: Gemini CLI 0.61.0 and Copilot CLI 1.0.102 up to 2.4 s on a busy machine. ms */
const endingMs = 4000

/** A sample of its process as a trace holds it; none where it has not reported its end, or has just done so. */
export function goesOn(pid: number, { lanes }: Session, now: Instant): string | undefined {
  const news = lanes.main?.news
  const isDue = news?.state.kind === 'exited' && now >= news.seen + endingMs
  return isDue ? JSON.stringify({ procs: [{ pid }], goesOn: true }) : undefined
}

export function readGoesOn(data: string, at: Instant): readonly Signal[] {
  const row = parseJson(data)
  if (!isRecord(row) || row.goesOn !== true) return []
  const claim = { state: { kind: 'starting' }, onlyFrom: ['exited'] } as const
  return [
    { type: 'news', source: 'process', what: 'its process goes on', lane: 'main', ...claim, at, seen: at },
  ]
}
