/**
 * OSC 7501, the Program Status Protocol: `state=working|blocked|done|idle|error|clear : app=… [:kind=…]`.
 * Spoken by Claude Code (when asked) and Codex (unasked); agents.md.
 */
import type { Sign } from '../core/signal.ts'
import type { State, WaitingFor } from '../core/state.ts'
import { type Moment, table } from './shape.ts'

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
const lag = 1000

/** The sign that a 7501 command gives, or undefined where it is another program's, a subagent's, a query, or unreadable. */
export function readStatusCommand(text: string, app: string, moment: Moment): Sign | undefined {
  const fields = new Map<string, string>()
  for (const part of text.split(':')) {
    const equals = part.indexOf('=')
    if (equals > 0) fields.set(part.slice(0, equals), part.slice(equals + 1))
  }
  // Records with an id tell of a subagent: the session's own have none (Claude 2.1.330, recorded).
  if (fields.has('id')) return undefined
  const state = fields.get('state')
  if (state === 'clear') return { ...sign(moment, 'clear', { kind: 'unknown' }), alive: false }
  const says =
    state === undefined || fields.get('app') !== app ? undefined : states.get(state)?.(fields.get('kind'))
  return says && sign(moment, state as string, says)
}

const sign = (moment: Moment, what: string, says: State): Sign => ({
  type: 'sign',
  source: 'osc7501',
  what,
  says,
  excludes: ['working', 'waiting'],
  tier: 'declared',
  lag,
  since: moment.seen,
  seen: moment.seen,
  alive: true,
})
