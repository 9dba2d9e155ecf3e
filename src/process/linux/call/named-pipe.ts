/** A named pipe that a thread opens: open(2) waits until somebody has its other end. */
import { constants, statSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../../../os/attempt.ts'
import { readLink } from '../../../os/proc/proc-file.ts'
import type { Call } from '../../snapshot.ts'
import { AT_FDCWD } from './thread-context.ts'

/** Linux's own limit of a path. */
const longestPath = 4096

type Memory = (address: bigint, length: number) => Buffer | undefined

/** Ends with the first NUL; read in parts, as what follows it may be no memory at all. */
function textAt(memory: Memory, address: bigint): string | undefined {
  let text = Buffer.alloc(0)
  while (text.length < longestPath) {
    // Up to the end of a page.
    const part = memory(address + BigInt(text.length), 256 - ((Number(address) + text.length) % 256))
    if (!part) return undefined
    text = Buffer.concat([text, part])
    const end = text.indexOf(0)
    if (end >= 0) return text.toString('utf8', 0, end)
  }
  return undefined
}

/** @returns undefined where it is no named pipe, or can't be read: then a file system may hold it up */
export function opening(
  pid: number,
  memory: Memory,
  { folder, address, flags }: { readonly folder: number; readonly address: bigint; readonly flags: number },
): Extract<Call, { type: 'opens' }> | undefined {
  const name = textAt(memory, address)
  if (name === undefined || name === '') return undefined
  const link = path.isAbsolute(name)
    ? undefined
    : readLink(`/proc/${pid}/${folder === AT_FDCWD ? 'cwd' : `fd/${folder}`}`)
  if (link && !('link' in link)) return undefined
  const file = path.join(link?.link ?? '/', name)
  const isPipe = attempt(() => statSync(path.join(`/proc/${pid}/root`, file)).isFIFO())
  if (!isPipe) return undefined
  return {
    type: 'opens',
    name: 'open',
    path: file,
    want: (flags & 3) === constants.O_RDONLY ? 'read' : 'write',
  }
}
