/** Qwen Code's chat file (`~/.qwen/projects/SLUG/chats/SESSION.jsonl`). A message without a call ends the turn. */
import { z } from 'zod'
import type { FactSignal } from '../../core/evidence/signal.ts'
import { isRecord } from '../../core/trace/trace.ts'
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
} from '../kit/agent.ts'
import { checkRow, count, id, isTyped, stamp, word } from '../kit/fields.ts'
import { aboutOf, askReason, promptIn } from '../kit/tools.ts'

const fields = z.object({
  type: word,
  subtype: word.optional(),
  isSidechain: z.boolean().optional(),
  provenance: word.optional(),
  sessionId: id.optional(),
  timestamp: stamp.optional(),
  model: word.optional(),
  systemPayload: z
    .object({
      uiEvent: z.object({ 'event.name': word.optional(), status_code: count.optional() }).optional(),
    })
    .optional()
    .catch(undefined),
  toolCallResult: z.object({ status: word.optional() }).optional().catch(undefined),
  message: z.object({ parts: z.array(z.unknown()).optional() }).optional(),
  usageMetadata: z
    .object({ promptTokenCount: count.optional(), candidatesTokenCount: count.optional() })
    .optional(),
})

/** The file does not report a turn that failed for good. This is longer than any wait for a provider. */
const retryHoldMs = 600_000

/** What Qwen Code tries again: a full provider and a broken one. */
const isRetried = (event?: {
  'event.name'?: string | undefined
  status_code?: number | undefined
}): boolean => {
  const name = event?.['event.name'] ?? ''
  if (name.endsWith('.content_retry')) return true
  return name.endsWith('.api_error') && (event?.status_code === 429 || (event?.status_code ?? 0) >= 500)
}

export function readLine(input: LineInput, moment: Moment, _memory: Memory): Reading {
  const checked = checkRow(fields, input.line, 'chat line', isTyped)
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  if (row.isSidechain) return nothing
  const claim = claimsOf('transcript', row.type, moment.stamp(row.timestamp), moment.seen)
  const parts = (row.message?.parts ?? []).filter(isRecord)
  switch (row.type) {
    case 'user':
      if (row.provenance !== 'real_user') return nothing
      return read(claim.working('thinking', { starts: true }), claim.facts({ prompt: promptIn(parts) }))
    case 'system':
      return isRetried(row.systemPayload?.uiEvent)
        ? read(claim.working('retrying', { hold: retryHoldMs }))
        : nothing
    case 'tool_result': {
      // Where all calls of a message were refused, its turn is over: title and screen show that.
      const isRefused = row.toolCallResult?.status === 'cancelled'
      return read(
        claim.working('thinking', { ends: ['ask:main:*'], ...(isRefused ? { allows: ['idle'] } : {}) }),
      )
    }
    case 'assistant': {
      const used = row.usageMetadata
      const facts = claim.facts({
        model: row.model,
        tokensIn: used?.promptTokenCount,
        tokensOut: used?.candidatesTokenCount,
      })
      const call = parts.find(p => isRecord(p.functionCall))?.functionCall
      if (isRecord(call)) return readCall(call, claim, facts)
      const text = parts.findLast(p => typeof p.text === 'string')?.text
      const final = typeof text === 'string' ? text.slice(-4000) : undefined
      return read(claim.finished(final), facts, claim.facts({ finalMessage: final }))
    }
    default:
      return nothing
  }
}

function readCall(call: Record<string, unknown>, claim: Claims, facts: FactSignal): Reading {
  const tool = typeof call.name === 'string' ? call.name.slice(0, 100) : 'tool'
  const reason = askReason(tool)
  const asked = reason ? [claim.waiting('ask:main:tool', reason)] : []
  return read(
    claim.working('tool', { allows: ['waiting'] }),
    ...asked,
    facts,
    claim.facts({ tool, about: aboutOf(call.args) }),
  )
}
