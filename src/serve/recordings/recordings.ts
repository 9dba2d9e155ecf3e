/** Recordings for clients: each is judged once, one at a time, and a few are kept while somebody looks at them. */
import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { LullError } from '../../core/lull-error.ts'
import { untilAborted } from '../../core/until-aborted.ts'
import type { Places } from '../../os/file/places.ts'
import { recordingsOf } from '../../sessions/record-session.ts'
import type { ServeSettings } from '../settings.ts'
import { judgeRecording, type KeptFilm } from './judge-recording.ts'
import { type RecordingFolder, recordingFolder } from './recording-folder.ts'

/** What all that are kept have: most have less than one MB. Bytes */
const mostKept = 48 * 1024 * 1024
/** One that nobody has asked for in such a time is dropped. ms */
const keptMs = 5 * 60_000
/** So many may be judged, or wait for it. */
const mostQueued = 8
/** A list is read from the disk no more often. ms */
const listMs = 1000

type Kept = {
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

export type Recordings = {
  readonly list: RecordingFolder['list']
  readonly folder: string
  /**
   * With the `id` by which its pieces are asked for.
   * @param signal of the request: what nobody waits for any more is not judged to its end
   * @throws {LullError} NO_RECORDING, NOT_A_FILE, NOT_PLAYED, or as the recording is wrong
   */
  film(name: string, signal: AbortSignal): Promise<KeptFilm['film']>
  /**
   * @param id of the film; the recording as it is now, where it is undefined
   * @param from seconds
   * @returns the piece that has this instant; undefined where it shows nothing yet
   * @throws {LullError} as `film`; RECORDING_CHANGED where that film is not kept, and the file is another one by now
   */
  piece(
    name: string,
    id: string | undefined,
    from: number,
    signal: AbortSignal,
  ): Promise<KeptFilm['film'] | undefined>
  close(): void
}

export function openRecordings(
  places: Places,
  { recordings }: Pick<ServeSettings, 'recordings'>,
  judge = judgeRecording,
): Recordings {
  const { folder, list, open } = recordingFolder(recordings ?? recordingsOf(places))
  /** By the id of the film; the one that was asked for last at the end. */
  const kept = new Map<string, Kept>()
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  let queued = 0
  let listed: { readonly at: number; readonly value: ReturnType<typeof list> } | undefined

  function drop(id: string): void {
    clearTimeout(kept.get(id)?.timer)
    kept.delete(id)
  }

  function touch(id: string, one: Kept): void {
    drop(id)
    one.timer = setTimeout(() => drop(id), keptMs)
    one.timer.unref()
    kept.set(id, one)
  }

  function dropOld(): void {
    let size = [...kept.values()].reduce((sum, one) => sum + (one.size ?? 0), 0)
    for (const [id, one] of kept) {
      if (size <= mostKept || one.size === undefined) continue
      size -= one.size
      drop(id)
    }
  }

  function make(id: string, name: string, fd: number): Kept {
    const stop = new AbortController()
    queued++
    const signal = AbortSignal.any([stop.signal, closing.signal])
    const made = last.then(() => {
      if (closing.signal.aborted)
        throw new LullError('CLOSED', 'the API is closed, or its host ends: ask again')
      signal.throwIfAborted()
      return judge(fd, signal)
    })
    last = made
      .catch(() => undefined)
      .finally(() => {
        queued--
        closeSync(fd)
      })
    const one: Kept = { name, made, stop, waiting: 0 }
    made.then(
      ({ size }) => {
        one.size = size
        dropOld()
      },
      // What failed is tried again.
      () => kept.get(id) === one && drop(id),
    )
    return one
  }

  /** @throws {LullError} TOO_MANY */
  function madeOf(name: string, wanted: string | undefined): readonly [string, Kept] {
    const asked = wanted === undefined ? undefined : kept.get(wanted)
    if (wanted !== undefined && asked?.name === name) return [wanted, asked]
    const { fd, identity } = open(name)
    const id = createHash('sha256').update(identity).digest('base64url').slice(0, 16)
    const before = kept.get(id)
    const isOther = wanted !== undefined && wanted !== id
    if (!before && !isOther && queued < mostQueued) return [id, make(id, name, fd)]
    closeSync(fd)
    if (isOther)
      throw new LullError(
        'RECORDING_CHANGED',
        `${name} has grown, or is another recording by now: load it anew`,
      )
    if (before) return [id, before]
    throw new LullError('TOO_MANY', `${mostQueued} recordings wait to be judged already: try again later`)
  }

  async function waitFor(name: string, wanted: string | undefined, signal: AbortSignal) {
    const [id, one] = madeOf(name, wanted)
    touch(id, one)
    one.waiting++
    try {
      return { id, ...(await untilAborted(one.made, signal)) }
    } finally {
      one.waiting--
      if (one.waiting === 0 && one.size === undefined) {
        one.stop.abort()
        if (kept.get(id) === one) drop(id)
      }
    }
  }

  return {
    folder,
    list() {
      const now = performance.now()
      if (!listed || now - listed.at > listMs) listed = { at: now, value: list() }
      return listed.value
    },
    async film(name, signal) {
      const { id, film } = await waitFor(name, undefined, signal)
      return Buffer.concat([Buffer.from(`{"id":"${id}",`), film.subarray(1)])
    },
    async piece(name, id, from, signal) {
      const { pieces } = await waitFor(name, id, signal)
      return pieces.findLast(piece => piece.from <= from)?.bytes
    },
    close() {
      closing.abort()
      for (const id of [...kept.keys()]) drop(id)
    },
  }
}
