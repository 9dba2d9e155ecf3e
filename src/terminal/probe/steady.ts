/** Whether nothing moved between two probes, by the kernel. A definite state needs two probes that agree. */
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
    before.isOutputStopped === after.isOutputStopped &&
    before.termios?.canonical === after.termios?.canonical &&
    before.termios?.echo === after.termios?.echo &&
    readersOf(before) === readersOf(after)
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
