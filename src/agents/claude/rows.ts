/**
 * Rows of `claude -p --output-format stream-json --verbose`; Qwen Code prints the same. A turn's last one is `result`.
 * Rows come in order from one program, so work that is reported after an end opens the turn again.
 */
import { z } from 'zod'
import type { Lane } from '../../core/evidence/signal.ts'
import type { Instant } from '../../core/state.ts'
import { isRecord } from '../../core/trace/trace.ts'
import {
  type Claims,
  claimsOf,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  remember,
  toolOf,
  withTool,
} from '../kit/agent.ts'
import { asName, checkTyped, count, id, readRecord, record, tail, text, word } from '../kit/fields.ts'
import { ofOwn } from '../kit/own-session.ts'
import { aboutOf, askReason, questionIn } from '../kit/tools.ts'

const message = z.object({
  content: z.union([z.string(), z.array(z.unknown())]).optional(),
  model: word.optional(),
})

const fields = z.object({
  type: word,
  subtype: word.optional(),
  session_id: id.optional(),
  model: word.optional(),
  result: tail.optional(),
  is_error: z.boolean().optional(),
  error: z.union([text, z.object({ message: text.optional() })]).optional(),
  errors: z.array(text).max(50).optional(),
  terminal_reason: word.nullable().optional(),
  api_error_status: count.nullable().optional(),
  total_cost_usd: count.optional(),
  usage: z.object({ input_tokens: count.optional(), output_tokens: count.optional() }).optional(),
  retry_delay_ms: count.optional(),
  status: word.nullable().optional(),
  state: word.optional(),
  agent_id: id.optional(),
  request_id: id.optional(),
  tool_use_id: id.optional(),
  request: z
    .object({
      subtype: word.optional(),
      tool_name: word.optional(),
      tool_use_id: id.optional(),
      input: record.optional(),
    })
    .optional(),
  parent_tool_use_id: id.nullable().optional(),
  event: z.object({ type: word.optional() }).optional(),
  message: z.union([text, message]).optional(),
})
type Row = z.infer<typeof fields>

