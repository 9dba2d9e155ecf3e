/** Whether a host runs, and why one can't be asked: the lock names the owner of the socket. */
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '../core/trace/trace.ts'
import { attempt } from '../os/attempt.ts'
import { codeOf, hasCode } from '../os/error-code.ts'
import { type Holder, holderOf } from '../os/file/lock.ts'
import { checkRuntime, hasOwnFolder, type Places, whyNoSocket } from '../os/file/places.ts'
import { isAlive } from '../os/proc/alive.ts'
import { readStat } from '../os/proc/stat.ts'
import { socketRequests } from '../os/socket/socket-request.ts'
import { type Greeting, type HostStatus, protocol, readGreeting, readStatus } from './messages.ts'

export const host = socketRequests({ who: 'the host', code: 'HOST_GONE' })

export type FoundHost =
  | { readonly is: 'running'; readonly holder: Holder; readonly status: HostStatus }
  | { readonly is: 'none' }
  /** It speaks another protocol than this lull. */
  | { readonly is: 'older' | 'newer'; readonly holder: Holder; readonly greeting: Greeting }
  /** `stopped` by a signal; `silent` for another reason; `unreachable`: it is starting, or its socket is gone. */
  | { readonly is: 'stopped' | 'silent' | 'unreachable'; readonly holder: Holder }
  /** Something listens that is no host of this user's. */
  | { readonly is: 'foreign' }
  /** Nothing can listen there. */
  | { readonly is: 'impossible'; readonly why: string }

/** The host of a very busy machine answers within this time, ms. */
const greetingMs = 2500

const mostTries = 5
const againMs = 30

export const hostLock = ({ runtime }: Places): string => path.join(runtime, 'host.lock')
/** Of a host that takes the place of an older one: it listens before it has the lock. */
export const nextLock = (lock: string): string => `${lock}.next`

/**
 * Its answer and the holder of its lock are read one after the other: of a host that is killed in between, they disagree, and
 * for a moment it looks like a stranger. What could be that is looked at again.
 * @throws {LullError} BAD_PLACE where another user could listen there
 */
export async function findHost(places: Places): Promise<FoundHost> {
  checkRuntime(places)
  const why = whyNoSocket(places)
  if (why !== undefined) return { is: 'impossible', why }
  if (!hasOwnFolder(places.runtime)) return { is: 'none' }
  const owner = attempt(() => lstatSync(places.socket).uid)
  if (owner !== undefined && owner !== process.getuid?.()) return { is: 'foreign' }
  for (let tries = 1; ; tries++) {
    const { found, mayPass } = await lookAt(places.socket, hostLock(places))
    if (!mayPass || tries === mostTries) return found
    await sleep(againMs)
  }
}

async function lookAt(
  socket: string,
  lock: string,
): Promise<{ readonly found: FoundHost; readonly mayPass: boolean }> {
  const before = livingHolder(lock)
  if (before && isStopped(before)) return { found: { is: 'stopped', holder: before }, mayPass: false }
  const answer = await host
    .ask(socket, { path: '/v1/status', patience: greetingMs })
    .catch((error: Error) => error)
  if (answer instanceof Error) {
    const found = unanswered(answer, livingHolder(lock))
    // The system cut the connection. Patience that ran out is no passing moment.
    const isCut = codeOf(answer.cause) !== undefined
    return { found, mayPass: isCut && (found.is === 'foreign' || found.is === 'silent') }
  }
  const parsed = parseJson(answer)
  const greeting = readGreeting(parsed)
  if (!greeting) return { found: { is: 'foreign' }, mayPass: false }
  const holder = [nextLock(lock), lock].map(livingHolder).find(one => one?.pid === greeting.pid)
  // A stranger that runs is one; a host that is gone was killed since it answered.
  if (!holder) return { found: { is: 'foreign' }, mayPass: isAlive({ pid: greeting.pid }) === false }
  return { found: greeted(parsed, greeting, holder), mayPass: false }
}

function greeted(answer: unknown, greeting: Greeting, holder: Holder): FoundHost {
  if (greeting.protocol !== protocol)
    return { is: greeting.protocol < protocol ? 'older' : 'newer', holder, greeting }
  const status = readStatus(answer)
  return status ? { is: 'running', holder, status } : { is: 'foreign' }
}

function unanswered(error: Error, holder: Holder | undefined): FoundHost {
  const isNobody = hasCode(error.cause, 'ENOENT') || hasCode(error.cause, 'ECONNREFUSED')
  if (!holder) return isNobody ? { is: 'none' } : { is: 'foreign' }
  if (isStopped(holder)) return { is: 'stopped', holder }
  return { is: isNobody ? 'unreachable' : 'silent', holder }
}

const isStopped = ({ pid }: Holder): boolean => /^[Tt]$/.test(readStat(pid)?.state ?? '')

function livingHolder(lock: string): Holder | undefined {
  const holder = holderOf(lock)
  return typeof holder === 'object' && isAlive(holder) !== false ? holder : undefined
}

/** Why a host can't be asked: one sentence without a full stop. */
export function whyNoHost(found: Exclude<FoundHost, { readonly is: 'running' }>, { socket }: Places): string {
  if (found.is === 'none') return 'no host runs; `lull host start` starts one'
  if (found.is === 'impossible') return found.why
  if (found.is === 'foreign') return `what listens at ${socket} is no host of lull’s`
  const who = `the host (pid ${found.holder.pid})`
  switch (found.is) {
    case 'stopped':
      return `${who} is stopped: \`kill -CONT ${found.holder.pid}\` lets it go on, \`lull host stop\` ends it`
    case 'silent':
      return `${who} does not answer: \`lull host stop\` ends it`
    case 'unreachable':
      return `${who} can't be reached at ${socket}: it is starting, or has lost its socket and ends soon`
    case 'older':
      return `${who} is of an older lull (${found.greeting.version}): \`lull host start\` puts one of this lull in its place`
    case 'newer':
      return `${who} is of a newer lull (${found.greeting.version}), which this one does not understand: update this lull`
  }
}

/**
 * Whether nobody is in the way of a new one: where none is or can be (starting one reports why), or one of an older lull, or
 * one that has lost its socket.
 */
export const isFree = (is: FoundHost['is']): boolean =>
  is === 'none' || is === 'impossible' || is === 'older' || is === 'unreachable'
