/** Cline's hooks (3.0.65, stamped). None reports a permission dialog; a question is its own tool. */
import { z } from 'zod'
import { claimsOf, nothing, read } from '../kit/agent.ts'
import { id, stamp, tail, word } from '../kit/fields.ts'
import { askReason } from '../kit/questions.ts'
import { hookReader } from '../kit/readers.ts'

const fields = z.object({
  taskId: id.optional(),
  timestamp: stamp.optional(),
  parent_agent_id: id.nullable().optional(),
  sessionContext: z.object({ rootSessionId: id.optional() }).optional(),
  tool_call: z.object({ name: word.optional() }).optional(),
  turn: z.object({ outputText: tail.optional(), status: word.optional() }).optional(),
  error: z.object({ message: tail.optional() }).optional(),
})

export const readHook = hookReader(fields, (event, p, moment) => {
  if (p.parent_agent_id) return nothing
  const claim = claimsOf('hook', event, moment.stamp(p.timestamp), moment.seen)
  switch (event) {
    case 'TaskStart':
      return {
        signals: [
          claim.working('thinking', { starts: true }),
          claim.facts({ agentSession: p.sessionContext?.rootSessionId }),
        ],
        memory: { turn: 'open' },
      }
    case 'PreToolUse': {
      const asked = askReason(p.tool_call?.name) ? [claim.waiting('ask:main:ask_question', 'question')] : []
      return read(
        claim.working('tool', { reopens: true, allows: ['waiting'] }),
        ...asked,
        claim.facts({ tool: p.tool_call?.name }),
      )
    }
    case 'PostToolUse':
      return read(claim.working('thinking', { ends: ['ask:main:*'] }))
    case 'TaskComplete':
      return {
        signals: [claim.finished(p.turn?.outputText), claim.facts({ finalMessage: p.turn?.outputText })],
        memory: {},
      }
    case 'TaskError':
      return {
        signals: [claim.idle('error'), claim.facts({ error: p.error?.message })],
        memory: {},
      }
    case 'SessionShutdown':
      // It ends an interrupted turn; the program goes on.
      return { signals: [claim.idle('interrupt')], memory: {} }
    default:
      return nothing
  }
})