/** The error's text begins with the provider's status where the row has no field for it (Qwen). */
const limited = /^\[API Error: 429\b/

export function readRow(line: string, moment: Moment, memory: Memory): Reading {
  const record = readRecord(line, 'row')
  if (!record.ok) return refuse(record.reason)
  return readParsed(record.value, moment, memory)
}

export function readParsed(record: Record<string, unknown>, { seen }: Moment, memory: Memory): Reading {
  const checked = checkTyped(fields, record, 'row')
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  // A subagent's row: its parent waits in a tool, and its tools and model are not the session's.
  if (row.parent_tool_use_id) return nothing
  // Another session's rows begin with its own `init`: an id that none has named is the run's.
  const begins = row.subtype === 'init'
  const isNamed = begins || memory.nested?.includes(row.session_id ?? '') === true
  const event = { id: isNamed ? row.session_id : undefined, begins }
  return ofOwn(event, { seen }, memory, () => readOwn(row, seen, memory))
}

function readOwn(row: Row, seen: Instant, memory: Memory): Reading {
  const claim = claimsOf('rows', row.subtype ? `${row.type}/${row.subtype}` : row.type, seen, seen)
  switch (row.type) {
    case 'system':
      return readSystem(row, claim, seen, memory)
    case 'assistant':
      return readAssistant(typeof row.message === 'object' ? row.message : {}, claim)
    case 'user':
      return readUser(row.message, claim)
    case 'tool_progress':
      return read(claim.working('tool', { ends: [askLane(row.tool_use_id)] }))
    case 'control_request':
    case 'control_cancel_request':
      return readControl(row, claim, memory)
    case 'stream_event':
      // The other events frame a message: its last ones come when the tool that it called runs already.
      return row.event?.type === 'content_block_delta'
        ? read(claim.working('streaming', { reopens: true }))
        : nothing
    case 'result':
      return readResult(row, claim)
    default:
      return nothing
  }
}

function readSystem(row: Row, claim: Claims, seen: number, memory: Memory): Reading {
  switch (row.subtype) {
    case 'init':
      return read(
        claim.working('thinking', { starts: true }),
        claim.facts({ agentSession: row.session_id, model: row.model }),
      )
    case 'api_retry': {
      const limit = row.retry_delay_ms === undefined ? {} : { limit: { until: seen + row.retry_delay_ms } }
      return read(claim.working('retrying', limit))
    }
    case 'status':
      return row.status === 'compacting' ? read(claim.working('compacting', { reopens: true })) : nothing
    case 'permission_denied':
      return row.agent_id ? nothing : read(claim.working('thinking', { ends: [askLane(row.tool_use_id)] }))
    case 'session_state_changed':
      return readState(row.state, claim, memory)
    default:
      return nothing
  }
}

/** Printed when the host sets CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS. `idle` comes once background agents are done, too. */
function readState(state: string | undefined, claim: Claims, { isOpen = true }: Memory): Reading {
  switch (state) {
    case 'running':
      return read(claim.working(undefined, { reopens: true, ends: ['ask:main:*'] }))
    case 'requires_action':
      return read(claim.waiting('ask:main:action', 'dialog'))
    case 'idle': {
      const ends = ['sub:*', 'bg:*', 'ask:*'] as const
      // The result row has reported how the turn ended.
      return read(isOpen ? claim.idle(undefined, { ends }) : claim.ended(ends))
    }
    default:
      return nothing
  }
}

/** Claude Code asks its host whether a tool may run. The answer goes to stdin: only the tool's rows show it. */
function readControl({ type, request_id = '', request }: Row, claim: Claims, memory: Memory): Reading {
  if (type === 'control_cancel_request') return read(claim.ended([askLane(toolOf(memory, request_id))]))
  if (request?.subtype !== 'can_use_tool') return nothing
  const { tool_name: tool, tool_use_id: call = 'tool', input = {} } = request
  const shown = [input.command, input.file_path, input.url].find(text => typeof text === 'string')
  return remember(
    withTool(memory, request_id, call),
    claim.waiting(askLane(call), askReason(tool) ?? 'permission', { reopens: true }),
    claim.facts({
      tool,
      about: aboutOf(input),
      question: questionIn(input) ?? (shown as string | undefined),
    }),
  )
}

const askLane = (call: unknown): Lane =>
  `ask:main:${typeof call === 'string' ? asName(call.slice(0, 100)) : 'tool'}`

/** Results of tools: of several calls, each result answers its own. */
function readUser(message: Row['message'], claim: Claims): Reading {
  const content = typeof message === 'object' ? message.content : undefined
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  const results = blocks.filter(b => b.type === 'tool_result').map(b => askLane(b.tool_use_id))
  return read(
    claim.working('thinking', { reopens: true, ends: results.length > 0 ? results : ['ask:main:*'] }),
  )
}

function readAssistant({ content, model }: z.infer<typeof message>, claim: Claims): Reading {
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  const call = blocks.find(b => b.type === 'tool_use')
  const tool = typeof call?.name === 'string' ? call.name.slice(0, 100) : undefined
  // `<synthetic>`: the program speaks, not a model.
  const facts = claim.facts({
    tool,
    about: aboutOf(call?.input),
    model: model?.startsWith('<') ? undefined : model,
  })
  const working = claim.working(call ? 'tool' : 'streaming', { reopens: true })
  const asked = blocks.flatMap(block => {
    const reason = block.type === 'tool_use' ? askReason(String(block.name)) : undefined
    const question = claim.facts({ question: questionIn(block.input) })
    return reason ? [claim.waiting(askLane(block.id), reason), question] : []
  })
  return read(working, facts, ...asked)
}

function readResult(row: Row, claim: Claims): Reading {
  const facts = {
    cost: row.total_cost_usd,
    tokensIn: row.usage?.input_tokens,
    tokensOut: row.usage?.output_tokens,
  }
  if (!row.is_error) {
    return read(claim.finished(row.result), claim.facts({ ...facts, finalMessage: row.result }))
  }
  if (row.terminal_reason?.startsWith('aborted')) return read(claim.idle('interrupt'), claim.facts(facts))
  const message = typeof row.error === 'object' ? row.error.message : row.error
  const error = (row.result ?? message ?? row.errors?.[0] ?? row.subtype)?.slice(0, 500)
  const isLimit = row.api_error_status === 429 || limited.test(error ?? '')
  return read(claim.failed(isLimit), claim.facts({ ...facts, error }))
}
