/**
 * Rows of `codex exec --json`, without stamps. Only `turn.completed` and `turn.failed` end the turn: an `error` row is
 * a retry or comes before `turn.failed`, and an item of type `error` is a warning.
 */
import { z } from 'zod'
import type { Lane } from '../../core/evidence/signal.ts'
import type { Instant } from '../../core/state.ts'
import { type Claims, claimsOf, type Memory, nothing, type Reading, read, remember } from '../kit/agent.ts'
import { count, id, rowReader, tail, text, word } from '../kit/fields.ts'
import { ofOutermost } from '../kit/own-session.ts'
import { aboutOf, askReason } from '../kit/tools.ts'
import { isLimit } from './transcript.ts'

const itemFields = z.object({
  id: id.optional(),
  type: word.optional(),
  text: tail.optional(),
  tool: word.optional(),
  command: z.unknown().optional(),
  arguments: z.unknown().optional(),
  changes: z.unknown().optional(),
  query: z.unknown().optional(),
})

const fields = z.object({
  type: word,
  thread_id: id.optional(),
  message: text.optional(),
  error: z.object({ message: text.optional() }).nullable().optional(),
  usage: z.object({ input_tokens: count.optional(), output_tokens: count.optional() }).optional(),
  item: itemFields.optional(),
})

const retrying = /^re(?:connect|try)ing\b[ .…]*\d+\/\d+/i

/** Memory: `turn` is set while the run's turn is open, `pending` is the answer so far. */
export const readRow = rowReader(fields, (row, { seen }, memory) =>
  ofOutermost(
    {
      begins: row.type === 'thread.started' ? row.thread_id : undefined,
      ends: row.type === 'turn.completed' || row.type === 'turn.failed',
    },
    memory,
    () => readOwn(row, seen, memory),
  ),
)

function readOwn(row: z.infer<typeof fields>, seen: Instant, memory: Memory): Reading {
  const claim = claimsOf('rows', row.item?.type ? `${row.type} ${row.item.type}` : row.type, seen, seen)
  switch (row.type) {
    case 'thread.started':
      return remember(
        { turn: 'open' },
        claim.working('thinking', { starts: true }),
        claim.facts({ agentSession: row.thread_id }),
      )
    case 'turn.started':
      // However long after the thread: the run has one turn.
      return remember({ turn: 'open' }, claim.working('thinking', memory.turn ? {} : { starts: true }))
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
      return remember({}, idle, claim.facts({ ...facts, finalMessage: memory.pending }))
    }
    case 'turn.failed': {
      const error = row.error?.message?.slice(0, 500)
      const idle = claim.failed(isLimit(error ?? ''))
      return remember({}, idle, claim.facts({ error }))
    }
    default:
      return nothing
  }
}

/** The fields of an item that describe its input. Its text is output. */
const withoutWords = ({ command, changes, query }: z.infer<typeof itemFields>) => ({
  command,
  changes,
  query,
})

/** Every item but these few is a tool: commands, patches, MCP calls, searches, and those of later versions. */
function readItem(event: string, item: z.infer<typeof itemFields>, claim: Claims, memory: Memory): Reading {
  const { id, type, text, tool } = item
  switch (type) {
    case undefined:
    case 'error':
      return nothing
    case 'agent_message':
      return remember(text === undefined ? memory : { ...memory, pending: text }, claim.working('streaming'))
    case 'reasoning':
    case 'todo_list':
      return read(claim.working('thinking'))
    default: {
      const isOver = event === 'item.completed'
      const lane: Lane = `ask:main:${id ?? type}`
      const reason = isOver ? undefined : askReason(tool ?? type)
      const facts = [
        claim.working(isOver ? 'thinking' : 'tool', isOver ? { ends: [lane] } : {}),
        ...(reason ? [claim.waiting(lane, reason)] : []),
        claim.facts({ tool: tool ?? type, about: aboutOf(item.arguments ?? withoutWords(item)) }),
      ]
      // A message before a tool call is not the answer. A tool may end after the answer.
      const { pending: _, ...rest } = memory
      return event === 'item.started' ? remember(rest, ...facts) : read(...facts)
    }
  }
}
