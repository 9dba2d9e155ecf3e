/**
 * OpenCode's events, from a plugin or from the server's SSE stream. A turn is named by the user message that began it.
 * Child sessions (subagents) report under ids of their own, and so do other sessions that a person began in the same
 * process: the one that took the last prompt is the main one, and while another works or waits it has a lane of its own.
 */
import { z } from 'zod'
import type { Lane, News } from '../../core/evidence/signal.ts'
import type { WaitingFor } from '../../core/state.ts'
import { parseStamp } from '../../core/trace/time-stamp.ts'
import { isRecord } from '../../core/trace/trace.ts'
import {
  type Claims,
  claimsOf,
  inTurn,
  isAbort,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  remember,
  toolOf,
  withTool,
} from '../kit/agent.ts'
import { count, hookReader, id, stamp, text, word } from '../kit/fields.ts'
import { isOpenAfter } from '../kit/own-session.ts'
import { aboutOf, askReason, promptOf } from '../kit/tools.ts'

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
  reply: word.optional(),
  permission: word.optional(),
  callID: id.optional(),
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
  patterns: z.unknown().optional(),
  args: z.unknown().optional(),
  prompt: text.optional(),
})
type Fields = z.infer<typeof fields>

export const readHook = hookReader(
  fields,
  (event, p, moment, memory) => {
    const claim = claimsOf('hook', event, moment.seen, moment.seen)
    if (event === 'session.created') return readCreated(p, claim, memory)
    const main = memory.session ?? p.sessionID
    if (p.sessionID === undefined || p.sessionID === main)
      return readOwn(event, p, claim, moment, memory, main)
    const takesPrompt = event === 'message.updated' && isNewPrompt(p, memory)
    if (!takesPrompt || !memory.earlier?.includes(p.sessionID)) return readChild(event, p, claim)
    const { earlier } = memory
    const next = readOwn(event, p, claim, moment, { earlier }, p.sessionID)
    return { ...next, signals: [...leave(main as string, claim, memory), ...next.signals] }
  },
  'event',
)

function readOwn(
  event: string,
  p: Fields,
  claim: Claims,
  moment: Moment,
  memory: Memory,
  session: string | undefined,
): Reading {
  const reading = readMain(event, p, claim, moment, memory)
  const was = memory.isOpen ?? true
  const begins = reading.memory?.turn !== undefined && reading.memory.turn !== memory.turn
  const next = {
    ...(reading.memory ?? memory),
    ...pendingAfter(reading, memory, event === 'permission.replied' && p.reply === 'reject'),
    isOpen: begins || (was && isOpenAfter(reading, was)),
  }
  return { ...reading, memory: session === undefined ? next : { ...next, session } }
}

/** In place of a dialog: its person has refused one, and the agent has done nothing since. */
const refused = 'refused'

/** The main session's dialog that is open, as `reason request`; empty where none is. */
function pendingAfter(
  { signals }: Reading,
  { pending = '' }: Memory,
  isRefused: boolean,
): { pending: string } {
  if (isRefused) return { pending: refused }
  for (const signal of signals) {
    if (signal.type !== 'news') continue
    const { lane, state, ends } = signal
    if (state.kind === 'waiting') pending = `${state.for} ${lane.slice('ask:main:'.length)}`
    else if (state.kind === 'working' && pending === refused) pending = ''
    else if (pending !== refused && (state.kind === 'idle' || ends)) pending = ''
  }
  return { pending }
}

/** A turn that goes no further than a refusal was broken off by its person. */
const endOf = ({ pending }: Memory) => (pending === refused ? 'interrupt' : 'turn')

/** Sessions that are remembered as a person's. One that is forgotten counts as a subagent's: it ends nothing. */
const mostSessions = 32

/** A session with a parent is a subagent's; one without is a person's, who talks to it from its first prompt on. */
function readCreated(p: Fields, claim: Claims, memory: Memory): Reading {
  const { id, parentID } = p.info ?? {}
  if (id === undefined || parentID !== undefined) return nothing
  const earlier = [...(memory.earlier ?? []).filter(one => one !== id).slice(1 - mostSessions), id]
  const known = memory.session === undefined ? [] : [memory.session]
  const all = { ...memory, earlier: [...new Set([...known, ...earlier])] }
  if (memory.session !== undefined && memory.isOpen !== false && memory.turn !== undefined)
    return remember(all)
  return remember({ ...all, session: id }, claim.facts({ agentSession: id }))
}

