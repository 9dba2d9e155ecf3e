/**
 * `~/.claude/sessions/PID.json`, undocumented: it is written at each change of state and not in between, so its age means
 * nothing. An unknown word is no evidence.
 */
import { z } from 'zod'
import type { State, WaitingFor } from '../../core/state.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import {
  known,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  type SignRule,
  type StatusInput,
  type StatusOrigin,
  show,
  table,
} from '../kit/agent.ts'
import { check, id, readRecord, stamp, text, word } from '../kit/fields.ts'
import { wordless } from '../kit/own-session.ts'

const fields = z.object({
  pid: z.number().int().positive(),
  procStart: word.optional(),
  sessionId: id.optional(),
  cwd: text.optional(),
  version: word.optional(),
  tmux: word.optional(),
  status: word.optional(),
  waitingFor: word.optional(),
  statusUpdatedAt: stamp.optional(),
})

const reasons = table<WaitingFor>({
  'permission prompt': 'permission',
  'sandbox request': 'permission',
  'worker request': 'permission',
  'input needed': 'question',
  'goal proposal': 'plan',
})

/**
 * Lag: 93 ms median, 370 ms at most after a turn's end (docs/research/agents.md#latency), doubled.
 * Settles: docs/research/agents.md#trap-6.
 */
const rule: Omit<SignRule, 'excludes'> = { source: 'status', tier: 'declared', lag: 750, settles: 400 }

export function statusOrigin(content: string): StatusOrigin {
  const written = parseJson(content)
  if (!isRecord(written)) return {}
  const { procStart, sessionId, statusUpdatedAt } = written
  return {
    start: procStart,
    ...(typeof sessionId === 'string' ? { session: sessionId } : {}),
    since: statusUpdatedAt,
  }
}

/** A `claude` that runs inside this one's turn has a file of its own: only the first counts, until it is removed. */
export function readStatus(input: StatusInput, moment: Moment, memory: Memory): Reading {
  if (memory.session !== undefined && memory.session !== input.path) return nothing
  const reading = readFile(input, moment)
  if (reading.signals.length === 0) return reading
  if (input.content === null) return { ...reading, memory: { session: undefined } }
  const { session } = statusOrigin(input.content)
  const [last] = memory.earlier ?? []
  const isNext = last !== undefined && session !== undefined && session !== last
  return {
    signals: isNext ? [...wordless(moment.seen), ...reading.signals] : reading.signals,
    memory: { session: input.path, ...(session === undefined ? {} : { earlier: [session] }) },
  }
}

function readFile(input: StatusInput, moment: Moment): Reading {
  const { seen } = moment
  if (input.content === null) {
    return read({
      ...show({ ...rule, excludes: [] }, 'removed', { kind: 'unknown' }, seen, seen),
      alive: false,
    })
  }
  const record = readRecord(input.content, 'status file')
  if (!record.ok) return refuse(record.reason)
  const checked = check(fields, record.value, 'status file')
  if (!checked.ok) return refuse(checked.reason)
  const s = checked.value
  const facts = known({
    agentSession: s.sessionId,
    cwd: s.cwd,
    version: s.version,
    pid: s.pid,
    pidStart: s.procStart,
    pane: s.tmux?.match(/%\d+$/)?.[0],
  })
  const factSignal = { type: 'facts' as const, facts, at: seen }
  const state = stateOf(s.status, s.waitingFor)
  if (!state) return read(factSignal)
  const excludes = state.kind === 'idle' ? (['working', 'waiting'] as const) : (['waiting'] as const)
  return read(
    factSignal,
    show({ ...rule, excludes }, s.status as string, state, moment.stamp(s.statusUpdatedAt), seen),
  )
}

function stateOf(status: string | undefined, waitingFor: string | undefined): State | undefined {
  switch (status) {
    case 'busy':
      return { kind: 'working' }
    case 'shell':
      return { kind: 'working', doing: 'background' }
    case 'idle':
      return { kind: 'idle' }
    case 'waiting':
      return { kind: 'waiting', for: reasons.get(waitingFor ?? '') ?? 'dialog' }
    default:
      return undefined
  }
}
