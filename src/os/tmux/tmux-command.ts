/** A tmux command, run by a client that ends with its answer. */
import { execFile } from 'node:child_process'
import { unclaimed, whyOthers } from '../file/own-path.ts'
import { whyNotConnected } from './own-socket.ts'

export type TmuxAnswer =
  | { readonly isAnswered: true; readonly printed: string }
  /** `complaint`: the first line of what it says; nothing after a timeout. */
  | {
      readonly isAnswered: false
      readonly because: 'missing' | 'foreign' | 'failed'
      readonly complaint: string
    }

/**
 * Asked only of a server of this user's (`foreign`: the sentence says why it is not); `missing`: there is no tmux here.
 * @param input what the command reads
 */
export function tmuxCommand(
  socket: string,
  args: readonly string[],
  { timeout = 2000, input }: { readonly timeout?: number; readonly input?: Buffer } = {},
): Promise<TmuxAnswer> {
  // Between this look and the question anybody could start a server there: only whether tmux is here is asked.
  if (whyOthers(socket) === unclaimed) return withoutServer(socket)
  const foreign = whyNotConnected(socket)
  if (foreign !== undefined)
    return Promise.resolve({ isAnswered: false, because: 'foreign', complaint: foreign })
  return answerOf(['-u', '-N', '-S', socket, ...args], { timeout, ...(input ? { input } : {}) })
}

/** The answer of a machine on which nothing stands where the socket should be. */
async function withoutServer(socket: string): Promise<TmuxAnswer> {
  const answer = await answerOf(['-V'], { timeout: 2000 })
  if (!answer.isAnswered) return answer
  return { isAnswered: false, because: 'failed', complaint: `no server running on ${socket}` }
}

function answerOf(
  args: readonly string[],
  { timeout, input }: { readonly timeout: number; readonly input?: Buffer },
): Promise<TmuxAnswer> {
  const options = { timeout, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  return new Promise(resolve => {
    const client = execFile('tmux', args, options, (error, stdout, stderr) => {
      if (!error) return resolve({ isAnswered: true, printed: stdout })
      const complaint = stderr.trim().split('\n')[0] ?? ''
      resolve({ isAnswered: false, because: error.code === 'ENOENT' ? 'missing' : 'failed', complaint })
    })
    client.stdin?.on('error', () => undefined)
    client.stdin?.end(input)
  })
}
