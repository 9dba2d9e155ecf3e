/** Lists of what goes on beside a turn, as Claude Code writes them when a turn ends, and Qwen Code after it. */
import { z } from 'zod'
import { type Background, type BackgroundKind, isWork, type Wake } from '../../core/evidence/background.ts'
import type { FactSignal, Lane, LanePattern, News, Source } from '../../core/evidence/signal.ts'
import type { Claims, Memory, Reading } from './agent.ts'
import { id, text, word } from './fields.ts'

const entry = z.object({
  id,
  status: word.optional(),
  type: word.optional(),
  command: text.optional().catch(undefined),
  description: text.optional().catch(undefined),
  name: text.optional().catch(undefined),
})
const cron = z.object({ schedule: text.optional(), recurring: z.boolean().optional() })

const most = 200

export const backgroundFields = {
  background_tasks: z
    .array(entry)
    .transform(tasks => tasks.filter(({ status }) => !isOver.test(status ?? '')).slice(0, most))
    .optional(),
  session_crons: z
    .array(cron)
    .transform(crons => crons.slice(0, most))
    .optional()
    .catch(undefined),
}

type Entry = z.infer<typeof entry>
type Lists = {
  readonly background_tasks?: readonly Entry[] | undefined
  readonly session_crons?: readonly z.infer<typeof cron>[] | undefined
}

/** Words for an entry that is over; any other one runs, or will. */
const isOver = /^(completed|complete|done|finished|failed|error|killed|stopped|cancelled|canceled|aborted)$/

/**
 * Claude Code 2.1.330 lists these types of its own; the others are `shell`, `subagent`, `workflow`, `monitor` and such,
 * all of which end. Behind each is the name of earlier versions.
 */
const kinds: ReadonlyMap<string, BackgroundKind> = new Map([
  ['cloud session', 'remote'],
  ['remote_agent', 'remote'],
])
const teammates: ReadonlySet<string> = new Set(['teammate', 'in_process_teammate'])
const monitors: ReadonlySet<string> = new Set(['monitor', 'monitor_mcp', 'monitor_ws'])

/**
 * Commands that run until they are ended: the development servers of the package managers and frameworks, servers by
 * name, and builders with a watch option. A name without meaning (`make`, `npm run build`) is a task.
 */
const servers: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun)(?: run)? (?:dev|start|serve|preview|watch|storybook)(?::(?!once|ci|check|lint|test|e2e|build|init|setup|seed|migrat)[\w-]+)?(?: |$)/,
  /^(?:npx |pnpm exec |bunx |yarn )?(?:vite(?: dev| serve| preview)?(?= -|$)|(?:next|nuxt|astro|remix|wrangler) (?:dev|start|preview)\b|(?:ng|webpack|vue-cli-service|hugo|jekyll|mkdocs) (?:serve|server)\b|http-server\b|serve\b|live-server\b|nodemon\b|json-server\b|storybook dev\b)/,
  /^(?:python[\d.]*|uv run python) (?:-m http\.server|\S*manage\.py runserver)\b/,
  /^(?:uv run |poetry run )?(?:flask run|uvicorn|gunicorn|hypercorn|streamlit run|jupyter (?:lab|notebook))\b/,
  /^(?:bundle exec )?(?:(?:bin\/)?rails (?:s|server)\b|puma\b)/,
  /^php (?:-S \S|artisan serve\b)/,
  /^(?:docker compose|docker-compose) up(?! .*(?:-d\b|--detach))/,
  /^(?:redis-server|postgres|mongod|nginx(?! .*-[tTvVs]\b)|caddy run|ngrok)\b/,
  /^tail (?:-\S+ )*(?:-[a-zA-Z]*[fF]|--follow)/,
  /^(?:npx |bunx |pnpm exec |yarn )?(?:tsc|jest|vitest|webpack|rollup|esbuild|tailwindcss|sass|node|deno)\b.* (?:--watch|--watchAll)(?: |$|=true)/,
  // In jest -w is the number of workers, and in a script of node's it can mean anything.
  /^(?:npx |bunx |pnpm exec |yarn )?(?:tsc|vitest|webpack|rollup|tailwindcss|sass)\b.* -w(?: |$)/,
]

/** Options with which it ends by itself, or none is started: `tail --pid`, the tests of a compose file, a check of settings. */
const endsByItself =
  / --(?:pid|abort-on-container-(?:exit|failure)|exit-code-from|wait|no-start|dry-run|run|once|help|version|check-config|test-memory|watch(?:All)?[ =]false)(?:[ =]|$)/

