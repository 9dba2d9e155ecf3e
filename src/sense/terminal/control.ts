/**
 * A control client of one tmux session: it reads what the session's panes print. It is read-only, and its size counts
 * for nothing, so that nobody's window changes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import readline from 'node:readline'
import { type ControlLine, readControlLine } from './control-lines.ts'

export type ControlClient = { close(): void }

/**
 * @param session its id, as tmux writes it: `$3`
 * @param told called with each line; `exit` once at the end, whatever ended it
 */
export function controlClient(
  socket: string,
  session: string,
  told: (line: ControlLine) => void,
): ControlClient {
  const args = ['-S', socket, '-C', 'attach-session', '-t', session, '-f', 'read-only,ignore-size']
  const child: ChildProcess = spawn('tmux', args, { stdio: ['pipe', 'pipe', 'ignore'] })
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    told({ type: 'exit' })
  }
  child.on('error', end)
  child.on('close', end)
  child.stdin?.on('error', () => undefined)
  if (child.stdout) {
    child.stdout.setEncoding('latin1')
    readline.createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', line => {
      const read = readControlLine(line)
      if (read && read.type !== 'exit') told(read)
    })
  }
  return {
    close() {
      isOver = true
      // Detaching is the way out that leaves the server in peace; a client that does not take it is ended.
      child.stdin?.end('detach-client\n')
      setTimeout(() => child.kill('SIGKILL'), 500).unref()
    },
  }
}
