/**
 * One agent: what is reported of it, and what is to be done about it. Pure; signals are filed in a track, which judges.
 */
import { endsSession, isOwnHook } from '../../agents/kit/own-session.ts'
import type { Signal } from '../../core/evidence/signal.ts'
import { newSession } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import { writeReport } from '../../process/health-report.ts'
import type { HaltedLook } from '../../process/linux/look-halted.ts'
import { decodeInput, newDecoder, originOfStatus, withWriters } from '../../track/decode.ts'
import type { RawInput } from '../../track/raw-input.ts'
import { fileAll } from '../../track/track.ts'
import type {
  AgentEffect,
  AgentEvent,
  AgentStep,
  FollowedAgent,
  FoundAgent,
  PastHook,
} from './agents-state.ts'
import { type FollowEvent, newFollow, stepFollow } from './follow-step.ts'
import { stepHalted } from './halted-step.ts'
import { type DialogLook, stepDialog, stepTitle } from './pane-step.ts'
import { caughtUp, restore, type SessionHistory } from './restore-session.ts'

/** `epoch`: ms since the epoch at the clock's 0. */
export type AgentTime = { readonly now: Instant; readonly epoch: number }

export function stepAgent(agent: FollowedAgent, event: AgentEvent, time: AgentTime): AgentStep {
  const { now } = time
  switch (event.type) {
    case 'read':
      return judgePast(agent, time)
    case 'due':
    case 'stirred':
      return follow(agent, { type: event.type, now }, time)
    case 'searched':
      return follow(agent, { type: 'searched', found: event.finding, isTaken: event.isTaken }, time)
    case 'contested':
    case 'shared':
      return follow(agent, event, time)
    case 'gone':
      return take({ ...agent, goneAt: now }, [{ type: 'exit', cause: 'its process is gone' }], time)
    case 'looked':
      return looked(agent, event.look, time)
    case 'input':
      return take(agent, event.inputs, time)
    case 'dialog':
      return lookAtDialog(agent, event, time)
    case 'title':
      return lookAtTitle(agent, event.title, time)
    case 'hook':
      return hooked(agent, event, time)
  }
}

/** What exists of an agent when it is found: its status file, and hooks that an earlier host received. */
type Before = { readonly content: string | null; readonly hooks?: readonly PastHook[] }

export function beginAgent(found: FoundAgent, { content, hooks = [] }: Before, time: AgentTime): AgentStep {
  const { process, surroundings, startedAt } = found
  const { agent, pid } = process
  const named = content === null ? undefined : originOfStatus(agent, content).session
  const last = hooks.at(-1)
  const due = { type: 'due', now: time.now } as const
  const begun: FollowedAgent = {
    ...found,
    decoder: newDecoder(agent, time.epoch, { startedAt, pid }),
    follow: newFollow(surroundings.note === undefined, named ?? last?.session),
    agentSession: undefined,
    apart: newSession(time.now),
    hooks: hooks.length,
    turnsBefore: 0,
    past: { status: content, lines: [], hooks },
  }
  const event =
    last?.transcript === undefined ? due : ({ type: 'transcript named', path: last.transcript } as const)
  return follow(begun, event, time)
}

const nothing = (agent: FollowedAgent): AgentStep => ({ agent, effects: [] })

function after({ agent, effects }: AgentStep, step: (agent: FollowedAgent) => AgentStep): AgentStep {
  const next = step(agent)
  return { agent: next.agent, effects: [...effects, ...next.effects] }
}

function judgePast(found: FollowedAgent, { now, epoch }: AgentTime): AgentStep {
  if (!found.past) return nothing(found)
  const { past, ...rest } = found
  const { path } = rest.follow
  const { status } = rest
  const without: SessionHistory = {
    hooks: past.hooks,
    ...(status === undefined || past.status === null
      ? {}
      : { status: { path: status, content: past.status } }),
  }
  const times = { started: rest.startedAt - epoch, now, epoch }
  const apart = restore(rest.decoder, without, times)
  const read =
    path === undefined
      ? apart
      : restore(rest.decoder, { ...without, transcript: { path, lines: past.lines } }, times)
  const isOthers = rest.follow.isGuess === true && read.session.verdict.state.kind === 'exited'
  const { decoder, session } = isOthers ? apart : read
  const { agentSession } = session.facts
  return {
    agent: { ...rest, decoder, agentSession, apart: apart.session, turnsBefore: session.verdict.turn },
    effects: [{ do: 'begin', session }, { do: 'poll' }],
  }
}

function follow(agent: FollowedAgent, event: FollowEvent, { now }: AgentTime): AgentStep {
  const step = stepFollow(agent.follow, event)
  const isLost = step.effects.some(effect => effect.do === 'lost')
  const next = { ...agent, follow: step.state }
  const apart = isLost ? caughtUp(agent.apart, now) : agent.apart
  return {
    agent: isLost ? { ...next, ...withoutTranscript(agent) } : next,
    effects: step.effects.map(
      (effect): AgentEffect => (effect.do === 'lost' ? { do: 'begin', session: apart } : effect),
    ),
  }
}

