/** What a player of recordings decides itself: which verdict and which picture belong to a moment, and where it is found. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changeAt,
  gridAt,
  neighbour,
  pieceIndex,
  placeWords,
  recordedAt,
  replayHash,
  replayIn,
  shownMoment,
  widthOf,
} from '../../src/page/replay/film.ts'
import type { Film, FilmPiece } from '../../src/page/types.ts'

const changes = [0, 2, 2.5, 9].map(at => ({ at })) as unknown as Film['changes']
const film = { changes, length: 20 } as unknown as Film

describe('the verdict of a moment', () => {
  test.each([
    [-1, undefined],
    [0, 0],
    [1.9, 0],
    [2, 2],
    [8.9, 2.5],
    [100, 9],
  ])('at %s s is the last that came before', (at, expected) => {
    expect(changeAt(changes, at)?.at).toBe(expected)
  })

  test('the next is after it; the previous is one’s own beginning first', () => {
    expect([0, 2, 8, 9].map(at => neighbour(film, at, 1))).toEqual([2, 2.5, 9, 20])
    expect([0.5, 2.6, 8, 20].map(at => neighbour(film, at, -1))).toEqual([0, 0, 2.5, 9])
  })
})

describe('the screen of a moment', () => {
  const row = (n: number, text: string) => ({ row: n, runs: [{ text }] })
  const piece: FilmPiece = {
    from: 1,
    pictures: [
      { at: 1, height: 3, rows: [row(0, 'a'), row(2, 'c')] },
      { at: 2, height: 3, rows: [row(1, 'b')] },
      { at: 3, height: 2, rows: [{ row: 0, runs: [] }] },
      { at: 4, height: 3, rows: [row(9, 'nowhere')] },
    ],
  }
  const shown = (at: number) => gridAt(piece, at)?.grid.map(runs => runs.map(({ text }) => text).join(''))

  test('is each picture over the one before', () => {
    expect([0.5, 1, 2.9, 3, 4].map(shown)).toEqual([
      undefined,
      ['a', '', 'c'],
      ['a', 'b', 'c'],
      ['', 'b'],
      ['', 'b', ''],
    ])
  })

  test('is the first picture before there is one', () => {
    expect([0, 0.5, 1, 2.5].map(at => shownMoment(piece, at))).toEqual([1, 1, 1, 2.5])
    expect(shownMoment({ from: 0, pictures: [] }, 3)).toBe(3)
  })

  test('is of the piece that began before', () => {
    expect([0, 1, 4.9, 5, 99].map(at => pieceIndex([1, 5, 8], at))).toEqual([-1, 0, 0, 1, 2])
  })

  test('is as wide as its widest row', () => {
    expect(widthOf([[], [{ text: 'ab' }, { text: 'c' }], [{ text: 'd' }]])).toBe(3)
  })
})

describe('the address of a moment', () => {
  test('leads to it, whatever the recording is called', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 1e6 }), (name, tenths) => {
        fc.pre(name.isWellFormed())
        expect(replayIn(replayHash(name, tenths / 10))).toEqual({ name, at: tenths / 10 })
      }),
    )
  })

  test.each([
    ['#/replay', { at: 0 }],
    ['#/replay/', { at: 0 }],
    ['#/replay/a.cast', { name: 'a.cast', at: 0 }],
    ['#/replay/a.cast/-5', { name: 'a.cast', at: 0 }],
    ['#/replay/a.cast/x', { name: 'a.cast', at: 0 }],
    ['#/replay/%E0%A4%A/3', { name: '%E0%A4%A', at: 3 }],
  ])('%s is read without failing', (hash, expected) => expect(replayIn(hash)).toEqual(expected))

  test.each([
    [7.58, '7.5s'],
    [60, '1:00'],
    [247, '4:07'],
    [3847, '1:04:07'],
  ])('%s s is shown as %s', (seconds, words) => expect(placeWords(seconds)).toBe(words))
})

describe('a session of the past', () => {
  const start = Date.parse('2026-01-01T10:00:00Z')
  const one = { name: 'a.cast', session: 'abc', startedAt: '2026-01-01T10:00:00.000Z', length: 60 }

  test('is found in its recording, where it was recorded then', () => {
    expect(recordedAt([one], 'abc', start + 5000)).toEqual({ name: 'a.cast', at: 5 })
    expect(recordedAt([one], 'abc', start - 9000, start + 1)).toEqual({ name: 'a.cast', at: 0 })
    expect(recordedAt([one], 'abc', start + 91_000, start + 99_000)).toBeUndefined()
    // It may not be written yet.
    expect(recordedAt([one], 'abc', start + 70_000)).toEqual({ name: 'a.cast', at: 70 })
    expect(recordedAt([one], 'abc', start - 9000, start - 1)).toBeUndefined()
    expect(recordedAt([one], 'other', start)).toBeUndefined()
    expect(recordedAt([{ ...one, problem: 'too large' }], 'abc', start)).toBeUndefined()
  })
})
