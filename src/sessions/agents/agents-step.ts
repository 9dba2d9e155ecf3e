/**
 * The agents of a machine: which there are, what is reported of each, and what is to be done about it. Pure; signals are
 * filed in a track, which judges.
 */
import type { Agent } from '../../agents/kit/agent.ts'
import type { Signal } from '../../core/evidence/signal.ts'
import { newSession } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import { decodeInput, newDecoder } from '../../track/decode.ts'
import type { RawInput } from '../../track/raw-input.ts'
import type { AgentProcess } from '../discover/agent-search.ts'
import {
  type AgentsEvent,
  type AgentsState,
  type AgentsStep,
  after,
  change,
  type FollowedAgent,
  type FoundAgent,
  living,
  nothing,
  type Time,
} from './agents-state.ts'
import { type FollowEvent, newFollow, stepFollow, type TranscriptFinding } from './follow-step.ts'
import { restore, type SessionHistory } from './restore-session.ts'

/** Effects are carried out in their order; what comes of one is fed back before the next. */
export function stepAgents(before: AgentsState, event: AgentsEvent, time: Time): AgentsStep {
  const state = { ...before, epoch: epochAt(before.epoch, time) }
  const { now } = time
  switch (event.type) {
    case 'running':
      return running(state, event.processes, now)
    case 'found':
      return begin(state, event.found, event.content, now)
    case 'read':
      return judgePast(state, event.id, now)
    case 'due':
      return follow(state, event.id, { type: 'due', now }, now)
    case 'searched':
      return searched(state, event.id, event.finding, now)
    case 'stirred':
      return fileChanged(state, event.agent, event.file, now)
    case 'input':
      return take(state, event.id, event.inputs, now)
    case 'hook': {
      const { id, input, transcript } = event
      const counted = change(state, id, ({ hooks }) => ({ hooks: hooks + 1 }))
      const taken = take(counted, id, [input], now)
      if (transcript === undefined) return taken
      return after(taken, next => follow(next, id, { type: 'transcript named', path: transcript }, now))
    }
  }
}

/** A wall clock is read in whole milliseconds and corrected a little all the time; after a suspend it has leapt. */
const leapMs = 250

/** The same for all events, so that stamps of one instant stay one, until time leaps. */
const epochAt = (epoch: number, { now, wall }: Time): number =>
  Math.abs(wall - now - epoch) > leapMs ? wall - now : epoch

/** How long a session is shown after its process has gone. */
const showGoneMs = 60_000

function running(state: AgentsState, processes: ReadonlyMap<string, AgentProcess>, now: Instant): AgentsStep {
  const isNew = ([id]: [string, AgentProcess]): boolean => !state.sessions.has(id)
  const found = [...processes].filter(isNew)
  const first: AgentsStep = {
    state,
    effects: found.map(([id, process]) => ({ do: 'find', id, process })),
  }
  return [...state.sessions.values()].reduce(
    (step, session) => after(step, next => checkRunning(next, session, processes.has(session.id), now)),
    first,
  )
}

function checkRunning(
  state: AgentsState,
  { id, goneAt }: FollowedAgent,
  isRunning: boolean,
  now: Instant,
): AgentsStep {
  if (goneAt === undefined && isRunning) return { state, effects: [{ do: 'look', id }] }
  if (goneAt === undefined) {
    const gone = change(state, id, () => ({ goneAt: now }))
    const exited = take(gone, id, [{ type: 'exit', cause: 'its process is gone' }], now)
    // Its last lines come before its end.
    return { state: exited.state, effects: [{ do: 'look', id }, ...exited.effects, { do: 'stop', id }] }
  }
  if (now <= goneAt + showGoneMs) return nothing(state)
  const sessions = new Map(state.sessions)
  sessions.delete(id)
  return { state: { ...state, sessions }, effects: [{ do: 'forget', id }] }
}

function begin(state: AgentsState, found: FoundAgent, content: string | null, now: Instant): AgentsStep {
  const {
    id,
    process: { agent },
    surroundings,
  } = found
  const named = content === null ? undefined : agent.statusOrigin?.(content).session
  const session: FollowedAgent = {
    ...found,
    decoder: newDecoder(agent, state.epoch),
    follow: newFollow(surroundings.note === undefined, named),
    agentSession: undefined,
    hooks: 0,
    turnsBefore: 0,
    past: { status: content, lines: [] },
  }
  const sessions = new Map(state.sessions).set(id, session)
  return follow({ ...state, sessions }, id, { type: 'due', now }, now)
}

