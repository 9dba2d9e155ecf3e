/** Looks at the panes of agents that ask, where only the screen tells that they were answered. */
import type { Session } from '../../core/session.ts'
import { askTmuxWithin } from '../../os/tmux/ask-tmux.ts'
import type { FoundAgent } from './agents-state.ts'

/** It is looked at again soon: ms. */
const patienceMs = 500

/** Its log tells that it asks, and its agent's log does not tell that it was refused. */
const isAsking = ({ process }: FoundAgent, session: Session | undefined): boolean => {
  const [asked] = session?.verdict.because ?? []
  const isWaiting = session?.verdict.state.kind === 'waiting'
  return process.agent.dialog !== undefined && isWaiting && asked?.source === 'transcript'
}

/** None of who does not ask, and of a pane that can't be looked at. */
export async function dialogsShown(
  agents: readonly FoundAgent[],
  sessionOf: (id: string) => Session | undefined,
): Promise<readonly { readonly id: string; readonly isShown: boolean }[]> {
  const asking = agents.filter(agent => isAsking(agent, sessionOf(agent.id)))
  const shown = await Promise.all(
    asking.map(async ({ id, process: { agent }, surroundings: { tmux, pane } }) => {
      if (tmux === undefined || pane === undefined) return []
      const look = askTmuxWithin(patienceMs, tmux, ['capture-pane', '-p', '-t', pane])
      const screen = await look.catch(() => undefined)
      return screen === undefined ? [] : { id, isShown: agent.dialog?.test(screen) === true }
    }),
  )
  return shown.flat()
}
