/** Patterns for prompts that people write, and a warning of those that match anything. */

export { readPattern } from '../../os/linear-pattern.ts'

/** Last lines of screens where no shell waits (the table of docs/seeds.md#002, and output as it comes). */
const noPrompts = [
  '',
  'Continue? [y/N]',
  'Press Enter to continue',
  'Are you sure? (y/n)',
  'Compiling main.c',
  'password for dev:',
] as const

/** A line that is no prompt and that a pattern for prompts takes for one; undefined where it takes none. */
export const takenForPrompt = (pattern: RegExp): string | undefined =>
  noPrompts.find(line => pattern.test(line))
