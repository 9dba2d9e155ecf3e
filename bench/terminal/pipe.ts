/** A control client of the bench's own, with which the rivals read the screen; it shares no code with lull. */
import { spawn } from 'node:child_process'
import readline from 'node:readline'

export type Pipe = {
  /** What a tmux command prints; rejects where tmux refuses it or has ended. */
  ask(command: string): Promise<string>
  close(): void
}

export function openPipe(socket: string, session: string): Promise<Pipe> {
  const child = spawn(
    'tmux',
    ['-S', socket, '-C', 'attach-session', '-t', session, '-f', 'read-only,ignore-size'],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  )
  const asked: { readonly resolve: (text: string) => void; readonly reject: (error: Error) => void }[] = []
  let block: string[] | undefined
  let isOver = false
  return new Promise((ready, failed) => {
    // The first block answers the attach itself.
    asked.push({ resolve: () => ready(pipe), reject: failed })
    const pipe: Pipe = {
      ask: command =>
        new Promise((resolve, reject) => {
          if (isOver) return reject(new Error('tmux has ended'))
          asked.push({ resolve, reject })
          child.stdin.write(`${command}\n`)
        }),
      close() {
        child.stdin.end('detach-client\n')
        setTimeout(() => child.kill('SIGKILL'), 500).unref()
      },
    }
    child.stdin.on('error', () => undefined)
    child.on('error', failed)
    child.on('close', () => {
      isOver = true
      for (const one of asked.splice(0)) one.reject(new Error('tmux has ended'))
    })
    readline.createInterface({ input: child.stdout }).on('line', line => {
      if (block === undefined) {
        if (line.startsWith('%begin ')) block = []
        return
      }
      if (!/^%(end|error) \d+ \d+ \d+$/.test(line)) {
        block.push(line)
        return
      }
      const one = asked.shift()
      const text = block.join('\n')
      block = undefined
      if (line.startsWith('%end')) one?.resolve(text)
      else one?.reject(new Error(text))
    })
  })
}
