/** How a command of lull can end: the one table that every outcome and every error takes its exit code from. */

export const exitCode = {
  reached: 0,
  failed: 1,
  usage: 2,
  waitsForPerson: 3,
  stuck: 4,
  gone: 5,
  turnFailed: 6,
  limited: 7,
  idleMax: 8,
  timeout: 124,
  notExecutable: 126,
  notFound: 127,
  interrupted: 130,
} as const

export type ExitName = keyof typeof exitCode

export type ExitCode = (typeof exitCode)[ExitName]

/** The meanings in docs/exit-codes.md, in the same words. */
export const exitMeaning: Readonly<Record<ExitName, string>> = {
  reached: 'success; for a wait: the state was reached',
  failed: 'failure; also: this Node is too old',
  usage: 'usage error; stderr has the mistake, its place and the remedy',
  waitsForPerson: 'the session waits for a person',
  stuck: 'the session is stuck',
  gone: 'the session, process or terminal is gone',
  turnFailed: 'the turn ended by an error or an interrupt',
  limited: 'the turn ended at the provider’s limit',
  idleMax: 'a loop had no work for `idle.max`',
  timeout: 'timeout',
  notExecutable: 'as in a shell: the program may not be executed',
  notFound: 'as in a shell: there is no such program',
  interrupted: 'as in a shell: ended by Ctrl-C',
}
