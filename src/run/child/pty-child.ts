/**
 * The command in a terminal of its own: what it prints comes out on lull's stdout, keys go in where lull has a terminal
 * itself; that one's settings are restored whatever happens. The size follows.
 */
import type { ReadStream, WriteStream } from 'node:tty'
import type { IPty } from '@lydell/node-pty'
import { attempt } from '../../os/attempt.ts'
import { writeAll } from '../../os/file/write-all.ts'
import { signalName } from '../../os/proc/stat.ts'
import { checkCommand } from '../../os/spawn/command-errors.ts'
import { handingOver } from '../../os/spawn/inherited-files.ts'
import { type ProcessEnd, signalGroup } from '../../os/spawn/process-group.ts'
import { printRaw, type TerminalSize } from '../../os/tty/tty.ts'
import type { Child } from './piped-child.ts'

export type PtyOptions = {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Descriptors besides its terminal that become the command's. */
  readonly inherited: readonly number[]
  /** Keys that are typed at lull's terminal are the command's. */
  readonly takesKeys: boolean
  readonly onOutput: (piece: Buffer) => void
  /** Keys, before they are passed on. */
  readonly onKeys: (piece: Buffer) => void
  /** The size of its terminal: at its start, and whenever it changes. */
  readonly onSize: (size: TerminalSize) => void
}

/** @throws {LullError} NOT_FOUND, NOT_EXECUTABLE where it can't be started */
export async function startInTerminal(options: PtyOptions): Promise<Child> {
  const { words, cwd, env, inherited, takesKeys, onOutput, onKeys, onSize } = options
  const [file = '', ...args] = words
  checkCommand(file, cwd, env.PATH)
  const { spawn } = await import('@lydell/node-pty')
  const { columns, rows } = sizeOfOurs()
  onSize({ columns, rows })
  const pty = handingOver(inherited, () =>
    spawn(file, args, {
      cwd,
      env: { ...env },
      cols: columns,
      rows,
      name: env.TERM ?? 'xterm-256color',
      // Bytes as they are: a character may be torn between two pieces.
      encoding: null,
    }),
  )
  const written = passOn(pty, onOutput)
  const release = takesKeys ? passKeys(pty, onKeys) : () => undefined
  const resize = () => {
    const size = sizeOfOurs()
    onSize(size)
    attempt(() => pty.resize(size.columns, size.rows))
  }
  process.on('SIGWINCH', resize)
  const ended = new Promise<ProcessEnd>(resolve =>
    pty.onExit(({ exitCode, signal }) => {
      process.off('SIGWINCH', resize)
      release()
      void written().then(() => resolve(endOf(exitCode, signal)))
    }),
  )
  return { pid: pty.pid, ended, kill: signal => signalGroup(pty.pid, signal) }
}

/** A real-time signal has no name by which lull could end as the command did: its exit code is a shell's. */
function endOf(exitCode: number, signal = 0): ProcessEnd {
  const name = signalName(String(signal))
  if (signal === 0) return { code: exitCode }
  return name.startsWith('SIG') ? { signal: name as NodeJS.Signals } : { code: 128 + signal }
}

/** @returns waits until all that came has been written */
function passOn(pty: IPty, onOutput: (piece: Buffer) => void): () => Promise<void> {
  let last = Promise.resolve()
  let waiting = 0
  pty.onData(data => {
    const piece = data as unknown as Buffer
    onOutput(piece)
    if (waiting++ === 0) pty.pause()
    last = last
      .then(() => put(piece))
      .then(() => {
        if (--waiting === 0) pty.resume()
      })
  })
  return () => last
}

/** Where nobody reads any more, the output is dropped; the command gets a hangup when lull ends. */
const put = (piece: Buffer): Promise<void> => new Promise(resolve => writeAll(1, piece, () => resolve()))

/** @returns puts our terminal back */
function passKeys(pty: IPty, onKeys: PtyOptions['onKeys']): () => void {
  const { stdin } = process
  const release = () => {
    attempt(() => stdin.setRawMode(false))
    stdin.pause()
    process.off('exit', release)
  }
  stdin.setRawMode(true)
  printRaw(0)
  process.on('exit', release)
  // Bytes as they are; its types know of text alone.
  stdin.on('data', (keys: Buffer) => {
    onKeys(keys)
    pty.write(keys as unknown as string)
  })
  stdin.on('error', () => undefined)
  return release
}

/** Of the first of our streams that is a terminal. */
function sizeOfOurs(): TerminalSize {
  const streams: readonly (WriteStream | ReadStream)[] = [process.stdout, process.stderr]
  for (const stream of streams) {
    if ('columns' in stream && stream.isTTY && stream.columns > 0 && stream.rows > 0) {
      return { columns: stream.columns, rows: stream.rows }
    }
  }
  return { columns: 80, rows: 24 }
}
