/** Copilot CLI's hooks (1.0.102: 13, stamped). An interrupt has no hook: only `events.jsonl` shows it. */
import { z } from 'zod'
import { claimsOf, nothing, read } from '../kit/agent.ts'
import { id, stamp, text, word } from '../kit/fields.ts'
import { hookReader } from '../kit/readers.ts'

const fields = z.object({
  sessionId: id.optional(),
  timestamp: stamp.optional(),
  cwd: text.optional(),
  toolName: word.optional(),
  notification_type: word.optional(),
  message: text.optional(),
  recoverable: z.boolean().optional(),
  error: z.object({ message: text.optional() }).optional(),
})

export const readHook = hookReader(fields, (event, p, moment) => {
  const claim = claimsOf('hook', event, moment.stamp(p.timestamp), moment.seen)
  switch (event) {
    case 'sessionStart':
      return read(claim.facts({ agentSession: p.sessionId, cwd: p.cwd }))
    case 'userPromptSubmitted':
      return read(claim.working('thinking', { starts: true }))
    case 'preToolUse':
    case 'permissionRequest':
      // The request's hook fires before it is known whether a person must answer: the notification tells that.
      return read(
        claim.working('tool', { reopens: true, allows: ['waiting'] }),
        claim.facts({ tool: p.toolName }),
      )
    case 'postToolUse':
      return read(claim.working('thinking', { ends: ['ask:main:*'] }))
    case 'Notification':
    case 'notification': {
      const reason =
        p.notification_type === 'permission_prompt'
          ? 'permission'
          : p.notification_type === 'elicitation_dialog'
            ? 'question'
            : undefined
      if (!reason) return nothing
      return read(
        claim.waiting('ask:main:notice', reason, { reopens: true }),
        claim.facts({ question: p.message }),
      )
    }
    case 'errorOccurred':
      return p.recoverable
        ? read(claim.working('retrying'), claim.facts({ error: p.error?.message }))
        : nothing
    case 'agentStop':
      return read(claim.idle('turn'))
    case 'sessionEnd':
      return read(claim.exited(['ask:*']))
    default:
      return nothing
  }
})
