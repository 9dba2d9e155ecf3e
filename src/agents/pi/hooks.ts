/** pi's extension events, which are also the rows of `pi --mode json`. No ids and no stamps, but prompt (2 ms). */
import { z } from 'zod'
import type { Lane, News, Source } from '../../core/evidence/signal.ts'
import { isRecord } from '../../core/trace/trace.ts'
import {
  type Claims,
  claimsOf,
  compacting,
  compactLane,
  endsInQuestion,
  isAbort,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  remember,
} from '../kit/agent.ts'
import { check, count, endOf, id, tail, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, promptIn } from '../kit/tools.ts'

/** pi ends its agent before every retry, and clears its progress. Up to three retries, after 2, 4 and 8 s (its `auto_retry_start` rows). */
const delays = [2000, 4000, 8000]
/** How much later than announced the next attempt may begin. */
const margin = 2000

/** What pi tries again: limits, overload, and a lost connection. */
export const isRetried = (error: string | undefined): boolean =>
  /^(429|5\d\d)\b|overloaded|rate.?limit|timed? ?out|connection|fetch failed|terminated/i.test(error ?? '')

/** The end of a turn that failed: by the provider's limit, or else. */
function failed(error: string | undefined, claim: Claims, more: { ends?: readonly ['bg:retry'] } = {}): News {
  const isLimit = /^429\b|rate.?limit|quota/i.test(error ?? '')
  return claim.failed(isLimit, more)
}

/** Work that outlasts the end of the agent, until the attempt that is due after `delay` ms. */
const retrying = (claim: Claims, delay: number): News =>
  claim.news(
    'bg:retry',
    { kind: 'working', doing: 'retrying' },
    { hold: delay + margin, limit: {}, outlasts: ['progress'] },
  )

/** When the attempt is due that follows this one, ms; none where it was the last. */
const delayAfter = (attempt: number): number | undefined => delays[attempt - 1]

/** The attempt failed; it is followed by another unless it was the last. */
function failedAttempt(claim: Claims, error: string | undefined, attempt: number): News[] {
  const delay = delayAfter(attempt)
  return delay === undefined ? [failed(error, claim)] : [failed(error, claim), retrying(claim, delay)]
}

/**
 * The same from a source that reports neither the start of the next attempt nor a cancelled wait: the turn goes on until
 * the attempt is due, and its state is unknown from then on.
 */
export function failedUnseen(claim: Claims, error: string | undefined, attempt: number): News {
  const delay = delayAfter(attempt)
  if (delay === undefined) return failed(error, claim)
  return claim.working('retrying', { hold: delay + margin, limit: {}, outlasts: ['progress'] })
}

export const messageFields = z.object({
  role: word.optional(),
  stopReason: word.optional(),
  errorMessage: text.optional(),
  model: word.optional(),
  content: z.union([z.string(), z.array(z.unknown())]).optional(),
  usage: z
    .object({
      input: count.optional(),
      output: count.optional(),
      cost: z.object({ total: count.optional() }).optional(),
    })
    .optional(),
})
export type PiMessage = z.infer<typeof messageFields>

const fields = z.object({
  reason: word.optional(),
  toolName: word.optional(),
  toolCallId: id.optional(),
  args: z.unknown().optional(),
  id: id.optional(),
  cwd: text.optional(),
  message: messageFields.optional(),
  delayMs: count.optional(),
  success: z.boolean().optional(),
  finalError: tail.optional(),
})

