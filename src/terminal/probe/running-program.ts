/** Which program a process runs: read once a program, since looks come every few milliseconds. */
import path from 'node:path'
import { readArguments } from '../../os/proc/command-line.ts'
import { readLink, readText } from '../../os/proc/proc-file.ts'
import type { Stat } from '../../os/proc/stat.ts'

export type Program = {
  readonly program?: string
  readonly args: readonly string[]
  readonly uid?: number
}

const longestArgs = 1000
const mostKept = 512

const kept = new Map<number, { readonly key: string; readonly program: Program }>()

export function programOf({ pid, name, startTicks, codeStart, stackStart }: Stat): Program {
  // A new program in the same process has other addresses.
  const key = `${startTicks} ${codeStart} ${stackStart} ${name}`
  const known = kept.get(pid)
  if (known?.key === key) return known.program
  const program = readProgram(pid)
  if (kept.size >= mostKept) kept.clear()
  kept.set(pid, { key, program })
  return program
}

function readProgram(pid: number): Program {
  const link = readLink(`/proc/${pid}/exe`)
  const uid = /^Uid:\s*\d+\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1]
  return {
    ...('link' in link ? { program: path.basename(link.link.replace(/ \(deleted\)$/, '')) } : {}),
    args: readArguments(pid, longestArgs),
    ...(uid === undefined ? {} : { uid: Number(uid) }),
  }
}
