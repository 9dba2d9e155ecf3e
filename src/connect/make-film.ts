/** A recording as a player shows it: each change of the verdict with its reason, and what its screen showed, in pieces. */
import { constants, gunzipSync } from 'node:zlib'
import { defined } from '../core/defined.ts'
import { explainReason } from '../core/explain/explain.ts'
import { oneLine } from '../core/text/printable.ts'
import { styledRuns } from '../core/text/styled-runs.ts'
import { isRecord, parseJson, readHeader, type TraceEvent } from '../core/trace/trace.ts'
import { splitLines } from '../os/file/lines.ts'
import { readPlain } from '../os/file/plain-file.ts'
import type { Film, FilmPicture, FilmPiece } from '../shapes/film-shapes.ts'
import { isoOf, jsonState } from '../shapes/verdict-json.ts'
import { agentOf, type Change, calibratedDecoder, eventsOf, replay } from '../track/replay.ts'

/** A JSON text for each piece: its reader need not understand one to send it. */
export type MadeFilm = { readonly film: Omit<Film, 'id'>; readonly pieces: readonly string[] }

const mostChanges = 5000
const mostMarks = 500
const mostEvidence = 4
/** Bytes of all pictures. Coarser ones are made until they fit. */
const mostPictured = 8 * 1024 * 1024
/** Bytes of a piece: so much is sent at a time. */
const pieceLength = 96 * 1024
const mostPictures = 4000
/** Closer than this pictures are one, ms: nobody sees more than ten a second. */
const finestMs = 100

/** A larger recording is not judged. It is kept in memory meanwhile, in a process of its own. */
export const largestRecording = 64 * 1024 * 1024

/**
 * @param file a trace, plain or packed
 * @throws {LullError} as `replay` does; NOT_A_FILE where it is too large
 */
export function filmOf(file: string): Promise<MadeFilm> {
  const bytes = readPlain(file, { most: largestRecording })
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = isPacked
    ? gunzipSync(bytes, { maxOutputLength: largestRecording, finishFlush: constants.Z_SYNC_FLUSH })
    : bytes
  return makeFilm(function* () {
    for (const { text: line } of splitLines([text])) yield line
  })
}

/**
 * @param lines gives the lines of a trace, each time from its beginning
 * @throws {LullError} as `replay` does
 */
async function makeFilm(lines: () => Iterable<string>): Promise<MadeFilm> {
  const all = lines()[Symbol.iterator]()
  const first = all.next()
  const header = readHeader(first.done ? '' : first.value)
  let skipped = 0
  const changes: Change[] = []
  for (const change of replay(lines(), { complain: () => skipped++ })) {
    // What had become of it before the recording all happens at its beginning.
    if (changes.at(-1)?.at === change.at) changes.pop()
    changes.push(change)
  }
  const events = eventsOf(all, undefined)
  const marks: Film['marks'] = []
  const ahead: TraceEvent[] = []
  let [length, hasRows] = [0, false]
  for (const event of events) {
    length = event.at
    if (ahead.length < 2000) ahead.push(event)
    if (event.code === 'm' && marks.length < mostMarks)
      marks.push({ at: event.at / 1000, text: oneLine(event.data, 200) })
    hasRows ||= event.code === 'f' && rowsIn(event.data) !== undefined
  }
  const { epoch } = calibratedDecoder(agentOf(header), header.startedAt, ahead)
  const startedAt = epoch ?? header.startedAt
  // Of a terminal that was recorded from its middle on, output alone makes no picture.
  const source = header.attached && hasRows ? 'rows' : 'output'
  let grain = Math.max(finestMs, Math.ceil(length / mostPictures))
  let pieces = await picturesOf(lines(), source, grain)
  for (; pieces === undefined && grain < length; pieces = await picturesOf(lines(), source, grain)) grain *= 4
  const film: MadeFilm['film'] = {
    agent: oneLine(header.cli ?? header.agent ?? '', 40),
    ...(startedAt === undefined ? {} : { startedAt: isoOf(startedAt) }),
    length: Math.max(length, changes.at(-1)?.at ?? 0) / 1000,
    changes: changes.slice(0, mostChanges).map(changeJson),
    ...(changes.length > mostChanges ? { moreChanges: changes.length - mostChanges } : {}),
    ...{ marks, pieces: (pieces ?? []).map(({ from }) => from), grain: grain / 1000, skipped },
  }
  return { film, pieces: (pieces ?? []).map(({ text }) => text) }
}

function changeJson({ at, verdict, session }: Change): Film['changes'][number] {
  const { state, for: reason, doing, after, health, ...more } = jsonState(verdict, undefined)
  // The player has its own age beside it, which goes on.
  const why = explainReason(verdict, session.facts)
  return {
    ...{ at: at / 1000, state, health, confidence: more.confidence, why: oneLine(why, 600) },
    ...defined({ for: reason, doing, after, cause: more.cause, healthWhy: more.healthWhy }),
    because: verdict.because
      .slice(0, mostEvidence)
      .map(({ source, what }) => ({ source, what: oneLine(what, 200) })),
  } as Film['changes'][number]
}

