/** The way in for programs: all that the command line has, with nothing to set up and one thing to close. */
import { type Explanation, explanationOf } from '../core/explain/explanation.ts'
import type { Instant } from '../core/state.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import type { LoopOptions, LoopRun } from '../loop/loop.ts'
import type { Diagnosis } from '../process/diagnosis.ts'
import type { Run } from '../run/run.ts'
import type { RunOptions } from '../run/run-options.ts'
import { findSession } from '../sessions/address.ts'
import { callerContext } from '../sessions/caller-context.ts'
import type { LiveChange, LiveSession, SessionSource } from '../sessions/session-source.ts'
import type { Done } from '../sessions/wait/wait-step.ts'
import { realClock } from '../track/clock.ts'
import { lastingSource } from './lasting-source.ts'
import type { SourceOptions } from './open-source.ts'
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
  /** The raw input of a session from now on, as events of a trace whose instant 0 is `from`. */
  events(session: string, from: Instant): Promise<AsyncIterableIterator<TraceEvent>>
  /**
   * Registered before it decides, so that no turn that begins after the call is missed.
   * @returns how it ended: `reached`, or why it can't be (`waitsForPerson`, `turnFailed`, `timeout`, …)
   * @throws {LullError} as `find` does; SOURCE_GONE where nothing can be known any more
   */
  waitFor(session: string | readonly string[], options?: WaitForOptions): Promise<Done>
  explain(session: string): Promise<Explanation>
  /** The terminal of a session, or a pane of tmux; the default pane where no address is given. */
  terminal(
    address?: string,
    options?: {
      readonly socket?: string
      /** Nothing will be typed. */
      readonly readOnly?: boolean
    },
  ): Promise<Terminal>
  /** What any process tree does or waits for. Undefined where no such process runs. */
  diagnose(pid: number): Promise<Diagnosis | undefined>
  /** Runs a command and watches it. */
  run(words: readonly string[], options?: RunOptions): Promise<Run>
  /** Runs a RALPH.md. */
  loop(options?: LoopOptions): Promise<LoopRun>
  /** Somebody has looked at these sessions. */
  markSeen(ids: readonly string[]): Promise<void>
  close(): Promise<void>
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
export async function connect(options: SourceOptions = {}): Promise<Lull> {
  const clock = realClock(true)
  const { source, follow, close } = lastingSource(options)
  const list = async () => (await source()).list()
  const find = async (session: string) => findSession(session, await list(), callerContext())

  async function* changes(): AsyncGenerator<LiveChange, void> {
    const { changes: lasting, leave } = await follow()
    try {
      for (let change = await lasting.next(); change; change = await lasting.next()) yield change
    } finally {
      await leave()
    }
  }

  async function waitFor(session: string | readonly string[], waiting: WaitForOptions = {}): Promise<Done> {
    const { signal = new AbortController().signal, onRegistered = () => undefined } = waiting
    const addresses = typeof session === 'string' ? [session] : session
    const [{ wait }, { requestOf }] = await Promise.all([
      import('../sessions/wait/wait.ts'),
      import('./wait-for.ts'),
    ])
    const { changes: lasting, leave } = await follow()
    try {
      const ports = { changes: lasting, clock, signal, onRegistered }
      const done = await wait(requestOf(waiting), all => meant(addresses, all), ports)
      if (done) return done
      throw signal.reason ?? new Error('the connection was closed')
    } finally {
      await leave()
    }
  }

  return {
    via: async () => (await source()).via,
    async sessions(addresses, { socket } = {}) {
      if (addresses === undefined) return list()
      const { sessionsAt } = await import('./sessions-at.ts')
      return sessionsAt(addresses, await list(), socket)
    },
    find,
    changes,
    events: async (session, from) => (await source()).events((await find(session)).id, from),
    waitFor,
    explain: async session => explanationOf((await find(session)).session, clock.now()),
    async terminal(address, terminalOptions) {
      const { openTerminal } = await import('../drive/open-terminal.ts')
      return openTerminal(address, { ...terminalOptions, sessions: list })
    },
    async diagnose(pid) {
      const { diagnoseNow } = await import('../process/diagnose-now.ts')
      return diagnoseNow(pid)
    },
    async run(words, runOptions) {
      const { run } = await import('../run/run.ts')
      return run(words, runOptions)
    },
    async loop(loopOptions) {
      const { loop } = await import('../loop/loop.ts')
      return loop(loopOptions)
    },
    markSeen: async ids => (await source()).markSeen(ids),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Two addresses may mean one session. */
function meant(addresses: readonly string[], sessions: readonly LiveSession[]): readonly LiveSession[] {
  const caller = callerContext()
  const found = addresses.map(address => findSession(address, sessions, caller))
  return found.filter((session, n) => found.findIndex(({ id }) => id === session.id) === n)
}
