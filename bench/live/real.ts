/** Real CLIs on a scripted model: how soon lull says what the model knows to be true, with hooks and without. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureLab, labVersion } from '../../scripts/setup-lab.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import { hostSessions } from '../../src/host/host-client.ts'
import type { LiveChange } from '../../src/sessions/session-source.ts'
import { type Model, startModel } from '../lab/model.ts'
import { type OpenAgent, openAgent } from '../lab/run.ts'
import { endsTurn, type ModelEvent, now } from '../lab/truth.ts'
import { run } from './processes.ts'

export type RealRow = {
  readonly cli: string
  readonly hooks: boolean
  /** What was waited for: `turn begins → working`. */
  readonly what: string
  /** ms from the truth to the verdict; none where it never came. */
  readonly took: number | undefined
  /** That it does not come is known, and why. */
  readonly expected?: string
}

const measured = ['claude', 'codex'] as const
type Measured = (typeof measured)[number]

const patience = 30_000
/** Beyond this a verdict counts as never given. */
const longestWait = 12_000

type Seen = { readonly at: number; readonly state: string }

/** @param env where the host of this bench runs */
export async function measureReal(env: NodeJS.ProcessEnv): Promise<RealRow[]> {
  ensureLab(measured)
  const rows: RealRow[] = []
  for (const cli of measured) {
    for (const hooks of [true, false]) {
      const model = await startModel()
      try {
        rows.push(...(await measure(cli, hooks, model, env)))
      } finally {
        await model.close()
      }
    }
  }
  return rows
}

async function measure(
  cli: Measured,
  hooks: boolean,
  model: Model,
  env: NodeJS.ProcessEnv,
): Promise<RealRow[]> {
  const open = await openAgent(cli, {
    model,
    before: async (place, _, agent) => {
      if (!hooks) return
      const own = { ...env, HOME: place.home, XDG_DATA_HOME: path.join(place.home, 'data') }
      const installed = await run(['hooks', 'install', cli, '--cli', agent.command[0] as string], own)
      if (installed.code !== 0) throw new Error(`hooks install: ${installed.stdout}${installed.stderr}`)
    },
    trustsHooks: hooks,
  })
  const live = hostSessions(path.join(env.LULL_RUNTIME_DIR as string, 'host.sock'))
  const seen: Seen[] = []
  try {
    void note(await live.changes(), open.terminal.pid, seen)
    const row = async (what: string, from: number, state: RegExp, expected?: string): Promise<RealRow> => ({
      cli: `${cli} ${labVersion(cli)}`,
      hooks,
      what,
      took: await soonest(seen, from, state),
      ...(expected === undefined ? {} : { expected }),
    })
    return [
      ...(await shortTurn(open, model, row)),
      ...(await permission(open, model, row, hooks ? undefined : untold[cli])),
      ...(await interrupt(open, model, row)),
    ]
  } finally {
    await live.close()
    await open.close()
  }
}

/** What no file of the CLI tells. */
const untold: Readonly<Record<Measured, string | undefined>> = {
  claude: undefined,
  codex: 'only its hook and its screen tell of a permission',
}

type MakeRow = (what: string, from: number, state: RegExp, expected?: string) => Promise<RealRow>

async function shortTurn(open: OpenAgent, model: Model, row: MakeRow): Promise<RealRow[]> {
  const { pressed } = await open.begin('[[long:3]] please')
  const begins = await row('Enter → working', pressed, /^working/)
  const end = await model.next(endsTurn, patience, pressed)
  const ends = await row('turn’s end → idle', end.at, /^idle/)
  await sleep(1000)
  return [begins, ends]
}

async function permission(
  open: OpenAgent,
  model: Model,
  row: MakeRow,
  expected?: string,
): Promise<RealRow[]> {
  const { pressed } = await open.begin('[[touch:made.txt]] please')
  const asked = await model.next(event => event.type === 'end', patience, pressed)
  const waits = await row('tool call → waiting', asked.at, /^waiting\/permission/, expected)
  await open.asked()
  await open.approve()
  const end = await model.next(endsTurn, patience, pressed)
  const ends = await row('approved, turn’s end → idle', end.at, /^idle/)
  await sleep(1000)
  return [waits, ends]
}

async function interrupt(open: OpenAgent, model: Model, row: MakeRow): Promise<RealRow[]> {
  const { pressed } = await open.begin('[[long:60]] please')
  await open.terminal.waitFor(/word4/)
  const stopped = now()
  await open.press('interrupt')
  const abort: ModelEvent = await model.next(
    event => event.type === 'abort',
    patience,
    Math.max(pressed, stopped),
  )
  return [await row('interrupted → idle', abort.at, /^idle/)]
}

async function note(changes: AsyncIterable<LiveChange>, pid: number, seen: Seen[]): Promise<void> {
  for await (const change of changes) {
    const sessions =
      change.type === 'snapshot' ? change.sessions : change.type === 'changed' ? [change.session] : []
    for (const session of sessions) {
      if (session.pid === pid) seen.push({ at: now(), state: describeState(session.session.verdict.state) })
    }
  }
}

/** How long after `from` the state was first as wanted; 0 where it was so already. */
async function soonest(seen: readonly Seen[], from: number, state: RegExp): Promise<number | undefined> {
  const before = seen.findLast(({ at }) => at <= from)
  if (before && state.test(before.state)) return 0
  while (now() < from + longestWait) {
    const found = seen.find(({ at, state: said }) => at > from && state.test(said))
    if (found) return found.at - from
    await sleep(5)
  }
  return undefined
}
