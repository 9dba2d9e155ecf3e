/** What Claude's notification types mean. The types come from the program; texts are for people only. */
import type { News } from '../../core/evidence/signal.ts'
import type { Claims } from '../kit/agent.ts'

export function noticeNews(
  type: string | undefined,
  claim: Claims,
  turn: { turn?: string },
): News | undefined {
  switch (type) {
    case 'permission_prompt':
    case 'worker_permission_prompt':
      return claim.waiting('ask:main:notice', 'permission', turn)
    case 'elicitation_dialog':
    case 'elicitation_url_dialog':
      return claim.waiting('ask:main:elicitation', 'question', turn)
    case 'agent_needs_input':
      return claim.waiting('ask:main:notice', 'question', turn)
    case 'elicitation_complete':
    case 'elicitation_response':
      return claim.ended(['ask:main:elicitation'])
    case 'idle_prompt':
      // It comes a minute after the end: whatever else there was to tell of that has been told.
      return claim.idle('turn', turn)
    default:
      return undefined
  }
}
