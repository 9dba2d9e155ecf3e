/** Finds the agents of this machine and follows them: carries out what agents-step.ts decides, and tells it what came of it. */
import { originOf } from '../../agents/kit/hook-payload.ts'
import type { Clock, Timer } from '../../core/clock.ts'
import type { TraceEvent } from '../../core/trace/trace.ts'
import type { HookReport } from '../../hooks/hook-report.ts'
import { readBranch } from '../../os/file/git-branch.ts'
import { identify } from '../../os/proc/process-id.ts'
import { tickMs } from '../../os/proc/stat.ts'
import { eventOf } from '../../track/raw-input.ts'
import { createSubscribers, type Subscribers } from '../../track/subscribers.ts'
import { createTrack, type Track } from '../../track/track.ts'
import { bootedAt, isTranscriptOf } from '../discover/agent-file-search.ts'
import { type AgentProcess, createSearch } from '../discover/agent-search.ts'
import { readSurroundings, type Surroundings } from '../discover/surroundings.ts'
import { type TranscriptWatcher, watchTranscripts } from '../discover/transcript-watcher.ts'
import { openSeen } from '../seen-file.ts'
import type { SessionChanged, SessionProvider } from '../session-provider.ts'
import type { LiveSession } from '../session-source.ts'
import { type AgentFollower, followAgent } from './agent-follower.ts'
import {
  type AgentsEffect,
  type AgentsEvent,
  type AgentsState,
  type FollowedAgent,
  living,
  noAgents,
} from './agents-state.ts'
import { stepAgents } from './agents-step.ts'
import { candidateOf, routeHook } from './route-hook.ts'
import { viewOf } from './session-view.ts'
import { hearAgent } from './status-panes.ts'

export type AgentProvider = SessionProvider & {
  /** @returns the session that the hook was filed for; none where no running agent can have sent it */
  receive(report: HookReport): string | undefined
}

export type AgentProviderOptions = {
  /** Where it is kept who was looked at. */
  readonly stateFolder: string
  /** Hooks are received by this process: a session that sends none is hook-blind. */
  readonly receivesHooks?: boolean
  /**
   * Hears the tmux panes of agents, and answers one that asks for a terminal that takes its status: in each server, or in
   * the one with this socket alone.
   */
  readonly answers7501?: boolean | string
}

const lookEveryMs = 800
/** Claude Code asks 0.75 s after its start at the earliest (docs/research/agents.md#osc-7501): it has to be found by then. */
const lookForQuestionsEveryMs = 200

type Runner = {
  readonly clock: Clock
  readonly track: Track
  readonly search: () => AgentProcess[]
  readonly followers: Map<string, AgentFollower>
  readonly recorders: Map<string, Subscribers<TraceEvent>>
  readonly transcripts: TranscriptWatcher
  readonly answers7501: boolean | string
  /** The agents whose panes are heard, and the way to stop. */
  readonly heard: Map<string, () => Promise<void>>
  readonly onChange: SessionChanged
  state: AgentsState
}

export function agentProvider(
  clock: Clock,
  { stateFolder, receivesHooks = false, answers7501 = false }: AgentProviderOptions,
): AgentProvider {
  const seen = openSeen(stateFolder)
  let onChange: SessionChanged = () => undefined
  const { look: search } = createSearch(clock.now)
  const runner: Runner = {
    clock,
    track: createTrack(clock, id => onChange(id, 'changed')),
    search,
    followers: new Map(),
    recorders: new Map(),
    transcripts: watchTranscripts((agent, file) => feed(runner, { type: 'stirred', agent, file })),
    answers7501,
    heard: new Map(),
    onChange: (id, what) => onChange(id, what),
    state: noAgents({ now: clock.now(), wall: clock.wall() }),
  }
  let timer: Timer | undefined

  function lookAgain(): void {
    timer = clock.at(clock.now() + (answers7501 === false ? lookEveryMs : lookForQuestionsEveryMs), lookAgain)
    look(runner)
  }

  function get(id: string): LiveSession | undefined {
    const agent = runner.state.sessions.get(id)
    const session = agent && runner.track.get(id)
    if (!session) return undefined
    return viewOf(agent, session, { seenAt: seen.at(id), epoch: runner.state.epoch, receivesHooks })
  }

  return {
    start(changed) {
      onChange = changed
      lookAgain()
    },
    get,
    list: () => [...runner.state.sessions.keys()].flatMap(id => get(id) ?? []),
    receive: report => receive(runner, report),
    events: id => runner.recorders.get(id)?.subscribe(),
    markSeen(ids) {
      seen.mark(ids, clock.wall())
      for (const id of ids) if (get(id)) onChange(id, 'changed')
    },
    async close() {
      timer?.cancel()
      runner.transcripts.close()
      for (const follower of runner.followers.values()) follower.close()
      for (const recorder of runner.recorders.values()) recorder.close()
      runner.track.close()
      await Promise.all([...runner.heard.values()].map(stop => stop()))
    },
  }
}

