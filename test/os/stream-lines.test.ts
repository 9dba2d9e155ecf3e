/** Lines of a stream: the same however it is cut, and no more of a long one is kept than wanted. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type StreamLine, streamLines } from '../../src/os/file/lines.ts'

async function linesOf(chunks: readonly Buffer[], most = 100): Promise<readonly StreamLine[]> {
  async function* source() {
    yield* chunks
  }
  const found: StreamLine[] = []
  for await (const line of streamLines(source(), most)) found.push(line)
  return found
}

test('a line is the same wherever its bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'ö', '🎈', ' '), maxLength: 20 })),
      fc.array(fc.nat(200)),
      async (texts, cuts) => {
        const whole = Buffer.from(texts.map(text => `${text}\n`).join(''))
        const ends = [...cuts.sort((a, b) => a - b), whole.length]
        const chunks = ends.map((end, n) => whole.subarray(ends[n - 1] ?? 0, end))
        expect(await linesOf(chunks)).toEqual(texts.map((text, n) => ({ number: n + 1, text })))
      },
    ),
  )
})

test('one that is too long has no text, and the next one counts on', async () => {
  const chunks = ['abc', 'defg', 'h\r\nab', 'cd\r\n\nlast'].map(text => Buffer.from(text))
  expect(await linesOf(chunks, 5)).toEqual([
    { number: 1 },
    { number: 2, text: 'abcd' },
    { number: 3, text: '' },
    { number: 4, text: 'last' },
  ])
})
