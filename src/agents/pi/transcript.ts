/** pi's session file (`~/.pi/agent/sessions/…/*.jsonl`): a message when it is complete, the prompt with the first answer. */
import { z } from 'zod'
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
import { checkRow, id, isTyped, stamp, text, word } from '../kit/fields.ts'
import { messageFields, textOf } from './hooks.ts'
import { failedAttempt, isRetried } from './retries.ts'

const fields = z.object({
  type: word,
  id: id.optional(),
  timestamp: stamp.optional(),
  cwd: text.optional(),
  modelId: word.optional(),
  message: messageFields.optional(),
})

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  const checked = checkRow(fields, input.line, 'session line', isTyped)
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  const { message } = row
  const claim = claimsOf('transcript', message?.role ?? row.type, moment.stamp(row.timestamp), moment.seen)
  if (row.type === 'session') return read(claim.facts({ agentSession: row.id, cwd: row.cwd }))
  if (row.type === 'model_change') return read(claim.facts({ model: row.modelId }))
  if (row.type !== 'message' || !message) return nothing
  switch (message.role) {
    case 'user':
      return { signals: [claim.working('thinking', { starts: true })], memory: {} }
    case 'toolResult':
      return read(claim.working('thinking'))
    case 'assistant':
      break
    default:
      return nothing
  }
  const final = textOf(message)
  const facts = claim.facts({
    model: message.model,
    tokensIn: message.usage?.input,
    tokensOut: message.usage?.output,
  })
  switch (message.stopReason) {
    case 'stop':
    case 'length':
      return read(claim.finished(final), facts, claim.facts({ finalMessage: final }))
    case 'aborted':
      return read(claim.idle('interrupt'), facts)
    case 'error': {
      const attempt = isRetried(message.errorMessage) ? (memory.count ?? 0) + 1 : Infinity
      const ended = failedAttempt(claim, message.errorMessage, attempt)
      return {
        signals: [...ended, claim.facts({ error: message.errorMessage })],
        memory: { count: attempt },
      }
    }
    default:
      return read(claim.working('tool'), facts)
  }
}
