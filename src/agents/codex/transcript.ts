/** Codex' rollout file: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`. Every turn is named. */
import { z } from 'zod'
import {
  claimsOf,
  inTurn,
  type LineInput,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  toolOf,
  withTool,
} from '../kit/agent.ts'
import { checkRow, count, id, stamp, tail, text, word } from '../kit/fields.ts'
import { askReason } from '../kit/questions.ts'

const tokens = z.object({
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  total_tokens: count.optional(),
})

const fields = z.object({
  type: word,
  timestamp: stamp.optional(),
  payload: z.object({
    type: word.optional(),
    id: id.optional(),
    turn_id: id.optional(),
    call_id: id.optional(),
    name: word.optional(),
    cwd: text.optional(),
    model: word.optional(),
    cli_version: word.optional(),
    last_agent_message: tail.nullable().optional(),
    error: z.unknown().optional(),
    info: z
      .object({
        total_token_usage: tokens.optional(),
        last_token_usage: tokens.optional(),
        model_context_window: count.nullable().optional(),
      })
      .nullable()
      .optional(),
  }),
})

const wanted = /^(event_msg|response_item|session_meta|turn_context)$/

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  if (/(^|\/)history\.jsonl$/.test(input.path)) return nothing
  const checked = checkRow(fields, input.line, 'rollout line', row => wanted.test(String(row.type)))
  if (!checked.ok) return refuse(checked.reason)
  const { type, payload: p, timestamp } = checked.value
  const at = moment.stamp(timestamp)
  const claim = claimsOf('transcript', p.type ?? type, at, moment.seen)
  const turn = inTurn(p.turn_id ?? memory.turn)
  if (type === 'session_meta')
    return read(claim.facts({ agentSession: p.id, cwd: p.cwd, version: p.cli_version }))
  if (type === 'turn_context') return read(claim.facts({ model: p.model, cwd: p.cwd }))
  switch (p.type) {
    case 'task_started':
      return {
        signals: [claim.working('thinking', { ...turn, starts: true })],
        memory: p.turn_id === undefined ? {} : { turn: p.turn_id },
      }
    case 'task_complete': {
      const message = p.last_agent_message ?? undefined
      if (p.error !== undefined && p.error !== null)
        return read(claim.idle('error', turn), claim.facts({ error: errorText(p.error) }))
      return read(claim.finished(message, turn), claim.facts({ finalMessage: message }))
    }
    case 'turn_aborted':
      return read(claim.idle('interrupt', turn))
    case 'stream_error':
      return read(claim.working('retrying', turn))
    case 'token_count':
      return read(claim.facts(tokenFacts(p.info)))
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call': {
      const tool = p.name ?? p.type
      const reason = askReason(p.name)
      const asked = reason ? [claim.waiting(`ask:main:${tool}`, reason, turn)] : []
      const next = p.call_id === undefined ? memory : withTool(memory, p.call_id, tool)
      return {
        signals: [claim.working('tool', { ...turn, allows: ['waiting'] }), ...asked, claim.facts({ tool })],
        memory: next,
      }
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output': {
      const tool = toolOf(memory, p.call_id ?? '')
      // Codex asks for a command under the name Bash and logs it as exec_command: any result ends the one dialog.
      return read(
        claim.working('thinking', {
          ...turn,
          ends: tool && askReason(tool) ? [`ask:main:${tool}`] : ['ask:main:*'],
        }),
      )
    }
    default:
      return nothing
  }
}

function tokenFacts(info: NonNullable<z.infer<typeof fields>['payload']['info']> | null | undefined) {
  const used = info?.last_token_usage?.total_tokens
  const window = info?.model_context_window
  return {
    tokensIn: info?.total_token_usage?.input_tokens,
    tokensOut: info?.total_token_usage?.output_tokens,
    context: used !== undefined && window ? Math.min(1, used / window) : undefined,
  }
}

const errorText = (error: unknown): string => (typeof error === 'string' ? error : JSON.stringify(error))
