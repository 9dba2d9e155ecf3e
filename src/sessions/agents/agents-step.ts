/** The agents of a machine: which there are, and which of them an event concerns. Pure. */
import type { Agent } from '../../agents/kit/agent.ts'
import { defined } from '../../core/defined.ts'
import type { Instant } from '../../core/state.ts'
import type { AgentProcess } from '../discover/agent-search.ts'
import { type AgentTime, beginAgent, stepAgent } from './agent-step.ts'
import {
  type AgentEffect,
  type AgentEvent,
  type AgentStep,
  type AgentsEffect,
  type AgentsEvent,
  type AgentsState,
  type AgentsStep,
  type FollowedAgent,
  living,
  type Time,
} from './agents-state.ts'
import type { TranscriptFinding } from './follow-step.ts'
import { linkStarters } from './link-step.ts'

/** Effects are carried out in their order; what comes of one is fed back before the next. */
export function stepAgents(before: AgentsState, event: AgentsEvent, time: Time): AgentsStep {
  const { now } = time
  const at: AgentTime = { now, epoch: epochAt(before.epoch, time) }
  const state = setBack(before, at.epoch)
  const { effects, changed, ...rest } = changes(state, event, at)
  const hinted = effects.map(effect => withHints(effect, state, changed))
  const earlier = state === before ? [] : [...state.sessions.values()]
  const linked = linkStarters(state.sessions, changed)
  const shown = linked.map(({ id }) => ({ do: 'show', id }) as const)
  return {
    ...rest,
    changed: [...earlier, ...changed, ...linked],
    epoch: at.epoch,
    effects: [...hinted, ...shown],
  }
}

/** Where the clock was set back, what a process writes from now on is stamped earlier than its start was. */
function setBack(state: AgentsState, epoch: number): AgentsState {
  const back = state.epoch - epoch
  if (back <= 0) return state
  const earlier = (agent: FollowedAgent): FollowedAgent => {
    const startedAt = agent.startedAt - back
    const { decoder } = agent
    return { ...agent, startedAt, decoder: { ...decoder, origin: { ...decoder.origin, startedAt } } }
  }
  return { ...state, sessions: new Map([...state.sessions].map(([id, agent]) => [id, earlier(agent)])) }
}

/** Effects of the steps of single agents. */
type OwnEffect = (AgentEffect & { readonly id: string }) | AgentsEffect

function withHints(effect: OwnEffect, state: AgentsState, changed: readonly FollowedAgent[]): AgentsEffect {
  if (effect.do !== 'search') return effect
  const own = changed.find(({ id }) => id === effect.id)
  if (!own) return { ...effect, beside: [], startedAt: 0 }
  const { id, startedAt, follow, besideUntil } = own
  const beside = living(state)
    .filter(other => isBeside(other, own))
    .flatMap(other => (other.id === id ? [] : other.process.pid))
  return { ...effect, beside, startedAt, ...defined({ followed: follow.path, aloneSince: besideUntil }) }
}

/** Their files lie in one place, and are told apart by the folder alone. */
const isBeside = (one: FollowedAgent, other: FollowedAgent): boolean =>
  one.process.agent === other.process.agent && one.surroundings.cwd === other.surroundings.cwd

/** A wall clock is read in whole milliseconds and corrected a little all the time; after a suspend it has leapt. */
const leapMs = 250

/** The same for all events, so that stamps of one instant stay one, until time leaps. */
const epochAt = (epoch: number, { now, wall }: Time): number =>
  Math.abs(wall - now - epoch) > leapMs ? wall - now : epoch

/** What an event changes of the state, and its effects. */
type Changes = Omit<AgentsStep, 'epoch' | 'effects'> & { readonly effects: readonly OwnEffect[] }

