/** The sessions of this machine, found and followed by this process itself. */
import { originOf } from '../../agents/kit/hook-payload.ts'
import { statusMark } from '../../agents/kit/status-protocol.ts'
import type { Clock } from '../../core/clock.ts'
import type { Signal } from '../../core/evidence/signal.ts'
import { newSession, type Session } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import type { TraceCode, TraceEvent } from '../../core/trace/trace.ts'
import type { HookReport } from '../../hooks/hook-report.ts'
import { identify } from '../../os/proc/process-id.ts'
import { tickMs } from '../../os/proc/stat-fields.ts'
import { decode, newDecoder } from '../../track/decode.ts'
import { createSubscribers } from '../../track/subscribers.ts'
import { createTrack } from '../../track/track.ts'
import { bootedAt } from '../discover/agent-file-search.ts'
import { type AgentProcess, createSearch } from '../discover/agent-search.ts'
import { readBranch } from '../discover/git-branch.ts'
import { readSurroundings } from '../discover/surroundings.ts'
import { createStirring } from '../discover/transcript-watchers.ts'
import { openSeen } from '../seen-file.ts'
import type { Live, LiveChange, LiveSession } from '../session-source.ts'
import { watchAgent } from './agent-follower.ts'
import { attach } from './restore-session.ts'
import { placeHook } from './route-hook.ts'
import { type Followed, viewOf } from './session-view.ts'
import { watchPanes } from './status-panes.ts'

export type OwnLive = Live & {
  /**
   * Takes a hook.
   * @returns the session that it was filed for; none where no running agent can have sent it
   */
  hear(report: HookReport): string | undefined
}

const lookEveryMs = 800
/** How long a session is shown after its process has gone. */
const showGoneMs = 60_000

export type OwnLiveOptions = {
  /** Where it is kept who was looked at. */
  readonly stateFolder: string
  /** Hooks are received by this process: a session that sends none is hook-blind. */
  readonly hearsHooks?: boolean
  /** Reads the tmux panes of agents, and answers Claude Code's question for a terminal that takes its status. */
  readonly answers7501?: boolean
}

