/** When an agent counts as halted, from looks alone; test/sessions/halted.real.test.ts halts real ones. */
import { describe, expect, test } from 'vitest'
import { reportEveryMs } from '../../src/process/health-report.ts'
import type { HaltedLook } from '../../src/process/linux/look-halted.ts'
import { type Halted, isLookDue, stepHalted } from '../../src/sessions/agents/halted-step.ts'

const who = { name: 'claude', pid: 7 }
const stopped: HaltedLook = { by: 'stopped', runs: '5' }
const frozen: HaltedLook = { by: 'frozen', runs: '5' }
const muted: HaltedLook = { by: 'output', runs: '5' }
const runs = (count: number): HaltedLook => ({ runs: String(count) })

/** What is told at each look: `-` nothing. */
function told(looks: readonly (readonly [at: number, look: HaltedLook])[]): readonly string[] {
  let halted: Halted | undefined
  return looks.map(([at, look]) => {
    const step = stepHalted(halted, look, who, at)
    halted = step.halted
    const { report } = step
    if (!report) return '-'
    return report.isOver ? 'over' : `${report.health.level} ${report.health.cause} ${report.held}`
  })
}

describe('an agent that was stopped', () => {
  test('is likely halted at the first look ever, and surely at the next that agrees', () => {
    expect(
      told([
        [0, stopped],
        [1000, stopped],
        [2000, stopped],
      ]),
    ).toEqual(['likely_stuck stopped 0', 'confirmed_stuck stopped 1000', '-'])
  })

  test('while it is looked at, is so with the second look that agrees', () => {
    expect(
      told([
        [0, runs(4)],
        [1000, stopped],
        [2000, stopped],
      ]),
    ).toEqual(['-', '-', 'confirmed_stuck stopped 1000'])
  })

  test('and let go on between two looks is not', () => {
    const again: HaltedLook = { by: 'stopped', runs: '6' }
    expect(
      told([
        [0, runs(4)],
        [1000, stopped],
        [2000, again],
        [3000, again],
      ]),
    ).toEqual(['-', '-', '-', 'confirmed_stuck stopped 2000'])
    expect(
      told([
        [0, stopped],
        [1000, again],
      ]),
    ).toEqual(['likely_stuck stopped 0', 'over'])
  })

  test('and goes on is told of once', () => {
    expect(
      told([
        [0, stopped],
        [1000, runs(6)],
        [2000, runs(7)],
      ]),
    ).toEqual(['likely_stuck stopped 0', 'over', '-'])
  })

  test('is told of again, while it lasts, as often as other reports', () => {
    expect(
      told([
        [0, stopped],
        [1000, stopped],
        [1000 + reportEveryMs - 1, stopped],
        [1000 + reportEveryMs, stopped],
      ]),
    ).toEqual([
      'likely_stuck stopped 0',
      'confirmed_stuck stopped 1000',
      '-',
      `confirmed_stuck stopped ${1000 + reportEveryMs}`,
    ])
  })

  test('and frozen then is halted anew', () => {
    expect(
      told([
        [0, stopped],
        [1000, frozen],
        [2000, frozen],
      ]),
    ).toEqual(['likely_stuck stopped 0', 'likely_stuck frozen 0', 'confirmed_stuck frozen 1000'])
  })
})

describe('an agent whose terminal takes no output', () => {
  test('is likely halted after a second, and never surely', () => {
    expect(
      told([
        [0, runs(4)],
        [500, muted],
        [1499, muted],
        [1500, muted],
        [9000, muted],
      ]),
    ).toEqual(['-', '-', '-', 'likely_stuck output 1000', expect.stringMatching(/^-$|^likely_stuck output/)])
  })

  test('may go on until it prints', () => {
    const later: HaltedLook = { by: 'output', runs: '9' }
    expect(
      told([
        [0, runs(4)],
        [500, muted],
        [1500, later],
      ]),
    ).toEqual(['-', '-', 'likely_stuck output 1000'])
  })
})

test('each says what it is, and what would let it go on', () => {
  const sentence = (look: HaltedLook) => {
    const { report } = stepHalted(undefined, look, who, 0)
    return [report?.reason, report?.recommendation, report?.pid, report?.isHalted, report?.health.certainty]
  }
  expect([stopped, frozen, muted].map(sentence)).toEqual([
    [
      'claude(7) was stopped by a signal (Ctrl+Z)',
      'let it go on: fg in its shell, or kill -CONT 7',
      7,
      true,
      'high',
    ],
    ['claude(7) is in a control group that is frozen', 'thaw its control group', 7, true, 'high'],
    [
      'claude(7) prints to a terminal that takes no output (Ctrl-S)',
      'let it go on: Ctrl-Q in its terminal',
      7,
      true,
      'high',
    ],
  ])
  const { halted } = stepHalted(undefined, stopped, who, 0)
  const sure = stepHalted(halted, stopped, who, 1000)
  expect(sure.report?.health).toEqual({ level: 'confirmed_stuck', cause: 'stopped', certainty: 'certain' })
  expect(stepHalted(sure.halted, runs(6), who, 2000).report).toEqual({
    pid: 7,
    health: { level: 'healthy', certainty: 'low' },
    held: 0,
    reason: 'it goes on',
    isOver: true,
  })
})

test('who is idle or unknown, and not halted, is looked at less often', () => {
  const looks = (look: HaltedLook | undefined, state: 'idle' | 'unknown' | 'working'): number =>
    Array.from({ length: 12 }, (_, n) => n).filter(n => isLookDue(look && { look, since: 0 }, state, n))
      .length
  expect([looks(runs(1), 'idle'), looks(runs(1), 'unknown')]).toEqual([2, 2])
  // What was never looked at, what works, and what may be let go on at any moment.
  expect([looks(undefined, 'unknown'), looks(runs(1), 'working'), looks(stopped, 'unknown')]).toEqual([
    6, 6, 6,
  ])
})
