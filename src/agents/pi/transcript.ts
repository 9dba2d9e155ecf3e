/** pi's session file (`~/.pi/agent/sessions/…/*.jsonl`): a message when it is complete, the prompt with the first answer. */
import { z } from 'zod'
import {
  type LineInput,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  tell,
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
  const say = tell('transcript', message?.role ?? row.type, moment.stamp(row.timestamp), moment.seen)
  if (row.type === 'session') return read(say.facts({ agentSession: row.id, cwd: row.cwd }))
  if (row.type === 'model_change') return read(say.facts({ model: row.modelId }))
  if (row.type !== 'message' || !message) return nothing
  switch (message.role) {
    case 'user':
      return { signals: [say.working('thinking', { starts: true })], memory: {} }
    case 'toolResult':
      return read(say.working('thinking'))
    case 'assistant':
      break
    default:
      return nothing
  }
  const final = textOf(message)
  const told = say.facts({
    model: message.model,
    tokensIn: message.usage?.input,
    tokensOut: message.usage?.output,
  })
  switch (message.stopReason) {
    case 'stop':
    case 'length':
      return read(say.finished(final), told, say.facts({ finalMessage: final }))
    case 'aborted':
      return read(say.idle('interrupt'), told)
    case 'error': {
      const attempt = isRetried(message.errorMessage) ? (memory.count ?? 0) + 1 : Infinity
      const ended = failedAttempt(say, message.errorMessage, attempt)
      return {
        signals: [...ended, say.facts({ error: message.errorMessage })],
        memory: { count: attempt },
      }
    }
    default:
      return read(say.working('tool'), told)
  }
}
