/** The command line of `npm run bench:against`. Pure. */
import { parseArgs } from 'node:util'
import { type BenchName, benchNames } from './benches.ts'

type Wanted = {
  /** The commit recorded in `bench/baseline` where undefined. */
  readonly ref: string | undefined
  readonly benches: readonly BenchName[]
  readonly floor: number
  readonly turns: number
  readonly isIfPresent: boolean
}

const isBench = (name: string): name is BenchName => benchNames.some(bench => bench === name)

/** @returns a sentence where the arguments make no sense */
export function wantedOf(args: readonly string[]): Wanted | string {
  const parsed = parse(args)
  if (typeof parsed === 'string') return parsed
  const { values, positionals } = parsed
  const [first] = positionals
  const ref = first === undefined || isBench(first) ? undefined : first
  const names = ref === undefined ? positionals : positionals.slice(1)
  const unknown = names.find(name => !isBench(name))
  if (unknown !== undefined) return `There is no bench "${unknown}". Choose from ${benchNames.join(', ')}.`
  const [floor, turns] = [Number(values.floor), Number(values.turns)]
  if (!(floor > 0)) return `--floor takes a number above 0, not "${values.floor}".`
  if (!Number.isInteger(turns) || turns < 1)
    return `--turns takes a whole number from 1, not "${values.turns}".`
  const benches = names.length > 0 ? [...new Set(names.filter(isBench))] : benchNames
  return { ref, benches, floor, turns, isIfPresent: values['if-present'] }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        floor: { type: 'string', default: '0.85' },
        turns: { type: 'string', default: '5' },
        'if-present': { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return (error as Error).message
  }
}

/** The commit in `bench/baseline`: its first line that is no comment. */
export const baselineOf = (text: string): string | undefined =>
  text
    .split('\n')
    .map(line => line.trim())
    .find(line => line !== '' && !line.startsWith('#'))
