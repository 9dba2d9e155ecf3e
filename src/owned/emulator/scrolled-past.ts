/**
 * Of a flood, what has scrolled out of a terminal's history before anybody could see it: it need not be computed. Pure.
 */

const [esc, bracket, sgrEnd, lineFeed, carriageReturn, tab] = [0x1b, 0x5b, 0x6d, 0x0a, 0x0d, 0x09]
/** In UTF-8 it begins the control characters of eight bits. */
const c1Lead = 0xc2

/** 1 for a byte of text, of a line's end, or a tab. A table, as each byte of a flood is looked up. */
const isText = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isPrinted = byte >= 0x20 && byte !== 0x7f && byte !== c1Lead
  return Number(isPrinted || byte === lineFeed || byte === carriageReturn || byte === tab)
})

/** Where what begins at `from`, outside any sequence, ceases to be lines and their colours. */
export function endOfLines(output: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    // Beyond its end an array is read ten times as slowly.
    while (at < output.length && isText[output[at] as number] === 1) at++
    const end = endOfSgr(output, at)
    if (end < 0) return at
    at = end
  }
}

export type ScrolledPast = {
  /** Where the rows begin that are kept, with the end of the one before; 0 where nothing may be passed over */
  readonly from: number
  /** The sequences before them that set colours and attributes: they hold for what is kept. */
  readonly attributes: readonly Uint8Array[]
}

/**
 * Lines are passed over where at least `keptRows` line feeds follow them.
 * @param lines nothing but lines and their colours, at a terminal that scrolls as a whole
 */
export function scrolledPast(lines: Uint8Array, keptRows: number): ScrolledPast {
  let left = keptRows
  let feed = lines.length
  // The end of the line before is kept: it brings the cursor to the first column.
  while (feed > 0 && (left > 0 || lines[feed - 1] !== carriageReturn)) {
    feed = lines.lastIndexOf(lineFeed, feed - 1)
    left--
  }
  const from = Math.max(0, feed - 1)
  return { from, attributes: attributesOf(lines.subarray(0, from)) }
}

export function lineFeedsIn(output: Uint8Array): number {
  let feeds = 0
  for (let at = output.indexOf(lineFeed); at >= 0; at = output.indexOf(lineFeed, at + 1)) feeds++
  return feeds
}

/** The byte behind `ESC [ 1 ; 31 m`; -1 where it is another sequence, or not whole */
function endOfSgr(output: Uint8Array, start: number): number {
  if (output[start] !== esc || output[start + 1] !== bracket) return -1
  let at = start + 2
  // Digits, colons and semicolons.
  while (at < output.length && (output[at] ?? 0) >= 0x30 && (output[at] ?? 0) <= 0x3b) at++
  return output[at] === sgrEnd ? at + 1 : -1
}

/** What was set since the last reset. */
function attributesOf(passed: Uint8Array): readonly Uint8Array[] {
  const set: Uint8Array[] = []
  for (let at = passed.indexOf(esc); at >= 0; at = passed.indexOf(esc, at)) {
    const end = endOfSgr(passed, at)
    const sequence = passed.subarray(at, end)
    if (isReset(sequence)) set.length = 0
    set.push(sequence)
    at = end
  }
  return set
}

const isReset = (sequence: Uint8Array): boolean =>
  sequence.length === 3 || (sequence.length === 4 && sequence[2] === 0x30)
