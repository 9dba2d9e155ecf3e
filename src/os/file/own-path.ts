/** Whose a path is: whether another user could have put something in its place, or could now. */
import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import path from 'node:path'
import { attempt } from '../attempt.ts'

/** Links that lead to links. */
const mostLinks = 40

/** `S_IWGRP` and `S_IWOTH`, and the sticky bit, with which only its owner may replace an entry of a folder. */
const othersWrite = 0o022
const sticky = 0o1000

/** There is nothing yet, and anybody may put something there. */
export const unclaimed = 'nobody has made it yet'

/**
 * Why others decide what stands there, or may stand there in a moment, as a clause; undefined where only this user and
 * root do.
 * @param file absolute
 */
export function whyOthers(file: string): string | undefined {
  let place = '/'
  let links = 0
  const rest = path.normalize(file).split('/').filter(Boolean)
  let folder = attempt(() => lstatSync(place))
  while (folder) {
    const why = whyOthersWrite(place, folder)
    if (why !== undefined) return why
    const name = rest.shift()
    if (name === undefined) return undefined
    const next = path.join(place, name)
    const entry = attempt(() => lstatSync(next))
    if (!entry) return (folder.mode & othersWrite) === 0 ? undefined : unclaimed
    if (!isTrusted(entry)) return `${next} belongs to another user (${userName(entry.uid)})`
    if (entry.isSymbolicLink()) {
      if (++links > mostLinks) return `${file} is a circle of links`
      const target = attempt(() => readlinkSync(next)) ?? ''
      rest.unshift(...target.split('/').filter(Boolean))
      if (target.startsWith('/')) place = '/'
    } else place = next
    folder = attempt(() => lstatSync(place))
  }
  return undefined
}

const isTrusted = ({ uid }: Stats): boolean => uid === 0 || uid === process.getuid?.()

function whyOthersWrite(place: string, stat: Stats): string | undefined {
  if (!isTrusted(stat)) return `${place} belongs to another user (${userName(stat.uid)})`
  const isOpen = stat.isDirectory() && (stat.mode & othersWrite) !== 0 && (stat.mode & sticky) === 0
  return isOpen ? `other users may write to ${place}` : undefined
}

export function userName(uid: number): string {
  const users = attempt(() => readFileSync('/etc/passwd', 'utf8')) ?? ''
  return new RegExp(`^([^:]+):[^:]*:${uid}:`, 'm').exec(users)?.[1] ?? `user ${uid}`
}
