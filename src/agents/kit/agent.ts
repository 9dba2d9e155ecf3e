/** The one shape of an agent's folder: what is known of a CLI, as data and pure readers. Readers never decide. */
import type { Background, Wake } from '../../core/evidence/background.ts'
import type {
  FactSignal,
  Facts,
  Lane,
  LanePattern,
  News,
  Sign,
  Signal,
  Source,
} from '../../core/evidence/signal.ts'
import type { Doing, IdleAfter, Instant, State, WaitingFor } from '../../core/state.ts'
import type { HookedName } from '../agent-names.ts'
import type { CommandLine } from '../command-lines.ts'
import type { ScreenMemory } from '../screen/screen-memory.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import type { HookPlan } from './hook-plan.ts'
import type { HookRequest } from './hook-request.ts'
import type { McpPlan, SkillFolders } from './mcp-plan.ts'
import type { Osc } from './osc.ts'

/** When an input was seen, and how to place another program's own stamp on the session's time line. */
export type Moment = {
  readonly seen: Instant
  /** The instant of a stamp (ISO text, epoch s or ms); `seen` where there is none or no wall time is known. */
  stamp(value: unknown): Instant
  /** The instant of a stamp that lies ahead (a limit's end). */
  until(value: unknown): Instant
}

/** What a reader keeps between inputs of one source. A small record, so that every agent has the same. */
export type Memory = {
  /** The turn that the source is in. */
  readonly turn?: string
  /** The prompt that opened it, to tell a doubled event from a queued prompt. */
  readonly prompt?: string
  /** The question or permission that awaits an answer. */
  readonly pending?: string
  /** Tool calls: call ids, the oldest first, each with its tool's name and, where a permission names no call, what it is to do. */
  readonly tools?: readonly (readonly [call: string, tool: string, about?: string])[]
  /** The source has shown that it moves (an animated title). */
  readonly moved?: boolean
  /** The session or thread that is the main one. */
  readonly session?: string | undefined
  /** Sessions of other processes, which run inside this one's turns; files of subagents. */
  readonly nested?: readonly string[]
  /** Sessions that the process had before; in OpenCode, all that a person may talk to. */
  readonly earlier?: readonly string[]
  /** Teammates that have no work. */
  readonly idle?: readonly string[]
  /** What will begin a turn by itself, by the id of what does. */
  readonly wakes?: readonly (readonly [id: string, wake: Wake])[]
  /** What goes on beside the turns, by its id; and calls of commands that are servers. */
  readonly beside?: readonly (readonly [id: string, what: Background])[]
  readonly servers?: readonly (readonly [call: string, command: string])[]
  /** A turn is open. */
  readonly isOpen?: boolean
  /** When the source last reported work without a later end. */
  readonly workAt?: number
  /** The error that the turn may end with. */
  readonly error?: string
  /** Attempts so far, or how many teammates there are. */
  readonly count?: number
  /** The last reading of the screen. */
  readonly screen?: ScreenMemory
}

export type Reading = {
  readonly signals: readonly Signal[]
  readonly memory?: Memory
  /** Why the input, or a part of it, was refused. */
  readonly refused?: string
}

export type Reader<Input> = (input: Input, moment: Moment, memory: Memory) => Reading

export type HookInput = { readonly event: string; readonly payload: unknown; readonly via?: string }
export type LineInput = { readonly path: string; readonly line: string }
/** `content` is null when the file is gone. */
export type StatusInput = { readonly path: string; readonly content: string | null }

export type StatusOrigin = {
  /** Start time of the process that wrote it, in the kernel's words. */
  readonly start?: unknown
  /** The agent's own id of its session. */
  readonly session?: string
  /** When its status last changed; a stamp. */
  readonly since?: unknown
}

/** Fields of a JSON object: a text by its pattern, all else by its `typeof`. No other program's JSON may have them all. */
export type RowShape = Readonly<Record<string, RegExp | 'object' | 'number' | 'boolean' | 'undefined'>>

/** Options are those of a command line, as `option value` or as a switch. */
export type Headless = {
  /** Those by which it prints rows; the first is the one advised. */
  readonly rows: readonly string[]
  /** The first row of a run. */
  readonly begins: RowShape
  /** What it prints where it prints one JSON object in all. */
  readonly answers?: RowShape
  /** Rows are asked of a plain command line, one without this option. */
  readonly asksUnless?: string
  /** Without which it refuses to print rows of the first kind. */
  readonly needs?: string
}

