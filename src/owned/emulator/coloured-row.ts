/** A row of an emulator's screen with its colours and attributes as escape sequences (ECMA-48 SGR). Pure. */
import type { IBufferCell, IBufferLine } from '@xterm/headless'

export function colouredRow(line: IBufferLine | undefined): string {
  if (!line) return ''
  const length = line.translateToString(true).length
  const cell = line.getCell(0)
  let [text, written] = ['', '']
  for (let column = 0; column < line.length; column++) {
    const now = line.getCell(column, cell)
    if (!now || now.getWidth() === 0) continue
    const codes = codesOf(now)
    // Blanks at the end are cut, unless their background shows.
    if (column >= length && codes === '') break
    if (codes !== written) text += `\u001b[0${codes === '' ? '' : `;${codes}`}m`
    written = codes
    text += now.getChars() || ' '
  }
  return written === '' ? text : `${text}\u001b[0m`
}

const attributes: readonly (readonly [code: number, isOn: (cell: IBufferCell) => number])[] = [
  [1, cell => cell.isBold()],
  [2, cell => cell.isDim()],
  [3, cell => cell.isItalic()],
  [4, cell => cell.isUnderline()],
  [5, cell => cell.isBlink()],
  [7, cell => cell.isInverse()],
  [8, cell => cell.isInvisible()],
  [9, cell => cell.isStrikethrough()],
]

function codesOf(cell: IBufferCell): string {
  const set = attributes.filter(([, isOn]) => isOn(cell) !== 0).map(([code]) => code)
  const foreground = colourOf(38, cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor())
  const background = colourOf(48, cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor())
  return [...set, ...foreground, ...background].join(';')
}

/** @param kind 38 the foreground, 48 the background */
function colourOf(kind: 38 | 48, isRgb: boolean, isPalette: boolean, colour: number): readonly number[] {
  if (isRgb) return [kind, 2, (colour >> 16) & 255, (colour >> 8) & 255, colour & 255]
  if (!isPalette) return []
  if (colour < 8) return [kind - 8 + colour]
  return colour < 16 ? [kind + 44 + colour] : [kind, 5, colour]
}
