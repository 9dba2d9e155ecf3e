/** From a body to a prompt: comments out, placeholders in. Pure: the same inputs give the same bytes. */
import { LullError } from '../../core/lull-error.ts'
import { type Fence, fenceAfter } from '../../core/text/code-fence.ts'
import { quoteWord } from '../../os/spawn/shell-words.ts'

/**
 * @param words what stood on the command line
 * @param plain so many at its end are values, whatever they look like (they came after `--`)
 * @throws {LullError} BAD_RALPH where one has no name, or no value
 */
export function readArguments(
  declared: readonly string[],
  words: readonly string[],
  plain = 0,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const positional: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (at >= words.length - plain || name === undefined) positional.push(word)
    else if (!declared.includes(name)) throw new LullError('BAD_RALPH', `--${name} ${isNone(declared)}`)
    else if (value !== undefined) values.set(name, value)
    else {
      const next = words[++at]
      if (next === undefined || next.startsWith('--'))
        throw new LullError('BAD_RALPH', `--${name} needs a value: --${name} VALUE or --${name}=VALUE`)
      values.set(name, next)
    }
  }
  const open = declared.filter(name => !values.has(name))
  positional.forEach((value, i) => {
    const name = open[i]
    if (name === undefined) throw new LullError('BAD_RALPH', `"${value}" ${isNone(declared)}`)
    values.set(name, value)
  })
  return values
}

const isNone = (declared: readonly string[]): string =>
  declared.length === 0
    ? 'is one argument too many: this RALPH.md declares none (args: […])'
    : `is no argument of this RALPH.md: it declares ${declared.join(', ')}`

/** Comments are notes to oneself; those that report a state are what the agent shall learn to say. */
const isStateMarker = (comment: string): boolean => /^<!--\s*ralph:state\b/i.test(comment)

/** Takes HTML comments out of a text, but those in fenced code and state markers. One that is not closed stays. */
export function stripComments(text: string): string {
  let out = ''
  let line = ''
  let fence: Fence | undefined
  const [nextOpen, nextClose] = [finderOf(text, '<!--'), finderOf(text, '-->')]
  for (let at = 0; at < text.length; ) {
    if (text[at] === '\n') {
      fence = fenceAfter(fence, line)
      out += `${line}\n`
      line = ''
      at++
      continue
    }
    const lineEnd = endOfLine(text, at)
    const from = fence ? Infinity : nextOpen(at)
    const close = from < lineEnd ? nextClose(from + 4) : Infinity
    const end = close < Infinity ? close + 3 : lineEnd
    if (close < Infinity) {
      const comment = text.slice(from, end)
      line += text.slice(at, from) + (isStateMarker(comment) ? comment : '')
    } else line += text.slice(at, end)
    at = end
  }
  return out + line
}

/**
 * The next place of a mark, Infinity where there is none. It is asked for places that only grow, and each part of the text is searched
 * once: a search from each line to the end of the text takes as long as its lines and its letters multiplied.
 */
function finderOf(text: string, mark: string): (at: number) => number {
  let next = -1
  return at => {
    if (next < at) next = text.indexOf(mark, at)
    if (next < 0) next = Infinity
    return next
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

type Kind = 'commands' | 'args' | 'ralph'

/** What a placeholder may stand for. */
export type Values = Readonly<Record<Kind, ReadonlyMap<string, string>>>

const placeholder = /\{\{\s*(commands|args|ralph)\.([\w-]+)\s*\}\}/g

/** Puts values in the place of placeholders, in one pass: placeholders in a value stay as they are. */
const fill = (text: string, values: Values): string =>
  text.replace(placeholder, (_, kind: Kind, name: string) => values[kind].get(name) ?? '')

/** Puts arguments into a command, each quoted as one word. No other placeholder is replaced there. */
export const fillCommand = (run: string, args: ReadonlyMap<string, string>): string =>
  run.replace(placeholder, (whole, kind: Kind, name: string) =>
    kind === 'args' ? quoteWord(args.get(name) ?? '') : whole,
  )

export const placeholdersIn = (text: string): readonly { text: string; kind: Kind; name: string }[] =>
  [...text.matchAll(placeholder)].map(([text, kind, name]) => ({
    text,
    kind: kind as Kind,
    name: name as string,
  }))

const credit = `When you commit to git, end the commit message with this line:
Co-authored-by: lull <lull@noreply.invalid>`

/** The prompt for a body without comments. */
export function assemble(body: string, values: Values, hasCredit: boolean): string {
  const prompt = fill(body, values)
  return hasCredit ? `${prompt}\n\n${credit}` : prompt
}
