/**
 * Rows of `claude -p --output-format stream-json --verbose`; Qwen Code prints the same. A turn's last one is `result`.
 * Rows come in order from one program, so work that is reported after an end opens the turn again.
 */
import { z } from 'zod'
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
} from '../kit/agent.ts'
import { check, count, id, readRecord, tail, text, word } from '../kit/fields.ts'

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
  parent_tool_use_id: id.nullable().optional(),
  event: z.object({ type: word.optional() }).optional(),
  message: z.union([text, message]).optional(),
})
type Row = z.infer<typeof fields>

/** The error's own words begin with the provider's status where the row has no field for it (Qwen). */
const limited = /^\[API Error: 429\b/

export function readRow(line: string, moment: Moment, memory: Memory): Reading {
  const record = readRecord(line, 'row')
  return record.ok ? readParsed(record.value, moment, memory) : refuse(record.reason)
}

export function readParsed(record: Record<string, unknown>, { seen }: Moment, _memory: Memory): Reading {
  const checked = check(fields, record, `row ${String(record.type).slice(0, 40)}`)
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  // A subagent's row: its parent waits in a tool, and its tools and model are not the session's.
  if (row.parent_tool_use_id) return nothing
  const claim = claimsOf('rows', row.subtype ? `${row.type}/${row.subtype}` : row.type, seen, seen)
  switch (row.type) {
    case 'system':
      return readSystem(row, claim, seen)
    case 'assistant':
      return readAssistant(typeof row.message === 'object' ? row.message : {}, claim)
    case 'user':
      return read(claim.working('thinking', { reopens: true }))
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

function readSystem(row: Row, claim: Claims, seen: number): Reading {
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
    default:
      return nothing
  }
}

function readAssistant({ content, model }: z.infer<typeof message>, claim: Claims): Reading {
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  const call = blocks.find(b => b.type === 'tool_use')
  const tool = typeof call?.name === 'string' ? call.name.slice(0, 100) : undefined
  // `<synthetic>`: the program speaks, not a model.
  const facts = { tool, model: model?.startsWith('<') ? undefined : model }
  return read(claim.working(call ? 'tool' : 'streaming', { reopens: true }), claim.facts(facts))
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
