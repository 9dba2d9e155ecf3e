/**
 * Cline's log (`~/.cline/data/logs/cline.log`): stamped telemetry lines. The main agent is the one that is called so, and until
 * one is, the one that runs first. It gets a new id where Cline starts it anew: another mode, other permissions, a resume.
 */
import { z } from 'zod'
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
import { checkRow, id, stamp, word } from '../kit/fields.ts'

const fields = z.object({
  time: stamp.optional(),
  event: word.optional(),
  properties: z
    .object({
      agentId: id.optional(),
      agentKind: word.optional(),
      sessionId: id.optional(),
      status: word.optional(),
      model: word.optional(),
    })
    .optional(),
})
/** `TelemetryAgentKind` of its `core-events.d.ts`; the others are `subagent` and `team_teammate`. */
const mainKinds: readonly (string | undefined)[] = ['root', 'team_lead']

type Properties = NonNullable<z.infer<typeof fields>['properties']>

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  if (/(history\.jsonl|hub-daemon\.log)$/.test(input.path)) return nothing
  const checked = checkRow(fields, input.line, 'log line', row => row.event !== undefined)
  if (!checked.ok) return refuse(checked.reason)
  const { event, properties: p = {}, time } = checked.value
  const claim = claimsOf('transcript', event ?? '', moment.stamp(time), moment.seen)
  if (p.agentId !== undefined && mainKinds.includes(p.agentKind) && memory.session !== p.agentId)
    return remember({ ...memory, session: p.agentId })
  const main = memory.session ?? p.agentId
  if (p.agentId !== undefined && p.agentId !== main) return readTeammate(event, p, claim)
  return readMain(event, p, claim, event === 'agent.run-started' ? { ...memory, session: main } : memory)
}

function readMain(event: string | undefined, p: Properties, claim: Claims, memory: Memory): Reading {
  switch (event) {
    case 'session.input_sent':
      return read(claim.working('thinking', { starts: true }), claim.facts({ agentSession: p.sessionId }))
    case 'agent.run-started':
      return remember(memory, claim.working('thinking', { starts: true }))
    case 'agent.turn-started':
      return read(claim.working('thinking', { reopens: true }))
    case 'task.provider_request_started':
      return read(claim.working('thinking'), claim.facts({ model: p.model }))
    case 'task.first_chunk_received':
      return read(claim.working('streaming'))
    case 'agent.tool-started':
      return read(claim.working('tool', { reopens: true, allows: ['waiting'] }))
    case 'agent.tool-finished':
      return read(claim.working('thinking', { ends: ['ask:main:*'] }))
    case 'agent.run-finished':
      return read(claim.idle(p.status === 'aborted' ? 'interrupt' : 'turn'))
    case 'agent.run-failed':
      return read(claim.idle('error'))
    case 'session.aborted':
      return read(claim.idle('interrupt'))
    case 'task.cancelled':
      return read(claim.idle('interrupt'))
    default:
      return nothing
  }
}

function readTeammate(event: string | undefined, p: Properties, claim: Claims): Reading {
  const lane = `sub:${p.agentId}` as const
  if (event === 'agent.run-started') return read(claim.background(lane))
  const over = event === 'agent.run-finished' || event === 'agent.run-failed'
  return over ? read(claim.ended([lane])) : nothing
}
