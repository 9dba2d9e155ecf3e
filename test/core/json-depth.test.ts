/** Of JSON of any depth so many levels are read; what lies deeper is null, and all the rest is as it was. */
import { expect, test } from 'vitest'
import { parseJson } from '../../src/core/trace/trace.ts'

const levels = 100
const nested = (depth: number, open: string, close: string, inner = '1'): string =>
  open.repeat(depth) + inner + close.repeat(depth)

function depthOf(value: unknown): number {
  let depth = 0
  for (let at = value; typeof at === 'object' && at !== null; at = Object.values(at)[0]) depth++
  return depth
}

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
  ['both', '[{"a":', '}]'],
])('%s', (_, open, close) => {
  const each = open.length > 5 ? 2 : 1
  const within = nested(levels / each, open, close)
  expect(parseJson(within)).toEqual(JSON.parse(within))
  expect(depthOf(parseJson(within))).toBe(levels)
  const beyond = parseJson(nested(levels, open, close, nested(20, open, close)))
  expect(depthOf(beyond)).toBe(levels)
  expect(JSON.stringify(beyond)).toContain('null')
})

test('a hundred brackets are no depth: nothing of a wide value is left out', () => {
  const wide = {
    first: null,
    text: '[{'.repeat(200),
    list: Array.from({ length: 300 }, (_, n) => [n, { n }]),
    last: 1,
  }
  expect(parseJson(JSON.stringify(wide))).toEqual(wide)
})

test('beside what lies too deep the rest stands', () => {
  const text = `{"deep":${nested(150, '[', ']')},"null":null,"word":"a","number":2,"list":[1,[2]]}`
  expect(parseJson(text)).toMatchObject({ null: null, word: 'a', number: 2, list: [1, [2]] })
})
