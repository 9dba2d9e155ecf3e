/** A tmux command, done by a client that ends with its answer and attaches to nothing. */
import { exhaustionOf } from '../../core/system-refusal.ts'
import { codeOf } from '../error-code.ts'
import { isUnclaimed, whyNotConnected } from './socket-path.ts'
import { askServer } from './tmux-client.ts'

export type TmuxAnswer =
  | { readonly isAnswered: true; readonly printed: string }
  | { readonly isAnswered: false; readonly because: Unanswered; readonly complaint: string }

/**
 * `missing`: there is no tmux here. `foreign`: the server is not this user's; the complaint is the reason. `unreachable`: nobody
 * listens there. `lost`: it ended while it was asked. `silent`: it took too long, whatever it still does. `refused`: the
 * complaint is tmux's first line. `exhausted`: this process may not open another connection.
 */
type Unanswered = 'missing' | 'foreign' | 'unreachable' | 'lost' | 'silent' | 'refused' | 'exhausted'

type How = { readonly timeout?: number; readonly input?: Buffer }

/**
 * Asked only of a server of this user's.
 * @param input what the command reads
 */
export async function tmuxCommand(
  socket: string,
  args: readonly string[],
  { timeout = 2000, input }: How = {},
): Promise<TmuxAnswer> {
  const foreign = whyNotConnected(socket)
  // Anybody could start a server there until it is asked: only whether tmux is here is asked.
  if (foreign !== undefined) return isUnclaimed(socket) ? withoutServer(socket) : failed('foreign', foreign)
  const how = { timeout, ...(input ? { input } : {}) }
  const answer = await askServer(socket, args, how)
  switch (answer.type) {
    case 'answered':
      return answer.isDone
        ? { isAnswered: true, printed: answer.printed }
        : failed('refused', firstLine(answer.complaint))
    case 'silent':
      return failed('silent', silence)
    case 'lost':
      return failed('lost', lost)
    case 'unreachable':
      return nobodyListens.has(answer.code)
        ? withoutServer(socket)
        : (noRoom(socket, answer.code) ??
            failed('unreachable', `error connecting to ${socket} (${answer.code})`))
    case 'otherProtocol':
      return byProgram(['-u', '-N', '-S', socket, ...args], how)
  }
}

const silence = 'tmux does not answer'
/** tmux's words. */
const lost = 'server exited unexpectedly'
const unreachable = /no server running|error connecting/

const nobodyListens: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED'])

const failed = (because: Unanswered, complaint: string): TmuxAnswer => ({
  isAnswered: false,
  because,
  complaint,
})

function noRoom(what: string, code: string | undefined): TmuxAnswer | undefined {
  const exhaustion = exhaustionOf(code)
  return exhaustion === undefined ? undefined : failed('exhausted', `${what} can't be asked: ${exhaustion}`)
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''

/** The answer of a machine on which nobody listens there. */
async function withoutServer(socket: string): Promise<TmuxAnswer> {
  const version = await byProgram(['-V'], { timeout: 2000 })
  return version.isAnswered ? failed('unreachable', `no server running on ${socket}`) : version
}

/** As the tmux of this machine does it. */
function byProgram(args: readonly string[], { timeout, input }: How): Promise<TmuxAnswer> {
  const options = { timeout, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  return new Promise(resolve => {
    const client = process
      .getBuiltinModule('node:child_process')
      .execFile('tmux', args, options, (error, stdout, stderr) => {
        if (!error) return resolve({ isAnswered: true, printed: stdout })
        if (error.code === 'ENOENT') return resolve(failed('missing', 'tmux is not installed'))
        if (error.killed) return resolve(failed('silent', silence))
        const refused = noRoom('the program tmux', codeOf(error))
        if (refused) return resolve(refused)
        const complaint = firstLine(stderr)
        if (complaint === lost) return resolve(failed('lost', lost))
        resolve(failed(unreachable.test(complaint) ? 'unreachable' : 'refused', complaint))
      })
    client.stdin?.on('error', () => undefined)
    client.stdin?.end(input)
  })
}
