/** A program of another package that a test needs: where it is missing, the test is skipped, and both its name and the run say so. */
import { existsSync } from 'node:fs'

export type NeededProgram = {
  /** Undefined where it is not installed. */
  readonly file: string | undefined
  /** For the name of the test: nothing where the program is there. */
  readonly skipped: string
}

/** @param files where it may be: the first one that exists is taken */
export function neededProgram(name: string, files: readonly string[]): NeededProgram {
  const file = files.find(one => existsSync(one))
  if (file !== undefined) return { file, skipped: '' }
  const why = `skipped: ${name} is not installed, npm run setup-bench -- --tests installs it`
  process.stderr.write(`${why}\n`)
  return { file, skipped: ` (${why})` }
}
