/**
 * OpenCode's events, from a plugin or from the server's SSE stream. A turn is named by the user message that began it.
 * Child sessions (subagents) report under ids of their own.
 */
import { z } from 'zod'
import type { Lane } from '../../core/evidence/signal.ts'
import {
  type Claims,
  claimsOf,
  inTurn,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
} from '../kit/agent.ts'
import { count, id, stamp, text, word } from '../kit/fields.ts'
import { isOpenAfter } from '../kit/own-session.ts'
import { hookReader } from '../kit/readers.ts'

const info = z.object({
  id: id.optional(),
  parentID: id.optional(),
  role: word.optional(),
  time: z.object({ created: stamp.optional() }).optional(),
  cost: count.optional(),
  modelID: word.optional(),
  tokens: z.object({ input: count.optional(), output: count.optional() }).optional(),
})

const fields = z.object({
  sessionID: id.optional(),
  id: id.optional(),
  requestID: id.optional(),
  permissionID: id.optional(),
  permission: word.optional(),
  tool: z.unknown().optional(),
  info: info.optional(),
  status: z.object({ type: word.optional(), next: stamp.optional(), message: text.optional() }).optional(),
  error: z
    .object({ name: word.optional(), data: z.object({ message: text.optional() }).optional() })
    .optional(),
  questions: z
    .array(z.object({ question: text.optional() }))
    .max(50)
    .optional(),
  metadata: z.object({ command: text.optional() }).optional().catch(undefined),
})
type Fields = z.infer<typeof fields>

export const readHook = hookReader(
  fields,
  (event, p, moment, memory) => {
    const claim = claimsOf('hook', event, moment.seen, moment.seen)
    if (event === 'session.created') return readCreated(p, claim, memory)
    const main = memory.session ?? p.sessionID
    if (p.sessionID !== undefined && p.sessionID !== main) return readChild(event, p, claim)
    const reading = readMain(event, p, claim, moment, memory)
    const was = memory.isOpen ?? true
    const begins = reading.memory?.turn !== undefined && reading.memory.turn !== memory.turn
    const next = { ...(reading.memory ?? memory), isOpen: begins || (was && isOpenAfter(reading, was)) }
    return { ...reading, memory: main === undefined ? next : { ...next, session: main } }
  },
  'event',
)

/** A session with a parent is a subagent's; one without is what the person talks to from now on. */
function readCreated(p: Fields, claim: Claims, memory: Memory): Reading {
  if (p.info?.parentID !== undefined) return nothing
  return { signals: [claim.facts({ agentSession: p.info?.id })], memory: { ...memory, session: p.info?.id } }
}

function readMain(event: string, p: Fields, claim: Claims, moment: Moment, memory: Memory): Reading {
  const named = inTurn(memory.turn)
  // Work after the end of the turn that is known belongs to another, whose start was missed.
  const turn = memory.isOpen === false ? {} : named
  switch (event) {
    case 'chat.message':
      // It has no id; the user message that follows within milliseconds has one.
      return { signals: [], memory: { ...memory, session: p.sessionID } }
    case 'message.updated':
      return readMessage(p, moment, memory)
    case 'session.status':
      return readStatus(p, claim, p.status?.type === 'idle' ? named : turn, moment)
    case 'session.idle':
      return read(claim.idle('turn', named))
    case 'session.error': {
      const after = p.error?.name === 'MessageAbortedError' ? 'interrupt' : 'error'
      return read(claim.idle(after, named), claim.facts({ error: p.error?.data?.message ?? p.error?.name }))
    }
    case 'tool.execute.before':
      return read(
        claim.working('tool', { ...turn, allows: ['waiting'] }),
        claim.facts({ tool: typeof p.tool === 'string' ? p.tool.slice(0, 100) : undefined }),
      )
    case 'tool.execute.after':
      return read(claim.working('thinking', turn))
    case 'message.part.delta':
      return read(claim.working('streaming', turn))
    default:
      return readDialog(event, p, claim, 'main', turn) ?? nothing
  }
}

/** Dialogs are named by their request, so that a doubled answer ends nothing else. */
function readDialog(
  event: string,
  p: Fields,
  claim: Claims,
  owner: string,
  turn: { turn?: string },
): Reading | undefined {
  const request = p.requestID ?? p.permissionID ?? p.id ?? 'request'
  const lane = `ask:${owner}:${request}` as Lane
  switch (event) {
    case 'permission.asked':
    case 'permission.updated':
      return read(
        claim.waiting(lane, 'permission', turn),
        claim.facts({ tool: p.permission, question: p.metadata?.command }),
      )
    case 'question.asked':
      return read(
        claim.waiting(lane, 'question', turn),
        claim.facts({ question: p.questions?.[0]?.question }),
      )
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      if (owner !== 'main') return read(claim.ended([lane]))
      return read(claim.working('thinking', { ...turn, ends: [lane] }))
    default:
      return undefined
  }
}

function readMessage(p: Fields, moment: Moment, memory: Memory): Reading {
  const { info: message } = p
  if (message?.role === 'assistant') {
    const claim = claimsOf('hook', 'message.updated', moment.seen, moment.seen)
    const facts = {
      model: message.modelID,
      cost: message.cost,
      tokensIn: message.tokens?.input,
      tokensOut: message.tokens?.output,
    }
    return read(claim.facts(facts))
  }
  if (message?.role !== 'user' || message.id === undefined || message.id === memory.turn) return nothing
  const claim = claimsOf('hook', 'user message', moment.stamp(message.time?.created), moment.seen)
  return {
    signals: [claim.working('thinking', { turn: message.id, starts: true })],
    memory: { ...memory, turn: message.id },
  }
}

function readStatus(p: Fields, claim: Claims, turn: { turn?: string }, moment: Moment): Reading {
  switch (p.status?.type) {
    case 'busy':
      return read(claim.working(undefined, turn))
    case 'retry': {
      const limit = p.status.next === undefined ? {} : { limit: { until: moment.until(p.status.next) } }
      return read(claim.working('retrying', { ...turn, ...limit }), claim.facts({ error: p.status.message }))
    }
    case 'idle':
      return read(claim.idle('turn', turn))
    default:
      return nothing
  }
}

function readChild(event: string, p: Fields, claim: Claims): Reading {
  const lane: Lane = `sub:${p.sessionID}`
  const ended = event === 'session.idle' || event === 'session.error' || p.status?.type === 'idle'
  if (ended) return read(claim.ended([lane, `ask:${lane}:*`]))
  if (event === 'session.status') return read(claim.background(lane))
  return readDialog(event, p, claim, lane, {}) ?? nothing
}