const mostRows = 300
const mostColumns = 1000

/** Of a look at the screen. */
function rowsIn(data: string): readonly string[] | undefined {
  if (!data.includes('"rows"')) return undefined
  const read = parseJson(data)
  const rows = isRecord(read) ? read.rows : undefined
  return Array.isArray(rows)
    ? rows.slice(0, mostRows).map(row => String(row).slice(0, mostColumns))
    : undefined
}

type Runs = FilmPicture['rows'][number]['runs']
type Piece = { readonly from: number; readonly text: string }

/** @returns undefined where they would be too many */
async function picturesOf(
  lines: Iterable<string>,
  source: 'rows' | 'output',
  grain: number,
): Promise<readonly Piece[] | undefined> {
  const rows = lines[Symbol.iterator]()
  const { value: header = '' } = rows.next()
  const screen = source === 'rows' ? lookedAt() : await emulated(header)
  const strip = filmStrip()
  let dueAt: number | undefined
  const take = async (): Promise<void> => {
    if (dueAt !== undefined) strip.add(dueAt, await screen.picture())
    dueAt = undefined
  }
  for (const event of eventsOf(rows, undefined)) {
    if (dueAt !== undefined && Math.floor(event.at / grain) !== Math.floor(dueAt / grain)) await take()
    if (screen.see(event)) dueAt = event.at
    if (strip.length() > mostPictured) {
      screen.end()
      return undefined
    }
  }
  await take()
  screen.end()
  return strip.pieces()
}

type Screen = {
  /** @returns whether it may look different from then on */
  see(event: TraceEvent): boolean
  picture(): Promise<readonly Runs[]>
  end(): void
}

function lookedAt(): Screen {
  let shown: readonly string[] = []
  return {
    see({ code, data }) {
      const rows = code === 'f' ? rowsIn(data) : undefined
      if (rows) shown = rows
      return rows !== undefined
    },
    picture: async () => shown.map(text => (text === '' ? [] : [{ text }])),
    end: () => undefined,
  }
}

const mostPending = 256 * 1024

async function emulated(header: string): Promise<Screen> {
  const { createEmulator } = await import('../owned/emulator/emulator.ts')
  const read = parseJson(header)
  const { width, height } = isRecord(read) ? read : {}
  const size = { columns: cells(width, mostColumns) ?? 80, rows: cells(height, mostRows) ?? 24 }
  const emulator = createEmulator(size, () => undefined)
  let pending = ''
  const writes: Promise<void>[] = []
  const flush = (): void => {
    if (pending !== '') writes.push(emulator.write(Buffer.from(pending)))
    pending = ''
  }
  return {
    see({ code, data }) {
      if (code === 'r') {
        const [, columns, rows] = /^(\d{1,4})x(\d{1,4})$/.exec(data) ?? []
        const [wide, high] = [cells(Number(columns), mostColumns), cells(Number(rows), mostRows)]
        if (wide === undefined || high === undefined) return false
        flush()
        // What was written before has the old size.
        writes.push(
          emulator.write(Buffer.alloc(0)).then(() => emulator.resize({ columns: wide, rows: high })),
        )
        return true
      }
      if (code !== 'o') return false
      pending += data
      if (pending.length > mostPending) flush()
      return true
    },
    async picture() {
      flush()
      await Promise.all(writes.splice(0))
      return styledRuns(emulator.colouredLines('screen')) as readonly Runs[]
    },
    end: emulator.dispose,
  }
}

const cells = (value: unknown, most: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= most ? value : undefined

/** Pictures in pieces: the first of each is whole, the others hold what they draw anew. */
function filmStrip() {
  const pieces: { from: number; pictures: string[] }[] = []
  let before: readonly string[] = []
  let [size, whole] = [0, 0]

  function add(at: number, rows: readonly Runs[]): void {
    const drawn = rows.map(runs => JSON.stringify(runs))
    const isSame = drawn.length === before.length && drawn.every((row, n) => row === before[n])
    if (isSame) return
    const isFirst = pieces.length === 0 || size > pieceLength
    const isKnown = (n: number): boolean => (isFirst ? drawn[n] === '[]' : drawn[n] === (before[n] ?? '[]'))
    const picture: FilmPicture = {
      ...{ at: at / 1000, height: rows.length },
      rows: rows.flatMap((runs, row) => (isKnown(row) ? [] : [{ row, runs }])),
    }
    if (isFirst) {
      pieces.push({ from: at / 1000, pictures: [] })
      size = 0
    }
    const text = JSON.stringify(picture)
    pieces.at(-1)?.pictures.push(text)
    const length = Buffer.byteLength(text)
    size += length
    whole += length
    before = drawn
  }

  return {
    add,
    length: () => whole,
    pieces: (): readonly Piece[] =>
      pieces.map(({ from, pictures }, n) => {
        const until: Pick<FilmPiece, 'until'> = defined({ until: pieces[n + 1]?.from })
        const ends = JSON.stringify({ from, ...until }).slice(0, -1)
        return { from, text: `${ends},"pictures":[${pictures.join(',')}]}` }
      }),
  }
}
