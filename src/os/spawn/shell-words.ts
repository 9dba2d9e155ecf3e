/** Command lines without a shell: split as a POSIX shell would, and arguments quoted for it. Nothing is expanded. */
import { LullError } from '../../core/lull-error.ts'

/**
 * The words of a command line.
 * @throws {LullError} BAD_WORDS where a quotation is not closed, or nothing follows a backslash
 */
export function splitWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    switch (char) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        if (word !== undefined) words.push(word)
        word = undefined
        break
      case "'": {
        const end = text.indexOf("'", at + 1)
        if (end < 0) throw new LullError('BAD_WORDS', `has a ' at character ${at + 1} that is not closed`)
        word = (word ?? '') + text.slice(at + 1, end)
        at = end
        break
      }
      case '"': {
        const quoted = quotedAt(text, at)
        word = (word ?? '') + quoted.text
        at = quoted.end
        break
      }
      case '\\': {
        const next = text.charAt(++at)
        if (next === '') throw new LullError('BAD_WORDS', 'ends in a \\ that nothing follows')
        if (next !== '\n') word = (word ?? '') + next
        break
      }
      default:
        word = (word ?? '') + char
    }
  }
  return word === undefined ? words : [...words, word]
}

/** The text in double quotes from `at` on: a backslash counts before a few characters alone (POSIX 2.2.3). */
function quotedAt(text: string, start: number): { readonly text: string; readonly end: number } {
  let quoted = ''
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') return { text: quoted, end: at }
    const next = text.charAt(at + 1)
    if (char !== '\\' || !'$`"\\\n'.includes(next) || next === '') quoted += char
    else {
      if (next !== '\n') quoted += next
      at++
    }
  }
  throw new LullError('BAD_WORDS', `has a " at character ${start + 1} that is not closed`)
}

/** A text as one word of a command line, in quotes whatever it holds. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`

/** A text as one word of a command line, in quotes where it must be. */
export const quoteWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text))
