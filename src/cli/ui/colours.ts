/**
 * Colours by what they mean. They are of the fixed part of the 256, and each reads on white as on black
 * (test/cli/colours.test.ts measures it): the first sixteen are whatever a theme makes of them, and yellow and cyan are
 * pale on white in most. A colour only repeats a word.
 */
const numbers = { asks: 130, wrong: 160, done: 28, works: 30, unclear: 133 } as const

export type Meaning = keyof typeof numbers | 'plain' | 'faint'

export const paletteOf = (): Readonly<Record<string, number>> => numbers

/** Only what it sets is taken back: a line may be shown reversed. */
export function inColour(text: string, meaning: Meaning): string {
  if (meaning === 'plain' || text === '') return text
  if (meaning === 'faint') return `\u001b[2m${text}\u001b[22m`
  return `\u001b[38;5;${numbers[meaning]}m${text}\u001b[39m`
}
