/** A recording's screens as a terminal drew them: its output through an emulator. */
import xterm from '@xterm/headless'
import type { Grid } from '../src/core/text/grid.ts'
import type { TraceEvent } from '../src/core/trace/trace.ts'
import type { Recording } from './corpus.ts'

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

export type Rendered = {
  /** s */
  readonly t: number
  readonly grid: Grid
  readonly title: string
}

/** Output that comes in pieces is one picture. s */
const together = 0.05

const size = { cols: 120, rows: 40 }

/** Each screen that differs from the one before. */
export async function rendered(events: readonly TraceEvent[]): Promise<readonly Rendered[]> {
  const terminal = new xterm.Terminal({ ...size, allowProposedApi: true, scrollback: 0 })
  let title = ''
  terminal.onTitleChange(text => {
    title = text
  })
  const found: Rendered[] = []
  let last = ''
  const look = (t: number): void => {
    const grid = gridOf(terminal)
    const key = JSON.stringify([grid.rows, grid.cursor, title])
    if (key !== last) found.push({ t, grid, title })
    last = key
  }
  let due: number | undefined
  for (const { code, data, at } of events) {
    if (code !== 'o' || typeof data !== 'string') continue
    const t = at / 1000
    if (due !== undefined && t >= due) {
      look(due)
      due = undefined
    }
    await new Promise<void>(resolve => terminal.write(data, resolve))
    due ??= t + together
  }
  if (due !== undefined) look(due)
  terminal.dispose()
  return found
}

function gridOf({ buffer: { active } }: InstanceType<typeof xterm.Terminal>): Grid {
  const rows = Array.from(
    { length: size.rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
  )
  return {
    rows,
    columns: size.cols,
    cursor: { row: active.cursorY, column: active.cursorX },
    alternate: active.type === 'alternate',
  }
}
