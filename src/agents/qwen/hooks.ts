/**
 * Qwen Code's hooks (0.24.4): Claude's names, other habits. Stamped; most carry the prompt's id.
 * docs/research/agents.md#trap-4
 */
import { z } from 'zod'
import { claimsOf, compacting, compactLane, inTurn, nothing, read, remember } from '../kit/agent.ts'
import { backgroundFields, readBeside } from '../kit/beside-turn.ts'
import { count, hookReader, id, stamp, tail, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, commandOf, promptOf } from '../kit/tools.ts'

const fields = z.object({
  session_id: id.optional(),
  prompt_id: id.optional(),
  timestamp: stamp.optional(),
  cwd: text.optional(),
  reason: word.optional(),
  trigger: word.optional(),
  prompt: text.optional(),
  tool_name: word.optional(),
  tool_input: z.unknown().optional(),
  notification_type: word.optional(),
  message: text.optional(),
  error: word.optional(),
  error_details: text.optional(),
  last_assistant_message: tail.optional(),
  context_usage: count.optional(),
  input_tokens: count.optional(),
  ...backgroundFields,
})

export const readHook = hookReader(fields, (event, p, moment, memory) => {
  const claim = claimsOf('hook', event, moment.stamp(p.timestamp), moment.seen)
  const turn = inTurn(p.prompt_id)
  switch (event) {
    case 'SessionStart':
      return read(
        claim.idle(undefined, { onlyFrom: ['starting', 'unknown', 'exited'] }),
        claim.facts({ agentSession: p.session_id, cwd: p.cwd }),
      )
    case 'UserPromptSubmit':
      // It also fires, without a prompt, after each batch of tools.
      return read(
        claim.working('thinking', { ...turn, starts: p.prompt !== '', ends: [compactLane] }),
        claim.facts({ prompt: promptOf(p.prompt) }),
      )
    case 'MessageDisplay':
      return read(claim.working('streaming', { ...turn, allows: ['waiting'] }))
    case 'PermissionRequest': {
      const tool = p.tool_name ?? 'tool'
      const reason = askReason(tool) ?? 'permission'
      return remember(
        { ...memory, pending: tool },
        claim.waiting('ask:main:tool', reason, { ...turn, reopens: true }),
        claim.facts({ tool, about: aboutOf(p.tool_input), question: commandOf(p.tool_input) }),
      )
    }
    case 'PreToolUse':
      // A tool's hook fires once it was allowed, so it ends the dialog.
      return remember(
        {},
        claim.working('tool', { ...turn, reopens: true, ends: ['ask:main:*'] }),
        claim.facts({ tool: p.tool_name, about: aboutOf(p.tool_input) }),
      )
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PostToolBatch':
      return remember({}, claim.working('thinking', { ...turn, ends: ['ask:main:*'] }))
    case 'Stop': {
      const beside = readBeside(p, claim)
      return remember(
        {},
        claim.finished(p.last_assistant_message, { ...turn, ends: ['bg:*', 'ask:sub:*'] }),
        ...beside.news,
        beside.facts,
        claim.facts({
          finalMessage: p.last_assistant_message,
          context: p.context_usage,
          tokensIn: p.input_tokens,
        }),
      )
    }
    case 'StopFailure':
      return remember({}, claim.idle('error', turn), claim.facts({ error: p.error_details ?? p.error }))
    case 'Notification':
      if (p.notification_type === 'idle_prompt') return read(claim.idle(undefined, turn))
      if (p.notification_type !== 'permission_prompt' || memory.pending !== undefined) return nothing
      return read(claim.waiting('ask:main:tool', 'permission', turn), claim.facts({ question: p.message }))
    case 'PreCompact':
      // Within a turn other events show the work, and a compaction that fails has no end.
      return p.trigger === 'manual' ? read(compacting(claim)) : nothing
    case 'PostCompact':
      return read(claim.ended([compactLane]))
    case 'SessionEnd':
      if (p.reason === 'clear') return nothing
      return read(claim.exited(['bg:*', 'ask:*']))
    default:
      return nothing
  }
})
