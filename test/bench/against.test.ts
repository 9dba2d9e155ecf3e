/** What bench:against makes of its arguments and of two commits' figures. */
import { describe, expect, test } from 'vitest'
import { baselineOf, wantedOf } from '../../bench/against/arguments.ts'
import { benches, figuresOf, whyWithout } from '../../bench/against/benches.ts'
import { isBelow, ratiosOf, type Turn, unmatched } from '../../bench/against/ratios.ts'

const turn = (
  ours: Record<string, number>,
  ref: Record<string, number>,
  better: 'more' | 'less' = 'more',
): Turn => {
  const figures = (of: Record<string, number>) =>
    Object.entries(of).map(([name, value]) => ({ name, value, better }))
  return { ours: figures(ours), ref: figures(ref) }
}

describe('the arguments', () => {
  test('default to the baseline, all benches, 5 turns, a floor of 0.85', () => {
    expect(wantedOf([])).toEqual({
      ref: undefined,
      benches: ['core', 'ready', 'start'],
      floor: 0.85,
      turns: 5,
      isIfPresent: false,
    })
  })

  test('name a commit, then benches', () => {
    expect(wantedOf(['HEAD~3', 'start', 'core', 'start', '--turns', '2', '--floor=1'])).toMatchObject({
      ref: 'HEAD~3',
      benches: ['start', 'core'],
      turns: 2,
      floor: 1,
    })
  })

  test('name benches without a commit', () => {
    expect(wantedOf(['core', '--if-present'])).toMatchObject({
      ref: undefined,
      benches: ['core'],
      isIfPresent: true,
    })
  })

  test.each([
    [['HEAD', 'nothing'], 'There is no bench "nothing". Choose from core, ready, start.'],
    [['--floor', 'low'], '--floor takes a number above 0, not "low".'],
    [['--turns', '0'], '--turns takes a whole number from 1, not "0".'],
    [['--turns', '1.5'], '--turns takes a whole number from 1, not "1.5".'],
  ])('%j is refused with a sentence', (args, sentence) => {
    expect(wantedOf(args)).toBe(sentence)
  })

  test('an unknown option is refused with a sentence', () => {
    expect(wantedOf(['--runs', '3'])).toContain('--runs')
  })
})

test('the baseline is the first line that is no comment', () => {
  expect(baselineOf('# why\n\n  0123abcd  \nlater\n')).toBe('0123abcd')
  expect(baselineOf('# why\n')).toBeUndefined()
})

describe('the figures of a bench', () => {
  test('are read from the last line', () => {
    const printed = `a table\n${JSON.stringify({ signalsPerSecond: 4, sessionsMegabytes: 2, missed: [] })}\n`
    expect(figuresOf(printed, benches.core.sources)).toEqual([
      { name: 'signalsPerSecond', value: 4, better: 'more' },
      { name: 'sessionsMegabytes', value: 2, better: 'less' },
    ])
  })

  test('of a list are named by their row, and rows of others are left out', () => {
    const latency = [
      { who: 'lull', shell: 'bash', p50: 1, p95: null },
      { who: 'document 002', shell: 'bash', p50: 300, p95: 400 },
    ]
    expect(figuresOf(JSON.stringify({ latency }), benches.ready.sources)).toEqual([
      { name: 'bash p50', value: 1, better: 'less' },
    ])
  })

  test.each(['', 'no JSON', '[]', '7', 'null', '{"latency":"late"}', '{"results":[]}'])(
    'are missing in %j',
    printed => {
      for (const { sources } of Object.values(benches)) expect(figuresOf(printed, sources)).toBeUndefined()
    },
  )
})

describe('a bench without figures', () => {
  test.each([
    [
      'names its error, not the place of it',
      {
        printed: 'a table',
        errors: 'core.ts:3\n  x()\n\nTypeError: x is not a function\n    at core.ts:3\n\nNode.js v24\n',
      },
      'it printed no figures that are known (exit 1): TypeError: x is not a function',
    ],
    [
      'names what it wrote last where no error has a name',
      { printed: 'a table\nno recordings\n', errors: '' },
      'it printed no figures that are known (exit 1): no recordings',
    ],
    [
      'wrote nothing',
      { printed: '', errors: '\n' },
      'it printed no figures that are known (exit 1): It wrote nothing.',
    ],
  ])('%s', (_, output, sentence) => {
    expect(whyWithout({ ...output, exit: 1 })).toBe(sentence)
  })
})

describe('the ratio', () => {
  test('is that of the medians, with that of each turn', () => {
    const turns = [
      turn({ speed: 100 }, { speed: 50 }),
      turn({ speed: 30 }, { speed: 60 }),
      turn({ speed: 90 }, { speed: 45 }),
    ]
    expect(ratiosOf(turns)).toEqual([{ name: 'speed', ours: 90, ref: 50, ratio: 1.8, turns: [2, 0.5, 2] }])
  })

  test('of an even number of turns takes the middle of two', () => {
    expect(ratiosOf([turn({ speed: 10 }, { speed: 10 }), turn({ speed: 20 }, { speed: 10 })])[0]?.ratio).toBe(
      1.5,
    )
  })

  test('is above 1 where less is better and ours is less', () => {
    expect(ratiosOf([turn({ ms: 5 }, { ms: 10 }, 'less')])[0]?.ratio).toBe(2)
  })

  test('leaves out what one of the two lacks, and names it', () => {
    const turns = [turn({ both: 1, new: 1 }, { both: 1, old: 1 })]
    expect(ratiosOf(turns).map(({ name }) => name)).toEqual(['both'])
    expect(unmatched(turns[0] as Turn)).toEqual(['new', 'old'])
  })
})

describe('a figure is below the floor', () => {
  const slower = turn({ speed: 8 }, { speed: 10 })
  const same = turn({ speed: 10 }, { speed: 10 })

  test.each([
    ['where each turn is', [slower, slower], true],
    ['where four turns in five are', [slower, same, slower, slower, slower], true],
    ['not where only three in five are', [slower, same, slower, same, slower], false],
    ['not where none is', [same, same], false],
  ])('%s', (_, turns, expected) => {
    expect(ratiosOf(turns).some(isBelow(0.85))).toBe(expected)
  })

  test('not where it is at the floor', () => {
    expect(ratiosOf([slower]).some(isBelow(0.8))).toBe(false)
  })
})
