/** Two looks between which nothing moved. A definite state is believed once two looks tell it that are steady. */
import type { Grid } from '../../core/text/grid.ts'
import { type Probe, readingOf } from './probed.ts'

export function isSteady(before: Probe, after: Probe): boolean {
  if (before.inner || after.inner) {
    return before.inner !== undefined && after.inner !== undefined && isSteady(before.inner, after.inner)
  }
  return (
    before.tty === after.tty &&
    (before.gone === undefined) === (after.gone === undefined) &&
    before.foreground === after.foreground &&
    before.queued === after.queued &&
    before.termios?.canonical === after.termios?.canonical &&
    before.termios?.echo === after.termios?.echo &&
    readersOf(before) === readersOf(after) &&
    cursorOf(before.screen) === cursorOf(after.screen)
  )
}

/** Who reads, how, and how much it has read. */
const readersOf = ({ processes }: Probe): string =>
  processes
    .map(process => {
      const reading = readingOf(process)
      return `${process.pid} ${reading?.name} ${reading?.count} ${reading?.depth} ${process.readChars}`
    })
    .join()

const cursorOf = (screen: Grid | undefined): string =>
  `${screen?.cursor?.row} ${screen?.cursor?.column} ${screen?.rows[screen.cursor?.row ?? 0]}`
