/** How a text is typed, and what of it no program would get as it is. */
import { refusedToType } from './refusal.ts'

/** `ESC [ 200 ~` before and `ESC [ 201 ~` after. */
export const bracketBytes = 12
const pasteEnd = '\u001b[201~'

/** Longer texts are pasted: a line editor that redraws at each key is slow. */
const longestTyped = 1024

/** As keys, control characters and line ends would do things; as a paste they are text, where the program knows pastes. */
export const isPasted = (text: Buffer): boolean => text.length > longestTyped || text.some(isControl)

export const isControl = (byte: number): boolean => byte < 0x20 || byte === 0x7f

/** @throws {LullError} REFUSED_TO_TYPE for what is typed nowhere */
export function checkBytes(text: Buffer): void {
  if (text.includes(0))
    throw refusedToType('failed', 'the text holds a NUL byte: lull keys … C-Space types one')
  if (text.includes(pasteEnd))
    throw refusedToType(
      'failed',
      'the text holds the mark that ends a paste (ESC [ 201 ~): what follows it would be keys',
    )
}

/** Linux keeps 4,096 bytes of a line that a program reads whole (N_TTY_BUF_SIZE), its end included. */
const longestLine = 4095

/** @throws {LullError} REFUSED_TO_TYPE for a line that a program which reads whole lines would get cut */
export function checkLines(text: Buffer): void {
  const lengths = text
    .toString('latin1')
    .split(/[\r\n]/)
    .map(({ length }) => length)
  const at = lengths.findIndex(length => length > longestLine)
  if (at < 0) return
  throw refusedToType(
    'failed',
    `line ${at + 1} has ${lengths[at]} bytes, and this program reads whole lines, of which the terminal keeps ${longestLine}: nothing was typed`,
  )
}
