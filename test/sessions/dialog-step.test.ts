/** A dialog on the screen: gone once two looks have not shown it, where it was seen or a composer stands in its place. */
import { describe, expect, test } from 'vitest'
import type { Lane } from '../../src/core/evidence/signal.ts'
import { type SeenDialog, stepDialog } from '../../src/sessions/agents/pane-step.ts'

/** After which looks it is told to be gone. */
function looks(...all: readonly (readonly [lane: Lane, isShown: boolean])[]): boolean[] {
  let seen: SeenDialog | undefined
  return all.map(([lane, isShown]) => {
    const step = stepDialog(seen, { lane, age: 60_000 }, { isShown })
    seen = step.seen
    return step.isGone
  })
}

const [one, two]: readonly Lane[] = ['ask:main:one', 'ask:main:two']

test.each([
  [
    'seen, and twice not',
    [
      [one, true],
      [one, false],
      [one, false],
    ],
    [false, false, true],
  ],
  [
    'redrawn while it was looked at',
    [
      [one, true],
      [one, false],
      [one, true],
      [one, false],
    ],
    [false, false, false, false],
  ],
  [
    'in words that nobody knows',
    [
      [one, false],
      [one, false],
      [one, false],
    ],
    [false, false, false],
  ],
  [
    'another one than was seen',
    [
      [one, true],
      [two, false],
      [two, false],
    ],
    [false, false, false],
  ],
  [
    'told once',
    [
      [one, true],
      [one, false],
      [one, false],
      [one, false],
    ],
    [false, false, true, false],
  ],
] as [string, [Lane, boolean][], boolean[]][])('%s', (_, shown, gone) => {
  expect(looks(...shown)).toEqual(gone)
})

describe('a dialog that no look has shown', () => {
  const shows = (...looks: readonly (readonly [age: number, isShown: boolean, isAtComposer: boolean])[]) => {
    let seen: SeenDialog | undefined
    return looks.map(([age, isShown, isAtComposer]) => {
      const step = stepDialog(seen, { lane: 'ask:main:one', age }, { isShown, isAtComposer })
      seen = step.seen
      return step.isGone
    })
  }

  test('is gone once two looks have shown a composer in its place', () => {
    expect(shows([60_000, false, true], [60_250, false, true])).toEqual([false, true])
  })

  test('is open where anything but a composer is in its place', () => {
    expect(shows([60_000, false, false], [60_250, false, false], [61_000, false, true])).toEqual([
      false,
      false,
      false,
    ])
    expect(shows([60_000, false, true], [60_250, false, false], [61_000, false, true])).toEqual([
      false,
      false,
      false,
    ])
  })

  test('is open where it was asked just now: it may not be drawn yet', () => {
    expect(shows([1000, false, true], [1250, false, true], [2900, false, true])).toEqual([
      false,
      false,
      false,
    ])
    expect(shows([2900, false, true], [3100, false, true], [3350, false, true])).toEqual([false, false, true])
  })

  test('is open where the second look shows it', () => {
    expect(shows([60_000, false, true], [60_250, true, false])).toEqual([false, false])
  })
})