/** The last command decides. Commands before it (`cd app &&`, `npm run dev &`) end, or are left behind. */
export function isServer(command: string): boolean {
  if (command.length > longestCommand) return false
  const last = command
    .replace(/(^|\s)#.*/g, '')
    .split(/&&|\|\||[;|\n]|(?<![<>&])&(?![>&])/)
    .map(part => part.trim())
    .findLast(part => part !== '')
  const bare = last?.replace(/^(?:(?:exec|nohup|sudo|env) |\w+=\S* )+/, '').replace(/\s+/g, ' ')
  return bare !== undefined && !endsByItself.test(bare) && servers.some(server => server.test(bare))
}

const longestCommand = 1000

const isTeammate = ({ type = '' }: Pick<Entry, 'type'>): boolean => teammates.has(type)
const laneOf = (one: Entry): Lane => (isTeammate(one) ? `bg:teammate:${one.id}` : `bg:${one.id}`)

function kindOf({ type = '', status, command }: Entry, areIdle: boolean): BackgroundKind {
  if (isTeammate({ type })) return areIdle || status === 'idle' ? 'teammate' : 'task'
  return kinds.get(type) ?? (command !== undefined && isServer(command) ? 'server' : 'task')
}

export type Beside = {
  /** Claims for what counts as work. */
  readonly news: readonly News[]
  /** How many teammates there are. */
  readonly teammates: number
  readonly facts: FactSignal
}

/** @param idleTeammates how many reported idle. Where some did not, it is unknown which of them these are. */
export function readBeside(lists: Lists, claim: Claims, idleTeammates = 0): Beside {
  const alive = lists.background_tasks ?? []
  const count = alive.filter(isTeammate).length
  const areIdle = idleTeammates > 0 && idleTeammates >= count
  const found = alive.map(one => ({ one, kind: kindOf(one, areIdle) }))
  const working = found.filter(({ kind }) => isWork(kind))
  return {
    news: working.map(({ one, kind }) => claim.background(laneOf(one), { background: kind })),
    teammates: count,
    facts: claim.facts({
      background: found.map(({ one, kind }): Background => ({ kind, ...whatOf(one) })),
      wakes: [
        ...(lists.session_crons ?? []).map(
          ({ schedule, recurring }): Wake => ({
            kind: recurring === false ? 'wakeup' : 'cron',
            ...(schedule === undefined ? {} : { what: schedule.slice(0, longestWhat) }),
          }),
        ),
        ...alive
          .filter(({ type = '' }) => monitors.has(type))
          .map((one): Wake => ({ kind: 'monitor', ...whatOf(one) })),
      ],
    }),
  }
}

/** More than anybody runs or schedules. The oldest makes room. */
const mostEntries = 50
type Entries<T> = readonly (readonly [id: string, value: T])[]

/** The same where it is not in it. */
export const without = <T>(entries: Entries<T>, id: string): Entries<T> =>
  entries.some(([known]) => known === id) ? entries.filter(([known]) => known !== id) : entries

export const withEntry = <T>(entries: Entries<T>, id: string, value: T): Entries<T> => [
  ...without(entries, id).slice(1 - mostEntries),
  [id, value],
]

/**
 * A command goes on beside the turn, by a source that reports its end as well. Signs of the turn alone do not end it.
 * @param id the same in all sources
 */
export function begunBeside(memory: Memory, claim: Claims, id: string, command = ''): Reading {
  const kind = isServer(command) ? 'server' : 'task'
  const what = command.slice(0, longestWhat)
  const beside = withEntry<Background>(memory.beside ?? [], id, what === '' ? { kind } : { kind, what })
  const lane: Lane = `bg:${id}`
  const work = isWork(kind) ? [claim.background(lane, { outlasts: ['osc7501', 'title', 'progress'] })] : []
  return { signals: [...work, listed(beside, claim)], memory: { ...memory, beside } }
}

/**
 * It has ended; nothing where its beginning was not reported.
 * @param wakes its end begins a turn by itself
 */
export function endedBeside(memory: Memory, claim: Claims, id: string, wakes: boolean): Reading {
  const beside = without(memory.beside ?? [], id)
  if (beside === memory.beside || memory.beside === undefined) return { signals: [], memory }
  const ends = [`bg:${id}`] as const
  const end = wakes ? wakeDue(claim, ends) : claim.ended(ends)
  return { signals: [end, listed(beside, claim)], memory: { ...memory, beside } }
}

const listed = (beside: Entries<Background>, claim: Claims): FactSignal =>
  claim.facts({ background: beside.map(([, one]) => one) })

/** Sources that show the turn alone. */
const turnSigns: readonly Source[] = ['status', 'osc7501', 'title', 'progress', 'screen']
/** A wake that has not come by then does not come: the slowest one in a report took 6 s. */
const longestWakeMs = 15_000

/** Work beside the turn has ended, and begins a turn with its result: until then the session is not settled. */
export const wakeDue = (claim: Claims, ends: readonly LanePattern[]): News =>
  claim.news(
    'wake',
    { kind: 'working', doing: 'background' },
    { ends, outlasts: turnSigns, hold: longestWakeMs },
  )

/** Shown in a line. */
const longestWhat = 200

function whatOf({ command, name, description }: Entry): { what?: string } {
  const what = command ?? name ?? description
  return what === undefined ? {} : { what: what.slice(0, longestWhat) }
}
