import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withTable } from '../../scripts/respawn-table.ts'
import { actions } from '../../src/respawn/step/actions.ts'
import { guards } from '../../src/respawn/step/guards.ts'
import { phases } from '../../src/respawn/step/respawn-state.ts'
import { transitions } from '../../src/respawn/step/transitions.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/respawn.md'), 'utf8')

test('docs/respawn.md shows the table as it is (npm run respawn-table writes it)', () =>
  expect(page).toBe(withTable(page)))

test('each guard and each action is of use, each phase can be reached and left', () => {
  expect(new Set(transitions.map(row => row.if))).toEqual(new Set(Object.keys(guards)))
  expect(new Set(transitions.flatMap(({ does }) => does))).toEqual(new Set(Object.keys(actions)))
  for (const phase of phases) {
    if (phase !== 'watching')
      expect(
        transitions.some(({ to }) => to === phase),
        phase,
      ).toBe(true)
    if (phase !== 'stopped')
      expect(
        transitions.some(({ from }) => from.includes(phase)),
        phase,
      ).toBe(true)
  }
})
