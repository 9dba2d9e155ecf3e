/** A screen's rows as runs of equally drawn text, for programs that draw it themselves. Pure. */
import { colouredRows, type TextStyle } from './coloured-rows.ts'

/** 0 to 255: a colour of the terminal's palette (the first 16 are its own); `#rrggbb`: that colour. */
type RunColour = number | string

export type StyledRun = {
  readonly text: string
  /** The terminal's own where not given. */
  readonly front?: RunColour
  readonly back?: RunColour
  readonly bold?: true
  readonly dim?: true
  readonly underlined?: true
  /** Front and back change places. */
  readonly reversed?: true
  readonly italic?: true
  readonly blinking?: true
  /** Drawn as blanks. */
  readonly invisible?: true
  readonly struck?: true
}

/** @param printed rows with SGR sequences, as `coloured-rows.ts` reads them */
export const styledRuns = (printed: readonly string[]): readonly (readonly StyledRun[])[] =>
  colouredRows(printed).map(({ text, styles }) => {
    const runs: StyledRun[] = []
    let from = 0
    for (let at = 1; at <= text.length; at++) {
      const [before, style] = [styles[from] as TextStyle, styles[at]]
      if (at < text.length && style !== undefined && isSame(before, style)) continue
      runs.push(runOf(text.slice(from, at), before))
      from = at
    }
    return runs
  })

const isSame = (one: TextStyle, other: TextStyle): boolean =>
  one === other || (Object.keys(one) as (keyof TextStyle)[]).every(field => one[field] === other[field])

const attributes = {
  ...{ bold: 'isBold', dim: 'isDim', underlined: 'isUnderlined', reversed: 'isReversed' },
  ...{ italic: 'isItalic', blinking: 'isBlinking', invisible: 'isInvisible', struck: 'isStruck' },
} as const satisfies Partial<Record<keyof StyledRun, keyof TextStyle>>

function runOf(text: string, style: TextStyle): StyledRun {
  const [front, back] = [colourOf(style.front), colourOf(style.back)]
  const on = Object.entries(attributes).filter(([, field]) => style[field])
  return {
    text,
    ...(front === undefined ? {} : { front }),
    ...(back === undefined ? {} : { back }),
    ...Object.fromEntries(on.map(([name]) => [name, true])),
  }
}

/** @param word as `TextStyle` has it: `31`, `100`, `5 244`, `2 1 2 3`; undefined where it is none */
function colourOf(word: string): RunColour | undefined {
  const [kind = Number.NaN, ...rest] = word === '' ? [] : word.split(' ').map(Number)
  const isByte = (value: number | undefined): value is number =>
    value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255
  if (kind === 5) return isByte(rest[0]) ? rest[0] : undefined
  if (kind === 2)
    return rest.length === 3 && rest.every(isByte)
      ? `#${rest.map(value => value.toString(16).padStart(2, '0')).join('')}`
      : undefined
  const base = [30, 40].find(from => kind >= from && kind < from + 8)
  const bright = [90, 100].find(from => kind >= from && kind < from + 8)
  return base !== undefined ? kind - base : bright !== undefined ? kind - bright + 8 : undefined
}
