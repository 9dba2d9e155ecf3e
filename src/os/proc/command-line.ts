/** What a process was started with: its words, and its environment. */
import { readText } from './proc-file.ts'

/** Enough to tell what a process is: compilers are started with megabytes of words. */
const longestLine = 16 * 1024

/** The program and its arguments; one empty word where they can't be read. */
export const readArguments = (pid: number, longest = longestLine): readonly string[] =>
  decoded(readText(`/proc/${pid}/cmdline`, longest))
    .replace(/\0$/, '')
    .split('\0')

/** Empty where it can't be read. Of a variable that occurs twice the first counts, as for the process itself. */
export function readEnvironment(pid: number): Readonly<Record<string, string>> {
  const entries = decoded(readText(`/proc/${pid}/environ`))
    .split('\0')
    .reverse()
  return Object.fromEntries(
    entries.flatMap(entry => {
      const at = entry.indexOf('=')
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)] as const] : []
    }),
  )
}

/** In the environment of what lull starts only to ask it something: it is nobody's session. */
export const probeVariable = 'LULL_PROBE'

const decoded = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()
