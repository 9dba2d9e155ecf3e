/**
 * State markers: `<!-- ralph:state NAME [REASON] [until=TIME] -->`, by which an agent says in its final message how the
 * work stands. One counts on a line of its own that its author says; what only shows the marker (code, quotations, an
 * echo of the prompt) does not. The last one counts.
 */
import { isLullError } from '../../core/lull-error.ts'
import { parseDuration } from '../../core/text/duration.ts'
import { parseIso } from '../../core/trace/time-stamp.ts'
import { bareness } from './bare-text.ts'

const markerNames = ['idle', 'blocked', 'waiting', 'done'] as const
export type MarkerName = (typeof markerNames)[number]

/** When the agent wants to be run again: in so many ms, or at a time in ms since the epoch. */
export type Until = { readonly in: number } | { readonly at: number }

export type Marker = {
  /** In lower case; one that is not of the vocabulary is reported, and changes nothing. */
  readonly name: string
  readonly reason?: string
  readonly until?: Until
}

export const isMarkerName = (name: string): name is MarkerName =>
  (markerNames as readonly string[]).includes(name)

/** More than three blanks would make it code. */
const markerLine = /^ {0,3}<!--[ \t]*ralph:state[ \t]+(?!.*-->.*-->)(\S.*?)[ \t]*-->[ \t]*$/i

/**
 * The state that a final message reports.
 * @param prompt what the agent was told: where the message repeats it, the marker is the prompt's
 */
export function findMarker(message: string, prompt = ''): Marker | undefined {
  const lines = linesOf(message)
  const isBare = bareness(lines)
  const promptLines = prompt.includes('ralph:state') ? linesOf(prompt) : []
  for (let at = lines.length - 1; at >= 0; at--) {
    const marker = readMarker(lines[at] as string)
    if (marker && isBare(at) && !isEcho(lines, at, promptLines)) return marker
  }
  return undefined
}

const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)

function readMarker(line: string): Marker | undefined {
  if (line.length > longestMarker) return undefined
  const [, content] = markerLine.exec(line) ?? []
  const [, name, rest = ''] = /^([a-z][\w-]*)(?:\s+(.*))?$/i.exec(content ?? '') ?? []
  if (name === undefined) return undefined
  const [, time] = /(?:^|\s)until=(\S+)/i.exec(rest) ?? []
  const reason = rest.replace(/(?:^|\s+)until=\S+/i, '').trim()
  // Copied from documentation, with its placeholders.
  if (name === 'NAME' || reason === 'REASON' || time === 'TIME') return undefined
  const until = time === undefined ? undefined : readUntil(time.replace(/^(["'])(.*)\1$/, '$2'))
  return {
    name: name.toLowerCase(),
    ...(reason === '' ? {} : { reason: reason.slice(0, longestReason) }),
    ...(until ? { until } : {}),
  }
}

/** Longer lines are none, so that no text takes long to search. */
const longestMarker = 2000
/** A reason is shown on a line. */
const longestReason = 300
/** A duration beyond is a slip: nobody waits longer than a year. */
const longestUntil = 366 * 86_400_000

/** A duration from now, or ISO time, with or without seconds; one that is neither is passed over. */
function readUntil(text: string): Until | undefined {
  const at = parseIso(text.replace(/(T\d{2}:\d{2})(?=Z|[+-]|$)/, '$1:00'))
  if (at !== undefined) return { at }
  try {
    return { in: Math.min(parseDuration(text), longestUntil) }
  } catch (error) {
    if (isLullError(error, 'BAD_DURATION')) return undefined
    throw error
  }
}

/** So many non-blank lines on either side must be the prompt's as well; more where it has none on the other side. */
const sameAround = { oneSide: 3, eachSide: 1 }

/** True where the prompt says the same marker among the same lines: an agent that prints what it was told. */
function isEcho(lines: readonly string[], at: number, prompt: readonly string[]): boolean {
  const here = around(lines, at)
  return prompt.some((line, i) => {
    if (line.trim() !== (lines[at] as string).trim()) return false
    const { before, after } = around(prompt, i)
    const most = before.length > 0 && after.length > 0 ? sameAround.eachSide : sameAround.oneSide
    // A prompt that is nothing else gives no lines to know it by.
    if (before.length + after.length === 0) return here.before.length + here.after.length === 0
    return isPrefix(before.slice(0, most), here.before) && isPrefix(after.slice(0, most), here.after)
  })
}

const around = (lines: readonly string[], at: number) => ({
  before: nearest(lines, at, -1),
  after: nearest(lines, at, 1),
})

/** The next non-blank lines in one direction. */
function nearest(lines: readonly string[], from: number, step: 1 | -1): string[] {
  const found: string[] = []
  for (let at = from + step; at >= 0 && at < lines.length && found.length < sameAround.oneSide; at += step) {
    const line = (lines[at] as string).trim()
    if (line !== '') found.push(line)
  }
  return found
}

const isPrefix = (prefix: readonly string[], of: readonly string[]): boolean =>
  prefix.every((line, i) => of[i] === line)
