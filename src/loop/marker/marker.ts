/**
 * State markers: `<!-- ralph:state NAME [REASON] [until=TIME] -->`, by which an agent reports in its final message the state of
 * the work. A marker counts wherever its author states it: outside of code and quotations, where Markdown takes it for a comment,
 * and not in an echo of the prompt. The last one counts.
 */
import { isLullError } from '../../core/lull-error.ts'
import { parseDuration } from '../../core/text/duration.ts'
import { parseIso } from '../../core/trace/time-stamp.ts'
import { shownIn } from './bare-text.ts'

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

const opening = /<!--[ \t]*ralph:state[ \t]/gi
/** A comment on one line, and no longer than this: no text takes long to search. */
const longestMarker = 2000

/** One that is there and does not count, with the reason for people. */
export type Uncounted = { readonly name: string; readonly why: string }

export type MarkerFinding = { readonly marker?: Marker; readonly uncounted?: Uncounted }

/**
 * The state that a final message reports; where it reports none, the last that it only shows.
 * @param prompt the agent's prompt: where the message repeats it, the marker is the prompt's
 */
export function searchMarker(message: string, prompt = ''): MarkerFinding {
  const text = plain(message)
  const lines = text.split('\n')
  const promptLines = prompt.includes('ralph:state') ? plain(prompt).split('\n') : []
  const found = markersIn(text)
  const isListed = listOf(found, lines)
  let uncounted: Uncounted | undefined
  for (const { marker, line, shown } of found.reverse()) {
    if (marker === 'placeholder') {
      uncounted ??= { name: 'NAME', why: 'it has the placeholders of the documentation' }
      continue
    }
    let why = shown
    if (why === undefined && isListed(line)) why = 'it is in a list of states'
    if (why === undefined && isEcho(lines, line, promptLines)) why = 'the prompt has the same lines'
    if (why === undefined) return { marker }
    uncounted ??= { name: marker.name, why }
  }
  return uncounted ? { uncounted } : {}
}

type Found = {
  readonly marker: Marker | 'placeholder'
  /** The index of its line. */
  readonly line: number
  /** Why its author does not state it. */
  readonly shown: string | undefined
}

function markersIn(text: string): Found[] {
  const all = [...text.matchAll(opening)]
  if (all.length === 0) return []
  const shown = shownIn(text)
  let line = 0
  let end = 0
  return all.flatMap(({ 0: begun, index }) => {
    const [content = '', closed] = text.slice(index + begun.length, index + longestMarker).split('-->', 2)
    line += text.slice(end, index).split('\n').length - 1
    end = index
    const marker = closed === undefined || content.includes('\n') ? undefined : readMarker(content.trim())
    return marker === undefined ? [] : [{ marker, line, shown: inside(shown(index)) }]
  })
}

const inside = (what: string | undefined): string | undefined => what && `it is in ${what}`

/** An item of a list, or a row of a table. */
const item = /^\s*(?:[-*+]\s|\||\d{1,9}[.)]\s)/

/** True for a line with several states, and for an item among others with other states: which one holds is not said. */
function listOf(found: readonly Found[], lines: readonly string[]): (line: number) => boolean {
  const isItem = (line: number): boolean => item.test(lines[line] as string)
  const states = new Map<number | 'items', Set<string>>()
  for (const { marker, line, shown } of found) {
    if (marker === 'placeholder' || shown !== undefined) continue
    for (const place of isItem(line) ? ([line, 'items'] as const) : [line])
      states.set(place, (states.get(place) ?? new Set()).add(marker.name))
  }
  const isSeveral = (place: number | 'items'): boolean => (states.get(place)?.size ?? 0) > 1
  return line => isSeveral(line) || (isItem(line) && isSeveral('items'))
}

export const findMarker = (message: string, prompt?: string): Marker | undefined =>
  searchMarker(message, prompt).marker

const plain = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')

function readMarker(content: string): Marker | 'placeholder' | undefined {
  const [, name, rest = ''] = /^([a-z][\w-]*)(?:\s+(.*))?$/i.exec(content) ?? []
  if (name === undefined) return undefined
  const [, time] = /(?:^|\s)until=(\S+)/i.exec(rest) ?? []
  const reason = rest.replace(/(?:^|\s)until=\S+/i, '').trim()
  // Copied from documentation, with its placeholders.
  if (name === 'NAME' || reason === 'REASON' || time === 'TIME') return 'placeholder'
  const until = time === undefined ? undefined : readUntil(time.replace(/^(["'])(.*)\1$/, '$2'))
  return {
    name: name.toLowerCase(),
    ...(reason === '' ? {} : { reason: reason.slice(0, longestReason) }),
    ...(until ? { until } : {}),
  }
}

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

/** True where the prompt has the same marker among the same lines: the agent prints its prompt. */
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
