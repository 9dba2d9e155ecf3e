/** What a terminal sends, told apart: in any pieces. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flushInput, readInput, type TerminalInput } from '../../src/cli/watch/terminal-input-step.ts'

const key = (name: string): TerminalInput => ({ type: 'key', key: name })
const read = (...pieces: readonly string[]) => {
  const inputs: TerminalInput[] = []
  let rest = ''
  for (const piece of pieces) {
    const found = readInput(rest, piece)
    inputs.push(...found.inputs)
    rest = found.rest
  }
  return { inputs: [...inputs, ...flushInput(rest)], rest }
}

describe('a key', () => {
  test.each([
    ['q', 'q'],
    ['日', '日'],
    ['😀', '😀'],
    [' ', 'space'],
    ['\r', 'enter'],
    ['\n', 'enter'],
    ['\t', 'tab'],
    ['\u007f', 'backspace'],
    ['\b', 'backspace'],
    ['\u001b[C', 'right'],
    ['\u001b[D', 'left'],
    ['\u001bOM', 'enter'],
    ['\u001b[7~', 'home'],
    ['\u001b[8~', 'end'],
    ['\u0003', 'ctrl-c'],
    ['\u001a', 'ctrl-z'],
    ['\u001b', 'escape'],
    ['\u001b[A', 'up'],
    ['\u001bOB', 'down'],
    ['\u001b[1A', 'up'],
    ['\u001b[H', 'home'],
    ['\u001bOF', 'end'],
    ['\u001b[1~', 'home'],
    ['\u001b[4~', 'end'],
    ['\u001b[5~', 'pageup'],
    ['\u001b[6~', 'pagedown'],
  ])('%j is %s', (text, name) => expect(read(text).inputs).toEqual([key(name)]))

  test.each([
    '\u001b[1;5A',
    '\u001ba',
    '\u001b日',
    '\u001b[3~',
    '\u001b[200;2R',
    '\u001b[?62;4c',
    '\u001b[I',
    '\u001b[M abc'.slice(0, 6),
    '\u001b[<0;4;4m',
    '\u001b[<2;4;4M',
    '\u001b[<32;4;4M',
    '\u001b[<;4;4M',
    '\u001b[<M',
    '\u001b[<0;4M',
    '\u0000',
    '\u009b',
  ])('%j is none', text => expect(read(text)).toEqual({ inputs: [], rest: '' }))

  test('Escape and another key at once are both', () => {
    expect(read('\u001b\u001b[A').inputs).toEqual([key('escape'), key('up')])
    expect(read('\u001b', '').inputs).toEqual([key('escape')])
  })

  test('what has only begun, and never ends, is no key', () => {
    expect(read('\u001b[').inputs).toEqual([])
    expect(read('\u001b[<0;4').inputs).toEqual([])
    expect(read('\u001b[M a')).toEqual({ inputs: [], rest: '\u001b[M a' })
    expect(read(`\u001b[${';'.repeat(57)}`).rest).toHaveLength(59)
    // No sequence is as long: its beginning is dropped, and what follows is text.
    expect(read(`\u001b[${';'.repeat(60)}`).inputs).toEqual(Array.from({ length: 60 }, () => key(';')))
  })
})

describe('the mouse', () => {
  test.each([
    ['\u001b[<0;1;1M', { type: 'click', x: 0, y: 0 }],
    ['\u001b[<0;120;40M', { type: 'click', x: 119, y: 39 }],
    ['\u001b[<64;5;6M', { type: 'wheel', by: -1, x: 4, y: 5 }],
    ['\u001b[<65;5;6M', { type: 'wheel', by: 1, x: 4, y: 5 }],
  ])('%j', (text, input) => expect(read(text).inputs).toEqual([input]))
})

test('a paste is one, whatever is in it', () => {
  const text = 'qa1\r\u001b[A\u001b[<0;1;1M日'
  expect(read(`\u001b[200~${text}\u001b[201~q`).inputs).toEqual([{ type: 'paste', text }, key('q')])
  expect(read('\u001b[200~', 'qqq', 'a\r').inputs).toEqual([])
  expect(readInput('', `\u001b[200~${'q'.repeat(1_000_000)}`).rest.length).toBeLessThan(20_000)
})

test('pieces change nothing', () => {
  const parts = [
    'a',
    '日',
    '\u001b[A',
    '\u001bOB',
    '\u001b[<64;5;6M',
    '\u001b[200~x\u001b[201~',
    '\r',
    '\u001b[5~',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), fc.array(fc.nat(80)), (all, cuts) => {
      const text = all.join('')
      const places = [...cuts.map(at => at % (text.length + 1)), 0, text.length].sort((a, b) => a - b)
      const pieces = places.slice(1).map((end, n) => text.slice(places[n], end))
      // A stream that is decoded never halves a character.
      expect(read(...pieces).inputs).toEqual(read(text).inputs)
    }),
  )
})

test('any text ends, and leaves little', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('\u001b', '[', 'O', '<', '0', ';', 'M', '~', 'a', '日', '\r') }),
      text => {
        expect(readInput('', text).rest.length).toBeLessThanOrEqual(Math.max(60, text.length))
      },
    ),
  )
})
