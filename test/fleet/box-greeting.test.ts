/** Where a shell's own words end and the protocol begins. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { greetingReader, stdioGreeting } from '../../src/fleet/box-greeting.ts'

const greeting = { protocol: 6, version: '0.1.0', now: 12.5, wall: 1_800_000_000_000 }
const after = Buffer.from([0, 255, 10, 13, 0])

test('the greeting is found behind what a shell prints, however it is cut, and what follows is kept to the byte', () => {
  const noise = fc.string({ maxLength: 200 }).map(text => text.replaceAll('\n', ' '))
  fc.assert(
    fc.property(noise, fc.array(fc.nat(), { maxLength: 6 }), (before, cuts) => {
      const sent = Buffer.concat([
        Buffer.from(`${before}\nlull host stdio {no\n${before}${stdioGreeting(greeting)}`),
        after,
      ])
      const places = [0, ...cuts.map(cut => cut % sent.length).toSorted((a, b) => a - b), sent.length]
      const reader = greetingReader()
      let rest: Buffer | undefined
      for (const [n, from] of places.slice(0, -1).entries()) {
        const piece = sent.subarray(from, places[n + 1])
        if (rest) {
          rest = Buffer.concat([rest, piece])
          continue
        }
        const found = reader.take(piece)
        if (!found) continue
        expect(found.greeting).toEqual(greeting)
        rest = found.rest
      }
      expect(rest?.equals(after)).toBe(true)
    }),
  )
})

test.each([
  'x',
  'x\n',
  'lull host stdio {}\n',
  'lull host stdio {"protocol":1e999,"version":"","now":0,"wall":0}\n',
])('a box that prints %j without end is given up', text => {
  const reader = greetingReader()
  expect(() => {
    for (let n = 0; n < 100_000; n++) reader.take(Buffer.from(text))
  }).toThrow('it prints much, and no greeting of lull')
})
