/** The port between this machine's process table and the search for agents: Linux fills it from /proc, macOS from `ps` and `lsof`. */

/** A process in the table. A field that the system does not report is undefined. */
export type ProcessRow = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** When it started, as the system writes it. Pid and start identify a process: a pid alone is reused. */
  readonly start: string
  /** It is a zombie. */
  readonly hasEnded: boolean
  /** It is a copy of its parent and has not started a program of its own. */
  readonly isCopy: boolean
  /** Changes when the process starts another program. */
  readonly image?: string
}

/** Each question is asked on its own: to read all about a thousand processes would cost more than the search. */
export type ProcessTable = {
  /** What lull can't find on this machine and what works: a sentence without a full stop. Undefined where it finds all. */
  unsupportedReason(): string | undefined
  /** Changes when a process begins or ends. Undefined where the system does not report it. */
  lastProcess(): string | undefined
  /** All processes now. @throws where they can't be listed */
  pids(): readonly number[]
  /** Undefined for a process that is gone. */
  row(pid: number): ProcessRow | undefined
  /** The program and its arguments; one empty word where they can't be read. */
  argv(pid: number): readonly string[]
  /** Empty where it can't be read. */
  environment(pid: number): Readonly<Record<string, string>>
  /** The users that it has the rights of. */
  users(pid: number): readonly number[]
  cwd(pid: number): string | undefined
  /** A path at which the file that it executes can be read. */
  executable(pid: number): string | undefined
  /**
   * Files that it has open for writing: whoever reads one is not its writer (Gemini CLI 0.61.0 reads all chats when it starts).
   * @param isWanted called with the path of each open file
   */
  writtenFiles(pid: number, isWanted: (file: string) => boolean): readonly string[]
  /** Why lull must not read the files that its environment names. */
  whyUnread(pid: number): string | undefined
  /** A start in ms since the epoch; NaN where it can't be read. */
  startedAt(start: string): number
}
