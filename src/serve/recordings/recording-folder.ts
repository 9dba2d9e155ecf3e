/**
 * The folder of recordings. A client names a file in it, never a path: only a plain file that lies there itself, and is this
 * user's or the system's, is opened.
 */
import { closeSync, fstatSync, readdirSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { whoDecides } from '../../../bin/own-folder.js'
import { largestRecording } from '../../connect/make-film.ts'
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isComplaint, readEvent, readHeader } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { openPlain } from '../../os/file/plain-file.ts'
import type { RecordingRow } from '../../shapes/film-shapes.ts'
import { isoOf } from '../../shapes/verdict-json.ts'

/** What a file must be called. */
const named = /^[^/\\.][^/\\]{0,180}\.cast(\.gz)?$/
const mostListed = 200
/** Bytes at the end of a file, which tell how long it is. */
const edge = 64 * 1024
/** A packed file that is no larger is unpacked for its length. */
const largestUnpacked = 128 * 1024
/** At its beginning, for its header. */
const headerBytes = 8 * 1024
const mostUnpacked = 1024 * 1024

export type OpenedRecording = {
  /** To be closed by whoever gets it. */
  readonly fd: number
  /** Another one for another file, and for the same once it was written to. */
  readonly identity: string
}

export type RecordingFolder = ReturnType<typeof recordingFolder>

/** @param folder that `lull serve --recordings` names, or lull's own */
export function recordingFolder(folder: string) {
  const rowsRead = new Map<string, RecordingRow>()

  /** Where it really is; undefined where there is none yet. @throws {LullError} BAD_PLACE */
  function place(): string | undefined {
    const decider = whoDecides(folder)
    if (typeof decider === 'object')
      throw new LullError(
        'BAD_PLACE',
        `recordings in ${folder} are not shown, since ${decider.other}: make it yours alone, such as with chmod go-w`,
      )
    return attempt(() => realpathSync(folder))
  }

  function openIn(real: string, name: string): OpenedRecording & { readonly stat: Stats } {
    const file = path.join(real, name)
    const mayLie = (at: string): boolean => at === file
    const fd = openPlain(file, { most: largestRecording, isOwn: true, mayLie })
    const stat = fstatSync(fd)
    return { fd, stat, identity: [stat.dev, stat.ino, stat.size, stat.mtimeMs].join(':') }
  }

  /** @throws {LullError} NO_RECORDING; NOT_A_FILE where it is there and not read */
  function open(name: string): OpenedRecording {
    const real = place()
    const none = new LullError('NO_RECORDING', `no recording ${oneLine(name, 100)} in ${folder}`)
    if (real === undefined || !named.test(name) || !readdirSync(real).includes(name)) throw none
    try {
      return openIn(real, name)
    } catch (error) {
      throw new LullError('NOT_A_FILE', whyNotOpened(error, name))
    }
  }

  function rowOf(real: string, name: string): RecordingRow {
    try {
      const { fd, stat, identity } = openIn(real, name)
      try {
        const row = rowsRead.get(identity) ?? readRow(fd, stat, name)
        rowsRead.set(identity, row)
        return { ...row, name }
      } finally {
        closeSync(fd)
      }
    } catch (error) {
      return { name, bytes: 0, problem: whyNotOpened(error, name) }
    }
  }

  return {
    folder,
    open,
    /** The one that began last comes first. @throws {LullError} BAD_PLACE */
    list(): { readonly recordings: readonly RecordingRow[]; readonly more: number } {
      const real = place()
      const names = real === undefined ? [] : readdirSync(real).filter(name => named.test(name))
      const changedAt = new Map(
        names.map(name => [name, attempt(() => statSync(path.join(real ?? '', name)).mtimeMs) ?? 0]),
      )
      names.sort((a, b) => (changedAt.get(b) ?? 0) - (changedAt.get(a) ?? 0))
      if (rowsRead.size > 4 * mostListed) rowsRead.clear()
      const recordings = names.slice(0, mostListed).map(name => rowOf(real ?? '', name))
      recordings.sort((a, b) => compareStart(b, a))
      return { recordings, more: Math.max(0, names.length - mostListed) }
    },
  }
}

/** A recording without a beginning sorts last. ISO times sort as texts. */
const compareStart = ({ startedAt: a = '' }: RecordingRow, { startedAt: b = '' }: RecordingRow): number =>
  a < b ? -1 : a > b ? 1 : 0

/** Sentences of the file itself name its whole path: a client knows names only. */
function whyNotOpened(error: unknown, name: string): string {
  const why = error instanceof LullError ? (error.message.split(': ').at(-1) ?? '') : 'it can’t be opened'
  return `${oneLine(name, 100)}: ${oneLine(why, 200)}`
}

function readRow(fd: number, { size }: Stats, name: string): RecordingRow {
  const isPacked = name.endsWith('.gz')
  const whole = isPacked && size <= largestUnpacked ? unpacked(read(fd, 0, size)) : undefined
  const head = read(fd, 0, Math.min(size, headerBytes))
  const first = whole ?? (isPacked ? unpacked(head) : head)
  const header = attempt(() => readHeader(first?.toString('utf8').split('\n', 1)[0] ?? ''))
  if (!header) return { name, bytes: size, problem: 'it is no recording of lull, or of asciinema' }
  const { agent, cli, session, startedAt } = header
  return {
    ...{ name, bytes: size },
    ...defined({
      agent: cli ?? agent,
      session,
      startedAt: startedAt === undefined ? undefined : isoOf(startedAt),
      length: isPacked
        ? whole && lastInstant(whole.subarray(-edge))
        : lastInstant(read(fd, Math.max(0, size - edge), edge)),
    }),
  }
}

/** @param bytes of the beginning, or of all. Undefined where they are not packed, or hold too much */
const unpacked = (bytes: Buffer): Buffer | undefined =>
  attempt(() => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostUnpacked }))

/** Of its last whole line that is an event, in seconds. */
function lastInstant(end: Buffer): number | undefined {
  for (const line of end.toString('utf8').split('\n').slice(0, -1).reverse()) {
    const event = readEvent(line, 0)
    if (event && !isComplaint(event)) return event.at / 1000
  }
  return undefined
}

function read(fd: number, from: number, most: number): Buffer {
  const bytes = Buffer.alloc(most)
  return bytes.subarray(0, readSync(fd, bytes, 0, most, from))
}