export type Agent = {
  /** An `AgentName`, or the name of a person's own. */
  readonly name: string
  readonly title: string
  readonly process: CommandLine
  /** Its files, below the home folder. `*` matches one path segment, `**` any number. */
  readonly files: {
    readonly transcripts: readonly string[]
    readonly status?: string
    /** The transcripts of its subagents, below the folder that is named like a transcript without `.jsonl`. */
    readonly beside?: string
    /** Where all processes write one log: what names the writer of a line, its process id or another word. */
    readonly writer?: { read(line: string): string | undefined; readonly isProcess?: true }
    /** Where a transcript does not name its folder: a file beside it that does, and one below the home (`projects`). */
    readonly project?: { readonly note: string; readonly list: string }
    /** An environment variable that puts another folder in the place of one below the home. */
    readonly moved?: { readonly variable: string; readonly folder: string }
    /** Reads a session's creation time from its id or from the name of its transcript. */
    readonly sessionStart?: {
      /** ms since the epoch */
      read(name: string): number | undefined
      /** How long before and after the start of its process a session is made, ms. */
      readonly before: number
      readonly after: number
    }
  }
  /** By which its commands name it, with its pid or its own session id (docs/research/agents.md#what-commands-inherit). */
  readonly inherited?: { readonly variable: string; readonly holds: 'pid' | 'session' }
  /** None where lull reads no hooks of it, or no transcript. */
  readonly readHook?: Reader<HookInput>
  /** What a hook asks that may be answered there; none where the agent takes no such answer. */
  readonly readRequest?: (event: string, payload: unknown) => HookRequest | undefined
  readonly readLine?: Reader<LineInput>
  readonly readStatus?: Reader<StatusInput>
  /** The process and session that wrote a status file. */
  readonly statusOrigin?: (content: string) => StatusOrigin
  readonly readOsc?: Reader<Osc>
  /** How its titles begin in tmux, where they tell what it does. */
  readonly paneTitle?: RegExp
  /** What a session is called in its terminal's title, as the first group. */
  readonly sessionTitle?: RegExp
  /** A row of a headless run's stdout, and how it is asked for rows; none where lull reads none. */
  readonly readRow?: Reader<string>
  readonly headless?: Headless
  /** A text on its screen while it asks, where no other source reports a refusal. */
  readonly dialog?: RegExp
  /** No source reports its permissions: while a tool is reported to run, a dialog may be open. */
  readonly asksUntold?: true
  /** Rules over the parts of its screen, by the CLI version that they were checked on. */
  readonly screens: ScreenRules
  /** How lull makes it report its events; none where lull knows no hooks of it. */
  readonly hooks?: HookPlan
  /** Where it reads MCP servers and skills; none where lull knows no such place. */
  readonly mcp?: McpPlan
  readonly skills?: SkillFolders
}

/** An agent that can report its events to lull. */
export type HookedAgent = Agent & { readonly name: HookedName } & Required<
    Pick<Agent, 'readHook' | 'readLine' | 'readRow' | 'headless' | 'hooks'>
  >

export const hasHooks = (agent: Agent): agent is HookedAgent => agent.hooks !== undefined

export const nothing: Reading = { signals: [] }

export const read = (...signals: readonly Signal[]): Reading => ({ signals })
/** The same, and what the source's memory is from then on. */
export const remember = (memory: Memory, ...signals: readonly Signal[]): Reading => ({ signals, memory })
/** Refuses an input with a reason, or passes it over where there is none to give. */
export const refuse = (refused: string | undefined): Reading =>
  refused === undefined ? nothing : { signals: [], refused }

/** A table that is asked with words from outside: in a plain object `constructor` would be found. */
export const table = <T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(entries))

type MaybeFacts = { readonly [K in keyof Facts]?: Facts[K] | null | undefined }

type More = Partial<Omit<News, 'type' | 'source' | 'what' | 'state' | 'at' | 'seen'>>

