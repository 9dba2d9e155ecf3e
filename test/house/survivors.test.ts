import { expect, test } from 'vitest'
import { faultOf, placesOf, staleRows } from '../../scripts/house/survivor-places.ts'
import {
  jsonOf,
  pageWithTable,
  type Results,
  rowsOf,
  type Survivor,
  unknownReason,
  withReasons,
  withRoom,
} from '../../scripts/house/survivors.ts'
import { textOf } from '../support/markdown.ts'

const fault = (file: string, line: number, original: string, replacement: string): Survivor => ({
  file,
  line,
  original,
  replacement,
})
const bound = fault('src/core/a.ts', 7, 'a < b', 'a > b')
const word = fault('src/core/b.ts', 9, `case 'x':\n  return`, "''")
const run = { date: '2026-11-27', percent: 90.5 }

test('a survivor keeps its reason when its line changes', () => {
  const first = withRoom({}, 'core', run, [word, bound])
  expect(first).toEqual({
    core: {
      ...run,
      survivors: {
        [unknownReason]: ['src/core/a.ts:7 `a < b` → `a > b`', "src/core/b.ts:9 `case 'x': return` → `''`"],
      },
    },
  })
  const reason = 'The order of equals does not matter'
  const reviewed: Results = JSON.parse(jsonOf(first).replace(unknownReason, reason))
  const next = [{ ...bound, line: 30 }, fault('src/core/c.ts', 1, '1', '2')]
  const moved = withRoom(reviewed, 'core', run, next)
  expect(moved.core?.survivors).toEqual({
    [reason]: ['src/core/a.ts:30 `a < b` → `a > b`'],
    [unknownReason]: ['src/core/c.ts:1 `1` → `2`'],
  })
  expect(jsonOf(withRoom(moved, 'core', run, next))).toBe(jsonOf(moved))
})

test('a run of one room keeps the results and the order of the others', () => {
  const one = withRoom({}, 'core', run, [bound])
  const two = withRoom(one, 'steps', { ...run, percent: 80 }, [word])
  expect(two.core).toBe(one.core)
  const again = withRoom(two, 'core', run, [])
  expect(Object.keys(again)).toEqual(['core', 'steps'])
  expect(again.steps).toBe(two.steps)
})

test('a new survivor gets the reason of its kind', () => {
  const { core } = withRoom({}, 'core', run, [
    fault('src/core/a.ts', 7, 'a < b', 'a <= b'),
    fault('src/core/a.ts', 8, 'one?.two', 'one.two'),
    fault('src/core/a.ts', 9, '/^node$/', '/node$/'),
    fault('src/core/a.ts', 10, "'waits for it'", '""'),
    fault('src/core/a.ts', 11, "'read'", '""'),
    fault('src/core/a.ts', 12, 'a < b', 'false'),
  ])
  expect(Object.keys(core?.survivors ?? {})).toHaveLength(5)
  expect(Object.entries(core?.survivors ?? {})[0]).toMatchObject([unknownReason, { length: 2 }])
})

test('a found reason moves a row within its room only', () => {
  const results = withRoom(withRoom({}, 'core', run, [bound, word]), 'steps', run, [bound])
  const row = 'src/core/a.ts:7 `a < b` → `a > b`'
  const found = withReasons(results, 'core', new Map([[row, 'It is sorted before']]))
  expect(found.core?.survivors).toEqual({
    'It is sorted before': [row],
    [unknownReason]: ["src/core/b.ts:9 `case 'x': return` → `''`"],
  })
  expect(found.steps).toBe(results.steps)
  expect(jsonOf(withReasons(found, 'core', new Map()))).toBe(jsonOf(found))
  expect(withReasons(found, 'no-such-room', new Map())).toBe(found)
})

test('a row parses back, and its mutant is found across line breaks', () => {
  const text = 'if (a < b)\n  return `x`\nif (a <\n  b || a < b)\n'
  const row = (line: number, code: string) =>
    faultOf(`src/core/a.ts:${line} \`${code}\` → \`true\``) as Survivor
  expect(placesOf(text, row(1, 'a < b'))).toEqual([[4, 9]])
  expect(placesOf(text, row(2, 'ˋxˋ'))).toEqual([[20, 23]])
  expect(placesOf(text, row(3, 'a < b'))).toEqual([[28, 35]])
  expect(placesOf(text, row(2, 'a < b'))).toEqual([])
  expect(placesOf(text, row(9, 'ˋxˋ'))).toEqual([[20, 23]])
  expect(faultOf('src/core/a.ts:1 `a && …` → `true`')).toBeUndefined()
})

test('a row is stale where its file, or its code in it, is gone', () => {
  const kept = ['src/core/a.ts:1 `return ˋxˋ` → `null`', 'src/core/a.ts:9 `if (a && …` → `if (true)`']
  const stale = [
    'src/core/a.ts:1 `return ˋyˋ` → `null`',
    'src/core/a.ts:1 `if (b && …` → `if (true)`',
    'src/core/gone.ts:1 `return ˋxˋ` → `null`',
    'no row',
  ]
  const results: Results = {
    core: { date: '2026-11-27', percent: 90, survivors: { reviewed: [...kept, ...stale] } },
  }
  const textIn = (file: string) =>
    file === 'src/core/a.ts' ? 'if (a &&\n  b)\n  return\n  `x`\n' : undefined
  expect(staleRows(results, textIn)).toEqual(stale)
})

test('docs/mutation.md and docs/mutation.json agree, and each row has a file and a line', () => {
  const results = JSON.parse(textOf('docs/mutation.json')) as Results
  const page = textOf('docs/mutation.md')
  expect(pageWithTable(page, results)).toBe(page)
  expect(page).toMatch(new RegExp(`\\| core +\\| ${results.core?.date} +\\| +${results.core?.percent} \\|`))
  const rows = Object.values(results).flatMap(rowsOf)
  expect(rows.filter(([, row]) => !/^src\/\S+:\d+ `.*` → `.*`$/.test(row))).toEqual([])
})
