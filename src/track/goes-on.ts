/** An agent goes on after an end that it reported: its process still runs. It has begun another conversation. Pure. */
import type { Signal } from '../core/evidence/signal.ts'
import { mayGoOn } from '../core/judge/either-late.ts'
import type { Session } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'

/** How long an observed start may last without any report. Without hooks its end is never reported. ms */
export const startingMs = 30_000

/** A program that ends takes some time: Copilot CLI 1.0.102 up to 2.4 s on a busy machine. ms */
const endingMs = 4000

/** A sample of its process as a trace holds it; none where it has not reported its end, or has just done so. */
export function goesOn(pid: number, { lanes }: Session, now: Instant): string | undefined {
  const news = lanes.main?.news
  return news && mayGoOn(news) && now >= news.seen + endingMs
    ? JSON.stringify({ procs: [{ pid }], goesOn: true })
    : undefined
}

export function readGoesOn(data: string, at: Instant): readonly Signal[] {
  const row = parseJson(data)
  if (!isRecord(row) || row.goesOn !== true) return []
  const claim = { state: { kind: 'starting' }, onlyFrom: ['exited'], hold: startingMs } as const
  return [
    { type: 'news', source: 'process', what: 'its process goes on', lane: 'main', ...claim, at, seen: at },
  ]
}
