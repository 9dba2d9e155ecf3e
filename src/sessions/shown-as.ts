/** Which session is shown in place of which: a run's in that of its agent, an agent in that of the pane that it runs in. */
import type { SessionIndex } from './session-index.ts'
import type { LiveSession } from './session-source.ts'

/** Who is shown knows more of the same process: the other is not listed beside it. */
export const isShownAs = (one: LiveSession, other: LiveSession): boolean =>
  other.stands === one.id || (one.agent === 'terminal' && livesIn(other, one))

const livesIn = (other: LiveSession, { pane, tmux, terminal }: LiveSession): boolean =>
  other.pane === pane && other.tmux === tmux && other.terminal === terminal && isLivingAgent(other)

const isLivingAgent = ({ agent, session }: LiveSession): boolean =>
  agent !== 'terminal' && session.verdict.state.kind !== 'exited'

/** @returns who is shown in its place: one that is itself shown as another hides nobody */
export function shownInPlaceOf(one: LiveSession, index: SessionIndex): LiveSession | undefined {
  const others = [...index.replacing(one.id), ...(one.agent === 'terminal' ? index.besides(one) : [])]
  return others.find(other => isShownAs(one, other) && index.replacing(other.id).length === 0)
}

/** Equal where a session hides the same others as before. */
export function hides(one: LiveSession | undefined): string {
  if (!one) return ''
  const { stands = '', pane = '', tmux = '', terminal = '' } = one
  return [stands, ...(isLivingAgent(one) ? [pane, tmux, terminal] : [])].join('\0')
}
