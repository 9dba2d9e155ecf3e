/** Who of several agents in a folder can't have written a file: told of none that may have. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whoWrote } from '../../src/sessions/discover/who-wrote.ts'

/** Agents 1 to 3, whose counts a test moves; a look each second. */
function agents() {
  let now = 1_000_000
  const all = [1, 2, 3]
  const counts = new Map<number, number | undefined>(all.map(pid => [pid, 5000]))
  const wrote = whoWrote(
    () => now,
    pid => counts.get(pid),
  )
  const tellOf = (pid: number, ago = 0) =>
    wrote.hasWritten(
      pid,
      all.filter(other => other !== pid),
      now - ago,
    )
  return {
    writes: (pid: number, bytes: number) => counts.set(pid, (counts.get(pid) ?? 0) + bytes),
    hides: (pid: number) => counts.set(pid, undefined),
    leap: (ms: number) => {
      now += ms
    },
    pass(seconds: number): void {
      for (let n = 0; n < seconds; n++) {
        now += 1000
        wrote.observe(all)
      }
    },
    tellOf,
    /** What each of them is told of a file that was written just now. */
    tell: () => all.map(pid => tellOf(pid)),
  }
}

const nobody = [undefined, undefined, undefined]

test('those that rested while another one has written', () => {
  const at = agents()
  at.pass(5)
  at.writes(2, 900)
  expect(at.tell()).toEqual(['no', 'perhaps', 'no'])
})

test('wakes of its own threads are no writing, the shortest row is', () => {
  const at = agents()
  at.pass(5)
  at.writes(1, 16)
  at.writes(2, 180)
  expect(at.tell()).toEqual(['no', 'perhaps', 'no'])
})

test('of two that write it is neither', () => {
  const at = agents()
  at.pass(5)
  at.writes(1, 900)
  at.writes(2, 900)
  expect(at.tell()).toEqual(['perhaps', 'perhaps', 'no'])
})

test('where all rest, somebody else has written it: nothing is told', () => {
  const at = agents()
  at.pass(5)
  expect(at.tell()).toEqual(nobody)
})

test('nothing is told of one that has not been looked at for two seconds, or whose count is hidden', () => {
  const at = agents()
  expect(at.tell()).toEqual(nobody)
  at.pass(1)
  at.writes(2, 900)
  expect(at.tell()).toEqual(['perhaps', 'perhaps', 'perhaps'])
  at.pass(5)
  at.hides(3)
  at.writes(2, 900)
  at.pass(1)
  expect(at.tell()).toEqual(['no', 'perhaps', undefined])
})

test('one that does something in parts does not rest between them', () => {
  const at = agents()
  at.pass(5)
  at.writes(1, 900)
  at.pass(1)
  at.writes(2, 900)
  expect(at.tell()).toEqual(['perhaps', 'perhaps', 'no'])
})

test('its own file of before stays its own while it rests', () => {
  const at = agents()
  at.pass(5)
  at.writes(1, 900)
  at.pass(10)
  at.writes(2, 900)
  expect([at.tellOf(1, 9500), at.tellOf(1, 1000)]).toEqual([undefined, 'no'])
})

test('a clock that is set back ends no rest for long', () => {
  const at = agents()
  at.pass(5)
  at.leap(-3_600_000)
  at.writes(2, 900)
  expect(at.tellOf(1)).toBe('perhaps')
  at.pass(5)
  at.writes(2, 900)
  expect(at.tell()).toEqual(['no', 'perhaps', 'no'])
})

test('whatever they do, who may have written a row is never told that it has not', () => {
  const bytes = fc.integer({ min: 0, max: 2000 })
  const step = fc.record({
    pid: fc.integer({ min: 1, max: 3 }),
    bytes,
    leap: fc.integer({ min: -9000, max: 9000 }),
  })
  fc.assert(
    fc.property(
      fc.array(step),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 65, max: 300 }),
      (steps, writer, row) => {
        const at = agents()
        for (const { pid, bytes: some, leap } of steps) {
          at.writes(pid, some)
          at.leap(leap)
          at.pass(1)
        }
        at.writes(writer, row)
        expect(at.tellOf(writer)).not.toBe('no')
        at.pass(1)
        expect(at.tellOf(writer, 1000)).not.toBe('no')
      },
    ),
  )
})
