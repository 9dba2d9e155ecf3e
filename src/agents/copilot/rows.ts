/**
 * Rows of `copilot -p … --output-format json`: the session's events, with ephemeral ones (deltas, failed requests,
 * `assistant.idle`) and a last `result` that the events file does not have.
 */
import { z } from 'zod'
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
} from '../kit/agent.ts'
import { checkRow, count, id, stamp, word } from '../kit/fields.ts'
import { readEvent } from './events.ts'

const fields = z.object({
  type: word,
  timestamp: stamp.optional(),
  sessionId: id.optional(),
  agentId: id.optional(),
  exitCode: count.optional(),
  data: z
    .object({
      statusCode: count.optional(),
      reason: word.optional(),
      parentToolCallId: id.optional(),
    })
    .optional(),
})
type Row = z.infer<typeof fields>

/** Memory: `turn` is set while the turn is open; the rest is the events' own. */
export function readRow(line: string, moment: Moment, memory: Memory): Reading {
  const checked = checkRow(fields, line, 'row')
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  const isSubagents = row.agentId !== undefined || row.data?.parentToolCallId !== undefined
  if (isSubagents) return readEvent(line, 'rows', moment, memory)
  const claim = claimsOf('rows', row.type, moment.stamp(row.timestamp), moment.seen)
  switch (row.type) {
    case 'assistant.message_delta':
      return read(claim.working('streaming'))
    case 'model.call_failure':
      return isRetried(row) ? readRetry(row.data?.statusCode === 429, claim) : nothing
    case 'assistant.turn_retry':
      return readRetry(row.data?.reason === 'rate_limit', claim)
    case 'assistant.idle':
      // An earlier end had a reason (an error, a question), and this row has none.
      return memory.turn ? withTurn(readEvent(line, 'rows', moment, memory), memory) : nothing
    case 'result': {
      const ended = memory.turn ? [claim.idle(row.exitCode === 0 ? 'turn' : 'error')] : []
      return remember({}, ...ended, claim.facts({ agentSession: row.sessionId }))
    }
    default:
      return withTurn(readEvent(line, 'rows', moment, memory), memory)
  }
}

/** What Copilot tries again: a full provider, a broken one, a lost connection. */
const isRetried = ({ data }: Row): boolean =>
  data?.statusCode === undefined || data.statusCode === 429 || data.statusCode >= 500

const readRetry = (isLimit: boolean, claim: Claims): Reading =>
  read(claim.working('retrying', isLimit ? { limit: {} } : {}))

function withTurn(reading: Reading, memory: Memory): Reading {
  const news = reading.signals.find(s => s.type === 'news')
  const { turn: _, ...rest } = reading.memory ?? memory
  if (news?.state.kind === 'idle') return { ...reading, memory: rest }
  const turn = news?.starts || news?.reopens ? 'open' : memory.turn
  return { ...reading, memory: turn === undefined ? rest : { ...rest, turn } }
}
