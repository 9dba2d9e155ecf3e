/** Recordings for clients: each is judged once, one at a time, and a few are kept while somebody looks at them. */
import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { LullError } from '../../core/lull-error.ts'
import { untilAborted } from '../../core/until-aborted.ts'
import type { Places } from '../../os/file/places.ts'
import { recordingsOf } from '../../sessions/record-session.ts'
import type { ServeSettings } from '../settings.ts'
import { judgeRecording, type KeptFilm } from './judge-recording.ts'
import { type KeptRecording, keptFilms } from './kept-films.ts'
import { type RecordingFolder, recordingFolder } from './recording-folder.ts'

/** So many may be judged, or wait for it. */
const mostQueued = 8
/** A list is read from the disk no more often. ms */
const listMs = 1000

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
  const kept = keptFilms()
  const closing = new AbortController()
  const queue = judgeQueue(judge, closing.signal)
  let listed: { readonly at: number; readonly value: ReturnType<typeof list> } | undefined

  function make(id: string, name: string, fd: number): KeptRecording {
    const stop = new AbortController()
    const one: KeptRecording = { name, made: queue.judge(fd, stop.signal), stop, waiting: 0 }
    one.made.then(
      ({ size }) => {
        one.size = size
        kept.dropOld()
      },
      // What failed is tried again.
      () => kept.drop(id, one),
    )
    return one
  }

  /** @throws {LullError} TOO_MANY */
  function madeOf(name: string, wanted: string | undefined): readonly [string, KeptRecording] {
    const asked = wanted === undefined ? undefined : kept.get(wanted)
    if (wanted !== undefined && asked?.name === name) return [wanted, asked]
    const { fd, identity } = open(name)
    const id = createHash('sha256').update(identity).digest('base64url').slice(0, 16)
    const before = kept.get(id)
    const isOther = wanted !== undefined && wanted !== id
    if (!before && !isOther && !queue.isFull()) return [id, make(id, name, fd)]
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
    kept.touch(id, one)
    one.waiting++
    try {
      return { id, ...(await untilAborted(one.made, signal)) }
    } finally {
      one.waiting--
      if (one.waiting === 0 && one.size === undefined) {
        one.stop.abort()
        kept.drop(id, one)
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
      kept.clear()
    },
  }
}

/** One after the other. @param closing ends those that wait as well */
function judgeQueue(judge: typeof judgeRecording, closing: AbortSignal) {
  let last: Promise<unknown> = Promise.resolve()
  let queued = 0
  return {
    isFull: () => queued >= mostQueued,
    /** Closes the file. */
    judge(fd: number, stop: AbortSignal): Promise<KeptFilm> {
      queued++
      const signal = AbortSignal.any([stop, closing])
      const made = last.then(() => {
        if (closing.aborted) throw new LullError('CLOSED', 'the API is closed, or its host ends: ask again')
        signal.throwIfAborted()
        return judge(fd, signal)
      })
      last = made
        .catch(() => undefined)
        .finally(() => {
          queued--
          closeSync(fd)
        })
      return made
    },
  }
}
