/** The pattern of a row: what a program has drawn, perhaps to make its reader busy. How each grows stands in patterns.json. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hostileRows } from '../../scripts/house/hostile-rows.ts'
import { growthOf, nameOf } from '../../scripts/house/patterns.ts'
import { areShown, moves } from '../../src/core/text/row-pattern.ts'

const growth = JSON.parse(
  readFileSync(new URL('../house/patterns.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>

test.each(hostileRows)('of %s is not worse than that of one', async (_, pattern) => {
  // Frames and blanks at both ends can be told apart in as many ways as there are of them, and no more.
  expect(['linear', '2nd degree polynomial']).toContain(growth[nameOf(pattern)] ?? (await growthOf(pattern)))
})

test('finds a duration wherever it has gone on to', () => {
  const row = `Waiting ${moves} ${moves} for it ${moves}`
  expect(areShown([row], ['│ ⠏ Waiting 1m 2s for it         12.5s │'])).toBe(true)
  expect(areShown([row], ['│ ⠏ Waiting 1h for it │'])).toBe(true)
  expect(areShown([row], ['│ ⠏ Waiting 1h not for it │'])).toBe(false)
})
