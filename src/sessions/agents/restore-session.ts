/** Rebuilds a session that ran before lull looked: what its files hold already is judged at the times written there. */

import type { Agent } from '../../agents/kit/agent.ts'
import { ownStamp } from '../../agents/kit/agent-files.ts'
import { advance } from '../../core/advance.ts'
import { defined } from '../../core/defined.ts'
import type { Signal } from '../../core/evidence/signal.ts'
import { newSession, type Session } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import { parseStamp } from '../../core/trace/time-stamp.ts'
import { type Decoder, decodeInput, originOfStatus, withWriters } from '../../track/decode.ts'
import { startingMs } from '../../track/goes-on.ts'
import type { RawInput } from '../../track/raw-input.ts'
import { fileAll, rechecks } from '../../track/track.ts'
import type { PastHook } from './agents-state.ts'

export type SessionHistory = {
  /** The transcript's end. */
  readonly transcript?: { readonly path: string; readonly lines: readonly string[] }
  /** The status file. */
  readonly status?: { readonly path: string; readonly content: string }
  /** Hooks that an earlier host received. */
  readonly hooks?: readonly PastHook[]
}

/** The turn that runs, and those before it, stand within this many lines. */
const mostLines = 400

/**
 * @param started when the process started: what was written before belongs to another process' turns, and only facts of
 * it are kept
 * @param now instants of the machine's monotonic clock, ms; `epoch` is ms since the epoch at its 0
 */
export function restore(start: Decoder, history: SessionHistory, { started, now, epoch }: Times): Restored {
  const past = rebuilt(start, history, { started, now, epoch })
  if (!history.hooks?.length || history.transcript || history.status) return past
  // While no host ran, hooks were lost. Who was idle may have been given a prompt, and here no file would tell of it.
  const isIdle = past.session.verdict.state.kind === 'idle'
  return isIdle ? rebuilt(start, { ...history, hooks: [] }, { started, now, epoch }) : past
}

function rebuilt(start: Decoder, history: SessionHistory, { started, now, epoch }: Times): Restored {
  let decoder = withWriters(start, history.transcript?.lines ?? [])
  let session = begun(started, now)
  for (const { at, input } of inputsOf(start.agent, history, { started, now, epoch })) {
    const decoded = decodeInput({ ...decoder, epoch }, input, Math.max(at, started))
    if (at < started) {
      session = fileAll(session, session.now, decoded.signals.filter(isFact))
      continue
    }
    decoder = decoded.decoder
    session = fileAll(caughtUp(session, at), at, decoded.signals)
  }
  return { decoder, session: advance(caughtUp(session, now), now) }
}

export type Restored = { readonly decoder: Decoder; readonly session: Session }
type Times = { readonly started: Instant; readonly now: Instant; readonly epoch: number }
type Past = { readonly at: Instant; readonly input: RawInput }

/** The content of its files, each line at its own time; a line without one at the time of the line before. */
function inputsOf(
  agent: Agent | undefined,
  { transcript, status, hooks = [] }: SessionHistory,
  { started, now, epoch }: Times,
): Past[] {
  const placed = (stamp: number | undefined, otherwise: Instant): Instant =>
    stamp === undefined ? otherwise : Math.min(now, stamp - epoch)
  let at = -Infinity
  const { path = '', lines = [] } = transcript ?? {}
  const past: Past[] = lines.slice(-mostLines).map(line => {
    at = Math.max(at, placed(ownStamp(line), at === -Infinity ? started : at))
    return { at, input: { type: 'line', path, line } }
  })
  if (status) {
    const since = placed(parseStamp(originOfStatus(agent, status.content).since), now)
    const after = past.findLastIndex(event => event.at <= since) + 1
    past.splice(after, 0, { at: Math.max(since, started), input: { type: 'status', ...status } })
  }
  const received = hooks.map(({ at, event, via, payload }): Past => {
    return { at, input: { type: 'hook', event, payload, ...defined({ via }) } }
  })
  return received.length === 0 ? past : [...past, ...received].sort((a, b) => a.at - b.at)
}

function begun(started: Instant, now: Instant): Session {
  const session = newSession(started)
  if (now > started + startingMs) return session
  const what = 'process start'
  return advance(session, started, {
    type: 'news',
    source: 'session',
    what,
    lane: 'main',
    state: { kind: 'starting' },
    hold: startingMs,
    at: started,
    seen: started,
  })
}

/** The session as time alone has made it. */
export function caughtUp(session: Session, to: Instant): Session {
  let next = session
  for (const due of rechecks(() => next, to)) next = advance(next, due)
  return next
}

const isFact = (signal: Signal): boolean => signal.type === 'facts'
