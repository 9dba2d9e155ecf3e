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
}

const plain: TextStyle = {
  front: '',
  back: '',
  isReversed: false,
  isBold: false,
  isDim: false,
  isUnderlined: false,
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

/** @param parameters of one sequence: `48;5;233`, `0`, `38;2;1;2;3` */
function restyled(before: TextStyle, parameters: string): TextStyle {
  let style = before
  const numbers = parameters.split(/[;:]/).map(Number)
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] as number
    if (code === 38 || code === 48) {
      const length = numbers[at + 1] === 2 ? 5 : 3
      const colour = numbers.slice(at + 1, at + length).join(' ')
      style = code === 48 ? { ...style, back: colour } : { ...style, front: colour }
      at += length - 1
    } else style = simplyRestyled(style, code)
  }
  return style
}

function simplyRestyled(style: TextStyle, code: number): TextStyle {
  if (code === 0) return plain
  if (code === 7 || code === 27) return { ...style, isReversed: code === 7 }
  if (code === 1) return { ...style, isBold: true }
  if (code === 2) return { ...style, isDim: true }
  if (code === 22) return { ...style, isBold: false, isDim: false }
  if (code === 4 || code === 24) return { ...style, isUnderlined: code === 4 }
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, front: `${code}` }
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...style, back: `${code}` }
  if (code === 39) return { ...style, front: '' }
  return code === 49 ? { ...style, back: '' } : style
}
