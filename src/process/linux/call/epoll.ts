/** What an epoll watches, from its fdinfo. */

import { readFile, readLink } from '../../../os/proc/proc-file.ts'
import type { FdWait } from '../../snapshot.ts'
import { wantsOf } from './decode-call.ts'

/** More members than this are not read: the list is then unknown, and not cut. */
const mostMembers = 4096

/** For a member with a number that means another file by now: no fd has it, so its source is unknown. */
const gone = -1

/** Undefined where it can't be read whole. */
export function epollMembers(pid: number, fd: number): readonly FdWait[] | undefined {
  const info = readFile(`/proc/${pid}/fdinfo/${fd}`)
  if (info.error !== undefined) return undefined
  return parseEpoll(info.text, member => {
    const link = readLink(`/proc/${pid}/fd/${member}`)
    return 'link' in link ? link.link : undefined
  })
}

/** @param linkOf what an fd of the same process points to: `pipe:[812]` */
export function parseEpoll(
  info: string,
  linkOf: (fd: number) => string | undefined,
): readonly FdWait[] | undefined {
  const rows = [...info.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)(?:.*\bino:([0-9a-f]+))?/gm)]
  if (rows.length > mostMembers) return undefined
  return rows.flatMap(([, fd, events, inode]) => {
    const wants = wantsOf(Number(fd), Number.parseInt(events ?? '0', 16))
    const isSame = inode === undefined || isInode(linkOf(Number(fd)), Number.parseInt(inode, 16))
    return isSame ? wants : wants.map(({ want }) => ({ fd: gone, want }))
  })
}

/** True for links without an inode in brackets. */
function isInode(link: string | undefined, inode: number): boolean {
  if (link === undefined) return false
  const linkInode = /^(?:pipe|socket):\[(\d+)\]$/.exec(link)?.[1]
  return linkInode === undefined || Number(linkInode) === inode
}