export function readPiEvent(
  event: string,
  payload: unknown,
  source: Source,
  { seen }: Moment,
  memory: Memory,
): Reading {
  const checked = check(fields, payload ?? {}, `event ${event}`)
  if (!checked.ok) return refuse(checked.reason)
  const p = checked.value
  const claim = claimsOf(source, event, seen, seen)
  switch (event) {
    case 'session':
      return read(claim.facts({ agentSession: p.id, cwd: p.cwd }))
    case 'session_start':
      return read(claim.idle(undefined, { onlyFrom: ['starting', 'unknown', 'exited'] }))
    case 'agent_start': {
      // Another attempt belongs to the turn that it repeats.
      const isRetry = memory.count !== undefined && memory.count > 0
      const begun = claim.working('thinking', { starts: !isRetry, reopens: true, ends: ['bg:retry'] })
      return remember({ ...(isRetry ? { count: memory.count as number } : {}), isOpen: true }, begun)
    }
    case 'turn_start':
      return read(claim.working('thinking'))
    case 'message_update':
      return read(claim.working('streaming'))
    case 'message_end':
      if (p.message?.role === 'user') return read(claim.facts({ prompt: promptIn(p.message.content) }))
      return p.message?.role === 'assistant' ? readMessage(p.message, claim, memory) : nothing
    case 'tool_execution_start':
      return read(
        claim.working('tool'),
        ...asked(p, claim),
        claim.facts({ tool: p.toolName, about: aboutOf(p.args) }),
      )
    case 'tool_execution_end':
      return read(claim.working('thinking', { ends: [askLane(p)] }))
    case 'agent_end':
      return readEnd(claim, memory)
    case 'session_before_compact':
    case 'compaction_start':
    case 'auto_compaction_start':
      return read(compacting(claim))
    case 'session_compact':
    case 'compaction_end':
    case 'auto_compaction_end':
      return read(claim.ended([compactLane]))
    case 'auto_retry_start':
      return read(retrying(claim, p.delayMs ?? 8000))
    case 'auto_retry_end':
      if (p.success) return remember({})
      if (isAbort(p.finalError)) {
        // The attempt had ended the turn: what is broken off is the wait for the next.
        const waited = claim.working('retrying', { reopens: true, ends: ['bg:retry'] })
        return remember({}, waited, claim.idle('interrupt'))
      }
      return remember(
        {},
        failed(p.finalError, claim, { ends: ['bg:retry'] }),
        claim.facts({ error: p.finalError }),
      )
    case 'session_shutdown':
      if (p.reason !== undefined && p.reason !== 'quit') return nothing
      return read(claim.exited(['bg:*']))
    default:
      return nothing
  }
}

const askLane = ({ toolCallId, toolName }: z.infer<typeof fields>): Lane =>
  `ask:main:${toolCallId ?? toolName ?? 'tool'}`

function asked(p: z.infer<typeof fields>, claim: Claims): readonly News[] {
  const reason = askReason(p.toolName)
  return reason ? [claim.waiting(askLane(p), reason)] : []
}

function readMessage(message: PiMessage, claim: Claims, memory: Memory): Reading {
  const { usage } = message
  const usual = {
    model: message.model,
    tokensIn: usage?.input,
    tokensOut: usage?.output,
    cost: usage?.cost?.total,
  }
  const final = textOf(message)
  // Words before a tool call are not the last ones, and a last message without any leaves none.
  const finalMessage = message.stopReason === 'toolUse' ? undefined : (final ?? '')
  const facts = claim.facts({ ...usual, finalMessage, error: message.errorMessage })
  if (message.stopReason === 'error') {
    // pi reports the failure of an attempt twice.
    if (memory.isOpen === false || memory.pending === 'retry') return read(facts)
    const again = isRetried(message.errorMessage)
    const error = message.errorMessage?.slice(0, 200) ?? ''
    return remember(
      { ...memory, pending: again ? 'retry' : 'error', error, count: again ? (memory.count ?? 0) + 1 : 0 },
      facts,
    )
  }
  const pending = message.stopReason === 'aborted' ? 'interrupt' : endsInQuestion(final) ? 'question' : 'turn'
  return remember({ pending }, facts)
}

/** pi ends its agent before every retry: until the next attempt is due, it works. */
function readEnd(claim: Claims, memory: Memory): Reading {
  const { pending, count: attempt = 0 } = memory
  if (memory.isOpen === false) return nothing
  if (pending === 'interrupt') return remember({}, claim.idle('interrupt'))
  if (pending === 'error') return remember({}, failed(memory.error, claim))
  if (pending !== 'retry')
    return remember({}, claim.idle('turn', pending === 'question' ? { asks: true } : {}))
  return remember({ count: attempt, isOpen: false }, ...failedAttempt(claim, memory.error, attempt))
}

export function textOf(message: PiMessage): string | undefined {
  if (typeof message.content === 'string') return endOf(message.content)
  const block = message.content?.filter(isRecord).findLast(b => typeof b.text === 'string')
  return block ? endOf(String(block.text)) : undefined
}
