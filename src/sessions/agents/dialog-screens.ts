/** Looks at the panes of agents that ask, where only the screen tells that they were answered. */
import type { Session } from '../../core/session.ts'
import type { FoundAgent } from './agents-state.ts'
import { paneScreen, screenPlaceOf } from './pane-screen.ts'

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
    asking.map(async ({ id, process: { agent }, surroundings }) => {
      const place = screenPlaceOf(surroundings)
      const rows = place && (await paneScreen(place))
      return rows === undefined ? [] : { id, isShown: agent.dialog?.test(rows.join('\n')) === true }
    }),
  )
  return shown.flat()
}
