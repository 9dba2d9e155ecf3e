/** Loops that are published: which sessions they are, and how another process stops one. */
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '../../os/attempt.ts'
import { identify, isAlive } from '../../os/proc/alive.ts'
import { type Published, publishedIn } from './published-runs.ts'

/** A loop is published as itself, for its whole life; a run as the program that it runs. */
const isLoop = ({ owner, session }: Published): boolean =>
  session.id === identify(owner.pid, owner.start ?? '')

const loopsIn = (folder: string): readonly Published[] =>
  publishedIn(folder).flatMap(({ published }) =>
    isLoop(published) && isAlive(published.owner) !== false ? [published] : [],
  )

/** Ids of the sessions of all loops that run. @param folder where runs are published */
export const loopIds = (folder: string): ReadonlySet<string> =>
  new Set(loopsIn(folder).map(({ session }) => session.id))

/** It ends its agent first: SIGTERM, and SIGKILL 3 s later (docs/loop.md#keys-and-signals). ms */
const patienceMs = 6000
const pollMs = 50

/** Stops a loop as `kill PID` does. @returns whether it has ended; undefined where no such loop runs */
export async function stopLoop(folder: string, id: string): Promise<boolean | undefined> {
  const found = loopsIn(folder).find(({ session }) => session.id === id)
  // Where its start is not known, its number may be another program's.
  if (!found || isAlive(found.owner) !== true) return undefined
  attempt(() => process.kill(found.owner.pid, 'SIGTERM'))
  const until = performance.now() + patienceMs
  while (isAlive(found.owner) !== false && performance.now() < until) await pause(pollMs)
  return isAlive(found.owner) === false
}
