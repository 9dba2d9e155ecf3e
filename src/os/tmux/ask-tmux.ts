/** Questions to a tmux server, each a short command of its own. */
import { execFile } from 'node:child_process'

/** Resolves with what tmux prints; rejects where it refuses, is not there, or does not answer in 2 s. */
export function askTmux(socket: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'tmux',
      ['-S', socket, ...args],
      { timeout: 2000, encoding: 'utf8' },
      (error, stdout, stderr) => {
        if (error) reject(new Error(stderr.trim().split('\n')[0] || error.message))
        else resolve(stdout)
      },
    )
  })
}

/** The ids of a server's sessions; none where no server runs. */
export async function tmuxSessions(socket: string): Promise<string[]> {
  const printed = await askTmux(socket, 'list-sessions', '-F', '#{session_id}').catch(() => '')
  return printed.split('\n').filter(id => /^\$\d+$/.test(id))
}

/** Types raw bytes into a pane. */
export async function sendBytes(socket: string, pane: string, bytes: string): Promise<void> {
  const hex = [...Buffer.from(bytes, 'latin1')].map(byte => byte.toString(16).padStart(2, '0'))
  await askTmux(socket, 'send-keys', '-t', pane, '-H', ...hex)
}