function changes(state: AgentsState, event: AgentsEvent, at: AgentTime): Changes {
  switch (event.type) {
    case 'running':
      return running(state, event.processes, at)
    case 'found':
      return all(beginAgent(event.found, event, at))
    case 'searched':
      return searched(state, event.id, event.finding, at)
    case 'hook':
      return hooked(state, event, at)
    case 'file stirred':
      return fileStirred(state, event.agent, event.file, at)
    default:
      return all(...step(besideOthers(state, event.id), event, at))
  }
}

function searched(state: AgentsState, id: string, finding: TranscriptFinding, at: AgentTime): Changes {
  const own = state.sessions.get(id)
  if (finding.how === 'guessed') {
    // Two agents guess the same transcript: it belongs to one of them, but not known to which.
    const other = living(state).find(one => one.id !== id && one.follow.path === finding.path)
    const found = { type: 'searched', finding, isTaken: other !== undefined } as const
    return all(...step(other, { type: 'contested' }, at), ...step(own, found, at))
  }
  if (finding.how === 'named') {
    const other = alsoOf(state, id, finding.path)
    const shared = { type: 'shared', path: finding.path } as const
    if (other) return all(...step(other, shared, at), ...step(own, shared, at))
  }
  const found = step(own, { type: 'searched', finding, isTaken: false }, at)
  return all(...ousted(state, found, at), ...found)
}

/** Those who only guessed the transcript that another turns out to write. */
const ousted = (state: AgentsState, owner: readonly AgentStep[], at: AgentTime): AgentStep[] =>
  owner.flatMap(({ agent: { id, process, follow } }) =>
    follow.path === undefined || follow.isGuess || process.agent.files.writer !== undefined
      ? []
      : living(state)
          .filter(one => one.id !== id && one.follow.isGuess && one.follow.path === follow.path)
          .flatMap(one => step(one, { type: 'contested' }, at)),
  )

type Hook = Extract<AgentsEvent, { readonly type: 'hook' }>

function hooked(state: AgentsState, event: Hook, at: AgentTime): Changes {
  const { id, transcript: path } = event
  const other = path === undefined ? undefined : alsoOf(state, id, path)
  const own = step(state.sessions.get(id), { ...event, isShared: other !== undefined }, at)
  // A hook of a session that only runs within a turn claims nothing.
  const isShared = path !== undefined && own.some(({ agent }) => agent.follow.shared.includes(path))
  const others = isShared ? step(other, { type: 'shared', path }, at) : ousted(state, own, at)
  return all(...others, ...own)
}

/** Another agent that is sure of the same transcript (`--resume` in two terminals): their lines can't be separated. */
const alsoOf = (state: AgentsState, id: string, path: string): FollowedAgent | undefined =>
  living(state).find(one => one.id !== id && isSureOf(one, path))

const isSureOf = ({ process, follow: { path: followed, isSure, shared } }: FollowedAgent, path: string) =>
  process.agent.files.writer === undefined && (shared.includes(path) || (isSure && followed === path))

/** In a log that several processes write, the start time of each separates their lines. */
function besideOthers({ sessions }: AgentsState, id: string): FollowedAgent | undefined {
  const agent = sessions.get(id)
  if (agent?.process.agent.files.writer === undefined || agent.decoder.writers?.own !== undefined)
    return agent
  const { process, follow, decoder } = agent
  const others = [...sessions.values()]
    .filter(other => other.id !== id && other.process.agent === process.agent)
    .filter(other => (other.follow.path ?? follow.path) === follow.path)
    .map(other => ({ startedAt: other.startedAt, own: other.decoder.writers?.own }))
  return { ...agent, decoder: { ...decoder, origin: { ...decoder.origin, others } } }
}

const step = (agent: FollowedAgent | undefined, event: AgentEvent, at: AgentTime): AgentStep[] =>
  agent ? [stepAgent(agent, event, at)] : []

const effectsOf = ({ agent: { id }, effects }: AgentStep): OwnEffect[] =>
  effects.map(effect => ({ ...effect, id }))

const all = (...steps: readonly AgentStep[]): Changes => ({
  changed: steps.map(({ agent }) => agent),
  forgotten: [],
  effects: steps.flatMap(effectsOf),
})

