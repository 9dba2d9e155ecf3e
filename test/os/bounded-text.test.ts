/** A program's output in pieces: lines, ends and beginnings of it, in bounded memory. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestLine } from '../../src/core/trace/trace.ts'
import { keepEnd, keepEnds, lineSplitter, textSink } from '../../src/os/spawn/bounded-text.ts'

const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'ü', '€', '\n', '\r\n') }))

function linesOf(texts: readonly string[]): readonly string[] {
  const lines: string[] = []
  const splitter = lineSplitter(line => lines.push(line))
  for (const text of texts) splitter.take(text)
  splitter.end()
  return lines
}

describe('lines', () => {
  test('are the same however the text is cut', () => {
    fc.assert(
      fc.property(pieces, texts => {
        expect(linesOf(texts)).toEqual(linesOf([texts.join('')]))
      }),
    )
  })

  test('end with a line feed, with a carriage return before it or not; the last one need not end', () => {
    expect(linesOf(['a\nb\r\n\nc'])).toEqual(['a', 'b', '', 'c'])
    expect(linesOf(['a\n'])).toEqual(['a'])
  })

  test('over the limit are cut, and the next one is whole', () => {
    const [long, next] = linesOf(['x'.repeat(longestLine), 'y'.repeat(100), 'z\nnext\n'])
    expect([long?.length, next]).toEqual([longestLine + 1, 'next'])
  })
})

test('characters that are torn between pieces stay whole', () => {
  let text = ''
  const sink = textSink(more => {
    text += more
  })
  for (const byte of Buffer.from('ü€😀')) sink.write(Buffer.from([byte]))
  sink.end()
  expect(text).toBe('ü€😀')
})

test('of much, the end is kept', () => {
  const kept = keepEnd(200)
  for (let line = 0; line < 1000; line++) kept.take(`${line}\n`)
  expect(kept.text().length).toBeLessThanOrEqual(200)
  expect(kept.text()).toMatch(/998\n999\n$/)
})

test('of much, both ends are kept, and how much is missing between', () => {
  const kept = keepEnds(10)
  for (const piece of ['abc', 'defgh', 'i', 'j'.repeat(100), 'vwxyz']) kept.take(piece)
  expect(kept.text()).toBe('abcde\n[… 104 characters left out …]\nvwxyz')
})

test('of little, all is kept, and nothing is said to be missing', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 5 }), texts => {
      const kept = keepEnds(40)
      for (const text of texts) kept.take(text)
      expect(kept.text()).toBe(texts.join(''))
    }),
  )
})
