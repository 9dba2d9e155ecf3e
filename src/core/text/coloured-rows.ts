/** Rows with the sequences that colour them, as tmux prints a pane: their text, and how each character is drawn. Pure. */

export type ColouredRow = {
  readonly text: string
  /** The background of each UTF-16 unit of the text; equal words mean equal colours. */
  readonly behind: readonly string[]
  /** How each UTF-16 unit is drawn. */
  readonly styles: readonly TextStyle[]
}

export type TextStyle = {
  /** `90`, `5 244` or `2 135 135 175`; empty for the terminal's own. */
  readonly front: string
  readonly back: string
  readonly isReversed: boolean
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isUnderlined: boolean
  readonly isItalic: boolean
  readonly isBlinking: boolean
  /** Drawn as blanks. */
  readonly isInvisible: boolean
  readonly isStruck: boolean
}

const plain: TextStyle = {
  ...{ front: '', back: '', isReversed: false, isBold: false, isDim: false, isUnderlined: false },
  ...{ isItalic: false, isBlinking: false, isInvisible: false, isStruck: false },
}

const sequence = /\x1b\[([\d;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^[\]]|\x1b\[[\d;:?]*[^\d;:?m]/g

/** A style goes on in the next row. */
export function colouredRows(rows: readonly string[]): readonly ColouredRow[] {
  let style = plain
  return rows.map(row => {
    let text = ''
    const behind: string[] = []
    const styles: TextStyle[] = []
    const add = (part: string): void => {
      text += part
      const word = style.isReversed ? `reversed ${style.front}` : style.back
      for (let n = 0; n < part.length; n++) {
        behind.push(word)
        styles.push(style)
      }
    }
    let from = 0
    for (const found of row.matchAll(sequence)) {
      add(row.slice(from, found.index))
      from = found.index + found[0].length
      if (found[1] !== undefined) style = restyled(style, found[1])
    }
    add(row.slice(from))
    return { text, behind, styles }
  })
}

/** @param parameters of one sequence: `48;5;233`, `0`, `38;2;1;2;3`, `4:3` */
function restyled(before: TextStyle, parameters: string): TextStyle {
  let style = before
  const parts = parameters.split(';')
  for (let at = 0; at < parts.length; at++) {
    const [code = 0, ...own] = (parts[at] as string).split(':').map(Number)
    // 58: the colour of an underline.
    if (code === 38 || code === 48 || code === 58) {
      const given = own.length > 0 ? own : parts.slice(at + 1).map(Number)
      const length = given[0] === 2 ? 4 : 2
      // A colon before red, green and blue may give a colour space.
      const colour = own.length > 4 ? [2, ...own.slice(-3)] : given.slice(0, length)
      if (code !== 58) style = { ...style, [code === 48 ? 'back' : 'front']: colour.join(' ') }
      if (own.length === 0) at += length
    } else style = simplyRestyled(style, code === 4 && own[0] === 0 ? 24 : code)
  }
  return style
}

/** The codes that set and end an attribute. 21 is a second underline. */
const attributes: ReadonlyMap<number, Partial<TextStyle>> = new Map([
  [1, { isBold: true }],
  [2, { isDim: true }],
  [22, { isBold: false, isDim: false }],
  [3, { isItalic: true }],
  [23, { isItalic: false }],
  [4, { isUnderlined: true }],
  [21, { isUnderlined: true }],
  [24, { isUnderlined: false }],
  [5, { isBlinking: true }],
  [25, { isBlinking: false }],
  [7, { isReversed: true }],
  [27, { isReversed: false }],
  [8, { isInvisible: true }],
  [28, { isInvisible: false }],
  [9, { isStruck: true }],
  [29, { isStruck: false }],
  [39, { front: '' }],
  [49, { back: '' }],
])

function simplyRestyled(style: TextStyle, code: number): TextStyle {
  if (code === 0) return plain
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, front: `${code}` }
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...style, back: `${code}` }
  const changed = attributes.get(code)
  return changed ? { ...style, ...changed } : style
}
