/**
 * Copilot's `~/.copilot/session-state/ID/events.jsonl`, and the rows of a headless run, which are the same events. A
 * turn of the model is a step: the person's turn is over when a step ends after a message without tool requests.
 */
import { z } from 'zod'
import type { Source } from '../../core/evidence/signal.ts'
import {
  type Claims,
  claimsOf,
  endsInQuestion,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
} from '../kit/agent.ts'
import { checkRow, count, id, stamp, tail, text, word } from '../kit/fields.ts'

const dataFields = z.object({
  requestId: id.optional(),
  toolName: word.optional(),
  model: word.optional(),
  selectedModel: word.optional(),
  newModel: word.optional(),
  sessionId: id.optional(),
  copilotVersion: word.optional(),
  content: tail.optional(),
  message: text.optional(),
  errorType: word.optional(),
  statusCode: count.optional(),
  toolRequests: z.array(z.unknown()).optional(),
  aborted: z.boolean().optional(),
  permissionRequest: z
    .object({ fullCommandText: text.optional(), url: text.optional(), path: text.optional() })
    .optional(),
})

const fields = z.object({ type: word, timestamp: stamp.optional(), data: dataFields.optional() })
type Data = z.infer<typeof dataFields>

const wanted =
  /^(user\.message|assistant\.(turn_start|turn_end|message|idle)|tool\.execution_(start|complete)|permission\.(requested|completed)|abort|session\.(start|error|shutdown|model_change))$/

export function readEvent(line: string, source: Source, moment: Moment, memory: Memory): Reading {
  const checked = checkRow(fields, line, 'event', row => wanted.test(String(row.type)))
  if (!checked.ok) return refuse(checked.reason)
  const { type, timestamp, data = {} } = checked.value
  return readData(type, data, claimsOf(source, type, moment.stamp(timestamp), moment.seen), memory)
}

function readData(type: string, d: Data, claim: Claims, memory: Memory): Reading {
  switch (type) {
    case 'session.start':
      return read(
        claim.facts({ agentSession: d.sessionId, model: d.selectedModel, version: d.copilotVersion }),
      )
    case 'session.model_change':
      return read(claim.facts({ model: d.newModel }))
    case 'user.message':
      return { signals: [claim.working('thinking', { starts: true })], memory: {} }
    case 'assistant.turn_start':
      return { signals: [claim.working('thinking', { reopens: true })], memory: {} }
    case 'assistant.message': {
      const calls = d.toolRequests?.length ?? 0
      if (calls > 0)
        return {
          signals: [claim.working('tool', { allows: ['waiting'] }), claim.facts({ model: d.model })],
          memory: { pending: 'tools' },
        }
      return {
        signals: [claim.working('streaming'), claim.facts({ model: d.model, finalMessage: d.content })],
        memory: { pending: endsInQuestion(d.content) ? 'question' : 'answer' },
      }
    }
    case 'tool.execution_start':
      return read(claim.working('tool', { allows: ['waiting'] }), claim.facts({ tool: d.toolName }))
    case 'tool.execution_complete':
      return read(claim.working('thinking', { ends: ['ask:main:*'] }))
    case 'permission.requested': {
      const { fullCommandText, url, path } = d.permissionRequest ?? {}
      const question = fullCommandText ?? url ?? path
      return read(
        claim.waiting(`ask:main:${d.requestId ?? 'request'}`, 'permission', { reopens: true }),
        claim.facts({ question }),
      )
    }
    case 'permission.completed':
      return read(
        claim.working('tool', {
          ends: [`ask:main:${d.requestId ?? 'request'}`, 'ask:main:notice'],
          allows: ['waiting'],
        }),
      )
    case 'assistant.turn_end':
      if (memory.pending !== 'answer' && memory.pending !== 'question') return nothing
      return {
        signals: [claim.idle('turn', memory.pending === 'question' ? { asks: true } : {})],
        memory: {},
      }
    case 'assistant.idle':
      return { signals: [claim.idle(d.aborted ? 'interrupt' : 'turn')], memory: {} }
    case 'abort':
      return { signals: [claim.idle('interrupt')], memory: {} }
    case 'session.error': {
      const limited = d.statusCode === 429 || d.errorType === 'rate_limit'
      return { signals: [claim.failed(limited), claim.facts({ error: d.message })], memory: {} }
    }
    case 'session.shutdown':
      return read(claim.exited(['ask:*']))
    default:
      return nothing
  }
}
