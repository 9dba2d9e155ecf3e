/** A CLI that is newer than the rules over its screens is told; nothing is said where that is not known. */
import { expect, test } from 'vitest'
import { driftOf } from '../../../src/agents/screen/drift.ts'

test.each([
  ['2.1.331', '2.1.330', true],
  ['2.2.0', '2.1.330', true],
  ['10.0.0', '9.9.9', true],
  ['2.1.330', '2.1.330', false],
  ['2.1.99', '2.1.330', false],
  ['2.1.330-beta.4', '2.1.330', false],
  [undefined, '2.1.330', false],
  ['2.1.331', undefined, false],
  ['dev', '2.1.330', false],
] as const)('%s beside rules of %s', (version, checked, isNewer) => {
  expect(driftOf(version, checked)).toEqual(isNewer ? { version, checked } : undefined)
})
