/** pi's session file (`~/.pi/agent/sessions/…/*.jsonl`): a message when it is complete, the prompt with the first answer. */
import { z } from 'zod'
import type { News, Signal } from '../../core/evidence/signal.ts'
import { isRecord } from '../../core/trace/trace.ts'
import {
  type Claims,
  claimsOf,
  type LineInput,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  remember,
} from '../kit/agent.ts'
import { checkRow, id, isTyped, stamp, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, promptIn } from '../kit/tools.ts'
import { failedUnseen, isRetried, messageFields, type PiMessage, textOf } from './hooks.ts'

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
      return remember(
        {},
        claim.working('thinking', { starts: true }),
        claim.facts({ prompt: promptIn(message.content) }),
      )
    case 'toolResult':
      return read(claim.working('thinking', { ends: ['ask:main:*'] }))
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
      if (row.id !== undefined && row.id === memory.pending) return nothing
      const attempt = isRetried(message.errorMessage) ? (memory.count ?? 0) + 1 : Infinity
      const ended = failedUnseen(claim, message.errorMessage, attempt)
      return remember(
        { count: attempt, ...(row.id === undefined ? {} : { pending: row.id }) },
        ended,
        claim.facts({ error: message.errorMessage }),
      )
    }
    default:
      return read(claim.working('tool'), ...asked(message, claim), facts, ...called(message, claim))
  }
}

/** Its tools run one after the other, so that any result is the answer. */
function asked(message: PiMessage, claim: Claims): readonly News[] {
  return callsIn(message).flatMap(({ name }) => {
    const reason = typeof name === 'string' ? askReason(name) : undefined
    return reason ? [claim.waiting('ask:main:tool', reason)] : []
  })
}

/** The first of them runs first. */
function called(message: PiMessage, claim: Claims): readonly Signal[] {
  const [call] = callsIn(message)
  return typeof call?.name === 'string'
    ? [claim.facts({ tool: call.name.slice(0, 100), about: aboutOf(call.arguments) })]
    : []
}

const callsIn = ({ content }: PiMessage): readonly Record<string, unknown>[] =>
  Array.isArray(content) ? content.filter(isRecord).filter(({ type }) => type === 'toolCall') : []
