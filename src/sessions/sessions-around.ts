/** The sessions of the tmux server around a person, and the one whose pane it shows. */
import { askTmux } from '../os/tmux/ask-tmux.ts'
import { isSameSocket } from '../os/tmux/socket-path.ts'
import type { LiveSession } from './session-source.ts'

/** @param socket of that server */
export async function sessionsAround(
  sessions: readonly LiveSession[],
  socket: string,
): Promise<{ readonly near: readonly LiveSession[]; readonly here: LiveSession | undefined }> {
  const near = sessions.filter(({ tmux }) => tmux !== undefined && isSameSocket(tmux, socket))
  // Where nobody can tell, none is shown.
  const shown = await askTmux(socket, 'display-message', '-p', '#{pane_id}').catch(() => '')
  return { near, here: near.find(({ pane }) => pane === shown.trim()) }
}
