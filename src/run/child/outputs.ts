/**
 * How a command's output comes to where lull's own goes. A file is handed over as it is: nothing stands between, so it
 * stays whole whatever becomes of lull. What somebody reads (a pipe, a terminal) is passed on, so that it can be heard.
 */
import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import { attempt } from '../../os/attempt.ts'

export type Out = 1 | 2

/** passed: through a pipe. handed: the descriptor itself. along: into the same pipe as stdout, so that their order holds. */
type Way = 'passed' | 'handed' | 'along'

export type Outputs = { readonly 1: Way; readonly 2: Way }

type Sink = { readonly id: string; readonly isRead: boolean; readonly isFile: boolean }

export function planOutputs(): Outputs {
  const [stdout, stderr] = [sinkOf(1), sinkOf(2)]
  if (stdout.isRead && stdout.id === stderr.id) return { 1: 'passed', 2: 'along' }
  return { 1: wayOf(stdout), 2: wayOf(stderr) }
}

const wayOf = ({ isRead }: Sink): Way => (isRead ? 'passed' : 'handed')

function sinkOf(fd: Out): Sink {
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
export const isFileOutput = (fd: Out): boolean => sinkOf(fd).isFile
