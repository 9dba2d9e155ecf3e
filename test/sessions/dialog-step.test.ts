/** A dialog on the screen: gone once it was seen and two looks have not shown it. */
import { expect, test } from 'vitest'
import type { Lane } from '../../src/core/evidence/signal.ts'
import { type SeenDialog, stepDialog } from '../../src/sessions/agents/pane-step.ts'

/** After which looks it is told to be gone. */
function looks(...all: readonly (readonly [lane: Lane, isShown: boolean])[]): boolean[] {
  let seen: SeenDialog | undefined
  return all.map(([lane, isShown]) => {
    const step = stepDialog(seen, lane, isShown)
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
