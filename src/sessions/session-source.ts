/** The sessions on this machine as data: the same whether a host serves them or this process follows them itself. */
import type { AgentName } from '../agents/agent-names.ts'
import type { HookRequest } from '../agents/kit/hook-request.ts'
import type { Drift } from '../agents/screen/drift.ts'
import type { Session } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
/**
 * A session is another than it was, or is not this provider's any more. What it is now is asked for then.
 * `why` it is gone, where that is no end that the session itself shows: a sentence.
 */
export type SessionChanged = (id: string, what: 'changed' | 'gone', why?: string) => void

export type SessionProvider = {
  /** To be called once, and before anything is asked. */
  start(onChange: SessionChanged): void
  /** Resolves once what it knows is up to date; at once where it always is. */
  ready?(): Promise<void>
  get(id: string): LiveSession | undefined
  list(): readonly LiveSession[]
  /** The name that somebody gave this pane, whatever runs in it. */
  nameOfPane?(pane: string, tmux: string): string | undefined
  /** What keeps this session going does the next thing by itself. */
  keeps?(id: string): boolean
  /** The raw input of a session, from the call on. */
  events?(id: string): AsyncIterableIterator<TraceEvent> | undefined
  /** Somebody has looked at these sessions, as far as they are its own. */
  markSeen?(ids: readonly string[]): Promise<void>
  close(): void | Promise<void>
}

/** Whether hooks reach lull from a session. `blind`: it went through a turn and none was received. */
export type HookReception = 'heard' | 'blind' | 'unknown'

/**
 * A session on this machine, or on a box. Plain data, so that it crosses a socket. Instants are the machine's monotonic clock, ms:
 * the same in every process (`realClock`).
 */
export type LiveSession = {
  /** Eight letters and digits, the same in every process that looks and for as long as the agent's process lives. */
  readonly id: string
  /** The box that it is on, by its name in ssh; its id ends with it then (`3f2a91bc@box1`). Absent: this machine. */
  readonly host?: string
  /** `command`: a program of no known agent, run by `lull`. `terminal`: a pane that was named, whatever runs in it. Any
   * other name is of an agent that a person has rules for (docs/agents.md#screens). */
  readonly agent: AgentName | 'command' | 'terminal' | (string & {})
  /** The name that somebody gave it. */
  readonly name?: string
  readonly pid: number
  readonly cwd?: string
  readonly branch?: string
  /** Its tmux pane (`%3`) and the socket of that tmux server. */
  readonly pane?: string
  readonly tmux?: string
  /** Place of the pane (`main:2.1`), and its window's name if a person gave it one. */
  readonly place?: string
  readonly window?: string
  /** The terminal of lull's own that it runs in (`lull open`), by its name. */
  readonly terminal?: string
  /** What the agent itself calls its session. */
  readonly title?: string
  readonly transcript?: string
  readonly status?: string
  readonly hooks: HookReception
  /** The file of the recording that it is played from: it has no process (`pid` is 0) and no terminal. */
  readonly recording?: string
  /** Why less is known of it than of others: another user's, a container's. */
  readonly note?: string
  /** The other user that owns it. */
  readonly owner?: string
  /** It is newer than the rules over its screens. */
  readonly drift?: Drift
  /** A person has seen it since its last turn ended. Whether that matters: `isUnseen`. */
  readonly isSeen: boolean
  /** Seen only because its terminal has the focus: a person who walked away is notified all the same. */
  readonly isSeenByFocus?: true
  /** A respawn keeps it going: idle, it gets its next prompt without a person (runs/kept-sessions.ts). */
  readonly isKept?: true
  /** The id of the agent's process that this session replaces: a loop's row during a run. */
  readonly stands?: string
  /**
   * The ids that the processes above its own have as sessions, whether or not they are any, nearest first: as they were when it
   * was found, because a process whose parent ends gets another one. After them those of the sessions that its environment names.
   */
  readonly ancestors?: readonly string[]
  /** From when on it is settled if nothing changes (settled.ts). Absent: it is not, or nobody knows. */
  readonly settledFrom?: Instant
  /** Its state is as at the first look, so its start is not known: `since` is that look. */
  readonly isSinceLook?: true
  readonly session: Session
}

export type LiveChange =
  | { readonly type: 'snapshot'; readonly sessions: readonly LiveSession[] }
  | { readonly type: 'changed'; readonly session: LiveSession }
  /** Forgotten: some time after its process has exited, or `why`. With `shownAs` it goes on as the session with that id. */
  | { readonly type: 'gone'; readonly id: string; readonly why?: string; readonly shownAs?: string }

/** What an agent asks through a hook that is held open for the answer. */
export type AskedRequest = Omit<HookRequest, 'replies' | 'takenBy'> & { readonly id: string }

export type RequestPort = {
  /** Undefined where a session asks nothing so, or several things at once. */
  asked(session: string): Promise<AskedRequest | undefined>
  /**
   * @param option its place
   * @returns `confirmed`: the agent shows that this answer took effect. `unconfirmed`: it was told, and has shown nothing within
   * 10 s. `gone`: it does not ask this any more, or shows that another answer came first
   * @param onGiven called once its hook has the answer; where a host does that for another process, once that host replies
   */
  reply(
    session: string,
    request: string,
    option: number,
    onGiven?: () => void,
  ): Promise<'confirmed' | 'unconfirmed' | 'gone'>
}

/** The sessions of this machine, from a host, or followed by this process itself. */
export type SessionSource = {
  readonly via: 'host' | 'own'
  /** Only a host holds hooks. */
  readonly requests?: RequestPort
  list(): Promise<readonly LiveSession[]>
  /**
   * Every change from the call on: registered once the promise resolves, so that nothing is lost between a snapshot and
   * what follows it. The first is always a snapshot. Ends when the source is gone (a killed host).
   */
  changes(): Promise<AsyncIterableIterator<LiveChange>>
  /** The raw input of a session from now on, as events of a trace that starts at `from`. Commands and terminals have none. */
  events(id: string, from: Instant): Promise<AsyncIterableIterator<TraceEvent>>
  /** Somebody has looked at these sessions. */
  markSeen(ids: readonly string[]): Promise<void>
  close(): Promise<void>
}
