/** Who holds the file lock that a process waits for: /proc/locks. */
import { statSync } from 'node:fs'
import { attempt } from '../../../os/attempt.ts'
import { listFolder, readLink, readText } from '../../../os/proc/proc-file.ts'
import { readDescriptors } from '../holders.ts'

/**
 * Pids, each once. A row: `12: -> POSIX ADVISORY WRITE 812 fe:00:4711 0 EOF`; one with an arrow waits for the one of
 * the same number without, and is indented more where it waits behind another. Locks of flock(2) and of open files (OFD, pid -1) belong to the open file: whoever inherited it
 * holds it too, and the pid may be of a process that is gone.
 */
export const lockOwners = (pid: number, fd: number): readonly number[] => {
  const inode = attempt(() => statSync(`/proc/${pid}/fd/${fd}`).ino)
  const link = readLink(`/proc/${pid}/fd/${fd}`)
  if (inode === undefined || !('link' in link)) return []
  const { owners, isOfFile } = parseLocks(readText('/proc/locks'), pid, inode)
  return isOfFile ? [...new Set([...owners, ...fileHolders(link.link, inode)])] : owners
}

/** Programs that wait for one lock are many at times, and are all read within one scan: ms for which an answer is kept. */
const keptFor = 200
let kept: { readonly link: string; readonly at: number; readonly pids: readonly number[] } | undefined

/** Who has this file open with a lock on it, by fdinfo: `lock:\t1: FLOCK  ADVISORY  WRITE 812 fe:00:4711 0 EOF`. */
function fileHolders(link: string, inode: number): readonly number[] {
  if (kept?.link === link && performance.now() - kept.at < keptFor) return kept.pids
  const names = listFolder('/proc')
  const all = 'error' in names ? [] : names.map(Number).filter(pid => pid > 0)
  const holds = (pid: number) =>
    [...readDescriptors(pid).links].some(
      ([fd, other]) =>
        other === link && new RegExp(`^lock:.*:${inode} `, 'm').test(readText(`/proc/${pid}/fdinfo/${fd}`)),
    )
  const pids = all.filter(holds)
  kept = { link, at: performance.now(), pids }
  return pids
}

type Row = {
  readonly number: string
  readonly kind: string
  readonly waits: boolean
  readonly pid: number
  readonly inode: number
}

const rowsOf = (text: string): readonly Row[] =>
  [...text.matchAll(/^(\d+): *(->)? *(\S+) +\S+ +\S+ +(-?\d+) +[0-9a-f]+:[0-9a-f]+:(\d+) /gm)].map(
    ([, number, arrow, kind, pid, inode]) => ({
      number: number ?? '',
      kind: kind ?? '',
      waits: arrow !== undefined,
      pid: Number(pid),
      inode: Number(inode),
    }),
  )

export type Locks = { readonly owners: readonly number[]; readonly isOfFile: boolean }

export function parseLocks(text: string, pid: number, inode: number): Locks {
  const rows = rowsOf(text).filter(row => row.inode === inode)
  // A waiter for a lock of an open file is listed with -1, like its holder.
  const waits = rows.filter(row => row.waits && (row.pid === pid || row.pid === -1))
  const waited = new Set(waits.map(row => row.number))
  const held = rows.filter(row => !row.waits && waited.has(row.number))
  const owners = held.filter(row => row.pid > 0).map(row => row.pid)
  return { owners: [...new Set(owners)], isOfFile: held.some(row => row.kind !== 'POSIX') }
}
