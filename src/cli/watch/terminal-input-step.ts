/**
 * Parses the input of a full-screen terminal into keys, mouse events and pastes. A paste is never keys,
 * and what is unknown is nothing: no stray sequence chooses anything.
 */

export type TerminalInput =
  /** A printed character, or the name of a key. */
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'paste'; readonly text: string }
  /** Cells from 0. */
  | { readonly type: 'click'; readonly x: number; readonly y: number }
  | { readonly type: 'wheel'; readonly by: -1 | 1; readonly x: number; readonly y: number }

export type ReadInput = {
  readonly inputs: readonly TerminalInput[]
  /** The beginning of something that has not all come. */
  readonly rest: string
}

const esc = '\u001b'
const pasteBegins = '\u001b[200~'
const pasteEnds = '\u001b[201~'
/** A longer paste is no filter; its end is still waited for. */
const longestPaste = 10_000

/** @param rest what the last read left */
export function readInput(rest: string, text: string): ReadInput {
  const inputs: TerminalInput[] = []
  let left = rest + text
  while (left !== '') {
    const found = next(left)
    if (found === undefined) return { inputs, rest: bounded(left) }
    if (found.input) inputs.push(found.input)
    left = left.slice(found.length)
  }
  return { inputs, rest: '' }
}

/** Nothing more has come for a while: Escape was pressed; what else had only begun is dropped. */
export const flushInput = (rest: string): readonly TerminalInput[] =>
  rest === esc ? [{ type: 'key', key: 'escape' }] : []

const bounded = (left: string): string =>
  left.startsWith(pasteBegins) && left.length > longestPaste
    ? pasteBegins + left.slice(-longestPaste + pasteBegins.length)
    : left

type Found = { readonly length: number; readonly input?: TerminalInput }

/** Undefined where more has to come. */
function next(text: string): Found | undefined {
  if (text.startsWith(pasteBegins)) return pasted(text)
  if (text[0] !== esc) return typed(text)
  const [, second] = text
  if (second === undefined) return undefined
  if (second === '[') return sequence(text)
  if (second === 'O') return text.length < 3 ? undefined : keyed(3, finals[text[2] ?? ''])
  // Escape, and whatever follows at once: two escapes are two; a letter with Alt is nothing.
  return second === esc ? keyed(1, 'escape') : { length: 1 + characterAt(text, 1).length }
}

function pasted(text: string): Found | undefined {
  const end = text.indexOf(pasteEnds)
  if (end < 0) return undefined
  const inner = text.slice(pasteBegins.length, end)
  return { length: end + pasteEnds.length, input: { type: 'paste', text: inner } }
}

const controls: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  ' ': 'space',
}

function typed(text: string): Found {
  const [first = ''] = text
  const named = controls[first]
  if (named !== undefined) return keyed(1, named)
  const code = first.charCodeAt(0)
  if (code >= 1 && code <= 26) return keyed(1, `ctrl-${String.fromCharCode(code + 96)}`)
  if (code < 32 || (code > 127 && code < 160)) return { length: 1 }
  const character = characterAt(text, 0)
  return keyed(character.length, character)
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)

/** By the last letter of a sequence, or its number before `~`. */
const finals: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  M: 'enter',
}
const numbers: Readonly<Record<string, string>> = {
  1: 'home',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
}

/** The bytes that a sequence is made of, up to its last. */
const whole = /^\u001b\[([<-?]?[0-9;:]{0,40})([!-/]{0,4})([@-~])/
/** The mouse of old: three characters that are no letters. */
const oldMouse = '\u001b[M'

function sequence(text: string): Found | undefined {
  if (text.startsWith(oldMouse)) return text.length < 6 ? undefined : { length: 6 }
  const found = whole.exec(text)
  if (!found) return text.length > 60 ? { length: 2 } : undefined
  const [all, parameters = '', , final = ''] = found
  if (parameters.startsWith('<')) return { length: all.length, ...mouse(parameters.slice(1), final) }
  if (final === '~') return keyed(all.length, numbers[parameters])
  // With a modifier it is another key, which has no meaning here.
  return parameters === '' || parameters === '1' ? keyed(all.length, finals[final]) : { length: all.length }
}

/** Of presses of the first button, and of the wheel, which is a button that is never let go. */
function mouse(parameters: string, final: string): Pick<Found, 'input'> {
  const [, button, column, row] = (/^(\d+);(\d+);(\d+)$/.exec(parameters) ?? []).map(Number)
  if (final !== 'M' || column === undefined || row === undefined) return {}
  const at = { x: column - 1, y: row - 1 }
  if (button === 0) return { input: { type: 'click', ...at } }
  if (button === 64 || button === 65) return { input: { type: 'wheel', by: button === 64 ? -1 : 1, ...at } }
  return {}
}

const keyed = (length: number, key: string | undefined): Found =>
  key === undefined ? { length } : { length, input: { type: 'key', key } }
