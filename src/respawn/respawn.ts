/** Keeps an interactive agent going: the next step of a plan whenever it is truly idle, and never an answer that is a person's. */
import { randomUUID } from 'node:crypto'
import { createAsyncQueue } from '../core/async-queue.ts'
import { checkValues, is } from '../core/check-values.ts'
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import { explain } from '../core/explain/explain.ts'
import { explanationOf } from '../core/explain/explanation.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { type History, openHistory } from '../history/open-history.ts'
import type { Places } from '../os/file/places.ts'
import { personNear } from '../sessions/person-near.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import { realClock } from '../track/clock.ts'
import { type RespawnControl, serveRespawn, takeLease } from './control/respawn-server.ts'
import { judgeDriver, type ShownToJudge } from './judge/judge-driver.ts'
import { type PlanOptions, readPlan } from './plan/read-plan.ts'
import type { RespawnEvent, TimedRespawnEvent } from './respawn-events.ts'
import { runRespawn } from './respawn-runner.ts'
import type { RunnerPorts } from './runner-ports.ts'
import { type RespawnStatus, respawnStatus } from './status.ts'
import type { StopWhy } from './step/respawn-state.ts'

export type RespawnOptions = PlanOptions & {
  /** Tells what it would type, and types nothing. */
  readonly isDry?: boolean
  readonly clock?: Clock
}

/** The connection that it looks and types through. */
export type RespawnAround = {
  find(session: string): Promise<LiveSession>
  sessions(): Promise<readonly LiveSession[]>
  changes(): AsyncIterable<LiveChange>
  terminal(address: string, options?: { readonly socket?: string }): Promise<Terminal>
}

/** Its events, until it is over. To leave the iteration early stops it, and so does the end of an `await using`. */
export type RespawnRun = AsyncIterableIterator<TimedRespawnEvent> &
  AsyncDisposable & {
    readonly session: LiveSession
    /** What its entries in the history have in common. */
    readonly id: string
    status(): RespawnStatus
    control(what: RespawnControl): void
    readonly outcome: Promise<StopWhy>
  }

const mostEvents = 10_000

const respawnChecks = {
  session: is.text,
  options: is.options<RespawnOptions>({
    plan: is.text,
    prompt: is.text,
    for: is.duration,
    times: is.wholeFrom(1),
    settled: is.duration,
    isDry: is.flag,
    clock: is.record,
  }),
}

/**
 * @throws {LullError} BAD_PLAN, NO_SESSION, AMBIGUOUS_SESSION, LOCKED where another one keeps it going, USAGE where nothing can be typed to it
 */