/** How long a session is shown after its process has gone. */
const showGoneMs = 60_000

function running(
  { sessions }: AgentsState,
  processes: ReadonlyMap<string, AgentProcess>,
  at: AgentTime,
): Changes {
  const found = [...processes].filter(([id, { isLauncher }]) => !sessions.has(id) && !isLauncher)
  const checked = [...sessions.values()].map(agent => checkRunning(agent, processes.get(agent.id), at))
  const changed = checked.flatMap(({ changed }) => changed)
  const left = [...sessions.values()].filter(
    one =>
      one.goneAt === undefined &&
      changed.some(gone => isBeside(gone, one)) &&
      !changed.some(({ id }) => id === one.id),
  )
  return {
    changed: [...changed, ...left.map(one => ({ ...one, besideUntil: at.epoch + at.now }))],
    forgotten: checked.flatMap(({ forgotten }) => forgotten),
    effects: [
      ...found.map(([id, process]) => ({ do: 'find', id, process }) as const),
      ...checked.flatMap(({ effects }) => effects),
    ],
  }
}

function checkRunning(agent: FollowedAgent, process: AgentProcess | undefined, at: AgentTime): Changes {
  const { id, goneAt } = agent
  const unchanged = { changed: [], forgotten: [] }
  const forgotten = { changed: [], forgotten: [id] }
  const forget = { do: 'forget', id } as const
  // It lives, and was taken for the session before the program came that it starts.
  if (process?.isLauncher) return { ...forgotten, effects: [{ do: 'stop', id }, forget] }
  if (goneAt === undefined && process) return { ...unchanged, effects: [{ do: 'poll', id }] }
  if (goneAt === undefined) {
    const gone = stepAgent(agent, { type: 'gone' }, at)
    // Its last lines come before its end.
    const effects: OwnEffect[] = [{ do: 'poll', id }, ...effectsOf(gone), { do: 'stop', id }]
    return { changed: [gone.agent], forgotten: [], effects }
  }
  // No process comes back from its end: it was out of sight.
  if (process) return { ...forgotten, effects: [forget, { do: 'find', id, process }] }
  return isShown(goneAt, at.now) ? { ...unchanged, effects: [] } : { ...forgotten, effects: [forget] }
}

const isShown = (goneAt: Instant, now: Instant): boolean => now <= goneAt + showGoneMs

/** So many stray files are kept at the most. */
const mostStrays = 1000

function fileStirred(state: AgentsState, agent: Agent, file: string, at: AgentTime): Changes {
  const own = living(state).filter(({ process: { agent: own } }) => own === agent)
  if (own.some(({ follow: { path } }) => path === file)) return all()
  const kept: ReadonlySet<string> = state.strayFiles.size > mostStrays ? new Set() : state.strayFiles
  const isNew = !kept.has(file)
  // A new file also concerns agents that have a transcript: after `/new` the old one gets no more lines.
  const concerned = own.filter(
    ({ follow }) => isNew || follow.path === undefined || follow.isOneOfSeveral === true,
  )
  return {
    ...all(...concerned.flatMap(session => step(session, { type: 'stirred' }, at))),
    ...(isNew ? { strayFiles: new Set([...kept, file]) } : {}),
  }
}

/** Those of folders with several agents of a kind whose files are found by the folder, and some are not sure of theirs. */
export function undecided(state: AgentsState): FollowedAgent[] {
  const searching = living(state).filter(
    ({ process: { agent }, surroundings: { cwd }, follow: { isReadable } }) =>
      cwd !== undefined && isReadable && agent.files.transcripts.length > 0 && !agent.files.writer,
  )
  const folders = Map.groupBy(
    searching,
    ({ process, surroundings }) => `${process.agent.name} ${surroundings.cwd}`,
  )
  return [...folders.values()]
    .filter(all => all.length > 1 && all.some(({ follow }) => !follow.isSure))
    .flat()
}
