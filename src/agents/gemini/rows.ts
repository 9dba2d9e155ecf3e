/**
 * Rows of `gemini -p --output-format stream-json` (0.61.0), stamped. The last one is `result`; none reports a retry,
 * and `error` rows are warnings that a `result` follows. With `--output-format json` it prints one object without a type.
 */
import { z } from 'zod'
import type { Lane } from '../../core/evidence/signal.ts'
import {
  type Claims,
  claimsOf,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  remember,
} from '../kit/agent.ts'
import { count, endOf, id, rowReader, stamp, tail, text, word } from '../kit/fields.ts'
import { ofOutermost } from '../kit/own-session.ts'
import { aboutOf, askReason, promptOf, questionIn } from '../kit/tools.ts'

const fields = z.object({
  type: word.optional(),
  response: tail.optional(),
  timestamp: stamp.optional(),
  session_id: id.optional(),
  model: word.optional(),
  role: word.optional(),
  /** A piece of an answer: cut as a whole, when it is put together. */
  content: z.string().optional(),
  tool_name: word.optional(),
  tool_id: id.optional(),
  parameters: z.unknown().optional(),
  severity: word.optional(),
  message: text.optional(),
  status: word.optional(),
  error: z.object({ type: word.optional(), message: text.optional() }).optional(),
  stats: z.object({ input_tokens: count.optional(), output_tokens: count.optional() }).optional(),
})
type Row = z.infer<typeof fields>

const limited = /"code":\s*429\b|"RESOURCE_EXHAUSTED"/

/** Memory: `pending` is the answer so far, put together from its pieces. */
export const readRow = rowReader(fields, (row, moment, memory) => {
  const { type, session_id } = row
  if (type === undefined) return readAnswer(row, moment)
  return ofOutermost(
    { begins: type === 'init' ? session_id : undefined, ends: type === 'result' },
    memory,
    () => readOwn(row, type, moment, memory),
  )
})

function readAnswer({ response, session_id }: Row, { seen }: Moment): Reading {
  if (response === undefined) return refuse('row: without a type')
  const claim = claimsOf('rows', 'response', seen, seen)
  return read(claim.finished(response), claim.facts({ agentSession: session_id, finalMessage: response }))
}

function readOwn(row: Row, type: string, moment: Moment, memory: Memory): Reading {
  const claim = claimsOf('rows', type, moment.stamp(row.timestamp), moment.seen)
  switch (type) {
    case 'init':
      return remember(
        {},
        claim.working('thinking', { starts: true }),
        claim.facts({ agentSession: row.session_id, model: row.model }),
      )
    case 'message':
      if (row.role !== 'assistant')
        return read(claim.working('thinking'), claim.facts({ prompt: promptOf(row.content) }))
      return remember(
        { pending: endOf(`${memory.pending ?? ''}${row.content ?? ''}`) },
        claim.working('streaming'),
      )
    case 'tool_use':
      return remember({}, ...readCall(row, claim).signals)
    case 'tool_result':
      return read(claim.working('thinking', { ends: [askLane(row)] }))
    case 'error':
      return row.severity === 'error' ? read(claim.facts({ error: row.message })) : nothing
    case 'result':
      return remember({}, ...readResult(row, claim, memory.pending).signals)
    default:
      return nothing
  }
}

const askLane = ({ tool_id }: Row): Lane => `ask:main:${tool_id ?? 'tool'}`

function readCall(row: Row, claim: Claims): Reading {
  const reason = askReason(row.tool_name)
  const asked = reason ? [claim.waiting(askLane(row), reason)] : []
  const question = reason && questionIn(row.parameters)
  return read(
    claim.working('tool'),
    ...asked,
    claim.facts({ tool: row.tool_name, about: aboutOf(row.parameters), question }),
  )
}

function readResult({ status, error, stats }: Row, claim: Claims, answer: string | undefined): Reading {
  const tokens = { tokensIn: stats?.input_tokens, tokensOut: stats?.output_tokens }
  if (status === 'success') {
    const idle = claim.finished(answer)
    return read(idle, claim.facts({ ...tokens, finalMessage: answer }))
  }
  const facts = claim.facts({ ...tokens, error: error?.message })
  if (error?.type === 'FatalCancellationError') return read(claim.idle('interrupt'), facts)
  const isLimit = error?.type?.endsWith('QuotaError') === true || limited.test(error?.message ?? '')
  return read(claim.failed(isLimit), facts)
}
