/** Of JSON so many values are read: what holds more is null, and all beside it is as it was. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutCrowds } from '../../src/core/trace/json-bounds.ts'
import { parseJson } from '../../src/core/trace/trace.ts'

test('a field with hundreds of thousands of values is left out', () => {
  const crowd = `[${'{},'.repeat(1_000_000)}0]`
  const text = `{"tool":"mcp","input":${crowd},"said":"{\\"[,\\\\","after":{"a":[1]}}`
  expect(parseJson(text)).toEqual({ tool: 'mcp', input: null, said: '{"[,\\', after: { a: [1] } })
})

test('several fields share the bound: those beyond it are left out', () => {
  const some = Array.from({ length: 60_000 }, (_, n) => n)
  expect(parseJson(JSON.stringify({ a: some, b: some, c: [1] }))).toEqual({ a: some, b: null, c: [1] })
})

test('a record that has too many fields itself is not read', () => {
  const text = `{${'"a":1,'.repeat(200_000)}"b":2}`
  expect(JSON.parse(text)).toEqual({ a: 1, b: 2 })
  expect(parseJson(text)).toBeUndefined()
})

test('a long text is one value, whatever it is made of', () => {
  const wide = { text: '{"a":[1,2],"\\n\\\\"},'.repeat(200_000), last: 1 }
  expect(parseJson(JSON.stringify(wide))).toEqual(wide)
})

test('what is left stands as it stood', () => {
  const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
  fc.assert(
    fc.property(record, fc.nat(30), (given, most) => {
      const text = withoutCrowds(JSON.stringify(given), most, 0)
      if (text === '') {
        expect(Object.keys(given).length).toBeGreaterThan(0)
        return
      }
      const left = JSON.parse(text)
      expect(Object.keys(left)).toEqual(Object.keys(JSON.parse(JSON.stringify(given))))
      for (const [name, value] of Object.entries(left))
        if (value !== null) expect(value).toEqual(JSON.parse(JSON.stringify(given[name])))
    }),
  )
})

test('no text is too odd to be looked through', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '1') }), text => {
      expect(typeof withoutCrowds(text, 2, 0)).toBe('string')
    }),
  )
})
