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

/** What docs/exit-codes.md says of each, in the same words. */
export const exitMeaning: Readonly<Record<ExitName, string>> = {
  reached: 'done; for waiting commands: the state was reached',
  failed: 'failed; also: this Node is too old',
  usage: 'usage: what is wrong, where, and what would be right stands on stderr',
  waitsForPerson: 'waits for a person',
  stuck: 'stuck',
  gone: 'gone',
  turnFailed: 'the turn ended by an error or an interrupt',
  limited: 'limited by the provider',
  idleMax: 'a loop had nothing to do for `idle.max`',
  timeout: 'timeout',
  notExecutable: 'as a shell: the program may not be executed',
  notFound: 'as a shell: there is no such program',
  interrupted: 'as a shell: ended by Ctrl-C',
}