export async function respawn(
  address: string,
  options: RespawnOptions,
  around: RespawnAround,
  places: Places,
): Promise<RespawnRun> {
  checkValues('respawn', [address, options], respawnChecks)
  const { isDry = false, clock = realClock(true) } = options
  const { plan, judge, rules, folder, warnings } = readPlan(options)
  const session = await around.find(address)
  checkTarget(session)
  const id = randomUUID()
  const over = Promise.withResolvers<StopWhy>()
  const changes = around.changes()[Symbol.asyncIterator]()
  const queue = createAsyncQueue<TimedRespawnEvent>(mostEvents, () => runner.control('stop'))
  const history = historyOf(places, warning => told({ type: 'warning' }, warning))
  const asks = judge && judgeDriver(judge, () => clock.now())

  function told(event: RespawnEvent, why: string, text?: string): void {
    const time = clock.wall()
    const shown = defined({ text })
    queue.push({ ...event, time, why, ...shown })
    const { type, ...rest } = event
    history.add({
      at: time,
      kind: `respawn.${type}`,
      run: id,
      live: runner.session(),
      data: { ...rest, ...shown, ...defined({ name: session.name }), why, plan: plan.name },
    })
  }

  /** Nothing can be typed where the agent is all that the terminal runs. */
  async function endsWithAgent(live: LiveSession): Promise<boolean> {
    try {
      await using terminal = await ports.place(live)
      return terminal.pane.pid === live.pid
    } catch (error) {
      // Its first step says so.
      if (isLullError(error)) return false
      throw error
    }
  }

  async function shownOf(live: LiveSession): Promise<ShownToJudge> {
    await using terminal = await around.terminal(live.id)
    const rows = await terminal.read({ screen: true })
    const { evidence } = explanationOf(live.session, clock.now())
    const shown = [
      explain(live.session.verdict, clock.now(), live.session.facts),
      ...evidence.map(({ evidence: { source, what } }) => `${source}: ${what}`),
    ]
    return { screen: rows.join('\n'), evidence: shown }
  }

  const ports: RunnerPorts = {
    clock,
    rules,
    folder,
    isDry,
    sessions: () => around.sessions(),
    terminal: live => around.terminal(live.id),
    place: ({ terminal, tmux, pane }) =>
      terminal === undefined
        ? around.terminal(`tmux:${pane}`, defined({ socket: tmux }))
        : around.terminal(terminal),
    personAt: async live => (await personNear(live))?.keyAt,
    ...(asks
      ? {
          judge: (live, signal) => asks.ask('idle', () => shownOf(live), signal),
          judgePlan: (live, signal) => asks.ask('plan', () => shownOf(live), signal),
        }
      : {}),
    async moved(to) {
      const before = post
      post = await takePost(to)
      // Not waited for: who asked it to stop is answered once this is over.
      void before.leave()
    },
    emit: told,
    stopped: why => void end(why),
    failed: error => told({ type: 'warning' }, isLullError(error) ? error.message : String(error)),
  }
  // What it would type is told in one cycle: nothing that a further one tells is new.
  const runner = runRespawn(isDry ? { ...plan, times: 1 } : plan, session, ports)
  let post = await takePost(session)
  told(
    { type: 'started', steps: plan.steps.length },
    explain(session.session.verdict, clock.now(), session.session.facts),
  )
  for (const warning of warnings) told({ type: 'warning' }, warning)
  if (plan.relaunch !== undefined && (await endsWithAgent(session)))
    told(
      { type: 'warning' },
      'relaunch: its terminal ends with the agent: start the agent from a shell in it',
    )
  runner.begin()
  void follow()

  /** Where it is found and steered, and by which it is the only one: an agent that was started again is another session. */
  async function takePost({ id }: LiveSession): Promise<{ leave(): Promise<void> }> {
    const lease = takeLease(places, id)
    try {
      const server = await serveRespawn(places, id, { status, control })
      return {
        leave() {
          const closed = server.close()
          lease.release()
          return closed
        },
      }
    } catch (error) {
      lease.release()
      throw error
    }
  }

  function status(): RespawnStatus {
    const moment = { now: clock.now(), wall: clock.wall(), pid: process.pid }
    return {
      ...respawnStatus(runner.session(), runner.state(), moment),
      ...defined({ name: session.name, address }),
    }
  }

  /** Who stops it may type, or start another one, as soon as this is over. */
  async function control(what: RespawnControl): Promise<void> {
    runner.control(what)
    if (what === 'stop') await runner.settled()
  }

  async function follow(): Promise<void> {
    try {
      for (let next = await changes.next(); !next.done; next = await changes.next()) runner.change(next.value)
    } catch (error) {
      told({ type: 'warning' }, `nothing can be seen any more: ${(error as Error).message}`)
      runner.control('stop')
    }
  }

  async function end(why: StopWhy): Promise<void> {
    queue.end()
    await runner.settled()
    await post.leave()
    history.close()
    over.resolve(why)
    await changes.return?.()
  }

  return Object.assign(queue.values, {
    session,
    id,
    status,
    control: (what: RespawnControl) => runner.control(what),
    outcome: over.promise,
    async [Symbol.asyncDispose]() {
      runner.control('stop')
      await over.promise
    },
  })
}

function checkTarget({ id, agent, pane, terminal, session, note }: LiveSession): void {
  const who = `${agent} ${id}`
  if (agent === 'terminal' || agent === 'command')
    throw new LullError(
      'USAGE',
      `${who} is no agent: lull respawn keeps agents going, lull wait and lull send terminals`,
    )
  if (session.verdict.state.kind === 'exited') throw new LullError('USAGE', `${who} has exited`)
  if (pane === undefined && terminal === undefined)
    throw new LullError(
      'USAGE',
      `${who} runs in no terminal that lull can type into${note === undefined ? '' : ` (${note})`}: start it in tmux, or with lull open`,
    )
}

/** What can't be kept is said once, and keeps nothing from going on. */
function historyOf(places: Places, warn: (sentence: string) => void) {
  let history: History | undefined
  let isTold = false
  function say(why: string): void {
    if (isTold) return
    // First: a warning is an entry of the history, too.
    isTold = true
    warn(`the history does not keep this: ${why}`)
  }
  return {
    add({
      live,
      ...entry
    }: Omit<Parameters<History['add']>[0], 'session'> & { readonly live: LiveSession }): void {
      try {
        history ??= openHistory(places)
        const { id: session, agent, cwd } = live
        const why = history.tryAdd({ ...entry, session, agent, ...(cwd === undefined ? {} : { cwd }) })
        if (why !== undefined) say(why)
      } catch (error) {
        if (!isLullError(error)) throw error
        say(error.message)
      }
    },
    close: () => history?.close(),
  }
}
