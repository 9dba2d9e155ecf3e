/**
 * Of a flood, what has scrolled out of a terminal's history before anybody could see it: it need not be computed. Pure.
 */

const [esc, bracket, sgrEnd, lineFeed, carriageReturn, tab] = [0x1b, 0x5b, 0x6d, 0x0a, 0x0d, 0x09]
/** In UTF-8 it begins the control characters of eight bits. */
const c1Lead = 0xc2

export type ScrolledPast = {
  /** Where the rows begin that are kept, with the end of the one before; 0 where nothing may be passed over */
  readonly from: number
  /** The sequences before them that set colours and attributes: they hold for what is kept. */
  readonly attributes: readonly Uint8Array[]
  /** All of it is lines and their colours: what can follow finds the terminal as it was. */
  readonly isPlain: boolean
  /** In what is kept */
  readonly lineFeeds: number
}

/**
 * Lines are passed over where at least `keptRows` line feeds follow them with nothing between but text and its colours.
 * @param output begins outside any sequence, at a terminal that scrolls as a whole
 */
export function scrolledPast(output: Uint8Array, keptRows: number): ScrolledPast {
  const lineStarts: number[] = []
  let lineFeeds = 0
  let at = 0
  while (at < output.length) {
    const byte = output[at] ?? 0
    if (byte === esc) {
      const end = endOfSgr(output, at)
      if (end < 0) break
      at = end
    } else if (byte === lineFeed) {
      // The end of the line before is kept: it brings the cursor to the first column.
      if (output[at - 1] === carriageReturn) lineStarts.push(at - 1, lineFeeds)
      lineFeeds++
      at++
    } else if (isText(byte)) at++
    else break
  }
  const [from, passed] = lastStart(lineStarts, lineFeeds - keptRows)
  const attributes = attributesOf(output.subarray(0, from))
  return { from, attributes, isPlain: at === output.length, lineFeeds: lineFeeds - passed }
}

const isText = (byte: number): boolean =>
  byte >= 0x20 ? byte !== 0x7f && byte !== c1Lead : byte === carriageReturn || byte === tab

/** The byte behind `ESC [ 1 ; 31 m`; -1 where it is another sequence, or not whole */
function endOfSgr(output: Uint8Array, start: number): number {
  if (output[start + 1] !== bracket) return -1
  let at = start + 2
  // Digits, colons and semicolons.
  while (at < output.length && (output[at] ?? 0) >= 0x30 && (output[at] ?? 0) <= 0x3b) at++
  return output[at] === sgrEnd ? at + 1 : -1
}

/** @param starts where a line's end begins and how many line feeds came before, one pair behind the other */
function lastStart(starts: readonly number[], mostFeeds: number): readonly [at: number, lineFeeds: number] {
  let [low, high] = [0, starts.length / 2]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[2 * middle + 1] ?? 0) <= mostFeeds) low = middle + 1
    else high = middle
  }
  return [starts[2 * (low - 1)] ?? 0, starts[2 * (low - 1) + 1] ?? 0]
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
