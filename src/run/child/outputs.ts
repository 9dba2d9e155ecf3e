/**
 * How a command's output reaches lull's own outputs. A file is handed over as it is: nothing is in between, so it stays whole
 * whatever happens to lull. For a pipe or a terminal lull passes the output on, so that it can read it as well.
 */
import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import { attempt } from '../../os/attempt.ts'
import { waitingBytes } from '../../os/native/pipe.ts'

/** Bytes; 0 for a terminal, where a person types ahead. */
export function waitingInput(): number {
  const stat = attempt(() => fstatSync(0))
  if (!stat || stat.isCharacterDevice()) return 0
  // Of a file, what lies behind its position.
  return waitingBytes(0)
}

export type Out = 1 | 2

/** piped: through a pipe of ours. inherited: the descriptor itself. merged: into the same pipe as stdout, so that their order holds. */
type Wiring = 'piped' | 'inherited' | 'merged'

export type Outputs = { readonly 1: Wiring; readonly 2: Wiring }

type Destination = { readonly id: string; readonly isRead: boolean; readonly isFile: boolean }

export function planOutputs(): Outputs {
  const [stdout, stderr] = [destinationOf(1), destinationOf(2)]
  if (stdout.isRead && stdout.id === stderr.id) return { 1: 'piped', 2: 'merged' }
  return { 1: wiringOf(stdout), 2: wiringOf(stderr) }
}

const wiringOf = ({ isRead }: Destination): Wiring => (isRead ? 'piped' : 'inherited')

function destinationOf(fd: Out): Destination {
  const stat = attempt(() => fstatSync(fd))
  if (!stat) return { id: `${fd}`, isRead: false, isFile: false }
  const isTerminal = stat.isCharacterDevice() && isatty(fd)
  return {
    id: `${stat.dev} ${stat.ino} ${stat.rdev}`,
    isRead: stat.isFIFO() || stat.isSocket() || isTerminal,
    isFile: stat.isFile(),
  }
}

/** A regular file: its growth can be followed. */
export const isFileOutput = (fd: Out): boolean => destinationOf(fd).isFile
