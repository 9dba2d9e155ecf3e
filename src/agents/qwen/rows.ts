/**
 * Rows of `qwen -p --output-format stream-json`: Claude's, with two differences. A subagent that fails prints a
 * `result` of its own (0.24.4, buildSubagentErrorResult), which ends nothing; and a retry is `system/retry`.
 */
import { z } from 'zod'
import { readParsed } from '../claude/rows.ts'
import { claimsOf, type Memory, type Moment, nothing, type Reading, read, refuse } from '../kit/agent.ts'
import { checkTyped, count, readRecord, word } from '../kit/fields.ts'

const fields = z.object({
  type: word,
  subtype: word.optional(),
  is_error: z.boolean().optional(),
  num_turns: count.optional(),
  duration_ms: count.optional(),
  data: z.object({ delayMs: count.optional() }).optional(),
})
type Row = z.infer<typeof fields>

export function readRow(line: string, moment: Moment, memory: Memory): Reading {
  const record = readRecord(line, 'row')
  if (!record.ok) return refuse(record.reason)
  const checked = checkTyped(fields, record.value, 'row')
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  if (row.type === 'system' && row.subtype === 'retry') return readRetry(row, moment)
  if (isSubagentResult(row, memory)) return nothing
  const reading = readParsed(record.value, moment, memory)
  return { ...reading, memory: withCall(reading, reading.memory ?? memory) }
}

function readRetry({ data }: Row, { seen }: Moment): Reading {
  const limit = data?.delayMs === undefined ? {} : { limit: { until: seen + data.delayMs } }
  return read(claimsOf('rows', 'system/retry', seen, seen).working('retrying', limit))
}

/** Its row names no parent: it is known by its zeros, while the call that began the subagent awaits its result. */
const isSubagentResult = (row: Row, memory: Memory): boolean =>
  row.type === 'result' &&
  row.is_error === true &&
  row.num_turns === 0 &&
  row.duration_ms === 0 &&
  memory.pending === 'call'

function withCall(reading: Reading, { pending, ...rest }: Memory): Memory {
  const news = reading.signals.find(s => s.type === 'news')
  const isCall = news ? news.state.kind === 'working' && news.state.doing === 'tool' : pending === 'call'
  return isCall ? { ...rest, pending: 'call' } : rest
}
