/** Finds the agents of this machine and follows them: runs the effects of agents-step.ts and feeds it the results. */
import type { Clock, Timer } from '../../core/clock.ts'
import { defined } from '../../core/defined.ts'
import type { TraceEvent } from '../../core/trace/trace.ts'
import type { HookReport } from '../../hooks/receiver.ts'
import { attempt } from '../../os/attempt.ts'
import { readBranch } from '../../os/file/git-branch.ts'
import { keptFreezers } from '../../process/linux/cgroups.ts'
import { lookHalted } from '../../process/linux/look-halted.ts'
import { nextBeat } from '../../track/clock.ts'
import { degradedBy } from '../../track/decode.ts'
import { eventOf } from '../../track/raw-input.ts'
import { createSubscribers, type Subscribers, withGap } from '../../track/subscribers.ts'
import { createTrack, type Track } from '../../track/track.ts'
import { startOf } from '../discover/agent-file-search.ts'
import { type AgentProcess, type AgentSearch, createSearch } from '../discover/agent-search.ts'
import { readSurroundings } from '../discover/surroundings.ts'
import { type TranscriptWatcher, watchTranscripts } from '../discover/transcript-watcher.ts'
import { type WhoWrote, whoWrote } from '../discover/who-wrote.ts'
import { type KeptRules, keepOwnAgents, keepRules } from '../screens/rules-now.ts'
import type { LiveSession, SessionChanged, SessionProvider } from '../session-source.ts'
import { type AgentFollower, followAgent } from './agent-follower.ts'
import {
  type AgentsEffect,
  type AgentsEvent,
  type KeptAgents,
  keep,
  living,
  noAgents,
} from './agents-state.ts'
import { stepAgents, undecided } from './agents-step.ts'
import { sampleFor } from './find-grant.ts'
import { isLookDue } from './halted-step.ts'
import { type KeptHooks, keepHooks } from './kept-hooks.ts'
import { lookAtPanes, type ScreenLook } from './panes/look-at-panes.ts'
import { listenToTerminal } from './panes/terminal-output.ts'
import { type WhoLooked, whoLooked } from './panes/who-looked.ts'
import { placeHook, transcriptOf } from './route-hook.ts'
import { labelPanes, type PaneLabel, viewOf } from './session-view.ts'

export type AgentProvider = SessionProvider & {
  /** @returns the session that the hook was filed for; none where no running agent can have sent it */
  receive(report: HookReport): string | undefined
}

export type AgentProviderOptions = {
  /** Where it is kept who was looked at. */
  readonly stateFolder: string
  /** Hooks are received by this process: a session that sends none is hook-blind. They are kept for the next host. */
  readonly receivesHooks?: boolean
  /** Called with what went wrong and keeps nothing from going on. */
  readonly complain?: (sentence: string) => void
  /** Hears agents’ tmux panes, and answers one that asks for a terminal that takes its status; with a socket, that server’s alone. */
  readonly answers7501?: boolean | string
}

const searchEveryMs = 800
/** Claude Code asks 0.75 s after its start at the earliest (docs/research/agents.md#osc-7501): it has to be found by then. */
const searchForQuestionsEveryMs = 200

type Runner = {
  readonly clock: Clock
  readonly track: Track
  readonly findAgents: AgentSearch
  readonly followers: Map<string, AgentFollower>
  readonly recorders: Map<string, Subscribers<TraceEvent>>
  readonly transcripts: TranscriptWatcher
  readonly wrote: WhoWrote
  readonly answers7501: boolean | string
  /** By session: ends the stream of its terminal's output. */
  readonly outputs: Map<string, () => Promise<void>>
  readonly onChange: SessionChanged
  readonly kept: KeptHooks | undefined
  /** The last look at the panes, and what was seen of their screens. */
  looked: Promise<void>
  readonly screens: Map<string, ScreenLook>
  readonly labels: Map<string, PaneLabel>
  readonly seen: WhoLooked
  readonly rules: KeptRules
  state: KeptAgents
  searches: number
  readonly freezers: () => (pid: number) => boolean
}

