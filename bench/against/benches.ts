/** The benches that two commits can be compared by, as data. Pure. */
import type { Output } from './commit-tree.ts'

type Better = 'more' | 'less'

/** One number of a bench's JSON line. */
type Figure = { readonly name: string; readonly value: number; readonly better: Better }

/** A field of the JSON, or a field of each row of a list: the fields in `by` name the figure. */
type Source = {
  readonly list?: string
  /** Only rows with these values. */
  readonly where?: Readonly<Record<string, string>>
  readonly by?: readonly string[]
  readonly field: string
  readonly better: Better
}

type Bench = {
  readonly args: readonly string[]
  readonly sources: readonly Source[]
  /** Programs that it runs. */
  readonly needs?: readonly string[]
}

/** The median alone: a p95 of forty commands is noise, its ratio of the same commit to itself was 0.3 to 3. */
const latency = {
  list: 'latency',
  where: { who: 'lull' },
  by: ['shell'],
  field: 'p50',
  better: 'less',
} as const

/** Of the commands that people wait for: what takes 10 ms, as `--version`, differs from itself by half. */
const start = { list: 'results', by: ['name', 'place'], field: 'over', better: 'less' } as const

/** `args` are those of `node` in the root of a commit. Older commits ignore the options that they do not have. */
export const benches = {
  core: {
    args: ['--expose-gc', 'bench/core.ts'],
    sources: [
      { field: 'signalsPerSecond', better: 'more' },
      { field: 'sessionsMegabytes', better: 'less' },
    ],
  },
  ready: {
    args: ['bench/terminal.ts', '--section', 'latency', '--json', '--times', '40', '--only', 'lull'],
    sources: [latency],
    needs: ['tmux'],
  },
  start: {
    args: ['bench/start.ts', '9'],
    sources: [
      { ...start, where: { name: 'lull ps, with a host', place: 'package' } },
      { ...start, where: { name: 'lull wait, a shell at its prompt', place: 'clone' } },
      { ...start, where: { name: 'lull send, until its first key', place: 'clone' } },
    ],
    needs: ['tmux'],
  },
} as const satisfies Record<string, Bench>

export type BenchName = keyof typeof benches
export const needsOf = (bench: BenchName): readonly string[] => (benches[bench] as Bench).needs ?? []
export const benchNames = Object.keys(benches) as readonly BenchName[]

type Fields = Readonly<Record<string, unknown>>

/**
 * The figures in what a bench printed, from its last line.
 *
 * @returns undefined where that line is not JSON or has none of the figures
 */
export function figuresOf(printed: string, sources: readonly Source[]): readonly Figure[] | undefined {
  const fields = parse(printed.trimEnd().split('\n').at(-1) ?? '')
  if (fields === undefined) return undefined
  const figures = sources.flatMap(source => figuresFrom(fields, source))
  return figures.length > 0 ? figures : undefined
}

/** The first line of an error, or the last line that a bench without figures wrote, as one sentence with its exit code. */
export function whyWithout({ printed, errors, exit }: Output): string {
  const lines = (text: string) => text.split('\n').filter(line => line.trim() !== '')
  const error = lines(errors).find(line => /^\w*Error\b/.test(line.trim())) ?? lines(errors).at(-1)
  const words = (error ?? lines(printed).at(-1) ?? 'It wrote nothing.').trim()
  return `it printed no figures that are known (exit ${exit ?? 'by a signal'}): ${words}`
}

function figuresFrom(fields: Fields, { list, where = {}, by = [], field, better }: Source): Figure[] {
  const rows = list === undefined ? [fields] : fields[list]
  if (!Array.isArray(rows)) return []
  return rows
    .filter((row: Fields) => Object.entries(where).every(([name, value]) => row[name] === value))
    .flatMap((row: Fields) => {
      const value = row[field]
      const name = [...by.map(key => row[key]), field].join(' ')
      return typeof value === 'number' ? [{ name, value, better }] : []
    })
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}
