/** Names that somebody may have meant who wrote another one. */

/** Names that are at most two slips away, one in three letters, or that begin so; the nearest first. */
export function nearNames(written: string, names: readonly string[]): readonly string[] {
  const word = written.toLowerCase().slice(0, 64)
  if (word === '') return []
  return names
    .map(name => ({ name, slips: isBeginning(word, name) ? 1 : slipsBetween(word, name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= 2 && slips <= name.length / 3)
    .sort((a, b) => a.slips - b.slips)
    .map(({ name }) => name)
}

const isBeginning = (word: string, name: string): boolean =>
  word.length > 2 && (name.startsWith(word) || word.startsWith(name))

/** How many letters have to be put in, left out or changed. */
function slipsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(changed, (above[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    above = row
  }
  return above[b.length] as number
}