/** Finds the agents of this machine and follows them, until it is closed. */
export function ownLive(
  clock: Clock,
  { stateFolder, hearsHooks = false, answers7501 = false }: OwnLiveOptions,
): OwnLive {
  const track = createTrack(clock)
  const search = createSearch(clock.now)
  const seen = openSeen(stateFolder)
  const sessions = new Map<string, Followed>()
  const changes = createSubscribers<LiveChange>()
  const epoch = steadyEpoch(clock)
  const stirring = createStirring(() => living().map(({ watched }) => watched))
  const panes = answers7501 ? watchPanes(printed) : undefined
  const boot = bootedAt()
  let timer = clock.at(clock.now() + lookEveryMs, lookAgain)

  function lookAgain(): void {
    timer = clock.at(clock.now() + lookEveryMs, lookAgain)
    look()
  }

  function look(): void {
    const running = new Map(search.look().map(process => [identify(process.pid, process.start), process]))
    for (const [id, process] of running) if (!sessions.has(id)) begin(id, process)
    for (const followed of sessions.values()) {
      if (followed.goneAt === undefined && !running.has(followed.id)) end(followed)
      if (followed.goneAt === undefined) followed.watched.look()
      else if (clock.now() > followed.goneAt + showGoneMs) forget(followed.id)
    }
    stirring.renew()
  }

  /** When a process started, ms since the epoch; to the second, as exact as the kernel tells its boot. */
  const startOf = ({ start }: AgentProcess): number => {
    const told = boot === undefined ? Date.parse(start) : boot + Number(start) * tickMs
    return Number.isNaN(told) ? clock.wall() : Math.min(told, clock.wall())
  }

  function begin(id: string, process: AgentProcess): void {
    const surroundings = readSurroundings(process.pid)
    const started = startOf(process)
    const tell = (code: TraceCode, data: readonly object[]) =>
      take(
        id,
        code,
        data.map(one => JSON.stringify(one)),
      )
    const watched = watchAgent(process, surroundings, {
      clock,
      started,
      isTaken: file => isTaken(id, file),
      lost: () => forgetAll(id),
      tell,
    })
    const now = clock.now()
    const { decoder, session } = attach(newDecoder(process.agent, epoch()), watched.history(), {
      started: started - epoch(),
      now,
      epoch: epoch(),
    })
    const branch = surroundings.cwd === undefined ? undefined : readBranch(surroundings.cwd)
    const events = createSubscribers<TraceEvent>()
    sessions.set(id, { id, watched, decoder, events, branch, hooks: 0, turnsBefore: session.verdict.turn })
    track.begin(id, session)
    watched.look()
    stirring.watch(process, surroundings)
    if (surroundings.tmux !== undefined) panes?.watch(surroundings.tmux)
  }

  const inPane = (socket: string, pane: string): Followed | undefined =>
    living().find(
      ({ watched: { surroundings } }) => surroundings.tmux === socket && surroundings.pane === pane,
    )

  function printed(socket: string, pane: string, text: string): void {
    // An agent's first words come before the next look.
    if (!inPane(socket, pane) && text.includes(statusMark)) look()
    const own = inPane(socket, pane)
    if (own) take(own.id, 'o', [text])
  }

  function end(followed: Followed): void {
    followed.goneAt = clock.now()
    followed.watched.look()
    take(followed.id, 'x', [JSON.stringify({ cause: 'its process is gone' })])
    followed.watched.close()
  }

  function forget(id: string): void {
    sessions.get(id)?.events.close()
    sessions.delete(id)
    track.forget(id)
    changes.tell({ type: 'gone', id })
  }

  /** Two that guess the same transcript: it is one's, nobody can say whose. */
  function isTaken(id: string, file: string): boolean {
    const other = living().find(f => f.id !== id && f.watched.transcript() === file)
    other?.watched.giveUp()
    return other !== undefined
  }

  /** What was read of it may be another's. */
  function forgetAll(id: string): void {
    const followed = sessions.get(id)
    if (!followed) return
    followed.decoder = newDecoder(followed.watched.process.agent, epoch())
    track.begin(id, newSession(clock.now()))
  }

  /** What came at once is one step: nobody's verdict lies between the lines of a transcript that is read late. */
  function take(id: string, code: TraceCode, data: readonly string[]): void {
    const followed = sessions.get(id)
    if (!followed) return
    const at = clock.now()
    const signals: Signal[] = []
    for (const one of data) {
      const event: TraceEvent = { line: 0, at, code, data: one }
      const decoded = decode({ ...followed.decoder, epoch: epoch() }, event)
      followed.decoder = decoded.decoder
      signals.push(...decoded.signals)
      if (followed.events.size > 0) followed.events.tell(event)
    }
    if (signals.length > 0) track.file(id, signals)
    const named = signals.findLast(s => s.type === 'facts' && s.facts.agentSession !== undefined)
    if (named?.type === 'facts' && code !== 't')
      followed.watched.nameSession(named.facts.agentSession as string)
  }

  function hear(report: HookReport): string | undefined {
    let followed = placeOf(report)
    if (!followed) {
      // An agent's first hook may come before the next look.
      look()
      followed = placeOf(report)
    }
    if (!followed) return undefined
    const { transcript } = originOf(report.payload)
    followed.hooks++
    const { agent, event, payload, via } = report
    take(followed.id, 'h', [JSON.stringify({ agent, event, payload, ...(via === undefined ? {} : { via }) })])
    if (transcript !== undefined) followed.watched.nameTranscript(transcript)
    return followed.id
  }

  const living = (): Followed[] => [...sessions.values()].filter(({ goneAt }) => goneAt === undefined)

  function placeOf(report: HookReport): Followed | undefined {
    const own = living().filter(f => f.watched.process.agent.name === report.agent)
    const sender = own.find(f => report.sender?.pids.includes(f.watched.process.pid))
    if (sender) return sender
    const candidates = own.map(f => ({
      id: f.id,
      pid: f.watched.process.pid,
      startedAt: startOf(f.watched.process),
      cwd: f.watched.surroundings.cwd,
      transcript: f.watched.transcript(),
      session: track.get(f.id)?.facts.agentSession,
    }))
    const id = placeHook(report, candidates)
    return id === undefined ? undefined : sessions.get(id)
  }

  const view = (followed: Followed, session: Session): LiveSession =>
    viewOf(followed, session, { seenAt: seen.at(followed.id), epoch: epoch(), hearsHooks })

  const views = (): LiveSession[] =>
    [...sessions.values()].flatMap(followed => {
      const session = track.get(followed.id)
      return session ? [view(followed, session)] : []
    })

  async function publish(): Promise<void> {
    for await (const { id, session } of track.changes()) {
      const followed = sessions.get(id)
      if (followed && changes.size > 0) changes.tell({ type: 'changed', session: view(followed, session) })
    }
  }

  panes?.watch(defaultTmux())
  look()
  void publish()

  return {
    via: 'own',
    hear,
    list: async () => views(),
    changes: async () => changes.subscribe({ type: 'snapshot', sessions: views() }),
    async events(id, from) {
      const all = sessions.get(id)?.events.subscribe() ?? createSubscribers<TraceEvent>().subscribe()
      return shifted(all, from)
    },
    async markSeen(ids) {
      seen.mark(ids, clock.wall())
      for (const session of views()) if (ids.includes(session.id)) changes.tell({ type: 'changed', session })
    },
    async close() {
      timer.cancel()
      stirring.close()
      panes?.close()
      for (const { watched, events } of sessions.values()) {
        watched.close()
        events.close()
      }
      changes.close()
      track.close()
    },
  }
}

/** A wall clock is read in whole milliseconds and corrected a little all the time; after a suspend it has leapt. */
const leapMs = 250

/** ms since the epoch at the clock's 0: the same for all events, so that stamps of one instant stay one, until time leaps. */
function steadyEpoch(clock: Clock): () => number {
  let epoch = clock.wall() - clock.now()
  return () => {
    const now = clock.wall() - clock.now()
    if (Math.abs(now - epoch) > leapMs) epoch = now
    return epoch
  }
}

/** The socket of the tmux server that `tmux` alone starts. */
const defaultTmux = (): string =>
  `${process.env.TMUX_TMPDIR || '/tmp'}/tmux-${process.getuid?.() ?? 0}/default`

async function* shifted(
  events: AsyncIterableIterator<TraceEvent>,
  from: Instant,
): AsyncGenerator<TraceEvent> {
  for await (const event of events) yield { ...event, at: Math.max(0, event.at - from) }
}
