/** Cline's log (`~/.cline/data/logs/cline.log`): stamped telemetry lines. The agent that runs first is the main one. */
import { z } from 'zod'
import {
  type LineInput,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  type Say,
  tell,
} from '../kit/agent.ts'
import { checkRow, id, stamp, text, word } from '../kit/fields.ts'

const fields = z.object({
  time: stamp.optional(),
  event: word.optional(),
  properties: z
    .object({
      agentId: id.optional(),
      sessionId: id.optional(),
      status: word.optional(),
      model: word.optional(),
      error_message: text.optional(),
    })
    .optional(),
})
type Properties = NonNullable<z.infer<typeof fields>['properties']>

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  if (/(history\.jsonl|hub-daemon\.log)$/.test(input.path)) return nothing
  const checked = checkRow(fields, input.line, 'log line', row => row.event !== undefined)
  if (!checked.ok) return refuse(checked.reason)
  const { event, properties: p = {}, time } = checked.value
  const say = tell('transcript', event ?? '', moment.stamp(time), moment.seen)
  const main = memory.session ?? p.agentId
  if (p.agentId !== undefined && p.agentId !== main) return readTeammate(event, p, say)
  return readMain(event, p, say, event === 'agent.run-started' ? { ...memory, session: main } : memory)
}

function readMain(event: string | undefined, p: Properties, say: Say, memory: Memory): Reading {
  switch (event) {
    case 'session.input_sent':
      return read(say.working('thinking', { starts: true }), say.facts({ agentSession: p.sessionId }))
    case 'agent.run-started':
      return { signals: [say.working('thinking', { starts: true })], memory }
    case 'agent.turn-started':
      return read(say.working('thinking', { reopens: true }))
    case 'task.provider_request_started':
      return read(say.working('thinking'), say.facts({ model: p.model }))
    case 'task.first_chunk_received':
      return read(say.working('streaming'))
    case 'agent.tool-started':
      return read(say.working('tool', { reopens: true, allows: ['waiting'] }))
    case 'agent.tool-finished':
      return read(say.working('thinking', { ends: ['ask:main:*'] }))
    case 'agent.run-finished':
      return read(say.idle(p.status === 'aborted' ? 'interrupt' : 'turn'))
    case 'agent.run-failed':
      return read(say.idle('error'))
    case 'session.aborted':
      return read(say.idle('interrupt'))
    case 'task.cancelled':
      return read(say.idle('interrupt'), say.facts({ error: p.error_message }))
    default:
      return nothing
  }
}

function readTeammate(event: string | undefined, p: Properties, say: Say): Reading {
  const lane = `sub:${p.agentId}` as const
  if (event === 'agent.run-started') return read(say.background(lane))
  const over = event === 'agent.run-finished' || event === 'agent.run-failed'
  return over ? read(say.ended([lane])) : nothing
}