/** What is kept of an agent whose transcript is another's. */
function withoutTranscript({ decoder, follow: { session }, apart }: FollowedAgent) {
  const { memories, asked, writers: _, ...rest } = decoder
  const { transcript: __, ...others } = memories
  const isAsked = asked !== undefined && apart.lanes[asked.lane] !== undefined
  return {
    decoder: { ...rest, reached: [], memories: others, ...(isAsked ? { asked } : {}) },
    agentSession: session,
  }
}

function hooked(
  agent: FollowedAgent,
  { input, transcript, isShared = false }: Extract<AgentEvent, { readonly type: 'hook' }>,
  time: AgentTime,
): AgentStep {
  // A thread that the process has left is ended when it is put away (Codex): the process goes on in another.
  const isLeft = transcript !== undefined && agent.follow.left?.includes(transcript) === true
  if (isLeft && input.type === 'hook' && endsSession(input.event)) return nothing(agent)
  const taken = take({ ...agent, hooks: agent.hooks + 1 }, [input], time)
  const isOwn = input.type === 'hook' && isOwnHook(input.payload, taken.agent.decoder.memories.hook)
  if (transcript === undefined || !isOwn) return taken
  const type = isShared ? 'shared' : 'transcript named'
  return after(taken, next => follow(next, { type, path: transcript }, time))
}

function looked(agent: FollowedAgent, look: HaltedLook, time: AgentTime): AgentStep {
  if (agent.past || agent.goneAt !== undefined) return nothing(agent)
  // Two looks that find nothing say the same.
  if (look.by === undefined && agent.halted?.look.by === undefined && agent.halted) return nothing(agent)
  const { pid, agent: cli } = agent.process
  const { halted, report } = stepHalted(agent.halted, look, { name: cli.name, pid }, time.now)
  const next = { ...agent, halted }
  return report ? take(next, [{ type: 'report', data: writeReport(report) }], time) : nothing(next)
}

function lookAtDialog(agent: FollowedAgent, shown: DialogLook, time: AgentTime): AgentStep {
  const { asked } = agent.decoder
  if (!asked || agent.past) return nothing(agent)
  const { isUnseen } = agent.dialog ?? {}
  const { seen, isGone } = stepDialog(agent.dialog, { lane: asked.lane, age: time.now - asked.at }, shown)
  const next = { ...agent, dialog: seen }
  const data = JSON.stringify({ dialog: 'gone', ...(isUnseen && { isUnseen }) })
  return isGone ? take(next, [{ type: 'report', data }], time) : nothing(next)
}

function lookAtTitle(agent: FollowedAgent, title: string, time: AgentTime): AgentStep {
  if (agent.past) return nothing(agent)
  const { decoder, process, startedAt } = agent
  const input: RawInput = { type: 'title', title }
  const { signals } = decodeInput(decoder, input, time.now)
  const state = JSON.stringify(signals.map(signal => (signal.type === 'sign' ? signal.state : null)))
  const age = time.now - (startedAt - time.epoch)
  const { seen, counts } = stepTitle(agent.title, { title, state }, process.agent, { now: time.now, age })
  const next = { ...agent, title: seen }
  return counts === undefined ? nothing(next) : take(next, [input], time, counts)
}

/** @param seen when it was so, where that is not now */
function take(
  agent: FollowedAgent,
  inputs: readonly RawInput[],
  time: AgentTime,
  seen: Instant = time.now,
): AgentStep {
  const { past } = agent
  if (past) return nothing({ ...agent, past: { ...past, lines: [...past.lines, ...linesOf(inputs)] } })
  let decoder = withWriters(agent.decoder, linesOf(inputs))
  const signals: Signal[] = []
  const others: Signal[] = []
  for (const input of inputs) {
    const decoded = decodeInput({ ...decoder, epoch: time.epoch }, input, seen)
    decoder = decoded.decoder
    if (input.type !== 'line') others.push(...decoded.signals)
    const isGuessed = input.type === 'line' && agent.follow.isGuess === true
    signals.push(...(isGuessed ? decoded.signals.filter(signal => !isEnd(signal)) : decoded.signals))
  }
  const apart = others.length === 0 ? agent.apart : fileAll(caughtUp(agent.apart, time.now), time.now, others)
  const named = signals
    .flatMap(signal => (signal.type === 'facts' ? (signal.facts.agentSession ?? []) : []))
    .at(-1)
  const taken: AgentStep = {
    agent: { ...agent, decoder, apart, agentSession: named ?? agent.agentSession },
    effects: [
      { do: 'record', inputs, at: time.now },
      ...(signals.length > 0 ? [{ do: 'file', signals } as const] : []),
    ],
  }
  // A transcript names its own session, whichever process runs it.
  if (named === undefined || inputs[0]?.type === 'line') return taken
  return after(taken, next => follow(next, { type: 'session named', session: named }, time))
}

/** The end of a process that writes a transcript: of one that is only guessed, it may be another's, and this one lives. */
const isEnd = (signal: Signal): boolean => signal.type === 'news' && signal.state.kind === 'exited'

const linesOf = (inputs: readonly RawInput[]): string[] =>
  inputs.flatMap(input => (input.type === 'line' ? [input.line] : []))
