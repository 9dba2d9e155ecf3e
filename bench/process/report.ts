/** The table of scenarios, and its totals. */
import { percent, table } from '../table.ts'
import type { Seen } from './scenarios-run.ts'
import { isLegitimate, type Row } from './scoring.ts'

export type Part = {
  readonly text: string
  readonly figures: unknown
  /** Floors that were not reached, in words. */
  readonly missed: readonly string[]
}

const floors = { scenarios: 70, exact: 0.96 }

const word = {
  HEALTHY: 'healthy',
  SUSPICIOUS: 'suspicious',
  LIKELY_STUCK: 'likely',
  CONFIRMED_STUCK: 'confirmed',
} as const

/** @param isWhole all scenarios ran, so that the floors hold */
export function report(seen: readonly Seen[], rows: readonly Row[], isWhole: boolean): Part {
  const exact = rows.filter(({ isExact }) => isExact).length
  const legitimate = rows.filter(({ scenario }) => isLegitimate(scenario))
  const stuck = rows.filter(({ scenario }) => scenario.kind === 'stuck')
  const unknown = rows.filter(({ scenario }) => scenario.kind === 'unknown')
  const skipped = seen.filter(one => one.skipped)
  const count = (of: readonly Row[], is: (row: Row) => boolean) => of.filter(is).length
  const share = (part: number, of: readonly Row[]) =>
    of.length === 0 ? '-' : `${part}/${of.length} (${percent(part / of.length)} %)`
  const falseStuck = count(legitimate, ({ called }) => called)
  const totals = table(
    ['in all', 'lull', 'document 004, its windows', 'document 004, 5 s'],
    [
      [
        'exact cause',
        share(exact, rows),
        share(
          count(rows, ({ baseline }) => baseline.isExact),
          rows,
        ),
        share(
          count(rows, ({ short }) => short.isExact),
          rows,
        ),
      ],
      [
        'stuck ones called likely or confirmed stuck',
        share(
          count(stuck, ({ called }) => called),
          stuck,
        ),
        share(
          count(stuck, ({ baseline }) => baseline.called),
          stuck,
        ),
        share(
          count(stuck, ({ short }) => short.called),
          stuck,
        ),
      ],
      [
        'legitimate ones called likely or confirmed stuck',
        share(falseStuck, legitimate),
        share(
          count(legitimate, ({ baseline }) => baseline.called),
          legitimate,
        ),
        share(
          count(legitimate, ({ short }) => short.called),
          legitimate,
        ),
      ],
      [
        'undecidable ones called confirmed stuck',
        share(
          count(unknown, ({ health }) => health.level === 'confirmed_stuck'),
          unknown,
        ),
        share(
          count(unknown, ({ baseline }) => baseline.level === 'CONFIRMED_STUCK'),
          unknown,
        ),
        share(
          count(unknown, ({ short }) => short.level === 'CONFIRMED_STUCK'),
          unknown,
        ),
      ],
    ],
  )
  const lines = table(
    ['scenario', 'kind', 'expected', 'lull', 'at worst', '004', '004, 5 s', ''],
    seen.map(one => lineOf(one, rows)),
  )
  const figures = {
    scenarios: rows.length,
    skipped: skipped.map(({ scenario, skipped }) => `${scenario.name}: ${skipped}`),
    exact,
    falseStuck,
    stuckCalled: count(stuck, ({ called }) => called),
    baselineExact: count(rows, ({ baseline }) => baseline.isExact),
    baselineFalseStuck: count(legitimate, ({ baseline }) => baseline.called),
    wrong: rows
      .filter(({ isExact }) => !isExact)
      .map(({ scenario, got, error }) => `${scenario.name}: ${error ?? got}`),
  }
  return {
    text: [
      lines,
      '',
      totals,
      'lull at worst: over half an hour of simulated time by the aggressive preset. Document 004: sampled for 5 s, and its',
      'last reading repeated on simulated time until its windows have passed, or the program ends; likely or confirmed.',
      ...figures.skipped.map(text => `missing: ${text}`),
    ].join('\n'),
    figures,
    missed: [
      ...(isWhole && rows.length < floors.scenarios ? [`only ${rows.length} scenarios`] : []),
      ...(exact < floors.exact * rows.length ? [`exact cause of ${exact} of ${rows.length}`] : []),
      ...(falseStuck > 0 ? [`${falseStuck} legitimate called stuck`] : []),
    ],
  }
}

function lineOf({ scenario, skipped }: Seen, rows: readonly Row[]): string[] {
  const row = rows.find(one => one.scenario === scenario)
  const expected = scenario.expected.join(' or ')
  if (!row) return [scenario.name, scenario.kind, expected, skipped ?? '', '', '', '', 'missing']
  const marks = [
    !row.isExact && 'WRONG',
    isLegitimate(scenario) && row.called && 'FALSE STUCK',
    row.error !== undefined && 'ERROR',
  ].filter(Boolean)
  return [
    scenario.name,
    scenario.kind,
    expected,
    row.error ?? row.got,
    row.health.level.replace('_stuck', ''),
    `${row.baseline.cause}, ${word[row.baseline.level]}`,
    `${row.short.cause}, ${word[row.short.level]}`,
    marks.join(' '),
  ]
}