function judgePast(state: AgentsState, id: string, now: Instant): AgentsStep {
  const found = state.sessions.get(id)
  if (!found?.past) return nothing(state)
  const { past, ...rest } = found
  const { path } = rest.follow
  const { status } = rest
  const history: SessionHistory = {
    ...(path === undefined ? {} : { transcript: { path, lines: past.lines } }),
    ...(status === undefined || past.status === null
      ? {}
      : { status: { path: status, content: past.status } }),
  }
  const times = { started: rest.startedAt - state.epoch, now, epoch: state.epoch }
  const { decoder, session } = restore(rest.decoder, history, times)
  const { agentSession } = session.facts
  const restored: FollowedAgent = { ...rest, decoder, agentSession, turnsBefore: session.verdict.turn }
  return {
    state: { ...state, sessions: new Map(state.sessions).set(id, restored) },
    effects: [
      { do: 'begin', id, session },
      { do: 'look', id },
    ],
  }
}

function searched(state: AgentsState, id: string, found: TranscriptFinding, now: Instant): AgentsStep {
  // Two that guess the same transcript: it is one's, nobody can say whose.
  const other =
    found.how === 'guessed'
      ? living(state).find(one => one.id !== id && one.follow.path === found.path)
      : undefined
  const contested = other ? follow(state, other.id, { type: 'contested' }, now) : nothing(state)
  const event: FollowEvent = { type: 'searched', found, isTaken: other !== undefined }
  return after(contested, next => follow(next, id, event, now))
}

/** So many stray files are kept at the most. */
const mostStrays = 1000

function fileChanged(state: AgentsState, agent: Agent, file: string, now: Instant): AgentsStep {
  const own = living(state).filter(({ process: { agent: own } }) => own === agent)
  if (own.some(({ follow: { path } }) => path === file)) return nothing(state)
  const kept: ReadonlySet<string> = state.strayFiles.size > mostStrays ? new Set() : state.strayFiles
  const isNew = !kept.has(file)
  const next = isNew ? { ...state, strayFiles: new Set([...kept, file]) } : state
  // A new one concerns also those that have one: after `/new` the old one tells nothing any more.
  return own
    .filter(session => isNew || session.follow.path === undefined)
    .reduce(
      (step, { id }) => after(step, then => follow(then, id, { type: 'stirred', now }, now)),
      nothing(next),
    )
}

function follow(state: AgentsState, id: string, event: FollowEvent, now: Instant): AgentsStep {
  const session = state.sessions.get(id)
  if (!session) return nothing(state)
  const { agent } = session.process
  const step = stepFollow(session.follow, event)
  const isLost = step.effects.some(effect => effect.do === 'lost')
  const anew = isLost ? { decoder: newDecoder(agent, state.epoch), agentSession: undefined } : {}
  return {
    state: change(state, id, () => ({ ...anew, follow: step.state })),
    effects: step.effects.map(effect =>
      effect.do === 'lost' ? { do: 'begin', id, session: newSession(now) } : { ...effect, id },
    ),
  }
}

function take(state: AgentsState, id: string, inputs: readonly RawInput[], now: Instant): AgentsStep {
  const session = state.sessions.get(id)
  if (!session) return nothing(state)
  const { past } = session
  if (past) {
    const lines = inputs.flatMap(input => (input.type === 'line' ? [input.line] : []))
    return nothing(change(state, id, () => ({ past: { ...past, lines: [...past.lines, ...lines] } })))
  }
  let { decoder } = session
  const signals: Signal[] = []
  for (const input of inputs) {
    const decoded = decodeInput({ ...decoder, epoch: state.epoch }, input, now)
    decoder = decoded.decoder
    signals.push(...decoded.signals)
  }
  const named = signals
    .flatMap(signal => (signal.type === 'facts' ? (signal.facts.agentSession ?? []) : []))
    .at(-1)
  const taken: AgentsStep = {
    state: change(state, id, ({ agentSession }) => ({ decoder, agentSession: named ?? agentSession })),
    effects: [
      { do: 'record', id, inputs, at: now },
      ...(signals.length > 0 ? [{ do: 'file', id, signals } as const] : []),
    ],
  }
  // A transcript tells of its own session, whichever process' that is.
  if (named === undefined || inputs[0]?.type === 'line') return taken
  return after(taken, next => follow(next, id, { type: 'session named', session: named }, now))
}
