/**
 * Rows of `opencode run --format json`: each is printed when its part is complete, so nothing shows that a tool runs or
 * a request is repeated. A step that finishes with `stop` is the last; one that stops for a rejected tool is not printed.
 */
import { z } from 'zod'
import { type Claims, claimsOf, nothing, type Reading, read } from '../kit/agent.ts'
import { count, id, stamp, tail, text, word } from '../kit/fields.ts'
import { rowReader } from '../kit/readers.ts'

const part = z.object({
  text: tail.optional(),
  tool: word.optional(),
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
  const at = moment.stamp(timestamp)
  const claim = claimsOf('rows', p.reason ? `${type} ${p.reason}` : type, at, moment.seen)
  switch (type) {
    case 'step_start': {
      // What an earlier step said is not the answer.
      if (memory.turn)
        return { signals: [claim.working('thinking', { reopens: true })], memory: { turn: memory.turn } }
      // The turn began before its first row: a short answer's start and end are printed in one millisecond.
      const begun = claimsOf('rows', type, at - 1, moment.seen)
      return {
        signals: [begun.working('thinking', { starts: true }), claim.facts({ agentSession: sessionID })],
        memory: { turn: 'open' },
      }
    }
    case 'text':
      // The text is complete; what follows it, a tool or the end, is not known.
      return { signals: [claim.working()], memory: { ...memory, pending: p.text ?? '' } }
    case 'tool_use':
      return read(claim.working('thinking'), claim.facts({ tool: p.tool }))
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
  const facts = claim.facts({ agentSession, error: data?.message ?? name })
  if (name === 'MessageAbortedError') return read(claim.idle('interrupt'), facts)
  return read(claim.failed(data?.statusCode === 429), facts)
}
