/**
 * State markers: `<!-- ralph:state NAME [REASON] [until=TIME] -->`, by which an agent reports in its final message the state of
 * the work. A marker counts on a line of its own or at the end of one; text that only shows the marker
 * (code, quotations, the middle of a sentence, an echo of the prompt) does not. The last one counts.
 */
import { isLullError } from '../../core/lull-error.ts'
import { parseDuration } from '../../core/text/duration.ts'
import { parseIso } from '../../core/trace/time-stamp.ts'
import { endsSentence, shownIn, withoutInlineCode } from './bare-text.ts'

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

/** The last marker of a line, the text before it, and the text behind. */
const markerIn = /^(.*)<!--[ \t]*ralph:state[ \t]+((?:(?!-->).)*\S)[ \t]*-->((?:(?!-->).)*)$/i

/** One that is there and does not count, with the reason for people. */
export type Uncounted = { readonly name: string; readonly why: string }

export type MarkerFinding = { readonly marker?: Marker; readonly uncounted?: Uncounted }

/**
 * The state that a final message reports; where it reports none, the last that it only shows.
 * @param prompt the agent's prompt: where the message repeats it, the marker is the prompt's
 */
export function searchMarker(message: string, prompt = ''): MarkerFinding {
  const lines = linesOf(message)
  const shown = shownIn(lines)
  const promptLines = prompt.includes('ralph:state') ? linesOf(prompt) : []
  let uncounted: Uncounted | undefined
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] as string
    if (line.length > longestMarker) continue
    const [, before = '', content, after = ''] = markerIn.exec(line) ?? []
    const marker = content === undefined ? undefined : readMarker(content)
    if (!marker) continue
    const why =
      marker === 'placeholder'
        ? 'it has the placeholders of the documentation'
        : (whyShown(lines, at, before, after, shown) ??
          (isEcho(lines, at, promptLines) ? 'the prompt has the same lines' : undefined))
    if (marker !== 'placeholder' && why === undefined) return { marker }
    uncounted ??= { name: marker === 'placeholder' ? 'NAME' : marker.name, why: why as string }
  }
  return uncounted ? { uncounted } : {}
}

export const findMarker = (message: string, prompt?: string): Marker | undefined =>
  searchMarker(message, prompt).marker

/** The mark of a list's item, of a heading, of emphasis. */
const opening = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) +(?:\[[ xX]\] +)?|#{1,6} +)?[*_]*/
/** Allowed text behind a marker that ends its line. */
const closing = /^[\s*_]*\.?[\s*_]*$/

/** The text before it on its line is checked like a line of its own. */
function whyShown(
  lines: readonly string[],
  at: number,
  before: string,
  after: string,
  shown: (at: number) => string | undefined,
): string | undefined {
  const inside = (what: string): string => `it is in ${what}`
  if (/^(?: {0,3}\t| {4})/.test(before)) return inside('code')
  if (!/ralph:state/i.test(withoutInlineCode(lines[at] as string))) return inside('code')
  if (/^[\s\d.)*+-]*>/.test(before)) return inside('a block quote')
  const words = before.replace(opening, '')
  if (!closing.test(after)) return 'text follows it on its line'
  if (words.trim() !== '' && !endsSentence(words)) return inside('a sentence that has not ended')
  if (isExample(lines, at, before)) return inside('a list of examples')
  if (before.trim() === '') return quotedIn(shown(at))
  const split = [...lines.slice(0, at), before, '', ...lines.slice(at + 1)]
  return quotedIn(shownIn(split)(at + 1))
}

const quotedIn = (shown: string | undefined): string | undefined => shown && `it is in ${shown}`

const isItem = (line: string): boolean => /^\s*(?:[-*+]|\d{1,9}[.)]) /.test(line)

/** An item of a list in which other items have markers of other names, or that follows a colon. */
function isExample(lines: readonly string[], at: number, before: string): boolean {
  if (!isItem(before)) return false
  const nameIn = (line: string): string | undefined => /<!--[ \t]*ralph:state[ \t]+(\S+)/i.exec(line)?.[1]
  const own = nameIn(lines[at] as string)
  const announced = lines.slice(0, at).findLast(line => line.trim() !== '')
  if (announced !== undefined && /[:：]\s*$/.test(announced)) return true
  return lines.some(line => isItem(line) && nameIn(line) !== undefined && nameIn(line) !== own)
}

const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)

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
