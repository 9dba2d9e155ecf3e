/**
 * What reaches the core: news (something happened), signs (something is so), facts, and the end of the process.
 * Parsers make them, `advance` files them, nobody else decides.
 */
import type { Health, Instant, Kind, State } from '../state.ts'
import type { Background, BackgroundKind, Wake } from './background.ts'

/** Where a claim comes from. One claim is kept a lane (news) or a source (signs). */
export type Source =
  | 'hook'
  | 'transcript'
  | 'rows'
  | 'status'
  | 'osc7501'
  | 'title'
  | 'progress'
  | 'paint'
  | 'keys'
  | 'screen'
  | 'process'
  | 'session'

/**
 * Sources that fail together share a channel: a terminal stream that lags delays its titles and its paint alike,
 * so they are one witness, not two.
 */
export const channel: Readonly<Record<Source, string>> = {
  hook: 'hook',
  transcript: 'transcript',
  rows: 'rows',
  status: 'status',
  osc7501: 'terminal',
  title: 'terminal',
  progress: 'terminal',
  paint: 'terminal',
  keys: 'keys',
  screen: 'terminal',
  process: 'process',
  session: 'session',
}

/** How much a claim is worth. It belongs to the claim, not to its source. */
export type Tier = 'proven' | 'declared' | 'seen' | 'inferred' | 'asked'

export const tierRank: Readonly<Record<Tier, number>> = {
  proven: 5,
  declared: 4,
  seen: 3,
  inferred: 2,
  asked: 1,
}

export type TurnId = string

/**
 * A thread of activity inside a session, with a beginning and an end of its own. `wake`: work beside the turn has ended, and
 * its result is about to begin a turn.
 */
export type Lane = 'main' | 'queue' | 'wake' | `sub:${string}` | `bg:${string}` | `ask:${string}:${string}`

/** A lane, or a prefix of lanes that ends in `*`. */
export type LanePattern = Lane | `${string}:*`

/** The provider's limit that a session ran into; `until` where its end is known. */
export type Limit = { readonly until?: Instant }

/** Something happened: a hook, a transcript line, a row of a headless run. */
export type News = {
  readonly type: 'news'
  readonly source: Source
  /** The event in the agent's own words (`Stop`, `turn_duration`), for people. */
  readonly what: string
  readonly lane: Lane
  readonly turn?: TurnId | undefined
  /** `unknown` claims nothing: such news only end lanes. */
  readonly state: State
  /** Kinds that a sign may refine this claim to without contradicting it. */
  readonly allows?: readonly Kind[] | undefined
  /** It begins a turn (a prompt was taken). */
  readonly starts?: boolean | undefined
  /**
   * It counts only where the lane's claim is of one of these kinds (`unknown`: no claim yet). The end of starting up
   * changes nothing else, however late or often it arrives.
   */
  readonly onlyFrom?: readonly Kind[] | undefined
  /** It may open a turn again that had ended (a Stop hook made the agent go on). */
  readonly reopens?: boolean | undefined
  /** Sources that tell of the turn alone: their idleness does not contradict this claim. */
  readonly outlasts?: readonly Source[] | undefined
  /** The kind of work beside the turn; a task where it is absent. */
  readonly background?: BackgroundKind | undefined
  /** Lanes that this event ends, where they are not newer than it. */
  readonly ends?: readonly LanePattern[] | undefined
  /** How long the claim counts without renewal, ms; forever where absent. */
  readonly hold?: number | undefined
  /** The finished turn ends in a question to the person. */
  readonly asks?: boolean | undefined
  readonly limit?: Limit | undefined
  /** When it happened (the program's own stamp where there is one). */
  readonly at: Instant
  /** When it reached us. */
  readonly seen: Instant
}

/** A status that holds until the same source reports another. */
export type Sign = {
  readonly type: 'sign'
  readonly source: Source
  readonly what: string
  readonly state: State
  /** Kinds of news that this sign may overturn once it has held since after them. */
  readonly excludes: readonly Kind[]
  readonly tier: Tier
  /** How late this source may lawfully be behind the news, ms. */
  readonly lag: number
  /** How long idleness must hold before it ends `starting`, ms. */
  readonly settles?: number | undefined
  /** From when on it may have ended `starting` already, ms: from then until it settles nobody can tell. Absent: not before. */
  readonly mayBeUpFrom?: number | undefined
  /** It is void unless renewed within this time, ms. */
  readonly hold?: number | undefined
  readonly since: Instant
  /** The first look, at `since`, found it so: it may have been so for long. */
  readonly isSinceLook?: true | undefined
  readonly seen: Instant
  /** False when the source is gone (a status file was removed). */
  readonly alive: boolean
}

/** What is known besides the state. Strings are bounded where they are read; `tokens` are counts, `cost` US dollars. */
export type Facts = {
  readonly agentSession?: string
  readonly version?: string
  readonly cwd?: string
  readonly model?: string
  /** The tool that runs or asks, and what it works on: its command, file, address or question. */
  readonly tool?: string
  readonly about?: string
  /** The first words of the last prompt that a person or a program gave. */
  readonly prompt?: string
  readonly question?: string
  readonly finalMessage?: string
  readonly error?: string
  /** What goes on beside the turn, as last listed; also what counts as no work. */
  readonly background?: readonly Background[]
  /** What will begin a turn by itself, as last listed; `goal` besides it, empty once it is met. */
  readonly wakes?: readonly Wake[]
  readonly goal?: string
  /** The menu that a person opened on its screen, by one of its rows; empty once it is closed. It blocks no turn. */
  readonly menu?: string
  /** The last notice that the program sent to the terminal (OSC 9 or 777). It is no state, so nothing ends it. */
  readonly notice?: string
  /** The source with unreadable input, and the reason: `transcript (…)`. */
  readonly degraded?: string
  readonly tokensIn?: number
  readonly tokensOut?: number
  /** Share of the context window in use, 0 to 1. */
  readonly context?: number
  readonly cost?: number
  readonly pid?: number
  /** Start time of the process as the kernel counts it (field 22 of /proc/PID/stat): guards against a reused pid. */
  readonly pidStart?: string
  readonly pane?: string
}

export type FactSignal = { readonly type: 'facts'; readonly facts: Facts; readonly at: Instant }

export type Exit = {
  readonly type: 'exit'
  readonly source: Source
  readonly what: string
  readonly code?: number
  readonly signal?: string
  readonly at: Instant
}

/** Whether the session, or a part of it, can still make progress, as its processes show. */
export type HealthSignal = {
  readonly type: 'health'
  readonly source: Source
  /** The part that it is about (`pid:812`): the next signal of the same owner replaces it. */
  readonly owner: string
  /** One sentence without a full stop: who waits, in which call, on whom. */
  readonly what: string
  /** What a person can do. */
  readonly advice?: string
  readonly health: Health
  /** The session itself can't move, not a part of it: its reported state does not count until it can. */
  readonly isHalted?: boolean
  /** It is void unless renewed within this time, ms; forever where absent. */
  readonly hold?: number
  /** Since when it is so. */
  readonly since: Instant
  readonly seen: Instant
  /** False when its owner is gone. */
  readonly alive: boolean
}

export type Signal = News | Sign | FactSignal | Exit | HealthSignal
