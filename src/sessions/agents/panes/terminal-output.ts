/** Hears what an agent writes to its terminal: one of lull's own, or a pane of tmux where that is asked for. */
import type { Surroundings } from '../../discover/surroundings.ts'
import { listenToOwned } from './owned-output.ts'
import { listenToAgent } from './status-panes.ts'

/**
 * @param answers7501 in each tmux server, or in the one with this socket alone
 * @returns the way to stop; undefined where nothing is heard
 */
export function listenToTerminal(
  pid: number,
  { tmux, pane, terminal }: Surroundings,
  answers7501: boolean | string,
  onText: (data: string) => void,
): (() => Promise<void>) | undefined {
  if (terminal !== undefined) return listenToOwned(terminal, pid, onText)
  const isAsked = answers7501 === true || answers7501 === tmux
  return tmux === undefined || pane === undefined || !isAsked ? undefined : listenToAgent(tmux, pane, onText)
}
