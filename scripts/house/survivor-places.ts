/** Parses the rows of docs/mutation.json, and finds each mutant in its file. */
import { onOneLine, type Results, rowsOf, type Survivor } from './survivors.ts'

/** Undefined when its code is cut short. */
export function faultOf(row: string): Survivor | undefined {
  const [, file, line, original, replacement] = /^(\S+):(\d+) `(.*)` → `(.*)`$/.exec(row) ?? []
  if (file === undefined || original === undefined || replacement === undefined) return undefined
  if (original.endsWith('…') || replacement.endsWith('…')) return undefined
  return {
    file,
    line: Number(line),
    original: original.replaceAll('ˋ', '`'),
    replacement: replacement.replaceAll('ˋ', '`'),
  }
}

/** From where to where: each place of its line that has the code; the only one of the file, where its line is another by now. */
export function placesOf(text: string, { line, original }: Survivor): readonly (readonly [number, number])[] {
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).join('\n').length
  const end = start + 1 + (lines[line - 1] ?? '').length
  const words = original.split(' ').map(word => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  const all = [...text.matchAll(new RegExp(words.join('\\s+'), 'g'))].map(
    ({ index, 0: code }) => [index, index + code.length] as const,
  )
  const here = all.filter(([from]) => from >= start && from <= end)
  return here.length > 0 || all.length !== 1 ? here : all
}

/**
 * The rows that quote code which their file no longer has.
 * @param textOf the text of a file; undefined where there is none
 */
export function staleRows(results: Results, textOf: (file: string) => string | undefined): readonly string[] {
  const texts = new Map<string, string | undefined>()
  return Object.values(results)
    .flatMap(rowsOf)
    .map(([, row]) => row)
    .filter(row => {
      const [, file, quoted] = /^(\S+):\d+ `(.*)` → `.*`$/.exec(row) ?? []
      if (file === undefined || quoted === undefined) return true
      if (!texts.has(file)) {
        const text = textOf(file)
        texts.set(file, text === undefined ? undefined : onOneLine(text))
      }
      return !texts.get(file)?.includes(quoted.replace(/…$/, ''))
    })
}
