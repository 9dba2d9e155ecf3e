/**
 * Codex' hooks (0.169.0: 12 events) and its `notify` program. No hook reports an error. docs/research/agents.md#trap-3
 */
import { z } from 'zod'
import { callOf, claimsOf, inTurn, nothing, read, remember, withTool } from '../kit/agent.ts'
import { wakeDue } from '../kit/beside-turn.ts'
import { hookReader, id, tail, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, commandOf, promptOf } from '../kit/tools.ts'

const fields = z.object({
  session_id: id.optional(),
  turn_id: id.optional(),
  agent_id: id.optional(),
  cwd: text.optional(),
  model: word.optional(),
  tool_name: word.optional(),
  tool_use_id: id.optional(),
  tool_input: z.unknown().optional(),
  prompt: text.optional(),
  last_assistant_message: tail.nullable().optional(),
  trigger: word.optional(),
  'thread-id': id.optional(),
  'turn-id': id.optional(),
  'last-assistant-message': tail.nullable().optional(),
})

export const readHook = hookReader(fields, (event, p, { seen }, memory) => {
  const claim = claimsOf('hook', event, seen, seen)
  const turn = inTurn(p.turn_id)
  const tool = p.tool_name ?? 'tool'
  const about = commandOf(p.tool_input)
  // A subagent's calls are not remembered (../kit/subagent.ts).
  const called = p.tool_use_id ?? (p.agent_id === undefined ? callOf(memory, tool, about) : undefined) ?? tool
  switch (event) {
    case 'SessionStart':
      return remember(
        { ...memory, session: p.session_id },
        claim.facts({ agentSession: p.session_id, cwd: p.cwd, model: p.model }),
      )
    case 'UserPromptSubmit':
      return remember(
        { ...memory, session: p.session_id ?? memory.session },
        claim.working('thinking', { ...turn, starts: true, ends: ['ask:plan:*'] }),
        claim.facts({ prompt: promptOf(p.prompt) }),
      )
    case 'PreToolUse': {
      const reason = askReason(p.tool_name)
      const working = claim.working('tool', { ...turn, reopens: true, allows: ['waiting'] })
      const asked = reason ? [claim.waiting(`ask:main:${tool}`, reason, turn)] : []
      const next = p.tool_use_id === undefined ? memory : withTool(memory, p.tool_use_id, tool, about)
      return remember(next, working, ...asked, claim.facts({ tool, about: aboutOf(p.tool_input) }))
    }
    case 'PermissionRequest':
      return read(
        claim.waiting(`ask:main:${called}`, 'permission', { ...turn, reopens: true }),
        claim.facts({ tool, about: aboutOf(p.tool_input), question: about }),
      )
    case 'PostToolUse':
      return read(claim.working('thinking', { ...turn, ends: [`ask:main:${tool}`, `ask:main:${called}`] }))
    case 'PreCompact':
      return read(claim.working('compacting', { ...turn, reopens: true, starts: p.trigger === 'manual' }))
    case 'PostCompact':
      return read(p.trigger === 'manual' ? claim.idle('turn', turn) : claim.working('thinking', turn))
    case 'SubagentStart':
      return p.agent_id ? read(claim.background(`sub:${p.agent_id}`)) : nothing
    case 'SubagentStop':
      return p.agent_id ? read(wakeDue(claim, [`sub:${p.agent_id}`, `ask:sub:${p.agent_id}:*`])) : nothing
    case 'Stop': {
      const message = p.last_assistant_message ?? undefined
      return read(claim.finished(message, turn), claim.facts({ finalMessage: message }))
    }
    case 'Interrupt':
      return read(claim.idle('interrupt', { ...turn, ends: ['ask:sub:*'] }))
    case 'agent-turn-complete':
      // It also fires for a hidden title thread: only the session's own thread counts.
      if (p['thread-id'] === undefined || p['thread-id'] !== memory.session) return nothing
      return read(claim.idle('turn', inTurn(p['turn-id'])))
    case 'SessionEnd':
      return read(claim.exited(['sub:*', 'bg:*', 'ask:*']))
    default:
      return nothing
  }
})
