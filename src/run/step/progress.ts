/**
 * Which output counts as progress: a line that is new, or one with numbers that do more than show the time. A
 * spinner, a clock and a line that is painted again do not. Rows of `stream-json` always do.
 */
import type { Instant } from '../../core/state.ts'

/** Lines that are remembered, and how much of each. */
const mostLines = 256
const longestLine = 512
/** Within one span at most so many bytes are read: 10 kB/ms is far above what a person's tool prints. */
const spanMs = 100
const mostBytes = 64 * 1024
/** Of a larger piece, its two ends. */
const endBytes = 4096

export function createProgressDetector() {
  const decoder = new TextDecoder()
  const lines = new Map<string, readonly Moves[]>()
  /** The line that has not ended yet, and whether it is painted over another. */
  let open = ''
  let isPainted = false
  let spanBegan = -Infinity
  let spanBytes = 0

  /**
   * Takes a piece of output and returns whether any of it was progress. Of a flood only samples are read, so that the
   * output passes as fast as without.
   * @param at ms
   */
  function detect(piece: Uint8Array, at: Instant): boolean {
    if (at - spanBegan >= spanMs) {
      spanBegan = at
      spanBytes = 0
    }
    if (spanBytes >= mostBytes) return false
    const isShort = piece.length <= 2 * endBytes
    spanBytes += isShort ? piece.length : 2 * endBytes
    if (isShort) return read(decoder.decode(piece, { stream: true }), at)
    const head = read(decoder.decode(piece.subarray(0, endBytes)), at)
    open = ''
    return read(decoder.decode(piece.subarray(-endBytes)), at) || head
  }

  function read(text: string, at: Instant): boolean {
    let isNew = false
    let from = 0
    const all = open + text
    for (const { 0: end, index } of all.matchAll(lineEnds)) {
      if (isLineNew(all.slice(from, index), at)) isNew = true
      from = index + end.length
      isPainted = !end.includes('\n')
    }
    const rest = all.slice(from)
    const grown = from === 0 ? text : rest
    // What is painted over is judged once it has ended: half of it would be a new line each time.
    if (!isPainted && isWord(grown)) isNew = true
    open = rest.slice(-longestLine)
    return isNew
  }

  function isLineNew(line: string, at: Instant): boolean {
    const plain = plainOf(line.slice(0, longestLine))
    if (plain.trim() === '') return false
    if (/^\s*\{.*"type"\s*:/.test(plain)) return true
    const { words, numbers } = split(plain)
    const known = lines.get(words)
    lines.delete(words)
    if (lines.size >= mostLines) lines.delete(lines.keys().next().value as string)
    const next = numbers.map((value, i) => moved(known?.[i], value, at))
    lines.set(words, next)
    if (!known) return words !== ''
    return next.some((moves, i) => moves.value !== known[i]?.value && !isSteady(moves))
  }

  return { detect }
}

const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
const lineEnds = /(?:[\r\n\b]|\u001b\[[0-9;]*[A-HJKSTfd])+/g

/** Braille, box and block drawing, geometric shapes, stars, arrows, clocks and moons: what spinners are made of. */
const glyphs =
  /[\u2190-\u21ff\u2300-\u23ff\u2500-\u27bf\u2800-\u28ff\u2b00-\u2bff\u{1f300}-\u{1f5ff}\ufffd]/gu
/** `|/-\`, `...` and stars where they stand alone. */
const bars = /(?<=^|\s)[|/\\\-*+.oO·•=#>_<[\]()…]+(?=\s|$)|(?<![.…])[.…]+$/g

const control = /[\u0000-\u001f\u007f-\u009f]/g

const plainOf = (line: string): string => line.replace(escapes, '').replace(control, '')

const isWord = (text: string): boolean => /[^\s|/\\-]/.test(plainOf(text).replace(glyphs, ''))

/** `01:59`, `1m 23s`, `2 h 5 min`, `12:00:03.5`, an ISO date and time: one number of seconds each. */
const times =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?|\d+:\d\d(?::\d\d)?(?:[.,]\d+)?|\d+ ?h(?:ours?)? ?\d+ ?m(?:in)?(?: ?\d+ ?s(?:ec)?)?|\d+ ?m(?:in)? ?\d+(?:\.\d+)? ?s(?:ec)?/g
const number = /\d+(?:\.\d+)?/g
const mostNumbers = 8

/** A line without its numbers, and the numbers. */
function split(plain: string): { words: string; numbers: number[] } {
  const numbers: number[] = []
  const timeless = plain.replace(times, text => {
    numbers.push(secondsOf(text))
    return ''
  })
  const words = timeless
    .replace(number, text => {
      numbers.push(Number(text))
      return ''
    })
    .replace(glyphs, '')
    .replace(bars, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { words, numbers: numbers.slice(0, mostNumbers) }
}

function secondsOf(text: string): number {
  const parts = text.split(/[^\d.,]+/).filter(part => part !== '')
  const value = (part: string): number => Number(part.replace(',', '.'))
  if (/^\d{4}-/.test(text)) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(value)
    return (((year * 12 + month) * 31 + day) * 24 + hour) * 3600 + minute * 60 + second
  }
  const isWithoutSeconds = /h/.test(text) && !/s/.test(text)
  return parts.reduce((sum, part) => sum * 60 + value(part), 0) * (isWithoutSeconds ? 60 : 1)
}

/** The last changes of a number, and how often it is printed where a value was printed twice, ms. */
type Moves = {
  readonly value: number
  readonly lastSeen: Instant
  readonly paintedEvery: number
  readonly points: readonly { readonly value: number; readonly at: Instant }[]
}

const mostPoints = 8
/** Two points lie on any line, and three on many. */
const fewestPoints = 4
/** A program's own timers are late by so much on a busy machine, ms. */
const jitterMs = 250

function moved(before: Moves | undefined, value: number, at: Instant): Moves {
  if (before === undefined) return { value, lastSeen: at, paintedEvery: 0, points: [{ value, at }] }
  if (before.value === value) return { ...before, lastSeen: at, paintedEvery: at - before.lastSeen }
  return { ...before, value, lastSeen: at, points: [...before.points, { value, at }].slice(-mostPoints) }
}

/** All of its last changes came when a steady count from the first to the last would have made them. */
function isSteady({ points, paintedEvery }: Moves): boolean {
  const first = points[0]
  const last = points.at(-1)
  if (points.length < fewestPoints || !first || !last) return false
  const rate = (last.value - first.value) / (last.at - first.at)
  if (!Number.isFinite(rate) || rate === 0) return false
  const slack = jitterMs + paintedEvery
  return points.every(({ value, at }) => Math.abs(at - first.at - (value - first.value) / rate) <= slack)
}
