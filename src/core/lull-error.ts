/** The one error for all that can go wrong outside lull; its code names the cause. */
import { type ExitCode, type ExitName, exitCode } from './exit-codes.ts'

type ErrorRow = {
  /** With `outcome`, the facts of the error name it. */
  readonly exit: ExitName | 'outcome'
  /** Its meaning in docs/exit-codes.md, in the same words. */
  readonly means: string
}

/** Codes are stable. `message` is always one sentence for people: what is wrong, where, and what would be right. */
export const errorTable = {
  USAGE: { exit: 'usage', means: 'an option, argument or value is not allowed' },
  BAD_DURATION: { exit: 'usage', means: 'a text is not a duration' },
  BAD_PATTERN: { exit: 'usage', means: 'a text is not a regular expression' },
  BAD_GOAL: { exit: 'usage', means: 'a word of `--for` is not a state' },
  BAD_KEY: { exit: 'usage', means: 'a word is not the name of a key' },
  NO_OPTION: { exit: 'usage', means: 'a word matches no option of the dialog, or several' },
  BAD_WORDS: { exit: 'usage', means: 'a command line has an unclosed quotation' },
  NOT_A_TRACE: { exit: 'usage', means: 'a recording has no asciicast header' },
  FUTURE_VERSION: { exit: 'usage', means: 'a recording has a newer format than this lull knows' },
  NOT_A_FILE: { exit: 'usage', means: 'a path is not a regular file, or the file is too large' },
  UNKNOWN_AGENT: { exit: 'usage', means: 'a recording names an unknown agent' },
  NO_RECORDING: { exit: 'usage', means: 'no recording of this name lies in the folder of recordings' },
  RECORDING_CHANGED: {
    exit: 'failed',
    means: 'a recording has grown, or is another one, since it was loaded',
  },
  RECORDED: { exit: 'usage', means: 'a recording has no process and no terminal' },
  NOT_PLAYED: { exit: 'failed', means: 'a recording takes too long, or too much memory, to be judged' },
  NOT_A_TRANSCRIPT: { exit: 'usage', means: 'no line of a transcript has a time' },
  BAD_RALPH: {
    exit: 'usage',
    means: 'a RALPH.md, an argument or the agent prevents the start of a loop',
  },
  BAD_PLAN: { exit: 'usage', means: 'a plan, or a rule in it, has a mistake' },
  BAD_NOTIFY: { exit: 'usage', means: 'notify.yaml is missing or has a mistake' },
  BAD_HOSTS: { exit: 'usage', means: 'hosts.yaml has a mistake' },
  BAD_ADDRESS: { exit: 'usage', means: 'a text is not the address of a session' },
  NO_SESSION: { exit: 'usage', means: 'no session has this address' },
  AMBIGUOUS_SESSION: { exit: 'usage', means: 'several sessions have this address' },
  NO_SERVER: { exit: 'usage', means: 'no tmux server answers at this socket' },
  FOREIGN_SERVER: { exit: 'usage', means: 'a tmux server belongs, or may belong, to another user' },
  BAD_PANE: { exit: 'usage', means: 'a text is not the address of a tmux pane' },
  NO_PANE: { exit: 'usage', means: 'no tmux pane has this address' },
  AMBIGUOUS_PANE: { exit: 'usage', means: 'several tmux panes have this address' },
  NO_COMMAND: { exit: 'usage', means: 'the command to run is missing or cannot be run' },
  NO_FOLDER: { exit: 'usage', means: 'the working folder does not exist' },
  NOT_EXECUTABLE: { exit: 'notExecutable', means: 'the command may not be executed' },
  NOT_FOUND: { exit: 'notFound', means: 'the command does not exist' },
  NO_TMUX: { exit: 'failed', means: 'tmux is not installed' },
  OLD_TMUX: { exit: 'failed', means: 'tmux is too old' },
  REFUSED: { exit: 'failed', means: 'tmux rejected a command' },
  ENDED: { exit: 'failed', means: 'the connection to tmux ended' },
  NO_ANSWER: { exit: 'failed', means: 'tmux does not answer in time' },
  REFUSED_TO_TYPE: { exit: 'outcome', means: 'lull refuses to type into this pane now' },
  CLOSED: { exit: 'failed', means: 'an object was used after it was closed' },
  LOCKED: { exit: 'failed', means: 'another living process holds a lock' },
  BAD_PLACE: {
    exit: 'failed',
    means: 'a folder or file of lull’s own cannot be created, or belongs to another user',
  },
  REFUSED_FILE: {
    exit: 'failed',
    means: 'the system refuses a file: full disk, no permission, too many open files',
  },
  BAD_HISTORY: {
    exit: 'failed',
    means: 'the history is damaged, a newer lull wrote it, or this Node has no SQLite',
  },
  INSTALL_REFUSED: { exit: 'failed', means: 'a settings file must not be changed' },
  HOST_GONE: { exit: 'failed', means: 'the host does not answer' },
  NAME_TAKEN: { exit: 'usage', means: 'a terminal of lull’s own already has this name' },
  TERMINAL_ENDED: { exit: 'gone', means: 'the program of a terminal of lull’s own ended' },
  TERMINALS_GONE: { exit: 'failed', means: 'the process that holds lull’s own terminals does not answer' },
  RESPAWN_GONE: { exit: 'failed', means: 'no respawn runs for this session, or it does not answer' },
  STILL_RUNS: { exit: 'failed', means: 'the program in a terminal ignores SIGHUP' },
  SOURCE_GONE: { exit: 'failed', means: 'the sessions cannot be watched any longer' },
  JUDGE_FAILED: { exit: 'failed', means: 'the judge of a respawn gave no answer' },
  NO_TOKEN: { exit: 'usage', means: 'a request to the HTTP API has no token' },
  WRONG_TOKEN: { exit: 'usage', means: 'the HTTP API does not know the token, or it was revoked' },
  NOT_SHARED: { exit: 'failed', means: 'a host of a fleet does not share what was asked for' },
  READ_ONLY: { exit: 'failed', means: 'the token may only read, or the HTTP API is served read-only' },
  WRONG_HOST: { exit: 'usage', means: 'the HTTP API is not served under this host name' },
  WRONG_ORIGIN: { exit: 'usage', means: 'a page of another origin called the HTTP API' },
  WRONG_METHOD: { exit: 'usage', means: 'the HTTP API has this path with another method' },
  NO_PATH: { exit: 'usage', means: 'the HTTP API has no such path' },
  NO_JSON: { exit: 'usage', means: 'an action of the HTTP API needs a JSON body' },
  BAD_REQUEST: { exit: 'usage', means: 'the HTTP API rejected the input' },
  TOO_LARGE: { exit: 'usage', means: 'a request to the HTTP API is too large' },
  TOO_MANY: { exit: 'failed', means: 'the HTTP API has too many open waits or streams' },
  NOT_RECORDED: { exit: 'failed', means: 'an action was not done because the history cannot record it' },
  ACTION_UNKNOWN: {
    exit: 'failed',
    means: 'the host ended during an action; nobody knows whether it was done',
  },
  TOO_LATE: { exit: 'failed', means: 'an action reached a box after its expiry, and was not done' },
  KEY_REUSED: { exit: 'usage', means: 'an Idempotency-Key was used for two different actions' },
  FAILED: { exit: 'failed', means: 'the HTTP API failed, or answered what this lull does not understand' },
} as const satisfies Readonly<Record<string, ErrorRow>>

