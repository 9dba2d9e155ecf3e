/** A recording's screens as a terminal drew them: its output through an emulator. */
import xterm from '@xterm/headless'
import type { Grid } from '../src/core/text/grid.ts'
import type { TraceEvent } from '../src/core/trace/trace.ts'

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
