/** A process of a bench that takes an order at a time over IPC and replies to each. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { atExit } from '../lab/leftovers.ts'

export function startChild<Order extends object, Reply>(
  /** Beside this one, or by its path from here. */
  file: string,
  args: readonly (string | number)[],
  env: NodeJS.ProcessEnv,
) {
  // A bench that is profiled (node --cpu-prof) profiles these, too.
  const child = fork(path.join(import.meta.dirname, file), args.map(String), { env })
  atExit(() => child.kill('SIGKILL'))

  const exited = once(child, 'exit')

  async function reply(): Promise<Reply> {
    const ended = new AbortController()
    const onExit = (code: number | null) => ended.abort(new Error(`${file} ended with ${code}`))
    child.once('exit', onExit)
    try {
      const [answer] = await once(child, 'message', { signal: ended.signal })
      return answer as Reply
    } finally {
      child.off('exit', onExit)
    }
  }

  return {
    reply,
    ask(order: Order): Promise<Reply> {
      const answer = reply()
      child.send(order)
      return answer
    },
    /** It ends once nobody can give it orders any more. */
    async end(): Promise<void> {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
