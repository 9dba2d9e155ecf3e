/** Reads variables with public names from the memory of a program; never writes. */
import { readMemory } from '../../os/proc/proc-file.ts'
import { addressOf, findLoaded, type Loaded } from '../../os/proc/variable.ts'
import type { TerminalProcess } from './probed.ts'

/** Each undefined where the program has none of that name, or its memory may not be read. */
export type Variables = {
  readonly int: (name: string) => number | undefined
  readonly pointer: (name: string) => bigint | undefined
  readonly address: (name: string) => bigint | undefined
  readonly bytes: (address: bigint, length: number) => Buffer | undefined
}

/** Another user's program may not be asked, and root has no business there. */
export const isOwn = ({ uid }: TerminalProcess): boolean => uid === process.getuid?.()

/** In the order in which the dynamic linker looks: what a program names as well as the library is its own. */
export function variablesOf(process: TerminalProcess, library?: RegExp): Variables {
  const { pid, program } = process
  const files = [
    loadedOnce(process, `${program}`, name => name === program),
    library && loadedOnce(process, library.source, name => library.test(name)),
  ]
  const bytes = (address: bigint, length: number) =>
    length === 0 ? Buffer.alloc(0) : readMemory(pid, address, length)
  const address = (name: string) => {
    for (const file of files) {
      const found = file && addressOf(file, name)
      if (found !== undefined) return found
    }
    return undefined
  }
  const at = (name: string, length: number) => {
    const place = address(name)
    return place === undefined ? undefined : bytes(place, length)
  }
  return {
    int: name => at(name, 4)?.readInt32LE(0),
    pointer: name => at(name, 8)?.readBigUInt64LE(0),
    address,
    bytes,
  }
}

/** A library that edits a line, as most REPLs have one. */
export const hasEditor = (process: TerminalProcess): boolean =>
  loadedOnce(process, editor.source, name => editor.test(name)) !== undefined

const editor = /^lib(?:readline|edit|editline|linenoise|replxx|isocline)[-.\d]*\.so/

/** By a program's arguments, which are read once a program (probe.ts): another one in the same process has others. */
const known = new WeakMap<readonly string[], Map<string, Loaded>>()

/** To read all that a process has mapped takes longer than the rest of a probe. */
function loadedOnce(
  { pid, args }: TerminalProcess,
  key: string,
  isFile: (name: string) => boolean,
): Loaded | undefined {
  const files = known.get(args) ?? new Map<string, Loaded>()
  known.set(args, files)
  const found = files.get(key) ?? findLoaded(pid, isFile)
  if (found) files.set(key, found)
  return found
}
