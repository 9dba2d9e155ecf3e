/** Recordings for clients: each is judged once, one at a time, and a few of them are kept while somebody looks at them. */
import { closeSync } from 'node:fs'
import { LullError } from '../../core/lull-error.ts'
import type { Places } from '../../os/file/places.ts'
import { recordingsOf } from '../../sessions/record-session.ts'
import type { ServeSettings } from '../settings.ts'
import { judgeRecording, type KeptFilm } from './judge-recording.ts'
import { type RecordingFolder, recordingFolder } from './recording-folder.ts'

/** What they have may be 16 MB each. */
const mostKept = 3
/** One that nobody has asked for in such a time is dropped. ms */
const keptMs = 5 * 60_000
/** So many others may wait to be judged. */
const mostQueued = 8

export type Recordings = {
  readonly list: RecordingFolder['list']
  readonly folder: string
  /** @throws {LullError} NO_RECORDING, NOT_A_FILE, NOT_PLAYED, or as the recording is wrong */
  film(name: string): Promise<KeptFilm['film']>
  /**
   * Of one that has grown since it was judged: as it was then.
   * @returns the piece that has this instant; undefined where it shows nothing yet. @param from seconds
   */
  piece(name: string, from: number): Promise<KeptFilm['film'] | undefined>
  close(): void
}

export function openRecordings(
  places: Places,
  { recordings }: Pick<ServeSettings, 'recordings'>,
  judge = judgeRecording,
): Recordings {
  const { folder, list, open } = recordingFolder(recordings ?? recordingsOf(places))
  type Kept = { readonly identity: string; readonly made: Promise<KeptFilm>; timer?: NodeJS.Timeout }
  const kept = new Map<string, Kept>()
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  let queued = 0

  function drop(name: string): void {
    clearTimeout(kept.get(name)?.timer)
    kept.delete(name)
  }

  /** The last that was asked for is the last that is dropped. */
  function keep(name: string, one: Kept): void {
    drop(name)
    one.timer = setTimeout(() => drop(name), keptMs)
    one.timer.unref()
    kept.set(name, one)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) drop(oldest)
  }

  function make(fd: number): Promise<KeptFilm> {
    queued++
    const made = last.then(() => {
      if (closing.signal.aborted)
        throw new LullError('CLOSED', 'the API is closed, or its host ends: ask again')
      return judge(fd, closing.signal)
    })
    last = made
      .catch(() => undefined)
      .finally(() => {
        queued--
        closeSync(fd)
      })
    return made
  }

  /** @param isGrown whether one that was judged before it was written to will do */
  function madeOf(name: string, isGrown: boolean): Promise<KeptFilm> {
    const before = kept.get(name)
    const { fd, identity } = open(name)
    const isKept = before !== undefined && (isGrown || before.identity === identity)
    if (isKept || queued >= mostQueued) closeSync(fd)
    if (!isKept && queued >= mostQueued)
      throw new LullError('TOO_MANY', `${mostQueued} recordings wait to be judged already: try again later`)
    const one = isKept ? before : { identity, made: make(fd) }
    keep(name, one)
    // What failed is tried again.
    one.made.catch(() => kept.get(name) === one && drop(name))
    return one.made
  }

  return {
    folder,
    list,
    film: async name => (await madeOf(name, false)).film,
    async piece(name, from) {
      const { pieces } = await madeOf(name, true)
      return pieces.findLast(piece => piece.from <= from)?.bytes
    },
    close() {
      closing.abort()
      for (const name of [...kept.keys()]) drop(name)
    },
  }
}
