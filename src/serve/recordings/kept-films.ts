/** Films that are judged, or were: the last ones that somebody looked at, within bounds of time and bytes. */
import type { KeptFilm } from './judge-recording.ts'

/** What all that are kept have: most have less than one MB. Bytes */
const mostKept = 48 * 1024 * 1024
/** One that nobody has asked for in such a time is dropped. ms */
const keptMs = 5 * 60_000

export type KeptRecording = {
  readonly name: string
  readonly made: Promise<KeptFilm>
  /** Ends its judge. */
  readonly stop: AbortController
  /** How many requests wait for it. */
  waiting: number
  /** Undefined while it is judged. */
  size?: number
  timer?: NodeJS.Timeout
}

export function keptFilms() {
  /** By the id of the film; the one that was asked for last at the end. */
  const kept = new Map<string, KeptRecording>()

  function forget(id: string): void {
    clearTimeout(kept.get(id)?.timer)
    kept.delete(id)
  }

  return {
    get: (id: string): KeptRecording | undefined => kept.get(id),
    touch(id: string, one: KeptRecording): void {
      forget(id)
      one.timer = setTimeout(() => forget(id), keptMs)
      one.timer.unref()
      kept.set(id, one)
    },
    /** Where it is still the one of that id. */
    drop(id: string, one: KeptRecording): void {
      if (kept.get(id) === one) forget(id)
    },
    dropOld(): void {
      let size = [...kept.values()].reduce((sum, one) => sum + (one.size ?? 0), 0)
      for (const [id, one] of kept) {
        if (size <= mostKept || one.size === undefined) continue
        size -= one.size
        forget(id)
      }
    },
    clear(): void {
      for (const id of [...kept.keys()]) forget(id)
    },
  }
}
