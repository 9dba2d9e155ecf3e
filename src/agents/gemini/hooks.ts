/** Gemini CLI's hooks (0.61.0: 11 events, stamped). An interrupted turn ends like a finished one. */
import { z } from 'zod'
import type { News } from '../../core/evidence/signal.ts'
import { type Claims, claimsOf, nothing, read } from '../kit/agent.ts'
import { count, hookReader, id, stamp, tail, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, promptOf } from '../kit/tools.ts'

const fields = z.object({
  session_id: id.optional(),
  timestamp: stamp.optional(),
  cwd: text.optional(),
  reason: word.optional(),
  prompt: text.optional(),
  tool_name: word.optional(),
  tool_input: z.unknown().optional(),
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

/** A question's own tool opens its dialog; the notice of it comes later, or not at all. */
function asked(tool: string | undefined, claim: Claims): readonly News[] {
  const reason = askReason(tool)
  return reason ? [claim.waiting('ask:main:tool', reason, { reopens: true })] : []
}

export const readHook = hookReader(fields, (event, p, moment) => {
  const claim = claimsOf('hook', event, moment.stamp(p.timestamp), moment.seen)
  switch (event) {
    case 'SessionStart':
      return read(
        claim.idle(undefined, { onlyFrom: ['starting', 'unknown', 'exited'] }),
        claim.facts({ agentSession: p.session_id, cwd: p.cwd }),
      )
    case 'BeforeAgent':
      return read(claim.working('thinking', { starts: true }), claim.facts({ prompt: promptOf(p.prompt) }))
    case 'BeforeModel':
      return read(claim.working('thinking', { reopens: true, ends: ['ask:main:*'] }))
    case 'AfterModel': {
      const used = p.llm_response?.usageMetadata
      const facts = {
        model: p.llm_request?.model,
        tokensIn: used?.promptTokenCount,
        tokensOut: used?.candidatesTokenCount,
      }
      return read(claim.working('streaming'), claim.facts(facts))
    }
    case 'BeforeTool':
      return read(
        claim.working('tool', { reopens: true, allows: ['waiting'] }),
        ...asked(p.tool_name, claim),
        claim.facts({ tool: p.tool_name, about: aboutOf(p.tool_input) }),
      )
    case 'AfterTool':
      return read(claim.working('thinking', { ends: ['ask:main:*'] }))
    case 'Notification': {
      if (p.notification_type !== 'ToolPermission') return nothing
      const reason = askReason(p.details?.type) ?? 'permission'
      const question = p.details?.command ?? p.details?.title ?? p.message
      return read(
        claim.waiting('ask:main:tool', reason, { reopens: true }),
        claim.facts({ question: question }),
      )
    }
    case 'AfterAgent':
      // Pieces of it come twice: `It is done. s done.` (0.61.0, corpus/gemini/short). The chat file has the words.
      return read(claim.finished(p.prompt_response))
    case 'SessionEnd':
      if (p.reason === 'clear') return nothing
      return read(claim.exited(['ask:*']))
    default:
      return nothing
  }
})
