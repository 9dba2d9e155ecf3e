/** By what a command line, split at NUL or blanks, is known as the agent's. */
export type CommandLine = {
  readonly argv0: readonly string[]
  /** The script that `node` or `python` runs. */
  readonly script?: RegExp
  /** What `node` calls itself where it runs that script: names that many programs have. */
  readonly nodeAs?: readonly string[]
  /** A script of its name that Python runs is the agent, too. */
  readonly runsInPython?: true
  /** Other programs have its name: it is the agent only without words behind it, or where the first is so. */
  readonly firstWord?: RegExp
  /** First words of command lines that hold no session: servers, settings, versions. */
  readonly withoutSession?: readonly string[]
  /** Of these, one that runs the turns of several sessions: what is below it may be any one's. */
  readonly server?: string
  /** Words that no session has, wherever they stand: of the part that another process of the agent's runs. */
  readonly never?: readonly string[]
}
