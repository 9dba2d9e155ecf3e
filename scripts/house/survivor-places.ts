/** The rows of docs/mutation.md read back: which fault each is, and where it stands in its file. */
import type { Survivor } from './survivors.ts'

/** Undefined where its code was too long to be written out. */
export function faultOf(row: string): Survivor | undefined {
  const [, file, line, original, replacement] = /^- (\S+):(\d+) `(.*)` → `(.*)`$/.exec(row) ?? []
  if (file === undefined || original === undefined || replacement === undefined) return undefined
  if (original.endsWith('…') || replacement.endsWith('…')) return undefined
  return {
    file,
    line: Number(line),
    original: original.replaceAll('ˋ', '`'),
    replacement: replacement.replaceAll('ˋ', '`'),
  }
}

/** From where to where; each place, where the line has the same code more than once. None where it is not found there. */
export function placesOf(text: string, { line, original }: Survivor): readonly (readonly [number, number])[] {
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).join('\n').length
  const end = start + 1 + (lines[line - 1] ?? '').length
  const words = original.split(' ').map(word => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return [...text.matchAll(new RegExp(words.join('\\s+'), 'g'))]
    .filter(({ index }) => index >= start && index <= end)
    .map(({ index, 0: all }) => [index, index + all.length] as const)
}
