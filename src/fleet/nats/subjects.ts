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

/** A dot would begin another part of a subject. */
export const nameFrom = (hostname: string): string => hostname.split('.')[0]?.replace(/[^\w-]/g, '-') ?? ''

/** @throws {LullError} USAGE */
export function checkHostName(name: string): string {
  if (hostName.test(name)) return name
  throw new LullError('USAGE', `"${oneLine(name, 100)}" is no name of a host: use letters, digits, _ and -`)
}

/** Where a host notes that it has joined, and where it publishes its history. */
export const noteSubject = (host: string): string => `lull.${host}.note`
export const historySubject = (host: string): string => `lull.${host}.past`
export const hostOf = (subject: string): string => subject.split('.')[1] ?? ''

/**
 * On which the server tells a host what it has stored. Nobody may publish there.
 * @param made names the stream, so that one which is made anew has another name. `*` is any.
 */
export const storedSubject = (host: string, made: string): string => `lull.${host}.stored.${made}`
export const madeOf = (subject: string): string => subject.split('.')[3] ?? ''

/** What the server keeps: a stream of JetStream (`fleet-streams.ts`). */
export type FleetStream = {
  readonly name: string
  readonly subject: (host: string) => string
  /** Of each host: what came first goes first. */
  readonly most: { readonly messages: number; readonly bytes: number; readonly days?: number }
}

/** The last note of each host. */
export const notes: FleetStream = {
  ...{ name: 'lull-hosts', subject: noteSubject },
  most: { messages: 1, bytes: 1024 },
}

/** A host sends at most one message that is not full in half a minute (`publish-history.ts`): a month of days of eight hours has room. */
export const histories: FleetStream = {
  ...{ name: 'lull-histories', subject: historySubject },
  most: { messages: 30_000, bytes: 64 * 1024, days: 30 },
}
