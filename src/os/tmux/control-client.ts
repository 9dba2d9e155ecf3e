/**
 * A control client of one tmux session: it hears what all of the session's panes print. It attaches, so programs that
 * asked for focus reports are told of it (tmux.ts): only `--answer-7501` uses it, by which the person asked lull to type.
 * Its size counts for nothing, so that nobody's window changes, and it is read-only.
 *
 * It never asks tmux to pause (`pause-after`): a paused pane goes on from where it is then, and bytes are lost. Without,
 * tmux holds the panes back that it can't pass on.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { alone } from './attach-gate.ts'
import { stepBlock } from './control-blocks.ts'
import { type ControlLine, readControlLine } from './control-lines.ts'
import { whyNotConnected } from './own-socket.ts'

export type ControlClient = {
  /** Resolves once tmux has taken this client, or will not: what is printed after that is heard. */
  readonly attached: Promise<void>
  /** Resolves once its process is gone. */
  close(): Promise<void>
}

/**
 * @param session its id, as tmux writes it: `$3`
 * @param told called with each line; `exit` once at the end, whatever ended it
 */
export function controlClient(
  socket: string,
  session: string,
  told: (line: ControlLine) => void,
): ControlClient {
  // `-E`: the session's environment stays as the person's own terminal made it.
  const args = [
    '-u',
    '-S',
    socket,
    '-C',
    'attach-session',
    '-E',
    '-t',
    session,
    '-f',
    'read-only,ignore-size',
  ]
  let child: ChildProcess | undefined
  let [isOver, isClosed] = [false, false]
  let open: string | undefined
  let [hasEnded, hasAttached] = [() => {}, () => {}]
  const ended = new Promise<void>(resolve => {
    hasEnded = resolve
  })
  const attached = new Promise<void>(resolve => {
    hasAttached = resolve
  })
  const over = () => {
    if (!isOver) {
      isOver = true
      if (!isClosed) told({ type: 'exit' })
    }
    hasAttached()
    hasEnded()
  }
  void alone(socket, async () => {
    if (isClosed) return
    if (whyNotConnected(socket) !== undefined) return over()
    child = spawn('tmux', args, { stdio: ['pipe', 'pipe', 'ignore'] })
    child.on('error', over)
    child.on('close', over)
    child.stdin?.on('error', () => undefined)
    child.stdout?.on('data', linesOf(take))
    child.stdout?.once('data', hasAttached)
    const patience = setTimeout(hasAttached, attachMs)
    await attached
    clearTimeout(patience)
  })

  function take(line: Buffer): void {
    const step = stepBlock(open, line)
    open = step.open
    if (!step.isNews || isClosed) return
    const read = readControlLine(line.toString('latin1'))
    if (read && read.type !== 'exit') told(read)
  }

  async function leave(): Promise<void> {
    if (!child) return over()
    // Detaching is the way out that leaves the server in peace; a client that does not take it is ended.
    child.stdin?.end('detach-client\n')
    const patience = setTimeout(() => child?.kill('SIGKILL'), 500)
    await ended
    clearTimeout(patience)
  }

  return {
    attached,
    close() {
      if (!isClosed) {
        isClosed = true
        void alone(socket, leave)
      }
      return ended
    },
  }
}

/** A tmux that does not answer holds others up for no longer: ms. */
const attachMs = 1000

const lineFeed = 0x0a

/** A reader of chunks that passes on whole lines, without their ends. */
function linesOf(take: (line: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = []
  return chunk => {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      const last = chunk.subarray(from, at)
      take(rest.length === 0 ? last : Buffer.concat([...rest, last]))
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
}