/** What the session that was the main one goes on to do beside the next. */
function leave(session: string, claim: Claims, { isOpen, turn, pending }: Memory): readonly News[] {
  if (isOpen === false || turn === undefined) return []
  const lane: Lane = `sub:${session}`
  const [, reason, request] = /^(permission|question|plan) (.+)$/.exec(pending ?? '') ?? []
  const asked = reason ? [claim.waiting(`ask:${lane}:${request}`, reason as WaitingFor)] : []
  return [claim.background(lane), ...asked]
}

function readMain(event: string, p: Fields, claim: Claims, moment: Moment, memory: Memory): Reading {
  const named = inTurn(memory.turn)
  // Work after the end of the known turn belongs to a turn with an unseen start.
  const turn = memory.isOpen === false ? {} : named
  switch (event) {
    case 'chat.message':
      // It has no id; the user message that follows within milliseconds has one.
      return remember({ ...memory, session: p.sessionID }, claim.facts({ prompt: promptOf(p.prompt) }))
    case 'message.updated':
      return readMessage(p, moment, memory)
    case 'session.status':
      if (p.status?.type === 'idle') return read(claim.idle(endOf(memory), named))
      return readStatus(p, claim, turn, moment)
    case 'session.idle':
      return read(claim.idle(endOf(memory), named))
    case 'session.error': {
      if (isAbort(p.error?.name)) return read(claim.idle('interrupt', { ...named, ends: ['sub:*', 'ask:*'] }))
      return read(claim.idle('error', named), claim.facts({ error: p.error?.data?.message ?? p.error?.name }))
    }
    case 'tool.execute.before': {
      const tool = typeof p.tool === 'string' ? p.tool.slice(0, 100) : undefined
      const known = p.callID === undefined || tool === undefined ? memory : withTool(memory, p.callID, tool)
      const working = claim.working('tool', { ...turn, allows: ['waiting'] })
      return remember(known, working, claim.facts({ tool, about: aboutOf(p.args) }))
    }
    case 'tool.execute.after':
      return read(claim.working('thinking', turn))
    case 'message.part.delta':
      return read(claim.working('streaming', turn))
    default:
      return readDialog(event, p, claim, 'main', turn, memory) ?? nothing
  }
}

/** The tool that asks: `plan_exit` does, too. */
const askingTool = ({ tool }: Fields, memory: Memory): string | undefined =>
  isRecord(tool) && typeof tool.callID === 'string' ? toolOf(memory, tool.callID) : undefined

/** Dialogs are named by their request, so that a doubled answer ends nothing else. */
function readDialog(
  event: string,
  p: Fields,
  claim: Claims,
  owner: string,
  turn: { turn?: string },
  memory: Memory = {},
): Reading | undefined {
  const request = p.requestID ?? p.permissionID ?? p.id ?? 'request'
  const lane = `ask:${owner}:${request}` as Lane
  switch (event) {
    case 'permission.asked':
    case 'permission.updated':
      return read(
        claim.waiting(lane, 'permission', turn),
        claim.facts({ ...askedTool(owner, p), question: p.metadata?.command }),
      )
    case 'question.asked':
      return read(
        claim.waiting(lane, askReason(askingTool(p, memory)) ?? 'question', turn),
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

/** A permission is named like the tool that asks; a subagent's is not the session's tool. */
const askedTool = (owner: string, { permission: tool, metadata, patterns }: Fields) =>
  owner === 'main' ? { tool, about: metadata?.command ?? aboutOf(patterns) } : {}

/** OpenCode reports a prompt again when anything of it changes, even after the next prompt. */
function isNewPrompt({ info: message }: Fields, { turn, prompt }: Memory): boolean {
  if (message?.role !== 'user' || message.id === turn) return false
  const [created, before] = [parseStamp(message.time?.created), parseStamp(Number(prompt))]
  return created === undefined || before === undefined || created >= before
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
  if (message?.id === undefined || !isNewPrompt(p, memory)) return nothing
  const created = message.time?.created
  const claim = claimsOf('hook', 'user message', moment.stamp(created), moment.seen)
  return remember(
    { ...memory, turn: message.id, ...(created === undefined ? {} : { prompt: String(created) }) },
    claim.working('thinking', { turn: message.id, starts: true }),
  )
}

function readStatus(p: Fields, claim: Claims, turn: { turn?: string }, moment: Moment): Reading {
  switch (p.status?.type) {
    case 'busy':
      return read(claim.working(undefined, turn))
    case 'retry': {
      const limit = p.status.next === undefined ? {} : { limit: { until: moment.until(p.status.next) } }
      return read(claim.working('retrying', { ...turn, ...limit }), claim.facts({ error: p.status.message }))
    }
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
