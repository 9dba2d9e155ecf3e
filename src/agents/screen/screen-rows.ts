/** What rows of a screen look like: edges that programs draw, frames around text, options to choose from. Pure. */

/** A line across, of one kind of stroke; a word may stand in it, as some write the session's name there. */
const stroke = /[─━═▔▁_▄▀╌╍┄┅]/gu

/** Not shorter, where the screen itself is not: a dash in a text is none. */
const shortestEdge = 8

export function isEdge(row: string): boolean {
  const text = row.trim()
  const drawn = text.match(stroke)?.length ?? 0
  return drawn >= shortestEdge && drawn * 2 >= text.length && /^[╭┌┏╔╰└┗╚╹├┃│|]?[─━═▔▁_▄▀╌╍┄┅]/u.test(text)
}

/**
 * A line that is mostly words (a branch, a mode), or dashed, or dotted: a text may hold one, so that only what stands below it
 * shows what it is.
 */
export function isLooseEdge(row: string): boolean {
  const text = row.trim()
  if (/^(?:[╌╍┄┅┈┉·.-] ?){8,}$/u.test(text)) return true
  return (text.match(stroke)?.length ?? 0) >= shortestEdge && /^[─━═]{2,}\s.*\S|\S\s[─━═]{2,}$/u.test(text)
}

/** It is drawn with gaps: a part of a box, not its end. */
export const isInnerEdge = (row: string): boolean => /^[\s│┃|]*[╌╍┄┅]/u.test(row)

export const isBoxTop = (row: string): boolean => /^\s*[╭┌┏╔][─━═]/u.test(row)
export const isBoxBottom = (row: string): boolean => /^\s*[╰└┗╚][─━═]/u.test(row)
/** The foot of a bar beside a text, which OpenCode draws around its composer. */
export const isBarFoot = (row: string): boolean => /^\s*╹▀/u.test(row)
export const isBarred = (row: string): boolean => /^\s*┃/u.test(row)

export const isBlank = (row: string | undefined): boolean => row === undefined || row.trim() === ''

export const columnOf = (row: string): number => row.length - row.trimStart().length

/** The text of a row without the frame around it, blanks before it kept. */
export const unframed = (row: string): string =>
  row.replace(/^\s*[│┃║▌|](?: |$)/u, '').replace(/\s*[│┃║|]?\s*$/u, '')

export type Option = {
  readonly label: string
  /** Its number, where options have some: the key that chooses it. */
  readonly number?: number
  /** Enter would choose it. */
  readonly isPointed: boolean
  /** The key that is named beside it: `[y] Approve`. */
  readonly key?: string
  /** What chooses it instead of a number: on the screen it may have another number. */
  readonly word?: 'yes' | 'no'
  /** Of several that can be chosen together. */
  readonly isChecked?: boolean
  /** Beside the others: the arrows to the sides move the pointer. */
  readonly isBeside?: true
  /** Below several that can be chosen together: hands them in. */
  readonly isSubmit?: true
}

/** The number that chooses it: its own, or its place. */
export const choiceOf = ({ number }: Option, place: number): number => number ?? place + 1

/** Its pointer, if any, is at `indent`, its text at `column`. */
export type OptionRow = Option & {
  readonly indent: number
  readonly column: number
  readonly hasBox: boolean
}

/** The sign that points at the option that would be chosen now, its box, its number. */
const optionRow =
  /^(?<indent>\s*)(?<pointer>[❯›>●◉▸▶→➤»](?=\s))?(?<gap>\s*)(?<box>\[[ xX✓✔]\]|[☐☑☒✔○◯])?\s*(?:(?:(?<number>\d{1,2})[.)]|\[(?<bracketed>\d{1,2})\])\s+)?(?:(?<box2>\[[ xX✓✔]\]|[☐☑☒○◯])\s+)?(?<label>\S.*)$/u

/** @param row without its frame */
export function optionOf(row: string): OptionRow | undefined {
  const { groups } = optionRow.exec(row.slice(0, 400)) ?? {}
  if (!groups) return undefined
  const { indent = '', pointer, gap = '', bracketed, number = bracketed, label = '' } = groups
  const box = groups.box ?? groups.box2
  return {
    // What explains it may stand in a column of its own.
    label: label.trimEnd().split(/\s{3,}/)[0] as string,
    isPointed: pointer !== undefined,
    indent: indent.length,
    column: indent.length + (pointer ? 1 : 0) + gap.length,
    ...(number === undefined ? {} : { number: Number(number) }),
    hasBox: box !== undefined,
    // Of round ones only one is chosen.
    ...(box === undefined || /[○◯]/u.test(box) ? {} : { isChecked: /[xX✓✔☑☒]/u.test(box) }),
  }
}

/** A round pointer, which may be the bullet of a message as well. */
export const isRound = (row: string): boolean => /^\s*[●◉]/u.test(row)

/** How to move in a list and how to choose from it. */
export const namesKeys = (rows: readonly string[]): boolean =>
  rows.some(row =>
    /↑ ?\/? ?↓|\barrow keys\b|\b(?:enter|return)(?: to)? (?:select|choose|confirm|continue|submit)|\besc(?:ape)?(?: to)? cancel/iu.test(
      row,
    ),
  )

/** @param row without its frame */
export function isRowOf({ label, number, isBeside }: Option, row: string): boolean {
  if (isBeside) return row.includes(label)
  const option = optionOf(row)
  return option?.label === label && option.number === number
}

const accepts = /^(?:yes|allow|approve|accept|confirm|run|save|ok|trust)\b/i
const refuses = /^(?:no|deny|reject|cancel|never|don't|skip|decline|abort)\b/i
export const isRefusal = (label: string): boolean => refuses.test(label)

const namedKey =
  /^(?:\[(?<first>\w{1,5})\]|\((?<second>\w{1,5})\))\s*|\s*(?:\((?<third>\w{1,5})\)|\[(?<fourth>\w{1,5})\])$/

const pointedAt = /^[❯›▸▶➤]\s*/u

function buttonOf(drawn: string): Option {
  const isPointed = pointedAt.test(drawn)
  const text = drawn.replace(pointedAt, '')
  const found = namedKey.exec(text)
  const key = Object.values(found?.groups ?? {}).find(one => one !== undefined)
  const label = text.replace(namedKey, '').trim()
  return { label, isPointed, isBeside: true, ...(key === undefined ? {} : { key }) }
}

/**
 * Options side by side: `Allow once   Allow always   Reject`, `[y] Approve   [n] Deny`, `Save (1)   Reject (2)`.
 * @param isKeyed each has to name its key
 */
export function buttonsOf(row: string, isKeyed: boolean): readonly Option[] | undefined {
  const texts = row
    .trim()
    .slice(0, 400)
    .split(/\s{2,}|\s+[|·│/]\s+/u)
  const all = texts.map(buttonOf)
  const named = all.filter(({ key }) => key !== undefined)
  const buttons = isKeyed || named.length > 1 ? named : all
  const from = buttons.findIndex(({ label }) => accepts.test(label))
  const to = buttons.findLastIndex(({ label }) => refuses.test(label))
  return from < 0 || to <= from ? undefined : buttons.slice(from, to + 1)
}
