/**
 * Rows of `cline --json`, stamped. `run_result` ends the run. A `run_aborted` after it means that the run was cut short.
 * Errors of a step are rows too, and end nothing; a retry has none.
 */
import { z } from 'zod'
import { type Claims, claimsOf, nothing, type Reading, read } from '../kit/agent.ts'
import { count, id, rowReader, stamp, tail, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, questionIn } from '../kit/tools.ts'

const event = z.object({
  type: word.optional(),
  contentType: word.optional(),
  toolName: word.optional(),
  parentAgentId: id.nullable().optional(),
  input: z.unknown().optional(),
  error: z.union([text, z.object({ message: text.optional() })]).optional(),
  totalInputTokens: count.optional(),
  totalOutputTokens: count.optional(),
  totalCost: count.optional(),
})

const fields = z.object({
  type: word,
  ts: stamp.optional(),
  hookEventName: word.optional(),
  parentAgentId: id.nullable().optional(),
  event: event.optional(),
  finishReason: word.optional(),
  text: tail.optional(),
  usage: z
    .object({ inputTokens: count.optional(), outputTokens: count.optional(), totalCost: count.optional() })
    .optional(),
  model: z.object({ id: word.optional() }).optional(),
})
type Row = z.infer<typeof fields>

export const readRow = rowReader(fields, (row, moment) => {
  // A subagent's row: its parent waits in a tool.
  if (row.parentAgentId || row.event?.parentAgentId) return nothing
  const what = row.hookEventName ?? row.event?.type
  const claim = claimsOf('rows', what ? `${row.type}/${what}` : row.type, moment.stamp(row.ts), moment.seen)
  switch (row.type) {
    case 'hook_event':
      return row.hookEventName === 'agent_start' ? read(claim.working('thinking', { starts: true })) : nothing
    case 'agent_event':
      return row.event ? readEvent(row.event, claim) : nothing
    case 'run_result':
      return readResult(row, claim)
    case 'run_aborted':
      return read(claim.idle('interrupt'))
    default:
      return nothing
  }
})

function readEvent(e: z.infer<typeof event>, claim: Claims): Reading {
  switch (e.type) {
    case 'iteration_start':
      return read(claim.working('thinking'))
    case 'content_start':
      if (e.contentType !== 'tool') return read(claim.working('streaming'))
      return readCall(e, claim)
    case 'content_end':
      return e.contentType === 'tool' ? read(claim.working('thinking', { ends: ['ask:main:*'] })) : nothing
    case 'usage':
      return read(
        claim.facts({ tokensIn: e.totalInputTokens, tokensOut: e.totalOutputTokens, cost: e.totalCost }),
      )
    case 'error': {
      const error = typeof e.error === 'object' ? e.error.message : e.error
      return read(claim.facts({ error: error }))
    }
    default:
      return nothing
  }
}

function readCall({ toolName, input }: z.infer<typeof event>, claim: Claims): Reading {
  const reason = askReason(toolName)
  const asked = reason ? [claim.waiting('ask:main:tool', reason)] : []
  return read(
    claim.working('tool'),
    ...asked,
    claim.facts({ tool: toolName, about: aboutOf(input), question: questionIn(input) }),
  )
}

/** Where a run fails, its text is the error. `max_iterations` and `mistake_limit` are limits of its own, not the provider's. */
function readResult({ finishReason, text, usage, model }: Row, claim: Claims): Reading {
  const facts = {
    model: model?.id,
    tokensIn: usage?.inputTokens,
    tokensOut: usage?.outputTokens,
    cost: usage?.totalCost,
  }
  switch (finishReason) {
    case 'completed':
      return read(claim.finished(text), claim.facts({ ...facts, finalMessage: text }))
    case 'aborted':
      return read(claim.idle('interrupt'), claim.facts(facts))
    default:
      return read(claim.idle('error'), claim.facts({ ...facts, error: text }))
  }
}
