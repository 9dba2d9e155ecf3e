/**
 * Gemini CLI's chat file (`~/.gemini/tmp/PROJECT/chats/session-*.jsonl`). A turn's last message looks like
 * one that a tool call follows, so what it says of work expires.
 */
import { z } from 'zod'
import { isRecord } from '../../core/trace/trace.ts'
import {
  claimsOf,
  type LineInput,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
} from '../kit/agent.ts'
import { checkRow, count, id, isTyped, stamp, word } from '../kit/fields.ts'

const fields = z.object({
  type: word.optional(),
  id: id.optional(),
  sessionId: id.optional(),
  timestamp: stamp.optional(),
  content: z.unknown().optional(),
  model: word.optional(),
  tokens: z.object({ input: count.optional(), output: count.optional() }).nullish(),
})

/** Believed without renewal: a streamed answer has no lines until it is complete. */
const holdMs = 120_000

export function readLine(input: LineInput, moment: Moment, _memory: Memory): Reading {
  const checked = checkRow(fields, input.line, 'chat line', isTyped)
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  const claim = claimsOf('transcript', row.type ?? 'line', moment.stamp(row.timestamp), moment.seen)
  switch (row.type) {
    case 'user': {
      const first: unknown = Array.isArray(row.content) ? row.content[0] : row.content
      if (isRecord(first) && 'functionResponse' in first)
        return read(claim.working('thinking', { ends: ['ask:main:*'], hold: holdMs }))
      const text = isRecord(first) ? first.text : first
      // The context that opens a chat is written again, with the prompt behind it, after a cancelled request.
      const isContext = Array.isArray(row.content) && row.content.length > 1
      if (typeof text !== 'string' || (isContext && text.startsWith('<session_context>'))) return nothing
      return read(claim.working('thinking', { starts: true, hold: holdMs }))
    }
    case 'gemini':
      // A finished message: of what comes next, a tool or the person's turn, it says nothing.
      return read(
        claim.facts({ model: row.model, tokensIn: row.tokens?.input, tokensOut: row.tokens?.output }),
      )
    case 'info':
      return row.content === 'Request cancelled.' ? read(claim.idle('interrupt')) : nothing
    case 'error':
      return read(
        claim.idle('error'),
        claim.facts({ error: typeof row.content === 'string' ? row.content : undefined }),
      )
    default:
      return nothing
  }
}
