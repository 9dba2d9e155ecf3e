/** A recording at a moment: its verdict, its screen, and its place in the address of the page. Pure. */
import { parseIso } from '../../core/trace/time-stamp.ts'
import type { DrawnRun, Film, FilmPiece, RecordingRow } from '../types.ts'

type Change = Film['changes'][number]

/** The verdict that held then. @param at seconds */
export const changeAt = (changes: readonly Change[], at: number): Change | undefined =>
  changes[changeIndex(changes, at)]

/** -1 before the first. */
export function changeIndex(changes: readonly Change[], at: number): number {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle]?.at ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Back within this of where it began, the change before it is meant, as a player of music has it. Seconds */
const justBegun = 1

/** Where the next or the previous change is; the end or the start where there is none. Seconds */
export function neighbour({ changes, length }: Film, at: number, by: 1 | -1): number {
  if (by === 1) return changes.find(change => change.at > at + 0.001)?.at ?? length
  return changes.findLast(change => change.at < at - justBegun)?.at ?? 0
}

/** The piece that has this moment, by its number. -1 before the first. */
export const pieceIndex = (pieces: readonly number[], at: number): number =>
  pieces.findLastIndex(from => from <= at)

/** The moment whose picture is shown: before the first picture there is nothing, so that it is shown already. @param at seconds */
export const shownMoment = ({ pictures: [first] }: FilmPiece, at: number): number =>
  Math.max(at, first?.at ?? at)

export type DrawnRows = readonly (readonly DrawnRun[])[]

const nothing: readonly DrawnRun[] = []

/**
 * What the screen showed: the pictures of a piece up to that moment, one over the other.
 * @returns with the number of the last one; undefined where there is none yet
 */
export function gridAt(
  { pictures }: FilmPiece,
  at: number,
): { readonly grid: DrawnRows; readonly picture: number } | undefined {
  const picture = pictures.findLastIndex(one => one.at <= at)
  if (picture < 0) return undefined
  const grid: (readonly DrawnRun[])[] = []
  for (const { height, rows } of pictures.slice(0, picture + 1)) {
    grid.length = height
    for (const { row, runs } of rows) if (row < height) grid[row] = runs
  }
  return { grid: Array.from(grid, runs => runs ?? nothing), picture }
}

/** Cells of the widest row. */
export const widthOf = (grid: DrawnRows): number =>
  grid.reduce(
    (widest, runs) =>
      Math.max(
        widest,
        runs.reduce((sum, { text }) => sum + text.length, 0),
      ),
    0,
  )

/** `7.5s`, `4:07`, `1:04:07`: from the start of a recording. */
export function placeWords(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds * 10) / 10}s`
  const all = Math.floor(seconds)
  const two = (part: number): string => String(part).padStart(2, '0')
  const minutes = Math.floor(all / 60)
  const end = two(all % 60)
  return minutes < 60 ? `${minutes}:${end}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${end}`
}

/** The address of a recording, at a moment; rounded up, since the state that begins there is meant. */
export const replayHash = (name: string, at?: number): string =>
  `#/replay/${encodeURIComponent(name)}${at === undefined ? '' : `/${Math.ceil(at * 10 - 1e-6) / 10}`}`

/** Whoever leads to the page may have written anything. @returns no name for the list */
export function replayIn(hash: string): { readonly name?: string; readonly at: number } {
  const [, , text = '', moment = ''] = hash.split('/')
  const at = Number(moment)
  const from = Number.isFinite(at) && at > 0 ? at : 0
  if (text === '') return { at: from }
  try {
    return { name: decodeURIComponent(text), at: from }
  } catch {
    return { name: text, at: from }
  }
}

type Listed = Pick<RecordingRow, 'name' | 'session' | 'startedAt' | 'length' | 'problem'>

/** What is recorded is written so much later where it may hold a secret. ms */
const lateMs = 30_000

/**
 * Where a session was recorded.
 * @param from ms since the epoch, and `to`: some moment between them is enough
 * @returns the first such moment, in seconds from the start of the recording
 */
export function recordedAt(
  recordings: readonly Listed[],
  id: string,
  from: number,
  to: number = from,
): { readonly name: string; readonly at: number } | undefined {
  for (const { name, session, startedAt, length, problem } of recordings) {
    if (session !== id || startedAt === undefined || length === undefined || problem !== undefined) continue
    const start = parseIso(startedAt)
    if (start === undefined || to < start || from > start + length * 1000 + lateMs) continue
    return { name, at: Math.max(0, from - start) / 1000 }
  }
  return undefined
}