function newRunner(
  clock: Clock,
  { stateFolder, receivesHooks, answers7501 = false, complain = () => undefined }: AgentProviderOptions,
  onChange: SessionChanged,
): Runner {
  const runner: Runner = {
    clock,
    track: createTrack(clock, id => onChange(id, 'changed')),
    findAgents: createSearch(clock.now, keepOwnAgents()),
    followers: new Map(),
    recorders: new Map(),
    transcripts: watchTranscripts((agent, file) => feed(runner, { type: 'file stirred', agent, file })),
    wrote: whoWrote(clock.wall),
    answers7501,
    outputs: new Map(),
    looked: Promise.resolve(),
    screens: new Map(),
    labels: new Map(),
    seen: whoLooked(stateFolder, id => onChange(id, 'changed')),
    rules: keepRules(),
    onChange,
    kept: receivesHooks ? keepHooks(stateFolder, complain) : undefined,
    state: noAgents({ now: clock.now(), wall: clock.wall() }),
    searches: 0,
    freezers: keptFreezers(clock.now),
  }
  return runner
}

export function agentProvider(clock: Clock, options: AgentProviderOptions): AgentProvider {
  const { receivesHooks = false, answers7501 = false } = options
  let onChange: SessionChanged = () => undefined
  const runner = newRunner(clock, options, (id, what) => onChange(id, what))
  let timer: Timer | undefined
  function searchAgain(): void {
    const every = answers7501 === false ? searchEveryMs : searchForQuestionsEveryMs
    timer = clock.at(nextBeat(clock.now(), every), searchAgain)
    surviving(runner, undefined, () => search(runner))
  }

  function get(id: string): LiveSession | undefined {
    const agent = runner.state.sessions.get(id)
    const session = agent && runner.track.get(id)
    if (!session) return undefined
    const unread = runner.followers.get(id)?.unread() ?? runner.rules.mistakeOf(agent.process.agent.name)
    return viewOf(agent, session, {
      seen: runner.seen.of(id, session, runner.state.epoch),
      receivesHooks,
      ...defined({ unread, label: runner.labels.get(id) }),
    })
  }

  return {
    start(changed) {
      onChange = changed
      searchAgain()
      runner.kept?.dropOthers(new Set(runner.state.sessions.keys()))
    },
    ready: () => runner.looked,
    get,
    list: () => [...runner.state.sessions.keys()].flatMap(id => get(id) ?? []),
    receive: report => receive(runner, report),
    events(id) {
      // A trace begins with what is shown, not with that it is as before.
      runner.screens.delete(id)
      return runner.recorders.get(id)?.subscribe()
    },
    async markSeen(ids) {
      await runner.seen.mark(ids, clock.wall())
      for (const id of ids) if (get(id)) onChange(id, 'changed')
    },
    async close() {
      timer?.cancel()
      runner.kept?.flush()
      runner.transcripts.close()
      for (const one of [...runner.followers.values(), ...runner.recorders.values()]) one.close()
      runner.track.close()
      await Promise.all([...runner.outputs.values()].map(stop => stop()))
    },
  }
}

/** Takes what happened. An effect may feed back at once what came of it: the effects after it are carried out then. */
function feed(runner: Runner, event: AgentsEvent): void {
  const { clock } = runner
  surviving(runner, 'id' in event ? event.id : undefined, () => {
    const step = stepAgents(runner.state, event, { now: clock.now(), wall: clock.wall() })
    runner.state = keep(runner.state, step)
    for (const effect of step.effects) surviving(runner, effect.id, () => carryOut(runner, effect))
  })
}

/** An error concerns its own session only; the others are still followed. */
function surviving({ track, clock }: Runner, id: string | undefined, act: () => void): void {
  try {
    act()
  } catch (error) {
    if (id === undefined) return
    attempt(() => track.file(id, [degradedBy('session', error, clock.now())]))
  }
}

