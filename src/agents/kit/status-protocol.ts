/**
 * OSC 7501, the Program Status Protocol: `state=working|blocked|done|idle|error|clear : app=… [:kind=…]`.
 * Spoken by Claude Code (when asked) and Codex (unasked): docs/research/agents.md#osc-7501.
 */
import type { State, WaitingFor } from '../../core/state.ts'
import { type Moment, nothing, type Reading, read, type SignRule, show, table } from './agent.ts'

/** The question, and the answer of a terminal that knows the protocol. */
export const statusAnswer = '\u001b]7501;?\u001b\\'
export const statusQuestions = [statusAnswer, '\u001b]7501;?\u0007'] as const

const kinds = table<WaitingFor>({
  permission: 'permission',
  question: 'question',
  auth: 'login',
})

const states = table<(kind: string | undefined) => State>({
  working: () => ({ kind: 'working' }),
  blocked: kind => ({ kind: 'waiting', for: kinds.get(kind ?? '') ?? 'dialog' }),
  done: () => ({ kind: 'idle', after: 'turn' }),
  idle: () => ({ kind: 'idle' }),
  error: () => ({ kind: 'idle', after: 'error' }),
})

/** Lag: 1 s is eight times the slowest measured move after a hook (Claude 114 ms, Codex 36 ms). */
const rule: SignRule = { source: 'osc7501', tier: 'declared', lag: 1000, excludes: ['working', 'waiting'] }

/** The sign that a 7501 command gives; none where it is another program's, a subagent's, a query, or unreadable. */
export function readStatusCommand(text: string, app: string, { seen }: Moment): Reading {
  const fields = new Map<string, string>()
  for (const part of text.split(':')) {
    const equals = part.indexOf('=')
    if (equals > 0) fields.set(part.slice(0, equals), part.slice(equals + 1))
  }
  // Records with an id belong to a subagent: the session's own have none (Claude 2.1.330, recorded).
  if (fields.has('id')) return nothing
  const state = fields.get('state')
  if (state === 'clear')
    return read({ ...show(rule, 'clear', { kind: 'unknown' }, seen, seen), alive: false })
  if (state === undefined || fields.get('app') !== app) return nothing
  const shown = states.get(state)?.(fields.get('kind'))
  return shown ? read(show(rule, state, shown, seen, seen)) : nothing
}
