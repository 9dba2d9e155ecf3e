/** The subjects of a fleet, by which a server allows or refuses: a host reads those of its own name, and answers there. Pure. */
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'

/** What a viewer may do: its server lets it publish to the one, or to both. */
export type FleetScope = 'read' | 'act'

const hostName = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}$/

/** @param who asks: a machine's key allows its own name alone. `*` is anybody. */
export const openSubject = (host: string, scope: FleetScope, who: string): string =>
  `lull.${host}.${scope}.${who}`
export const whoOpens = (subject: string): string => {
  const who = subject.split('.')[3] ?? ''
  return hostName.test(who) ? who : 'unknown'
}
export const pipeSubject = (host: string, id: string): string => `lull.${host}.pipe.${id}`

/** A viewer is answered in one. Elsewhere a host writes what it has to say itself: its history, its place in the list. */
export const isInbox = (reply: string): boolean => reply.startsWith('_INBOX.')

export const isPipeId = (id: string): boolean => /^\w{1,40}$/.test(id)

/** The bucket in which each host notes that it has joined. */
export const hostsBucket = 'lull-hosts'

/** A dot would begin another part of a subject. */
export const nameFrom = (hostname: string): string => hostname.split('.')[0]?.replace(/[^\w-]/g, '-') ?? ''

/** @throws {LullError} USAGE */
export function checkHostName(name: string): string {
  if (hostName.test(name)) return name
  throw new LullError('USAGE', `"${oneLine(name, 100)}" is no name of a host: use letters, digits, _ and -`)
}

/** The stream of the histories of all hosts, and where a host publishes its own. */
export const historyStream = 'lull-history'
export const historySubject = (host: string): string => `lull.${host}.history`
export const hostOfHistory = (subject: string): string => subject.split('.')[1] ?? ''
