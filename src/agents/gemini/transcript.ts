/**
 * Gemini CLI's chat file (`~/.gemini/tmp/PROJECT/chats/session-*.jsonl`). A turn's last message looks like
 * one that a tool call follows, so its reports of work expire.
 */
import { z } from 'zod'
import type { News } from '../../core/evidence/signal.ts'
import { parseStamp } from '../../core/trace/time-stamp.ts'
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
  remember,
  workExpiryMs,
} from '../kit/agent.ts'
import { checkRow, count, endOf, id, isTyped, stamp, word } from '../kit/fields.ts'
import { ofFile } from '../kit/own-session.ts'
import { promptOf } from '../kit/tools.ts'

const fields = z.object({
  type: word.optional(),
  kind: word.optional(),
  id: id.optional(),
  sessionId: id.optional(),
  timestamp: stamp.optional(),
  content: z.unknown().optional(),
  model: word.optional(),
  tokens: z.object({ input: count.optional(), output: count.optional() }).nullish(),
})

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  if (memory.nested?.includes(input.path)) return nothing
  const checked = checkRow(fields, input.line, 'chat line', row => isTyped(row) || 'kind' in row)
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  // The head of the file.
  if (row.kind !== undefined) return remember(ofFile(input.path, row.kind === 'subagent', memory))
  if (isRepeated(row.timestamp, memory)) return nothing
  const at = moment.stamp(row.timestamp)
  const claim = claimsOf('transcript', row.type ?? 'line', at, moment.seen)
  switch (row.type) {
    case 'user': {
      const first: unknown = Array.isArray(row.content) ? row.content[0] : row.content
      if (isRecord(first) && 'functionResponse' in first)
        return remember(
          { ...memory, workAt: at },
          claim.working('thinking', { ends: ['ask:main:*'], hold: workExpiryMs }),
        )
      const text = isRecord(first) ? first.text : first
      if (typeof text !== 'string') return nothing
      if (text.startsWith('<session_context>')) return readContext(row.timestamp, memory)
      if (ownCommand.test(text)) return nothing
      const begun = claim.working('thinking', { starts: true, hold: workExpiryMs })
      return remember(
        { ...memory, prompt: 'taken', workAt: at },
        begun,
        claim.facts({ prompt: promptOf(text) }),
      )
    }
    case 'gemini':
      return read(
        ...mayBeLast(memory, moment),
        claim.facts({
          model: row.model,
          tokensIn: row.tokens?.input,
          tokensOut: row.tokens?.output,
          finalMessage: typeof row.content === 'string' ? endOf(row.content) || undefined : undefined,
        }),
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

/** After a finished message a tool may run, or the turn is over. Reported work still counts, and signs of idleness do too. */
const mayBeLast = ({ workAt }: Memory, { seen }: Moment): readonly News[] =>
  workAt === undefined
    ? []
    : [
        claimsOf('transcript', 'gemini', workAt, seen).working('thinking', {
          onlyFrom: ['working'],
          allows: ['idle'],
          hold: workExpiryMs,
        }),
      ]

/** A shell command of the person's own. Gemini passes it to the model once it has ended, and the model does not answer (0.61.0). */
const ownCommand = /^I ran the following shell command:\n```sh\n/

/** The context opens a chat. A context after a prompt begins a copy of the whole chat until then. */
function readContext(timestamp: string | number | undefined, memory: Memory): Reading {
  const at = parseStamp(timestamp)
  if (memory.prompt === undefined || at === undefined) return nothing
  return remember({ ...memory, pending: String(at) })
}

/** What is written again is stamped anew, all within a millisecond or two (0.61.0, after a cancelled request). */
const againMs = 500

function isRepeated(timestamp: string | number | undefined, { pending }: Memory): boolean {
  const at = pending === undefined ? undefined : parseStamp(timestamp)
  return at !== undefined && at <= Number(pending) + againMs
}
