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
import type { Places } from '../os/file/places.ts'
import { personNear } from '../sessions/person-near.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import { realClock } from '../track/clock.ts'
import type { RunnerPorts } from './attempts.ts'
import { type RespawnControl, takePost } from './control/respawn-server.ts'
import type { JudgeConfig } from './judge/judge-config.ts'
import { judgeDriver, type ShownToJudge } from './judge/judge-driver.ts'
import { type PlanOptions, readPlan } from './plan/read-plan.ts'
import type { TimedRespawnEvent } from './respawn-events.ts'
import { type Runner, runRespawn } from './respawn-runner.ts'
import { actsByItself, type RespawnStatus, respawnStatus } from './status.ts'
import type { StopWhy } from './step/respawn-state.ts'
import { newReporter, type Reporter } from './tell-respawn.ts'

/** The connection that it looks and types through. */
export type RespawnAround = {
  find(session: string): Promise<LiveSession>
  sessions(): Promise<readonly LiveSession[]>
  changes(): AsyncIterable<LiveChange>
  terminal(address: string, options?: { readonly socket?: string }): Promise<Terminal>
}

const lookAndType = (
  around: RespawnAround,
  clock: Clock,
): Pick<RunnerPorts, 'clock' | 'sessions' | 'terminal' | 'place' | 'personAt'> => ({
  clock,
  sessions: () => around.sessions(),
  terminal: live => around.terminal(live.id),
  place: ({ terminal, tmux, pane }) =>
    terminal === undefined
      ? around.terminal(`tmux:${pane}`, defined({ socket: tmux }))
      : around.terminal(terminal),
  personAt: async live => (await personNear(live))?.keyAt,
})

function judgePorts(
  judge: JudgeConfig | undefined,
  around: RespawnAround,
  clock: Clock,
): Pick<RunnerPorts, 'judge' | 'judgePlan'> {
  if (!judge) return {}
  const asks = judgeDriver(judge, () => clock.now())
  const shown = (live: LiveSession) => () => shownOf(live, around, clock)
  return {
    judge: (live, signal) => asks.ask('idle', shown(live), signal),
    judgePlan: (live, signal) => asks.ask('plan', shown(live), signal),
  }
}

async function shownOf(live: LiveSession, around: RespawnAround, clock: Clock): Promise<ShownToJudge> {
  await using terminal = await around.terminal(live.id)
  const rows = await terminal.read({ screen: true })
  const { evidence } = explanationOf(live.session, clock.now())
  const shown = [
    explain(live.session.verdict, clock.now(), live.session.facts),
    ...evidence.map(({ evidence: { source, what } }) => `${source}: ${what}`),
  ]
  return { screen: rows.join('\n'), evidence: shown }
}

export type RespawnOptions = PlanOptions & {
  /** Reports what it would type, and types nothing. */
  readonly isDry?: boolean
  readonly clock?: Clock
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
    held: is.duration,
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
  const read = readPlan(options)
  const session = checkedTarget(await around.find(address))
  const id = randomUUID()
  const over = Promise.withResolvers<StopWhy>()
  const changes = around.changes()[Symbol.asyncIterator]()
  const queue = createAsyncQueue<TimedRespawnEvent>(mostEvents, () => runner.control('stop'))
  const reporter = newReporter({
    clock,
    places,
    queue,
    common: () => ({ run: id, live: runner.session() }),
    named: { ...defined({ name: session.name, isDry: isDry || undefined }), plan: read.plan.name },
  })
  const steered = { status: () => status(), control }
  const ports: RunnerPorts = {
    ...lookAndType(around, clock),
    ...judgePorts(read.judge, around, clock),
    rules: read.rules,
    folder: read.folder,
    isDry,
    async moved(to) {
      await post.moveTo(to)
      mark()
    },
    emit(...event) {
      reporter.event(...event)
      mark()
    },
    stopped: why => void end(why),
    failed: error => reporter.warning(isLullError(error) ? error.message : String(error)),
  }
  // One cycle shows everything that it would type.
  const runner = runRespawn(isDry ? { ...read.plan, times: 1 } : read.plan, session, ports)
  const post = await heldPost(places, session, steered)
  await reportBeginning(read, session, ports, reporter)
  runner.begin()
  mark()
  void followChanges(changes, runner, reporter)

  function mark(): void {
    post.mark(!isDry && actsByItself(runner.state()))
  }

  const status = (): RespawnStatus => ({
    ...respawnStatus(runner.session(), runner.state(), {
      now: clock.now(),
      wall: clock.wall(),
      pid: process.pid,
    }),
    ...defined({ name: session.name, address }),
  })

  /** Who stops it may type, or start another one, as soon as this is over. */
  async function control(what: RespawnControl): Promise<void> {
    runner.control(what)
    if (what === 'stop') await runner.settled()
  }

  async function end(why: StopWhy): Promise<void> {
    queue.end()
    await runner.settled()
    await post.leave()
    reporter.close()
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

/** Its place among the respawns, which moves with its session. */
async function heldPost(places: Places, session: LiveSession, steered: Parameters<typeof takePost>[2]) {
  let post = await takePost(places, session, steered)
  return {
    async moveTo(to: LiveSession): Promise<void> {
      const before = post
      post = await takePost(places, to, steered)
      // Not waited for: who asked it to stop is answered once this is over.
      void before.leave()
    },
    mark: (acts: boolean): void => post.mark.set(acts),
    leave: () => post.leave(),
  }
}

async function reportBeginning(
  { plan, warnings }: ReturnType<typeof readPlan>,
  session: LiveSession,
  ports: RunnerPorts,
  reporter: Reporter,
): Promise<void> {
  const { verdict, facts } = session.session
  reporter.event({ type: 'started', steps: plan.steps.length }, explain(verdict, ports.clock.now(), facts))
  for (const warning of warnings) reporter.warning(warning)
  if (plan.relaunch !== undefined && (await endsWithAgent(session, ports)))
    reporter.warning('relaunch: its terminal ends with the agent: start the agent from a shell in it')
}

/** Nothing can be typed where the agent is all that the terminal runs. */
async function endsWithAgent(live: LiveSession, { place }: RunnerPorts): Promise<boolean> {
  try {
    await using terminal = await place(live)
    return terminal.pane.pid === live.pid
  } catch (error) {
    // The first step reports that.
    if (isLullError(error)) return false
    throw error
  }
}

async function followChanges(
  changes: AsyncIterator<LiveChange>,
  runner: Runner,
  reporter: Reporter,
): Promise<void> {
  try {
    for (let next = await changes.next(); !next.done; next = await changes.next()) runner.change(next.value)
  } catch (error) {
    reporter.warning(`nothing can be seen any more: ${(error as Error).message}`)
    runner.control('stop')
  }
}

/** @throws {LullError} USAGE where nothing can be typed to it */
function checkedTarget(live: LiveSession): LiveSession {
  const { id, agent, pane, terminal, session, note } = live
  const who = `${agent} ${id}`
  if (agent === 'terminal' || agent === 'command')
    throw new LullError(
      'USAGE',
      `${who} is not an agent, and lull respawn needs one; use lull send and lull wait for terminals`,
    )
  if (session.verdict.state.kind === 'exited') throw new LullError('USAGE', `${who} has exited`)
  if (pane === undefined && terminal === undefined)
    throw new LullError(
      'USAGE',
      `${who} runs in no terminal that lull can type into${note === undefined ? '' : ` (${note})`}: start it in tmux, or with lull open`,
    )
  return live
}
