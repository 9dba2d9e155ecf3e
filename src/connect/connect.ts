/** The way in for programs: all that the command line has, with nothing to set up and one thing to close. */
import { checkValues, is } from '../core/check-values.ts'
import { defined } from '../core/defined.ts'
import type { Explanation } from '../core/explain/explanation.ts'
import { LullError } from '../core/lull-error.ts'
import { openHandle } from '../core/open-handle.ts'
import type { Instant } from '../core/state.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import type { LoopOptions, LoopRun } from '../loop/loop.ts'
import type { TerminalEnd } from '../owned/close-owned.ts'
import type { OpenOptions } from '../owned/open-owned.ts'
import type { Diagnosis } from '../process/diagnosis.ts'
import type { RespawnOptions, RespawnRun } from '../respawn/respawn.ts'
import type { Run } from '../run/run.ts'
import type { RunOptions } from '../run/run-options.ts'
import type { LiveChange, LiveSession, RequestPort, SessionSource } from '../sessions/session-source.ts'
import type { Done } from '../sessions/wait/wait-step.ts'
import { realClock } from '../track/clock.ts'
import { type LastingSource, lastingSource } from './lasting-source.ts'
import type { SourceOptions } from './open-source.ts'
import { ownMachine } from './own-machine.ts'
import type { SessionMachine, TerminalWhere } from './session-machine.ts'
import type { WaitForOptions } from './wait-for.ts'

/**
 * A SESSION is given as on the command line: an id or the beginning of one, a name, `tmux:%3`, `pid:123`, or a folder.
 * Instants are ms of the machine's monotonic clock, durations ms. What can't be done as asked is a LullError.
 */
export type Lull = AsyncDisposable & {
  /** Whether a host answers, or this process searches for itself. */
  via(): Promise<SessionSource['via']>
  /**
   * All sessions, or those that are meant: an address may mean several, and a pane of tmux that is no session is observed
   * once. `socket`: the tmux server that `tmux:` means, by the path of its socket or its name.
   */
  sessions(
    addresses?: readonly string[],
    options?: { readonly socket?: string },
  ): Promise<readonly LiveSession[]>
  /** @throws {LullError} NO_SESSION, AMBIGUOUS_SESSION, BAD_ADDRESS */
  find(session: string): Promise<LiveSession>
  /** First a snapshot, then each change. Goes on by itself, with another snapshot, where the host ends. */
  changes(): AsyncIterableIterator<LiveChange>
  /** The raw input of a session from now on, as events of a trace that starts at `from`. */
  events(session: string, from: Instant): Promise<AsyncIterableIterator<TraceEvent>>
  /**
   * Registered before it decides, so that no turn that begins after the call is missed.
   * `'*'` is whoever is there and whoever comes, with `any`.
   * @returns how it ended: `reached`, or why it can't be (`waitsForPerson`, `turnFailed`, `timeout`, …)
   * @throws {LullError} as `find` does; TERMINAL_ENDED; SOURCE_GONE where nothing can be known any more
   */
  waitFor(session: string | readonly string[], options?: WaitForOptions): Promise<Done>
  explain(session: string): Promise<Explanation>
  /** The terminal of a session, one of lull's own by its name, or a pane of tmux; the default pane where no address is given. */
  terminal(address?: string, options?: TerminalWhere): Promise<Terminal>
  /**
   * Opens a terminal of lull's own, which outlives this program: `terminal(name)` finds it again.
   * @throws {LullError} USAGE, NAME_TAKEN, NOT_FOUND, NOT_EXECUTABLE, NO_FOLDER, TERMINALS_GONE
   */
  open(name: string, options?: OpenOptions): Promise<Terminal>
  /**
   * Hangs up what runs in a terminal of lull's own; `force` kills what ignores that.
   * @throws {LullError} NO_SESSION, STILL_RUNS, TERMINALS_GONE
   */
  end(name: string, options?: { readonly force?: boolean }): Promise<TerminalEnd>
  /** What any process tree does or waits for. Undefined where no such process runs. */
  diagnose(pid: number): Promise<Diagnosis | undefined>
  /** Runs a command and watches it. */
  run(words: readonly string[], options?: RunOptions): Promise<Run>
  /** Runs a RALPH.md. */
  loop(options?: LoopOptions): Promise<LoopRun>
  /**
   * Keeps an agent going by a plan (docs/respawn.md).
   * @throws {LullError} as `find` does; BAD_PLAN where it can't be carried out as it is written, LOCKED where another one keeps it going, USAGE where nothing can be typed to it
   */
  respawn(session: string, options: RespawnOptions): Promise<RespawnRun>
  /** Somebody has looked at these sessions. */
  markSeen(ids: readonly string[]): Promise<void>
  /** Ends the runs and loops that it has started, too, and waits for their end. */
  close(): Promise<void>
}

