/** A recording with looks at its screen, as one who follows a pane takes them: soon after output, and once it stands still. */
import type { TraceEvent } from '../src/core/trace/trace.ts'
import type { Recording } from './corpus.ts'
import { rendered } from './rendered.ts'

/** ms */
const stillAfterMs = 350
const againMs = 5000

/** The same recording, with looks among its events. */
export async function withScreens(recording: Recording): Promise<Recording> {
  const screens = await rendered(recording.events)
  const looks = screens.flatMap(({ t, grid, title }, n): TraceEvent[] => {
    const data = JSON.stringify({ rows: grid.rows, ...(title ? { title } : {}) })
    const next = (screens[n + 1]?.t ?? recording.seconds) * 1000
    const ats = [t * 1000]
    for (let again = t * 1000 + stillAfterMs; again < next; again += againMs) ats.push(again)
    return ats.map(at => ({ code: 'f', at, data, line: 0 }))
  })
  const events = [...recording.events, ...looks].sort((a, b) => a.at - b.at)
  return { ...recording, events }
}

/** A look, not a status file. */
export const isLook = ({ code, data }: TraceEvent): boolean => code === 'f' && data.startsWith('{"rows":')
