/** Which session is shown in place of which: a run's in that of its agent, an agent in that of the pane that it runs in. */
import type { LiveSession } from './session-source.ts'

/** Who is shown knows more of the same process: the other is not listed beside it. */
export function isShownAs(one: LiveSession, other: LiveSession | undefined): boolean {
  if (!other) return false
  if (other.stands === one.id) return true
  return (
    one.agent === 'terminal' &&
    other.agent !== 'terminal' &&
    other.pane === one.pane &&
    other.tmux === one.tmux &&
    other.terminal === one.terminal &&
    other.session.verdict.state.kind !== 'exited'
  )
}
