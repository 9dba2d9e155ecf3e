/** Who holds which pipe, socket or terminal: an index over the file descriptors of some processes. */
import { existsSync, lstatSync, statSync } from 'node:fs'
import { attempt } from '../../os/attempt.ts'
import { groupFiles, isSameFile, type OpenFile } from '../../os/native/kcmp.ts'
import { listFolder, readLink, readText } from '../../os/proc/proc-file.ts'
import { memoryOf } from './shared-memory.ts'

/** A process with more is read up to here, and counts as not whole. */
const mostFds = 2048

export type Descriptors = {
  /** fd → link, as the kernel writes it: `pipe:[812]`, `/dev/null`, `anon_inode:[eventpoll]`. */
  readonly links: ReadonlyMap<number, string>
  /** Why they were not read at all; or `more`, where there are too many. */
  readonly missing?: string
}

export function readDescriptors(pid: number): Descriptors {
  const names = listFolder(`/proc/${pid}/fd`)
  if ('error' in names) return { links: new Map(), missing: names.error }
  const links = new Map<number, string>()
  for (const name of names.slice(0, mostFds)) {
    const found = readLink(`/proc/${pid}/fd/${name}`)
    if ('link' in found) links.set(Number(name), found.link)
    // Links may be listed but not followed: then nothing is known of them.
    else if (found.error !== 'ENOENT') return { links: new Map(), missing: found.error }
  }
  return names.length > mostFds ? { links, missing: 'more' } : { links }
}

/** Since Linux 6.2 the folder's size is their number. */
export const countFds = (pid: number): number | undefined =>
  attempt(() => statSync(`/proc/${pid}/fd`).size) || undefined

export type Direction = 'read' | 'write'

/** The permission bits of the link itself say how the file is open. */
function directions(pid: number, fd: number): readonly Direction[] {
  const mode = attempt(() => lstatSync(`/proc/${pid}/fd/${fd}`).mode)
  if (mode === undefined) return []
  return [...(mode & 0o400 ? (['read'] as const) : []), ...(mode & 0o200 ? (['write'] as const) : [])]
}

/** Files that several processes hold have a key: the link, or for eventfds and masters what fdinfo adds. */
export type HolderKey = string

/** `eventfd:12`, as all eventfds share one inode. */
export function eventfdKey(pid: number, fd: number): HolderKey | undefined {
  const id = /^eventfd-id:\s*(\d+)/m.exec(readText(`/proc/${pid}/fdinfo/${fd}`))?.[1]
  return id && `eventfd:${id}`
}

/** `master:3`, the master side of /dev/pts/3. */
export function masterKey(pid: number, fd: number): HolderKey | undefined {
  const index = /^tty-index:\s*(\d+)/m.exec(readText(`/proc/${pid}/fdinfo/${fd}`))?.[1]
  return index && `master:${index}`
}

/** `anon_inode:[timerfd]:812:5`, the one that process 812 has as descriptor 5: its link is that of all others. */
export const alikeKey = (link: string, pid: number, fd: number): HolderKey => `${link}:${pid}:${fd}`

const alike = /^(anon_inode:\[(?:timerfd|eventpoll)\]):(\d+):(\d+)$/

/** What such a key names; undefined for others. */
export function alikeOf(key: HolderKey): (OpenFile & { readonly link: string }) | undefined {
  const [, link, pid, fd] = alike.exec(key) ?? []
  return link === undefined ? undefined : { link, pid: Number(pid), fd: Number(fd) }
}

export const isMaster = (link: string): boolean => link === '/dev/ptmx' || link === '/dev/pts/ptmx'

function keyOf(pid: number, fd: number, link: string): HolderKey | undefined {
  if (link.startsWith('pipe:') || link.startsWith('socket:')) return link
  if (isMaster(link)) return masterKey(pid, fd)
  if (link === 'anon_inode:[eventfd]') return eventfdKey(pid, fd)
  return link.startsWith('/') || alike.test(`${link}:0:0`) ? link : undefined
}

export type Index = {
  add(pid: number, descriptors: Descriptors, only?: ReadonlySet<HolderKey>): void
  /** The memory that it has mapped and shares. False where that may not be read, and it lives. */
  addMemory(pid: number, only?: ReadonlySet<HolderKey>): boolean
  /** @param direction of the file as the holder has it open; any where it is left out */
  holders(key: HolderKey, direction?: Direction): readonly number[]
  /** Those that have this very file open, of those whose link is the same; `isSure`: it could be told of each. */
  sameFile(file: OpenFile & { readonly link: string }): {
    readonly pids: readonly number[]
    readonly isSure: boolean
  }
}

type Entry = {
  readonly fds: Map<number, number[]>
  /** Found once: a pipe that a thousand processes inherited is asked for by each. */
  readonly found: Map<Direction | undefined, readonly number[]>
  /** By the open file, once it is asked. */
  groups?: { readonly all: ReturnType<typeof groupFiles> }
}

/** Directions are looked up when they are asked for: most are never. */
export function newIndex(): Index {
  const entries = new Map<HolderKey, Entry>()
  const sharers = new Map<HolderKey, Set<number>>()
  return {
    addMemory(pid, only) {
      const keys = memoryOf(pid)
      for (const key of keys ?? [])
        if (!only || only.has(key)) sharers.set(key, (sharers.get(key) ?? new Set()).add(pid))
      return keys !== undefined || !existsSync(`/proc/${pid}`)
    },
    add(pid, { links }, only) {
      for (const [fd, link] of links) {
        if (only && !only.has(link) && !mayBe(only, link)) continue
        const key = keyOf(pid, fd, link)
        if (key === undefined || (only && !only.has(key))) continue
        const entry: Entry = entries.get(key) ?? { fds: new Map(), found: new Map() }
        entries.set(key, entry)
        entry.fds.set(pid, [...(entry.fds.get(pid) ?? []), fd])
        entry.found.clear()
        delete entry.groups
      }
    },
    sameFile({ link, ...file }) {
      const entry = entries.get(link)
      if (!entry) return { pids: [], isSure: true }
      const all = [...entry.fds].flatMap(([pid, fds]) => fds.map(fd => ({ pid, fd })))
      entry.groups ??= { all: groupFiles(all) }
      const group = entry.groups.all?.find(one =>
        one.some(({ pid, fd }) => pid === file.pid && fd === file.fd),
      )
      if (group) return { pids: [...new Set(group.map(({ pid }) => pid))], isSure: true }
      const answers = all.map(one => ({ pid: one.pid, isSame: isSameFile(file, one) }))
      return {
        pids: [...new Set(answers.flatMap(({ pid, isSame }) => (isSame ? [pid] : [])))],
        isSure: answers.every(({ isSame }) => isSame !== undefined),
      }
    },
    holders(key, direction) {
      const entry = entries.get(key)
      if (!entry) return [...(sharers.get(key) ?? [])]
      const known = entry.found.get(direction)
      if (known) return known
      const pids = [...entry.fds]
        .filter(([pid, fds]) => !direction || fds.some(fd => directions(pid, fd).includes(direction)))
        .map(([pid]) => pid)
      entry.found.set(direction, pids)
      return pids
    },
  }
}

/** For these links the key is in fdinfo, which is read only where such a key is looked for. */
const mayBe = (only: ReadonlySet<HolderKey>, link: string): boolean =>
  link === 'anon_inode:[eventfd]'
    ? [...only].some(key => key.startsWith('eventfd:'))
    : isMaster(link) && [...only].some(key => key.startsWith('master:'))
