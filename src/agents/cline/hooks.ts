/** Cline's hooks (3.0.65, stamped). None reports a permission dialog; a question is its own tool. */
import { z } from 'zod'
import { claimsOf, nothing, read, remember } from '../kit/agent.ts'
import { hookReader, id, stamp, tail, word } from '../kit/fields.ts'
import { aboutOf, askReason } from '../kit/tools.ts'

const fields = z.object({
  taskId: id.optional(),
  timestamp: stamp.optional(),
  parent_agent_id: id.nullable().optional(),
  sessionContext: z.object({ rootSessionId: id.optional() }).optional(),
  tool_call: z.object({ name: word.optional(), input: z.unknown().optional() }).optional(),
  turn: z.object({ outputText: tail.optional(), status: word.optional() }).optional(),
  error: z.object({ message: tail.optional() }).optional(),
})

export const readHook = hookReader(fields, (event, p, moment) => {
  if (p.parent_agent_id) return nothing
  const claim = claimsOf('hook', event, moment.stamp(p.timestamp), moment.seen)
  switch (event) {
    case 'TaskStart':
      return remember(
        { turn: 'open' },
        claim.working('thinking', { starts: true }),
        claim.facts({ agentSession: p.sessionContext?.rootSessionId }),
      )
    case 'PreToolUse': {
      const reason = askReason(p.tool_call?.name)
      const asked = reason ? [claim.waiting('ask:main:tool', reason)] : []
      return read(
        claim.working('tool', { reopens: true, allows: ['waiting'] }),
        ...asked,
        claim.facts({ tool: p.tool_call?.name, about: aboutOf(p.tool_call?.input) }),
      )
    }
    case 'PostToolUse':
      return read(claim.working('thinking', { ends: ['ask:main:*'] }))
    case 'TaskComplete':
      return remember(
        {},
        claim.finished(p.turn?.outputText),
        claim.facts({ finalMessage: p.turn?.outputText }),
      )
    case 'TaskError':
      return remember({}, claim.idle('error'), claim.facts({ error: p.error?.message }))
    case 'SessionShutdown':
      // It ends an interrupted turn; the program goes on.
      return remember({}, claim.idle('interrupt'))
    default:
      return nothing
  }
})
