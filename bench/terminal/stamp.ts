/** A command whose last act is to write when it ended, on the clock that the bench reads too. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const program = path.join(import.meta.dirname, 'stamp.py')

export type Stamped = {
  /** What is typed. */
  readonly line: string
  /** When it ended, ns; undefined while it runs. */
  end(): bigint | undefined
}

/** Commands that take from 50 to 650 ms, spread evenly. */
export function stamped(python: string, folder: string, number: number): Stamped {
  const file = path.join(folder, `end-${number}`)
  const sleeps = Math.round(50 + 600 * ((number * 0.618034) % 1))
  return {
    line: `${python} -SE ${program} ${sleeps} ${file}`,
    end() {
      const text = existsSync(file) ? readFileSync(file, 'latin1') : ''
      return text === '' ? undefined : BigInt(text)
    },
  }
}

/** CLOCK_MONOTONIC, ns. */
export const now = (): bigint => process.hrtime.bigint()
