import { colouredLines, own, print } from '../ui/print.ts'
/** Where a demo draws its tables: a terminal is drawn over; anything else gets one table a second. */

export type DemoScreen = ReturnType<typeof createScreen>

export function createScreen() {
  const { stdout } = process
  const isLive = stdout.isTTY === true
  let drawn = 0
  return {
    isLive,
    isColoured: isLive && !process.env.NO_COLOR,
    get width(): number {
      return stdout.columns || 120
    },
    /** Plain lines are cut to the width: one that wraps would be drawn over in part only. */
    draw(all: readonly string[]): void {
      const width = stdout.columns || 120
      // What does not fit would scroll away under the next frame.
      const fits = isLive && stdout.rows ? all.slice(0, stdout.rows - 1) : all
      const lines = fits.map(line => (line.includes('\u001b') ? line : line.slice(0, width - 1)))
      if (isLive) print(own(drawn > 0 ? `\u001b[${drawn}A\u001b[J` : ''), colouredLines(...lines))
      else print(colouredLines(...lines, ''))
      drawn = lines.length
    },
  }
}