export type ErrorCode = keyof typeof errorTable

/** What a program may want to know of an error besides its sentence. A code that is not here has no facts. */
export type FactsByCode = {
  /** What stood where a duration was wanted. */
  BAD_DURATION: { readonly text: string }
  /** `position` counts characters from 0. */
  BAD_PATTERN: { readonly pattern: string; readonly position: number }
  BAD_ADDRESS: { readonly address: string }
  /** `closedAt`: when the terminal that had this name was closed or has ended, as far as that is known, ms since the epoch. */
  NO_SESSION: { readonly address: string; readonly closedAt?: number }
  /** `candidates` are the ids of the sessions that it may mean. */
  AMBIGUOUS_SESSION: { readonly address: string; readonly candidates: readonly string[] }
  /** `candidates` are the ids of the panes that it may mean. */
  AMBIGUOUS_PANE: { readonly candidates: readonly string[] }
  LOCKED: { readonly file: string; readonly pid: number }
  /** `typed` counts the bytes that were typed before. */
  /** `line`: the text on the line, if that text is the reason. */
  REFUSED_TO_TYPE: { readonly outcome: RefusedOutcome; readonly typed: number; readonly line?: string }
}

export type RefusedOutcome = Extract<ExitName, 'waitsForPerson' | 'stuck' | 'gone' | 'failed'>

export type ErrorFacts<Code extends ErrorCode> = Code extends keyof FactsByCode
  ? FactsByCode[Code]
  : Readonly<Record<never, never>>

export type FactsArgument<Code extends ErrorCode> = Code extends keyof FactsByCode
  ? [facts: FactsByCode[Code]]
  : []

export class LullError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'LullError'
  readonly code: Code
  /** What a command exits with that ends by it. */
  readonly exit: ExitCode
  readonly facts: ErrorFacts<Code>

  constructor(code: Code, message: string, ...[facts]: FactsArgument<Code>) {
    super(message)
    this.code = code
    this.facts = (facts ?? {}) as ErrorFacts<Code>
    const { exit } = errorTable[code]
    this.exit = exitCode[exit === 'outcome' ? (this.facts as ErrorFacts<'REFUSED_TO_TYPE'>).outcome : exit]
  }
}

/**
 * Whether it is a LullError, with one of `codes` where any are given. It asks for the name, not for the class, so that it
 * holds for an error of another copy of this package too.
 *
 * ```ts
 * if (isLullError(error, 'AMBIGUOUS_SESSION')) console.log(error.facts.candidates)
 * ```
 */
export const isLullError = <Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is LullError<Code> =>
  error instanceof Error &&
  error.name === 'LullError' &&
  'code' in error &&
  (codes.length === 0 || codes.some(code => code === error.code))
