/**
 * Whether a prompt has come back: an unlisted program is a shell or a REPL if it shows the prompt from before the last
 * Enter again, after the output of that line. A question appears once; a continuation prompt follows without output in
 * between, and below another prompt. Pure.
 */
import type { Grid } from '../../core/text/grid.ts'
import { matchPrompt } from './prompts.ts'
import { rowsAbove } from './screen-text.ts'

export type Returning = {
  /** The cursor's line up to the cursor. */
  readonly text: string
  /** Words of the reader's command line: rows above the line that started it are of other programs. */
  readonly words: readonly string[]
  /** Keys are read one by one, and by no known line editor: lists with a pointer look like prompts, too. */
  readonly isKeys: boolean
  /** It is known to be a REPL: what looks like a question is its prompt all the same. */
  readonly isListed: boolean
}

export function comesBack(screen: Grid, returning: Returning): boolean {
  const { text, isListed } = returning
  if (!isListed && isQuestion(text)) return false
  return promptsIn(text).some(prompt => isBack(screen, prompt, returning))
}

/** Where what was asked before is known, and not on the screen any more: whether it is a prompt for sure. */
export const mayComeBack = (screen: Grid, { text, isListed }: Returning): boolean =>
  /\p{L}/u.test(text) &&
  /[^\w\s.,'"] *$/u.test(text) &&
  !looksLikeRest(text) &&
  (isListed || !isQuestion(text)) &&
  !isAsking(rowsAbove(screen).at(-1) ?? '', isListed, text)

/** What was typed holds the prompt itself, as what asks with it or prints it does: `input(">>> ")`, `puts "\n>>> "`. */
export const isQuoted = (rows: readonly string[], prompt: string): boolean =>
  rows.some(row => {
    const typed = row.startsWith(prompt) ? row.slice(prompt.length) : row
    // `> "` may as well compare.
    const ends = /[\p{L}\d]/u.test(prompt) ? quotes.map(quote => `${prompt}${quote}`) : []
    return [...quotes.map(quote => `${quote}${prompt}`), ...ends].some(one => typed.includes(one))
  })
const quotes = ['"', "'", '`']

/** Words of a question; `? ` and `?- ` alone are prompts of some. Who counts, or names the key for help, takes commands. */
const isQuestion = (text: string): boolean =>
  /\p{L}/u.test(text) && asking.has(matchPrompt(text)?.category ?? 'none') && !takesCommands.test(text)
const takesCommands = /\bfor help\b|\[\d+\]: ?$/i
const asking: ReadonlySet<string> = new Set(['confirmation', 'question', 'password', 'keypress', 'pager'])

/** All of it, or what ends at its first sign where something is typed behind. */
function promptsIn(text: string): readonly string[] {
  const [first] = /^.*?[^\w\s.,'"] +/u.exec(text) ?? []
  return [...new Set([text, first ?? text])].filter(one => /[^\w\s.,'"] *$|^\. $/u.test(one))
}

function isBack(screen: Grid, prompt: string, { words, isKeys, isListed }: Returning): boolean {
  if (!isListed && isQuestion(prompt)) return false
  const rows = sinceStart(withoutWrapped(screen), words, prompt)
  const made = withoutNumbers(prompt)
  const isOwn = (row: string) => withoutNumbers(row).startsWith(made) && row.length > prompt.length
  const [first, last] = [rows.findIndex(isOwn), rows.findLastIndex(isOwn)]
  if (last < 0 || isQuoted(rows.filter(isOwn), prompt)) return false
  if (!isListed && isOneOfSeveral(rows.slice(0, first), prompt)) return false
  const isRest = looksLikeRest(prompt)
  // `- ` and `. ` are prompts of some, where nothing was begun above them.
  const isPlain = /^[-.] $/.test(prompt) && !/^\S{0,60}?[>$#%❯»›] +\S/u.test(rows[first - 1] ?? '')
  if (isRest && neverFirst.test(prompt) && !isPlain) return false
  // What was entered without any output, one line after the other.
  const isSilent = last === rows.length - 1
  // What counts may count the lines, or the depth, of what was begun.
  if (isSilent && !rows[last]?.startsWith(prompt)) return false
  const block = isSilent ? rows.findLastIndex(row => !isOwn(row)) + 1 : rows.length
  if (isSilent && isUnfinished(rows.slice(block).map(row => row.slice(prompt.length)))) return false
  const before = rows[first - 1]
  if (block <= first) return !isRest && (before === '' || (before !== undefined && !begun.test(before)))
  if (isKeys && pointer.test(prompt) && rows.slice(last + 1).every(row => /^(?:\s|$)/.test(row))) return false
  const output = rows[block - 1] as string
  return !isAsking(output, isListed, prompt) && !isBegunBy(before, output, isRest)
}

/** Some ask for the rest as for the first (PHP's `cli.prompt`): what was entered shows that it is not whole. */
function isUnfinished(typed: readonly string[]): boolean {
  const count = (signs: RegExp) => typed.join('\n').match(signs)?.length ?? 0
  return (
    count(/[([{]/g) > count(/[)\]}]/g) || count(/"/g) % 2 === 1 || /[\\,*+/=|&<-]$/.test(typed.at(-1) ?? '')
  )
}

/** The line above the last of them is what the line above the first was: the beginning of what they are the rest of. */
function isBegunBy(before: string | undefined, output: string, isRest: boolean): boolean {
  // The first one is right below the line that started the program, or the rows above it have scrolled away.
  if (before === '') return false
  if (before === undefined) return isRest && begun.test(output)
  const sign = begun.exec(before)?.[0]
  return sign !== undefined && withoutNumbers(output).startsWith(withoutNumbers(sign))
}

/** Something alike was asked before, and once: `User > `, then `Code > `. */
function isOneOfSeveral(above: readonly string[], prompt: string): boolean {
  const signs = above.map(row => begun.exec(row)?.[0] ?? '')
  return signs.some(
    sign => sign !== '' && makeOf(sign) === makeOf(prompt) && signs.filter(one => one === sign).length < 2,
  )
}
const makeOf = (prompt: string): string =>
  withoutNumbers(prompt)
    .replace(/\p{L}+/gu, 'x')
    .trimEnd()

/** The line that started the program, and the rows above it, are of other programs. */
function sinceStart(rows: readonly string[], words: readonly string[], prompt: string): readonly string[] {
  const isStart = (row: string) => {
    const typed = row.startsWith(prompt)
      ? row.slice(prompt.length)
      : begun.test(row)
        ? row.replace(begun, '')
        : ''
    return typed.split(/[^\w.-]+/).some(word => words.includes(word))
  }
  const start = rows.findLastIndex(isStart)
  const rest = rows.slice(start + 1)
  return start < 0 ? rest : ['', ...rest]
}

/** A line that is wider than the screen goes on below. */
function withoutWrapped(screen: Grid): readonly string[] {
  const rows = rowsAbove(screen)
  return rows.filter((_, at) => (rows[at - 1]?.length ?? 0) < screen.columns)
}

/** `In [3]: ` comes back as `In [4]: `. */
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0')

/** A prompt with something typed behind it. */
const begun = /^.{0,60}?[^\w\s.,'"] +(?=\S)/u

/** What second prompts are made of. */
const looksLikeRest = (prompt: string): boolean =>
  /^[\s\d.…·⋮|│┃>»›+\-'"`({[~]*$/u.test(prompt) || /\.\.|…|│|\b(?:more|cont\w*|quote|then)\b/iu.test(prompt)
const neverFirst = /[^\d\s>»›]/u

/** The sign of the chosen one in a list that is redrawn. */
const pointer = /^\s*[>❯▸▶➜→»›*•●-]+ $/u

/** The question is on the line above: `Your name?`, and then `> `. */
const isAsking = (row: string, isListed: boolean, prompt: string): boolean =>
  !isListed &&
  (/[?:]$/.test(row) ||
    (!/\p{L}/u.test(prompt) &&
      /^\W*(?:please|enter|type|choose|select|pick|give|input|what|which|how|who|where|when)\b(?!:)/i.test(
        row,
      )))
