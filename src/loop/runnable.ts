/** Whether a command line can be run: before the loop begins, not at its first iteration. */
import { LullError } from '../core/lull-error.ts'
import { filesOfProgram, isProgram } from '../os/spawn/find-program.ts'

/**
 * @param name the first word of a command line
 * @throws {LullError} BAD_RALPH where there is no such program
 */
export function checkProgram(name: string, cwd: string, searched: string | undefined): void {
  if (filesOfProgram(name, cwd, searched).some(isProgram)) return
  throw new LullError(
    'BAD_RALPH',
    name.includes('/')
      ? `the agent ${name} is not a program that can be run: check its path and its rights`
      : `the agent ${name} is not on PATH: install it, or name another one in RALPH.md`,
  )
}
