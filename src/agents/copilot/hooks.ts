/** Copilot CLI's hooks (1.0.102: 13, stamped). An interrupt has no hook: only `events.jsonl` shows it. */
import { z } from 'zod'
import type { News } from '../../core/evidence/signal.ts'
import { type Claims, claimsOf, type Memory, nothing, type Reading, read, remember } from '../kit/agent.ts'
import { hookReader, id, stamp, tail, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, commandOf, promptOf } from '../kit/tools.ts'
import { conversationEnd } from './events.ts'
import { begunShell, endedShell, endShell } from './shells.ts'

const fields = z.object({
  sessionId: id.optional(),
  timestamp: stamp.optional(),
  cwd: text.optional(),
  toolName: word.optional(),
  toolArgs: z.unknown().optional(),
  toolInput: z.unknown().optional(),
  toolResult: z.object({ textResultForLlm: tail.optional() }).optional().catch(undefined),
  prompt: text.optional(),
  notification_type: word.optional(),
  message: text.optional(),
  recoverable: z.boolean().optional(),
  error: z.object({ message: text.optional() }).optional(),
})

type Fields = z.infer<typeof fields>

const forget = ({ pending: _, count: __, ...rest }: Memory): Memory => rest

/** Memory: `pending` is the tool that asks, `count` are the calls that have not ended. */
function readCall({ toolName: tool, toolArgs }: Fields, claim: Claims, before: Memory): Reading {
  const memory = { ...before, count: (before.count ?? 0) + 1 }
  const reason = askReason(tool)
  const working = claim.working('tool', { reopens: true, allows: ['waiting'] })
  const facts = claim.facts({ tool, about: aboutOf(toolArgs) })
  if (!reason || tool === undefined) return remember(memory, working, facts)
  const asked = claim.waiting(`ask:main:${tool}`, reason, { reopens: true })
  return remember({ ...memory, pending: tool }, working, asked, facts)
}

export const readHook = hookReader(fields, (event, p, moment, memory) => {
  const claim = claimsOf('hook', event, moment.stamp(p.timestamp), moment.seen)
  switch (event) {
    case 'sessionStart':
      return read(claim.facts({ agentSession: p.sessionId, cwd: p.cwd }))
    case 'userPromptSubmitted': {
      const starts = claim.working('thinking', { starts: true })
      const shell = endedShell(p.prompt)
      if (shell === undefined)
        return remember(forget(memory), starts, claim.facts({ prompt: promptOf(p.prompt) }))
      const beside = endShell(forget(memory), claim, shell, 'prompt')
      return { ...beside, signals: [...beside.signals, starts] }
    }
    case 'preToolUse':
      return readCall(p, claim, memory)
    case 'permissionRequest':
      // The request's hook fires before Copilot knows whether a person must answer. The notification reports that.
      return read(
        claim.working('tool', { reopens: true, allows: ['waiting'] }),
        claim.facts({ tool: p.toolName, about: aboutOf(p.toolInput) }),
      )
    case 'postToolUse': {
      const { pending, ...rest } = memory
      const isAsked = pending !== undefined && pending !== p.toolName
      const left = Math.max(0, (memory.count ?? 1) - 1)
      const next = { ...(isAsked ? memory : rest), count: left }
      // Calls run side by side: another's end answers no dialog.
      const answered: News['ends'] = pending === p.toolName ? [`ask:main:${pending}`] : []
      const working = claim.working('thinking', { ends: left > 0 ? answered : ['ask:main:*'] })
      const beside = begunShell(next, claim, p.toolResult?.textResultForLlm, commandOf(p.toolArgs))
      return { ...beside, signals: [working, ...beside.signals] }
    }
    case 'Notification':
    case 'notification': {
      const shell = p.notification_type === 'shell_completed' ? endedShell(p.message) : undefined
      if (shell !== undefined) return endShell(memory, claim, shell, 'notice')
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
      return remember(forget(memory), claim.idle('turn'))
    case 'sessionEnd':
      return read(claim.news('main', { kind: 'exited' }, conversationEnd))
    default:
      return nothing
  }
})
