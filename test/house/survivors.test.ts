import { expect, test } from 'vitest'
import { faultOf, placesOf } from '../../scripts/house/survivor-places.ts'
import { pageWithReasons, type Survivor, survivorPage, unknownReason } from '../../scripts/house/survivors.ts'

const fault = (file: string, line: number, original: string, replacement: string): Survivor => ({
  file,
  line,
  original,
  replacement,
})
const bound = fault('src/core/a.ts', 7, 'a < b', 'a > b')
const word = fault('src/core/b.ts', 9, `case 'x':\n  return`, "''")

test('a fault that no test notices keeps the reason that somebody gave it, wherever it stands by now', () => {
  const first = survivorPage('# Faults\n\nSo it is.\n', 'core', 90.5, [word, bound])
  expect(first).toBe(
    [
      '# Faults',
      'So it is.',
      '## core',
      '90.5 % are noticed. 2 are not:',
      `### ${unknownReason}`,
      "- src/core/a.ts:7 `a < b` → `a > b`\n- src/core/b.ts:9 `case 'x': return` → `''`\n",
    ].join('\n\n'),
  )
  const told = first.replace(`### ${unknownReason}`, '### The order of equals does not matter')
  const moved = survivorPage(told, 'core', 91, [{ ...bound, line: 30 }, fault('src/core/c.ts', 1, '1', '2')])
  expect(moved).toContain('### The order of equals does not matter\n\n- src/core/a.ts:30 `a < b` → `a > b`\n')
  expect(moved).toContain(`### ${unknownReason}\n\n- src/core/c.ts:1 \`1\` → \`2\``)
  expect(moved).not.toContain('src/core/b.ts')
  expect(survivorPage(moved, 'core', 91, [{ ...bound, line: 30 }, fault('src/core/c.ts', 1, '1', '2')])).toBe(
    moved,
  )
})

test('a room’s section leaves those of the others as they are', () => {
  const one = survivorPage('# Faults\n', 'core', 90, [bound])
  const two = survivorPage(one, 'steps', 80, [word])
  expect(two.startsWith(one.trimEnd())).toBe(true)
  expect(survivorPage(two, 'core', 90, [bound])).toContain('## steps\n\n80 % are noticed. 1 are not:')
})

test('what is of a kind that goes unnoticed everywhere has the reason of its kind', () => {
  const page = survivorPage('# Faults\n', 'core', 90, [
    fault('src/core/a.ts', 7, 'a < b', 'a <= b'),
    fault('src/core/a.ts', 8, 'one?.two', 'one.two'),
    fault('src/core/a.ts', 9, '/^node$/', '/node$/'),
    fault('src/core/a.ts', 10, "'waits for it'", '""'),
    fault('src/core/a.ts', 11, "'read'", '""'),
    fault('src/core/a.ts', 12, 'a < b', 'false'),
  ])
  const groups = page.split('### ').slice(1)
  expect(groups).toHaveLength(5)
  expect(groups.find(group => group.startsWith(unknownReason))?.match(/^- /gm)).toHaveLength(2)
})

test('reasons that are found for rows move them, within their room alone', () => {
  const one = survivorPage('# Faults\n', 'core', 90, [bound, word])
  const page = survivorPage(one, 'steps', 80, [bound])
  const row = '- src/core/a.ts:7 `a < b` → `a > b`'
  const found = pageWithReasons(page, 'core', new Map([[row, 'It is sorted before']]))
  const [, core = '', steps] = found.split(/^## /m)
  expect(core).toContain(`### It is sorted before\n\n${row}\n`)
  expect(core).toContain(`### ${unknownReason}\n\n- src/core/b.ts:9`)
  expect(steps).toBe(page.split(/^## /m)[2])
  expect(pageWithReasons(found, 'core', new Map())).toBe(found)
})

test('a row is read back, and its fault found on its line, however it is broken there', () => {
  const text = 'if (a < b)\n  return `x`\nif (a <\n  b || a < b)\n'
  const row = (line: number, code: string) =>
    faultOf(`- src/core/a.ts:${line} \`${code}\` → \`true\``) as Survivor
  expect(placesOf(text, row(1, 'a < b'))).toEqual([[4, 9]])
  expect(placesOf(text, row(2, 'ˋxˋ'))).toEqual([[20, 23]])
  expect(placesOf(text, row(3, 'a < b'))).toEqual([[28, 35]])
  expect(placesOf(text, row(2, 'a < b'))).toEqual([])
  expect(placesOf(text, row(9, 'ˋxˋ'))).toEqual([[20, 23]])
  expect(faultOf('- src/core/a.ts:1 `a && …` → `true`')).toBeUndefined()
})