/** Words for one event's news: every claim that it makes shares its source, name and time. */
export function claimsOf(source: Source, what: string, at: Instant, seen: Instant) {
  const news = (lane: Lane, state: State, more: More = {}): News => ({
    type: 'news',
    source,
    what,
    lane,
    state,
    at,
    seen,
    ...more,
  })
  return {
    news,
    working: (doing?: Doing, more?: More) =>
      news(more?.lane ?? 'main', doing ? { kind: 'working', doing } : { kind: 'working' }, more),
    idle: (after?: IdleAfter, more?: More) =>
      news('main', after ? { kind: 'idle', after } : { kind: 'idle' }, more),
    /** The turn is finished. Its last words may be a question. */
    finished: (words: string | undefined, more?: More) =>
      news('main', { kind: 'idle', after: 'turn' }, endsInQuestion(words) ? { ...more, asks: true } : more),
    /** The turn failed, by the provider's limit or else. */
    failed: (isLimit: boolean, more?: More) =>
      isLimit
        ? news('main', { kind: 'idle', after: 'limit' }, { ...more, limit: {} })
        : news('main', { kind: 'idle', after: 'error' }, more),
    /** Work that goes on beside the turn. */
    background: (lane: Lane, more?: More) => news(lane, { kind: 'working', doing: 'background' }, more),
    exited: (ends: readonly LanePattern[]) => news('main', { kind: 'exited' }, { ends }),
    /** It only ends lanes. */
    ended: (ends: readonly LanePattern[]) => news('main', { kind: 'unknown' }, { ends }),
    waiting: (lane: Lane, reason: WaitingFor, more?: More) =>
      news(lane, { kind: 'waiting', for: reason }, more),
    facts: (facts: MaybeFacts): FactSignal => ({ type: 'facts', facts: bounded(known(facts)), at }),
  }
}

/** What is the same of all signs of one kind, from an agent's table. */
export type SignRule = Pick<Sign, 'source' | 'tier' | 'lag' | 'excludes' | 'settles' | 'mayBeUpFrom' | 'hold'>

export function show(rule: SignRule, what: string, state: State, since: Instant, seen: Instant): Sign {
  return { type: 'sign', what, state, since, seen, alive: true, ...rule }
}

/** True where a finished message ends in a question to the person. */
export const endsInQuestion = (text: string | undefined): boolean =>
  text !== undefined && /[?？]["'”’)\]*_`\s]*$/u.test(text.slice(-80))

const aborted =
  /^(?:(?:Message)?Abort(?:ed)?(?:Error)?|(?:This |The )?(?:operation|request|retry|task|turn) (?:was )?(?:aborted|cancell?ed))\.?$/i

/** What programs call it where a person broke off: no error. */
export const isAbort = (error: string | undefined): boolean => aborted.test(error ?? '')

/** Some compact between turns, whether a person asks for it or not: work beside whichever turn there is. */
export const compactLane: Lane = 'bg:compact'
/** One that is called off may have no end. */
const longestCompactMs = 300_000
export const compacting = (claim: Claims): News =>
  claim.news(
    compactLane,
    { kind: 'working', doing: 'compacting' },
    { outlasts: ['progress'], hold: longestCompactMs },
  )

/** Work expires this long after the last report of a source that never reports its end. */
export const workExpiryMs = 10_000

const mostTools = 32
/** What a call is to do is known by its beginning. */
const longestAbout = 200

/** Remembers a tool call; the oldest is forgotten, so that an endless turn stays small. */
export const withTool = (memory: Memory, call: string, tool: string, about?: string): Memory => ({
  ...memory,
  tools: [
    ...(memory.tools ?? []).filter(([known]) => known !== call).slice(1 - mostTools),
    about === undefined ? [call, tool] : [call, tool, about.slice(0, longestAbout)],
  ],
})

/** Longest texts that are shown in one line. */
const longestFact = { error: 500, question: 1000, about: 200, prompt: 200 } as const

function bounded(facts: Facts): Facts {
  const cut = Object.entries(longestFact).flatMap(([field, most]) => {
    const text = facts[field as keyof typeof longestFact]
    return text !== undefined && text.length > most ? [[field, text.slice(0, most)]] : []
  })
  return cut.length === 0 ? facts : { ...facts, ...Object.fromEntries(cut) }
}

/** Facts without the fields that are not known. */
export const known = (facts: MaybeFacts): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null))

/** `{ turn }` where there is one. */
export const inTurn = (turn: string | undefined): { turn?: string } => (turn === undefined ? {} : { turn })

export type Claims = ReturnType<typeof claimsOf>

/** The tool of a call that is remembered. */
export const toolOf = ({ tools = [] }: Memory, call: string): string | undefined =>
  tools.find(([known]) => known === call)?.[1]

/**
 * The call behind a permission request that names none. Calls run side by side, and the end of another one answers no
 * dialog. The newest of equal calls is taken.
 */
export const callOf = ({ tools = [] }: Memory, tool: string, about: string | undefined): string | undefined =>
  tools.findLast(([, name, known]) => name === tool && known === about?.slice(0, longestAbout))?.[0]