export type ConnectOptions = SourceOptions & {
  /** Of a host that `lull serve` serves, on this machine or another one: `https://box.example.org:4770`. */
  readonly url?: string
  /** A token of that host; `LULL_TOKEN` where not given. */
  readonly token?: string
}

/**
 * Nothing is looked for, and of what looks nothing is loaded, before something is asked.
 *
 * ```ts
 * await using lull = await connect()
 * const { outcome } = await lull.waitFor('web', { until: 'idle', timeout: 600_000 })
 * if (outcome === 'reached') await lull.run(['npm', 'run', 'deploy'])
 * ```
 */
export async function connect(options: ConnectOptions = {}): Promise<Lull> {
  checkValues('connect', [options], { options: connectOptions })
  const { url, token = process.env.LULL_TOKEN, own, startsHost, onNotice } = options
  if (url !== undefined) {
    if (own || startsHost)
      throw new LullError('USAGE', 'connect: own and startsHost are of this machine; leave them out with url')
    const { connectRemote } = await import('./remote/connect-remote.ts')
    const { source, machine } = connectRemote(url, token, onNotice)
    return lullOn(source, machine)
  }
  if (options.token !== undefined) throw new LullError('USAGE', 'connect: token needs the url of a host')
  return lullOn(lastingSource(options))
}

