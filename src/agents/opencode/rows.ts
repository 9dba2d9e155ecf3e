/**
 * Rows of `opencode run --format json`: each is printed when its part is complete, so nothing shows that a tool runs or
 * a request is repeated. A step that finishes with `stop` is the last; one that stops for a rejected tool is not printed.
 */
import { z } from 'zod'
import type { Lane } from '../../core/evidence/signal.ts'
import { type Claims, claimsOf, isAbort, nothing, type Reading, read, remember } from '../kit/agent.ts'
import { count, id, rowReader, stamp, tail, text, word } from '../kit/fields.ts'
import { aboutOf, askReason } from '../kit/tools.ts'

const part = z.object({
  text: tail.optional(),
  tool: word.optional(),
  callID: id.optional(),
  state: z.object({ status: word.optional(), input: z.unknown().optional() }).optional().catch(undefined),
  reason: word.optional(),
  cost: count.optional(),
  tokens: z.object({ input: count.optional(), output: count.optional() }).optional(),
})

const failure = z.object({
  name: word.optional(),
  data: z.object({ message: text.optional(), statusCode: count.optional() }).optional(),
})

const fields = z.object({
  type: word,
  timestamp: stamp.optional(),
  sessionID: id.optional(),
  part: part.optional(),
  error: failure.optional(),
})

/** Memory: `turn` is set once the run has begun, `pending` is the answer so far. */
export const readRow = rowReader(fields, (row, moment, memory) => {
  const { type, timestamp, sessionID, part: p = {}, error = {} } = row
  // A subagent's, or another session's of the same server: the first row is the run's own.
  const { session = sessionID } = memory
  if (sessionID !== undefined && sessionID !== session) return nothing
  const at = moment.stamp(timestamp)
  const claim = claimsOf('rows', p.reason ? `${type} ${p.reason}` : type, at, moment.seen)
  switch (type) {
    case 'step_start': {
      // The text of an earlier step is not the answer.
      if (memory.turn)
        return remember({ session, turn: memory.turn }, claim.working('thinking', { reopens: true }))
      // The turn began before its first row: a short answer's start and end are printed in one millisecond.
      const begun = claimsOf('rows', type, at - 1, moment.seen)
      return remember(
        { session, turn: 'open' },
        begun.working('thinking', { starts: true }),
        claim.facts({ agentSession: sessionID }),
      )
    }
    case 'text':
      // The text is complete; what follows it, a tool or the end, is not known.
      return remember({ ...memory, pending: p.text ?? '' }, claim.working())
    case 'tool_use': {
      // Printed when the call is over. A version that prints it earlier shows the open question.
      const reason = /^(pending|running)$/.test(p.state?.status ?? '') ? askReason(p.tool) : undefined
      const lane: Lane = `ask:main:${p.callID ?? 'tool'}`
      const working = claim.working('thinking', reason ? {} : { ends: [lane] })
      return read(
        working,
        ...(reason ? [claim.waiting(lane, reason)] : []),
        claim.facts({ tool: p.tool, about: aboutOf(p.state?.input) }),
      )
    }
    case 'step_finish': {
      const facts = { cost: p.cost, tokensIn: p.tokens?.input, tokensOut: p.tokens?.output }
      if (p.reason !== 'stop') return read(claim.working('thinking'), claim.facts(facts))
      const idle = claim.finished(memory.pending)
      return read(idle, claim.facts({ ...facts, finalMessage: memory.pending }))
    }
    case 'error':
      return readError(error, sessionID, claim)
    default:
      return nothing
  }
})

function readError(
  { name, data }: z.infer<typeof failure>,
  agentSession: string | undefined,
  claim: Claims,
): Reading {
  if (isAbort(name)) return read(claim.idle('interrupt'), claim.facts({ agentSession }))
  const facts = claim.facts({ agentSession, error: data?.message ?? name })
  return read(claim.failed(data?.statusCode === 429), facts)
}
