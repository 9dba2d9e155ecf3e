/** The numbers that docs/seeds.md#004 recommends, as they are printed: three blocks, four numbers each. */
import { expect, test } from 'vitest'
import { presetNames, presets } from '../../src/run/step/presets.ts'

test.each([
  ['conservative', { silence: 600, cpu: 0.5, io: 10_240, escalate: 120 }],
  ['balanced', { silence: 300, cpu: 0.5, io: 5120, escalate: 90 }],
  ['aggressive', { silence: 300, cpu: 1, io: 1024, escalate: 60 }],
] as const)('%s', (name, { silence, cpu, io, escalate }) => {
  expect(presets[name]).toEqual({
    name,
    silence: silence * 1000,
    stuckCpu: cpu,
    stuckIo: io,
    escalate: escalate * 1000,
  })
})

test('there are no others', () => expect(Object.keys(presets).sort()).toEqual([...presetNames].sort()))