/** Takes what happened. An effect may feed back at once what came of it: the effects after it are carried out then. */
function feed(runner: Runner, event: AgentsEvent): void {
  const { clock } = runner
  const { state, effects } = stepAgents(runner.state, event, { now: clock.now(), wall: clock.wall() })
  runner.state = state
  for (const effect of effects) carryOut(runner, effect)
}

function carryOut(runner: Runner, effect: AgentsEffect): void {
  const { id } = effect
  const { followers, recorders, track } = runner
  const follower = followers.get(id)
  switch (effect.do) {
    case 'find':
      find(runner, id, effect.process)
      break
    case 'look':
      follower?.poll(() => feed(runner, { type: 'due', id }))
      break
    case 'search':
      if (follower) feed(runner, { type: 'searched', id, finding: follower.search(effect.session) })
      break
    case 'follow':
      follower?.follow(effect.path)
      break
    case 'leave':
      follower?.leave()
      break
    case 'begin':
      track.begin(id, effect.session)
      break
    case 'file':
      track.file(id, effect.signals)
      break
    case 'record': {
      const recorder = recorders.get(id)
      if (!recorder || recorder.size === 0) break
      for (const input of effect.inputs) recorder.emit({ line: 0, at: effect.at, ...eventOf(input) })
      break
    }
    case 'stop':
      follower?.close()
      void runner.heard.get(id)?.()
      runner.heard.delete(id)
      break
    case 'forget':
      recorders.get(id)?.close()
      recorders.delete(id)
      followers.delete(id)
      track.forget(id)
      runner.onChange(id, 'gone')
      break
  }
}

function look(runner: Runner): void {
  const running = runner.search().map(process => [identify(process.pid, process.start), process] as const)
  feed(runner, { type: 'running', processes: new Map(running) })
  runner.transcripts.renew()
}

function find(runner: Runner, id: string, process: AgentProcess): void {
  const surroundings = readSurroundings(process.pid)
  const startedAt = startOf(process, runner.clock.wall())
  const follower = followAgent(process, surroundings, startedAt, inputs =>
    feed(runner, { type: 'input', id, inputs }),
  )
  const branch = surroundings.cwd === undefined ? undefined : readBranch(surroundings.cwd)
  const found = { id, process, surroundings, startedAt, branch, status: follower.status }
  runner.followers.set(id, follower)
  runner.recorders.set(id, createSubscribers<TraceEvent>())
  feed(runner, { type: 'found', found, content: follower.readStatus() })
  feed(runner, { type: 'read', id })
  runner.transcripts.watch(process, surroundings)
  hear(runner, id, surroundings)
}

const boot = bootedAt()

/** When a process started, ms since the epoch; to the second, as exact as the kernel tells its boot. */
function startOf({ start }: AgentProcess, wall: number): number {
  const kernelTime = boot === undefined ? Date.parse(start) : boot + Number(start) * tickMs
  return Number.isNaN(kernelTime) ? wall : Math.min(kernelTime, wall)
}

function receive(runner: Runner, report: HookReport): string | undefined {
  const route = () => {
    const own = living(runner.state).filter(({ process }) => process.agent.name === report.agent)
    return routeHook(report, own.map(candidateOf))
  }
  let id = route()
  if (id === undefined) {
    // An agent's first hook may come before the next look.
    look(runner)
    id = route()
  }
  const session = id === undefined ? undefined : runner.state.sessions.get(id)
  if (id === undefined || !session) return undefined
  const { agent, event, payload, via } = report
  feed(runner, {
    type: 'hook',
    id,
    input: { type: 'hook', agent, event, payload, ...(via === undefined ? {} : { via }) },
    transcript: transcriptOf(session, payload),
  })
  return id
}

function transcriptOf({ process, surroundings }: FollowedAgent, payload: unknown): string | undefined {
  const { transcript } = originOf(payload)
  const isOwn = transcript !== undefined && isTranscriptOf(process.agent, transcript, surroundings)
  return isOwn ? transcript : undefined
}

function hear(runner: Runner, id: string, { tmux, pane }: Surroundings): void {
  const { answers7501, heard } = runner
  if (tmux === undefined || pane === undefined || (answers7501 !== true && answers7501 !== tmux)) return
  const onText = (data: string) => feed(runner, { type: 'input', id, inputs: [{ type: 'output', data }] })
  heard.set(id, hearAgent(tmux, pane, onText))
}
