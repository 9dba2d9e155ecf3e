/**
 * Sessions that a respawn keeps going: each has a lock, held while that acts by itself. It is not held while the respawn is paused or
 * waits for a person, and counts for nothing once its process is gone.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { attempt } from '../../os/attempt.ts'
import { acquireLock, holderOf, type Lock } from '../../os/file/lock.ts'
import { hasOwnFolder } from '../../os/file/places.ts'
import { isAlive } from '../../os/proc/alive.ts'
import type { SessionChanged, SessionProvider } from '../session-source.ts'
import { followFolder } from './follow-folder.ts'

const ending = '.keeps'

export type KeptMark = {
  /** @param acts what keeps it going does the next thing by itself */
  set(acts: boolean): void
}

/** @param folder of the respawns; it exists. A mark that can't be written is missing, and nothing else. */
export function keptMark(folder: string, id: string): KeptMark {
  let held: Lock | undefined
  return {
    set(acts) {
      if (acts) held ??= attempt(() => acquireLock(path.join(folder, `${id}${ending}`)))
      else {
        held?.release()
        held = undefined
      }
    },
  }
}

function readMarks(folder: string): ReadonlySet<string> {
  const names = attempt(() => (hasOwnFolder(folder) ? readdirSync(folder) : [])) ?? []
  const isHeld = (name: string): boolean => {
    const holder = attempt(() => holderOf(path.join(folder, name)))
    return typeof holder === 'object' && isAlive(holder) === true
  }
  return new Set(
    names.flatMap(name => (name.endsWith(ending) && isHeld(name) ? [name.slice(0, -ending.length)] : [])),
  )
}

/** Has no sessions of its own: it tells which of the others are kept going. */
export function keptProvider(folder: string, clock: Clock): SessionProvider {
  let kept = readMarks(folder)
  let followed: ReturnType<typeof followFolder> | undefined

  function look(onChange: SessionChanged): void {
    const before = kept
    kept = readMarks(folder)
    for (const id of new Set([...before, ...kept]))
      if (before.has(id) !== kept.has(id)) onChange(id, 'changed')
  }

  return {
    start(onChange) {
      followed = followFolder(folder, clock, () => look(onChange))
    },
    keeps: id => kept.has(id),
    get: () => undefined,
    list: () => [],
    close: () => followed?.close(),
  }
}
