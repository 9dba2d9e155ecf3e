/** Gemini CLI's hooks (0.61.0: 11 events, stamped). An interrupted turn ends like a finished one. */
import { z } from 'zod'
import { nothing, read, tell } from '../kit/agent.ts'
import { count, id, stamp, tail, text, word } from '../kit/fields.ts'
import { askReason } from '../kit/questions.ts'
import { hookReader } from '../kit/readers.ts'

const fields = z.object({
  session_id: id.optional(),
  timestamp: stamp.optional(),
  cwd: text.optional(),
  reason: word.optional(),
  tool_name: word.optional(),
  notification_type: word.optional(),
  message: text.optional(),
  prompt_response: tail.optional(),
  details: z.object({ type: word.optional(), command: text.optional(), title: text.optional() }).optional(),
  llm_request: z.object({ model: word.optional() }).optional(),
  llm_response: z
    .object({
      usageMetadata: z
        .object({ promptTokenCount: count.optional(), candidatesTokenCount: count.optional() })
        .optional(),
    })
    .optional(),
})

export const readHook = hookReader(fields, (event, p, moment) => {
  const say = tell('hook', event, moment.stamp(p.timestamp), moment.seen)
  switch (event) {
    case 'SessionStart':
      return read(
        say.idle(undefined, { onlyFrom: ['starting', 'unknown', 'exited'] }),
        say.facts({ agentSession: p.session_id, cwd: p.cwd }),
      )
    case 'BeforeAgent':
      return read(say.working('thinking', { starts: true }))
    case 'BeforeModel':
      return read(say.working('thinking', { reopens: true, ends: ['ask:main:*'] }))
    case 'AfterModel': {
      const used = p.llm_response?.usageMetadata
      const told = {
        model: p.llm_request?.model,
        tokensIn: used?.promptTokenCount,
        tokensOut: used?.candidatesTokenCount,
      }
      return read(say.working('streaming'), say.facts(told))
    }
    case 'BeforeTool':
      return read(
        say.working('tool', { reopens: true, allows: ['waiting'] }),
        say.facts({ tool: p.tool_name }),
      )
    case 'AfterTool':
      return read(say.working('thinking', { ends: ['ask:main:*'] }))
    case 'Notification': {
      if (p.notification_type !== 'ToolPermission') return nothing
      const reason = askReason(p.details?.type) ?? 'permission'
      const question = p.details?.command ?? p.details?.title ?? p.message
      return read(say.waiting('ask:main:tool', reason, { reopens: true }), say.facts({ question: question }))
    }
    case 'AfterAgent':
      return read(say.finished(p.prompt_response), say.facts({ finalMessage: p.prompt_response }))
    case 'SessionEnd':
      if (p.reason === 'clear') return nothing
      return read(say.exited(['ask:*']))
    default:
      return nothing
  }
})