/** Over sessions that somebody else opened: a host serves its own. */
export function lullOn(
  { ask, follow, close: closeSource }: LastingSource,
  machine: SessionMachine = ownMachine,
): Lull {
  const handle = openHandle(closed)
  const clock = realClock(true)
  const started = startedWork()
  const list = () => ask(source => source.list())
  const find = (session: string) => machine.find(session, list)
  const requests: RequestPort = {
    asked: session => ask(async source => source.requests?.asked(session)),
    // Of a host that ended meanwhile nobody knows whether it told the agent.
    reply: (...about) => ask(async source => source.requests?.reply(...about) ?? 'unconfirmed'),
  }

  async function* changes(): AsyncGenerator<LiveChange, void> {
    handle.enter('changes')
    const { changes: lasting, leave } = await follow()
    try {
      for (let change = await lasting.next(); change; change = await lasting.next()) yield change
    } finally {
      await leave()
    }
  }

  async function waitFor(session: string | readonly string[], waiting: WaitForOptions = {}): Promise<Done> {
    const addresses = typeof session === 'string' ? [session] : session
    const begun = clock.now()
    const [{ wait }, { requestOf, waitForOptions }, { whomOf }] = await Promise.all([
      import('../sessions/wait/wait.ts'),
      import('./wait-for.ts'),
      import('./wait-whom.ts'),
    ])
    checkValues('waitFor', [waiting], { options: waitForOptions })
    const { signal = new AbortController().signal, onRegistered = () => undefined } = waiting
    const request = requestOf(waiting)
    const away = { patience: request.timeout, signal }
    const { changes: lasting, leave, whyAway, registeredAt } = await follow(away)
    try {
      const resolved = await machine.resolve(addresses, { ...away, appear: waiting.appear === true })
      const { find, appearing } = whomOf(resolved, request, waiting, machine.caller())
      const typedAt = await machine.typedAt()
      const about = { begun, typedAt, appearing, ...defined({ registeredAt }) }
      const ports = { changes: lasting, clock, signal, onRegistered, ...about }
      const done = await wait(request, find, ports)
      if (!done) throw signal.reason ?? new LullError('CLOSED', `waitFor: ${closed}`)
      const why = done.outcome === 'timeout' ? whyAway?.() : undefined
      if (why === undefined) return done
      throw new LullError(
        'SOURCE_GONE',
        `waitFor: its time is over, and nobody knows what became of the sessions: ${why}`,
      )
    } catch (error) {
      throw await machine.endedInstead(error)
    } finally {
      await leave()
    }
  }

  const methods: Omit<Lull, 'changes' | 'close' | typeof Symbol.asyncDispose> = {
    via: () => ask(async source => source.via),
    async sessions(addresses, { socket } = {}) {
      if (socket !== undefined) await machine.checkServer(socket)
      if (addresses === undefined) return list()
      return machine.sessionsAt(addresses, list, socket)
    },
    find,
    events: async (session, from) => {
      const { id } = await find(session)
      return ask(source => source.events(id, from))
    },
    waitFor,
    async explain(session) {
      const { explanationOf } = await import('../core/explain/explanation.ts')
      const isFollowed = (await methods.via()) === 'host'
      return explanationOf((await find(session)).session, clock.now(), isFollowed)
    },
    terminal: (address, where) => machine.terminal(address, where, list, requests),
    async open(name, options = {}) {
      await machine.open(name, options)
      return methods.terminal(name)
    },
    end: (name, { force = false } = {}) => machine.end(name, force),
    diagnose: machine.diagnose,
    async run(words, runOptions) {
      const begun = await machine.run(words, runOptions)
      return started.keep(begun, begun.ended)
    },
    async loop(loopOptions) {
      const begun = await machine.loop(loopOptions)
      return started.keep(begun, begun.outcome)
    },
    async respawn(session, respawnOptions) {
      const around = { find, sessions: list, changes, terminal: methods.terminal }
      const begun = await machine.respawn(session, respawnOptions, around)
      return started.keep(begun, begun.outcome)
    },
    markSeen: ids => ask(source => source.markSeen(ids)),
  }
  const close = async () => {
    handle.close()
    await started.end()
    await closeSource()
  }
  return { ...handle.guard(methods, checks), changes, close, [Symbol.asyncDispose]: close }
}

/** Runs and loops: nobody reads them any more once their connection is closed. */
function startedWork() {
  const all = new Set<AsyncDisposable>()
  return {
    keep<Work extends AsyncDisposable>(work: Work, ended: Promise<unknown>): Work {
      all.add(work)
      const leave = () => all.delete(work)
      ended.then(leave, leave)
      return work
    },
    end: () => Promise.all([...all].map(work => work[Symbol.asyncDispose]())),
  }
}

const closed = 'this connection was closed: connect() opens another one'

const connectOptions = is.options<ConnectOptions>({
  own: is.flag,
  startsHost: is.flag,
  onNotice: is.callback,
  url: is.text,
  token: is.text,
})

/** Of what is loaded later the rest is checked there. */
const checks = {
  via: {},
  sessions: { addresses: is.optional(is.listOf(is.text)), options: is.options({ socket: is.text }) },
  find: { session: is.text },
  events: { session: is.text, from: is.number },
  waitFor: { session: is.oneOrMore(is.text) },
  explain: { session: is.text },
  terminal: {
    address: is.optional(is.text),
    options: is.options({ socket: is.text, readOnly: is.flag }),
  },
  open: {
    name: is.text,
    options: is.options<OpenOptions>({
      words: is.listOf(is.text),
      cwd: is.text,
      size: is.record,
      env: is.record,
    }),
  },
  end: { name: is.text, options: is.options({ force: is.flag }) },
  diagnose: {},
  run: {},
  loop: {},
  respawn: { session: is.text, options: is.record },
  markSeen: { ids: is.listOf(is.text) },
}
