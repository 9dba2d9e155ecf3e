/** Writes traces: what `readHeader` and `readEvent` read. */
import type { TraceEvent, TraceHeader } from './trace.ts'
import { traceVersion } from './trace.ts'

/** The first line. Players want whole seconds; what lies below is found again from the stamps of what was recorded. */
export function writeHeader({ startedAt, ...lull }: TraceHeader): string {
  const timestamp = startedAt === undefined ? {} : { timestamp: Math.floor(startedAt / 1000) }
  return JSON.stringify({
    version: 2,
    width: 80,
    height: 24,
    ...timestamp,
    lull: { trace: traceVersion, ...lull },
  })
}

export const writeEvent = ({ at, code, data }: Pick<TraceEvent, 'at' | 'code' | 'data'>): string =>
  JSON.stringify([Math.round(at) / 1000, code, data])
