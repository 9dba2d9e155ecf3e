/** A tmux command, run by a client that ends with its answer. */
import { execFile } from 'node:child_process'

/** tmux refused a command (`REFUSED`), or there is nobody to ask any more (`ENDED`). */
export class AskError extends Error {
  readonly code: 'REFUSED' | 'ENDED'
  constructor(code: AskError['code'], sentence: string) {
    super(sentence)
    this.name = 'AskError'
    this.code = code
  }
}

export type TmuxAnswer =
  | { readonly isAnswered: true; readonly printed: string }
  /** `isMissing`: there is no tmux on this machine. `said`: the first line of its complaint; nothing after a timeout. */
  | { readonly isAnswered: false; readonly isMissing: boolean; readonly said: string }

/** @param input what the command reads */
export function tmuxCommand(
  socket: string,
  args: readonly string[],
  { timeout = 2000, input }: { readonly timeout?: number; readonly input?: Buffer } = {},
): Promise<TmuxAnswer> {
  const options = { timeout, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  return new Promise(resolve => {
    // `-N`: where no server runs, none is started.
    const client = execFile('tmux', ['-u', '-N', '-S', socket, ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve({ isAnswered: true, printed: stdout })
      const said = stderr.trim().split('\n')[0] ?? ''
      resolve({ isAnswered: false, isMissing: error.code === 'ENOENT', said })
    })
    client.stdin?.on('error', () => undefined)
    client.stdin?.end(input)
  })
}
