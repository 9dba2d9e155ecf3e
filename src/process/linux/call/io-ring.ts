/**
 * What an io_uring waits for, and which files blocked threads wait on through calls, epolls and rings. The kernel shows the
 * opcode of a polled request and not its fd; the fd is that of the last entry with this opcode in the submission queue, which
 * may have been overwritten: inferred.
 */
import type { FdWait, Thread, Want } from '../../snapshot.ts'
import { epollMembers } from './epoll.ts'
/**
 * What an io_uring waits for. The kernel shows the opcode of a polled request and not its fd; the fd is that of the last
 * entry with this opcode in the submission queue, which may have been written over: inferred.
 */

import { readMemory, readText } from '../../../os/proc/proc-file.ts'

export function waitedFds(
  pid: number,
  threads: readonly Thread[],
  links: ReadonlyMap<number, string>,
): ReadonlySet<number> {
  const waited = new Set<number>()
  const visit = (fd: number) => {
    if (waited.has(fd)) return
    waited.add(fd)
    const link = links.get(fd) ?? ''
    const further = link.includes('[eventpoll]')
      ? epollMembers(pid, fd)
      : link.includes('[io_uring]')
        ? ringMembers(pid, fd)
        : undefined
    for (const watched of further ?? []) visit(watched.fd)
  }
  for (const { call, state } of threads) {
    // In the middle of a disk's or a network file system's work: even to ask what it is could wait for the same.
    if (state === 'D') continue
    if (call.type === 'fds') {
      if (call.set !== undefined) visit(call.set)
      for (const watched of call.fds) visit(watched.fd)
    }
    if (call.type === 'ring') visit(call.fd)
    if (call.type === 'shared' && call.fd !== undefined) visit(call.fd)
  }
  return waited
}

/** linux/io_uring.h, enum io_uring_op. */
const wants: Readonly<Record<number, Want>> = {
  1: 'read', // READV
  2: 'write', // WRITEV
  6: 'read', // POLL_ADD
  9: 'write', // SENDMSG
  10: 'read', // RECVMSG
  13: 'read', // ACCEPT
  16: 'connect', // CONNECT
  22: 'read', // READ
  23: 'write', // WRITE
  26: 'write', // SEND
  27: 'read', // RECV
}

/** Bytes of struct io_uring_sqe; the opcode is its first byte, the fd is at 4. */
const entryLength = 64
/** IORING_OFF_SQES: the offset at which the entries are mapped. */
const entriesOffset = '10000000'
const mostEntries = 32_768

/** @param entries the submission queue's entries */
export function parseRing(info: string, entries: Buffer): readonly FdWait[] | undefined {
  const pending = [...info.matchAll(/op=(\d+), task_works/g)].map(match => Number(match[1]))
  if (pending.length === 0) return undefined
  const fds = pending.map(opcode => {
    const want = wants[opcode]
    let fd: number | undefined
    for (let at = 0; at + entryLength <= entries.length; at += entryLength)
      if (entries[at] === opcode) fd = entries.readInt32LE(at + 4)
    return want === undefined || fd === undefined ? undefined : { fd, want }
  })
  return fds.every(watched => watched !== undefined) ? fds : undefined
}

/** Undefined where the ring can't be read. */
export function ringMembers(pid: number, fd: number): readonly FdWait[] | undefined {
  const info = readText(`/proc/${pid}/fdinfo/${fd}`)
  const count = Number.parseInt(/^SqMask:\s*(0x[0-9a-f]+)/m.exec(info)?.[1] ?? '', 16) + 1
  if (!(count <= mostEntries) || !info.includes('task_works')) return undefined
  // A program with two rings has two such mappings, and nothing shows which is which.
  const maps = [
    ...readText(`/proc/${pid}/maps`).matchAll(/^([0-9a-f]+)-\S+ \S+ ([0-9a-f]+) .*\[io_uring\]$/gm),
  ].filter(([, , offset]) => offset === entriesOffset)
  if (maps.length !== 1) return undefined
  const entries = readMemory(pid, BigInt(`0x${maps[0]?.[1]}`), entryLength * count)
  return entries && parseRing(info, entries)
}
