/** Copilot CLI's hooks (1.0.102: 13, stamped). An interrupt has no hook: only `events.jsonl` tells. */
import { z } from 'zod'
import { nothing, read, tell } from '../kit/agent.ts'
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
  const say = tell('hook', event, moment.stamp(p.timestamp), moment.seen)
  switch (event) {
    case 'sessionStart':
      return read(say.facts({ agentSession: p.sessionId, cwd: p.cwd }))
    case 'userPromptSubmitted':
      return read(say.working('thinking', { starts: true }))
    case 'preToolUse':
    case 'permissionRequest':
      // The request's hook fires before it is known whether a person must answer: the notification tells that.
      return read(
        say.working('tool', { reopens: true, allows: ['waiting'] }),
        say.facts({ tool: p.toolName }),
      )
    case 'postToolUse':
      return read(say.working('thinking', { ends: ['ask:main:*'] }))
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
        say.waiting('ask:main:notice', reason, { reopens: true }),
        say.facts({ question: p.message }),
      )
    }
    case 'errorOccurred':
      return p.recoverable ? read(say.working('retrying'), say.facts({ error: p.error?.message })) : nothing
    case 'agentStop':
      return read(say.idle('turn'))
    case 'sessionEnd':
      return read(say.exited(['ask:*']))
    default:
      return nothing
  }
})
