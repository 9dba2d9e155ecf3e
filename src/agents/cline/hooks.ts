/** Cline's hooks (3.0.65, stamped). None tells of a permission; a question is its own tool. */
import { z } from 'zod'
import { nothing, read, tell } from '../kit/agent.ts'
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
  const say = tell('hook', event, moment.stamp(p.timestamp), moment.seen)
  switch (event) {
    case 'TaskStart':
      return {
        signals: [
          say.working('thinking', { starts: true }),
          say.facts({ agentSession: p.sessionContext?.rootSessionId }),
        ],
        memory: { turn: 'open' },
      }
    case 'PreToolUse': {
      const asked = askReason(p.tool_call?.name) ? [say.waiting('ask:main:ask_question', 'question')] : []
      return read(
        say.working('tool', { reopens: true, allows: ['waiting'] }),
        ...asked,
        say.facts({ tool: p.tool_call?.name }),
      )
    }
    case 'PostToolUse':
      return read(say.working('thinking', { ends: ['ask:main:*'] }))
    case 'TaskComplete':
      return {
        signals: [say.finished(p.turn?.outputText), say.facts({ finalMessage: p.turn?.outputText })],
        memory: {},
      }
    case 'TaskError':
      return {
        signals: [say.idle('error'), say.facts({ error: p.error?.message })],
        memory: {},
      }
    case 'SessionShutdown':
      // It ends an interrupted turn; the program goes on.
      return { signals: [say.idle('interrupt')], memory: {} }
    default:
      return nothing
  }
})
