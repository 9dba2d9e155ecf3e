/** Each assumption that a proof rests on names its test in docs/process.md, and that test is there. */
import { expect, test } from 'vitest'
import { testsOf } from '../support/listed-tests.ts'
import { textOf } from '../support/markdown.ts'

type Shown = { readonly row: string; readonly file: string; readonly pattern: string }

/** The table below the heading, but for its two head lines. */
const rowsOf = (page: string): string[] => {
  const [, section = ''] = page.split('\n## Assumptions\n')
  const table = section.slice(0, section.indexOf('\n\n', section.indexOf('|')))
  return table
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
}

/** `FILE`, `FILE -t WORD`, or `FILE -t "WORDS"` in its last cell; a word that follows is another of the same file. */
function shownBy(row: string): Shown[] {
  const cell = row.split('|').at(-2) ?? ''
  const codes = [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
  const [, name] = /^(\S+\.test\.ts)/.exec(codes[0] ?? '') ?? []
  if (name === undefined) return []
  const file = name.startsWith('../') ? name.replace('..', 'test') : `test/process/${name}`
  const patterns = codes.map(code => code.replace(/^\S+\.test\.ts(?: -t )?/, '').replaceAll('"', ''))
  return patterns.map(pattern => ({ row, file, pattern }))
}

test('each assumption of docs/process.md has a test that is there', { timeout: 300_000 }, async () => {
  const rows = rowsOf(textOf('docs/process.md'))
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter(row => shownBy(row).length === 0)).toEqual([])
  const shown = rows.flatMap(shownBy)
  const names = await testsOf(shown.map(({ file }) => file))
  const selects = ({ file, pattern }: Shown): boolean =>
    (names.get(file) ?? []).some(name => new RegExp(pattern).test(name))
  expect(shown.filter(one => !selects(one))).toEqual([])
})