function carryOut(runner: Runner, effect: AgentsEffect): void {
  const { id } = effect
  const { followers, recorders, track } = runner
  const [follower, recorder] = [followers.get(id), recorders.get(id)]
  switch (effect.do) {
    case 'find':
      find(runner, id, effect.process)
      break
    case 'poll':
      follower?.poll(() => feed(runner, { type: 'due', id }))
      break
    case 'search':
      if (follower) feed(runner, { type: 'searched', id, finding: follower.search(effect.session, effect) })
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
    case 'record':
      if (!recorder?.size) break
      for (const input of effect.inputs) recorder.emit({ line: 0, at: effect.at, ...eventOf(input) })
      break
    case 'show':
      runner.onChange(id, 'changed')
      break
    case 'stop':
      follower?.close()
      runner.kept?.drop(id)
      void runner.outputs.get(id)?.()
      runner.outputs.delete(id)
      break
    case 'forget':
      recorder?.close()
      for (const kept of [recorders, followers, runner.labels]) kept.delete(id)
      runner.seen.forget(id)
      track.forget(id)
      runner.onChange(id, 'gone')
      break
  }
}

function search(runner: Runner): void {
  feed(runner, { type: 'running', processes: new Map(runner.findAgents().map(one => [one.id, one])) })
  const [searches, isFrozen] = [runner.searches++, runner.freezers()]
  for (const { id, process, halted } of living(runner.state)) {
    const session = runner.track.get(id)
    const isDue = isLookDue(halted, session?.verdict.state.kind, searches)
    const look = isDue ? lookHalted(process.pid, isFrozen, !halted) : undefined
    if (look) feed(runner, { type: 'looked', id, look })
    const data = session && sampleFor(process.pid, session, runner.clock.now())
    if (data !== undefined) feed(runner, { type: 'input', id, inputs: [{ type: 'report', data }] })
  }
  runner.wrote.observe(undecided(runner.state).map(({ process }) => process.pid))
  runner.transcripts.renew()
  runner.looked = lookAtPanes({
    clock: runner.clock,
    screens: runner.screens,
    agents: () => living(runner.state),
    sessionOf: runner.track.get,
    isStreamed: id => runner.outputs.has(id),
    shown(panes) {
      labelPanes(runner.labels, panes, living(runner.state), id => runner.onChange(id, 'changed'))
      runner.seen.take(panes, runner.track.get, runner.state.epoch)
    },
    rulesOf: runner.rules.of,
    feed: event => feed(runner, event),
  })
}

function find(runner: Runner, id: string, process: AgentProcess): void {
  const surroundings = readSurroundings(process.pid)
  const startedAt = startOf(process, runner.clock.wall())
  const follower = followAgent(process, surroundings, runner.wrote, inputs =>
    feed(runner, { type: 'input', id, inputs }),
  )
  const branch = surroundings.cwd === undefined ? undefined : readBranch(surroundings.cwd)
  const found = { id, process, surroundings, startedAt, branch, status: follower.status }
  runner.followers.set(id, follower)
  runner.recorders.set(id, createSubscribers(withGap))
  const hooks = runner.kept?.of(found, runner.clock.now()) ?? []
  feed(runner, { type: 'found', found, content: follower.readStatus(), hooks })
  feed(runner, { type: 'read', id })
  runner.transcripts.watch(process, surroundings)
  const onText = (data: string) => feed(runner, { type: 'input', id, inputs: [{ type: 'output', data }] })
  const stop = listenToTerminal(process.pid, surroundings, runner.answers7501, onText)
  if (stop) runner.outputs.set(id, stop)
}

function receive(runner: Runner, report: HookReport): string | undefined {
  const session = placeHook(
    report,
    () => living(runner.state),
    () => search(runner),
  )
  if (!session) return undefined
  const [{ id }, at] = [session, runner.clock.now()]
  const { agent, event, payload, via } = report
  const hook = { event, payload, ...defined({ via }) }
  const transcript = transcriptOf(session, payload)
  feed(runner, { type: 'hook', id, input: { type: 'hook', agent, ...hook }, transcript })
  const { path, isSure, session: named } = runner.state.sessions.get(id)?.follow ?? session.follow
  const files = defined({ transcript: isSure ? path : undefined, session: named })
  runner.kept?.keep(id, { at, ...hook, ...files })
  return id
}
