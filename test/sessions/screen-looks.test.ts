/** When a pane's screen is looked at: while something moves there, shortly after, and now and then. */
import { expect, test } from 'vitest'
import { type ScreenLook, stepScreenLook } from '../../src/sessions/agents/panes/look-at-panes.ts'

/** The instants of looks, of a pane that is asked about every 800 ms. @param moved what tmux says of it at an instant */
function looksAt(moved: (now: number) => string, until: number): readonly number[] {
  const found: number[] = []
  let look: ScreenLook | undefined
  for (let now = 0; now <= until; now += 800) {
    const step = stepScreenLook(look, moved(now), now)
    look = step.look
    if (step.isDue) found.push(now)
  }
  return found
}

test('a pane that stands still is looked at for some seconds, and then every five', () => {
  expect(looksAt(() => 'still', 16_000)).toEqual([0, 800, 1600, 2400, 8000, 13_600])
})

test('a pane that moves is looked at each time, and for some seconds after', () => {
  const moved = (now: number): string => (now < 8000 ? String(Math.floor(now / 1000)) : 'still')
  expect(looksAt(moved, 12_000)).toEqual([
    0, 800, 1600, 2400, 3200, 4000, 4800, 5600, 6400, 7200, 8000, 8800, 9600, 10_400,
  ])
})
