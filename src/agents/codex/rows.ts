/**
 * Rows of `codex exec --json`, without stamps. Only `turn.completed` and `turn.failed` end the turn: an `error` row is
 * a retry or comes before `turn.failed`, and an item of type `error` is a warning.
 */
import { z } from 'zod'
import { type Claims, claimsOf, type Memory, nothing, type Reading, read } from '../kit/agent.ts'
import { count, id, tail, text, word } from '../kit/fields.ts'
import { rowReader } from '../kit/readers.ts'

const item = z.object({ type: word.optional(), text: tail.optional(), tool: word.optional() })

const fields = z.object({
  type: word,
  thread_id: id.optional(),
  message: text.optional(),
  error: z.object({ message: text.optional() }).nullable().optional(),
  usage: z.object({ input_tokens: count.optional(), output_tokens: count.optional() }).optional(),
  item: item.optional(),
})

const retrying = /^Reconnecting\.\.\. \d+\/\d+/
const limited = /last status: 429\b|^You've hit your usage limit|^Quota exceeded/

/** Memory: `turn` is set while the run's turn is open, `pending` is the answer so far. */
export const readRow = rowReader(fields, (row, { seen }, memory) => {
  const claim = claimsOf('rows', row.item?.type ? `${row.type} ${row.item.type}` : row.type, seen, seen)
  switch (row.type) {
    case 'thread.started':
      return {
        signals: [claim.working('thinking', { starts: true }), claim.facts({ agentSession: row.thread_id })],
        memory: { turn: 'open' },
      }
    case 'turn.started':
      // However long after the thread: the run has one turn.
      return {
        signals: [claim.working('thinking', memory.turn ? {} : { starts: true })],
        memory: { turn: 'open' },
      }
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return row.item ? readItem(row.type, row.item, claim, memory) : nothing
    case 'error': {
      const facts = claim.facts({ error: row.message })
      return retrying.test(row.message ?? '') ? read(claim.working('retrying'), facts) : read(facts)
    }
    case 'turn.completed': {
      const facts = { tokensIn: row.usage?.input_tokens, tokensOut: row.usage?.output_tokens }
      const idle = claim.finished(memory.pending)
      return { signals: [idle, claim.facts({ ...facts, finalMessage: memory.pending })], memory: {} }
    }
    case 'turn.failed': {
      const error = row.error?.message?.slice(0, 500)
      const idle = claim.failed(limited.test(error ?? ''))
      return { signals: [idle, claim.facts({ error })], memory: {} }
    }
    default:
      return nothing
  }
})

/** Every item but these few is a tool: commands, patches, MCP calls, searches, and those of later versions. */
function readItem(
  event: string,
  { type, text, tool }: z.infer<typeof item>,
  claim: Claims,
  memory: Memory,
): Reading {
  switch (type) {
    case undefined:
    case 'error':
      return nothing
    case 'agent_message':
      return {
        signals: [claim.working('streaming')],
        memory: text === undefined ? memory : { ...memory, pending: text },
      }
    case 'reasoning':
    case 'todo_list':
      return read(claim.working('thinking'))
    default: {
      const facts = [
        claim.working(event === 'item.completed' ? 'thinking' : 'tool'),
        claim.facts({ tool: tool ?? type }),
      ]
      // What was said before a tool began is not the answer; a tool may end after it.
      const { pending: _, ...rest } = memory
      return event === 'item.started' ? { signals: facts, memory: rest } : read(...facts)
    }
  }
}
