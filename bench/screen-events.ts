/** A recording with looks at its screen, as one who follows a pane takes them: soon after output, and once it stands still. */
import type { TraceEvent } from '../src/core/trace/trace.ts'
import type { Recording } from './corpus.ts'
import { rendered } from './rendered.ts'

/** ms */
const stillAfterMs = 350

/** The same recording, with looks among its events. */
export async function withScreens(recording: Recording): Promise<Recording> {
  const screens = await rendered(recording.events)
  const looks = screens.flatMap(({ t, grid, title }, n): TraceEvent[] => {
    const data = JSON.stringify({ rows: grid.rows, ...(title ? { title } : {}) })
    const again = t * 1000 + stillAfterMs
    const next = (screens[n + 1]?.t ?? Infinity) * 1000
    const ats = again < next ? [t * 1000, again] : [t * 1000]
    return ats.map(at => ({ code: 'f', at, data, line: 0 }))
  })
  const events = [...recording.events, ...looks].sort((a, b) => a.at - b.at)
  return { ...recording, events }
}

/** A look, not a status file. */
export const isLook = ({ code, data }: TraceEvent): boolean => code === 'f' && data.startsWith('{"rows":')
