/** Figures beside their floors: a table, what was missed, and a line of JSON; the bench exits 1 where it missed one. */
import { table } from './table.ts'

export type Figure = {
  readonly name: string
  readonly what: string
  readonly value: number
  /** What it may be at most, or must be at least; neither: it is only shown. */
  readonly most?: number
  readonly least?: number
  readonly digits?: number
}

const shown = (value: number, digits = 0): string => value.toFixed(digits)
const floorOf = ({ most, least, digits }: Figure): string =>
  most !== undefined ? `≤ ${shown(most, digits)}` : least !== undefined ? `≥ ${shown(least, digits)}` : '-'
const isMissed = ({ value, most = Infinity, least = -Infinity }: Figure): boolean =>
  !(value <= most && value >= least)

export function reportFigures(bench: string, slowness: number, figures: readonly Figure[]): void {
  process.stdout.write(
    `${table(
      ['measure', 'lull', 'floor'],
      figures.map(figure => [figure.what, shown(figure.value, figure.digits), floorOf(figure)]),
    )}\n\n`,
  )
  const missed = figures.filter(isMissed).map(({ what, value, digits }) => `${what}: ${shown(value, digits)}`)
  if (missed.length > 0) process.stdout.write(`missed: ${missed.join(', ')}\n`)
  const values = Object.fromEntries(figures.map(({ name, value }) => [name, Number(value.toFixed(3))]))
  process.stdout.write(`${JSON.stringify({ bench, slowness, ...values, missed })}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
}
