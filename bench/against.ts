/**
 * `npm run bench:against -- [REF] [BENCH…]`: runs benches of another commit and of this working tree in turns, and prints
 * for each figure ours, the commit's and their ratio (above 1: ours is better) with the worst and the best turn.
 * REF defaults to the commit in `bench/baseline`, the benches to all (`core`, `ready`, `start`). `--turns N` (5),
 * `--floor X` (0.85): exits 1 where the ratio of the medians is below it and so are four in five turns; before that, it
 * takes as many turns again. `--if-present` exits 0 where the repository does not have the commit, as a
 * shallow clone. A bench that breaks in this tree is a failure: exit 1. One that the commit does not have, or that needs a
 * program which this machine lacks, is skipped. Exits 2 for wrong arguments.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { baselineOf, wantedOf } from './against/arguments.ts'
import { type BenchName, benches, benchNames, figuresOf, needsOf, whyWithout } from './against/benches.ts'
import { checkOut, commitOf, isInstalled, outputOf } from './against/commit-tree.ts'
import { isBelow, type Ratio, ratiosOf, type Turn, unmatched } from './against/ratios.ts'
import { table } from './table.ts'

const root = path.resolve(import.meta.dirname, '..')

const wanted = wantedOf(process.argv.slice(2))
if (typeof wanted === 'string') leave(wanted, 2)
const { floor, turns, isIfPresent } = wanted
const ref = wanted.ref ?? baselineOf(readFileSync(path.join(root, 'bench/baseline'), 'utf8'))
if (ref === undefined) leave('bench/baseline has no commit.', 2)
const commit = commitOf(root, ref)
if (commit === undefined) {
  const reason = `This repository does not have the commit "${ref}". Nothing was compared.`
  leave(
    wanted.ref === undefined ? reason : `${reason} Benches: ${benchNames.join(', ')}.`,
    isIfPresent ? 0 : 2,
  )
}

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort())

const compared: Partial<Record<BenchName, readonly Ratio[]>> = {}
const skipped: string[] = []
const broken: string[] = []
try {
  const { tree, close } = await checkOut(root, commit, stopped.signal)
  try {
    for (const bench of wanted.benches) {
      const ratios = await compare(bench, tree)
      if (ratios !== undefined) compared[bench] = ratios
    }
  } finally {
    close()
  }
} catch (error) {
  if (!stopped.signal.aborted) throw error
  leave('Interrupted. Nothing was decided.', 130)
}

const missed = Object.entries(compared).flatMap(([bench, ratios]) =>
  ratios.filter(isBelow(floor)).map(({ name }) => `${bench}: ${name}`),
)
if (missed.length > 0) process.stdout.write(`Below ${floor} of ${ref}: ${missed.join(', ')}\n`)
process.stdout.write(
  `${JSON.stringify({ bench: 'against', ref, commit, floor, ...compared, skipped, broken, missed })}\n`,
)
process.exitCode = missed.length > 0 || broken.length > 0 ? 1 : 0

/** @returns undefined where the two cannot be compared */
async function compare(bench: BenchName, tree: string): Promise<readonly Ratio[] | undefined> {
  const lacking = needsOf(bench).find(program => !isInstalled(program))
  if (lacking !== undefined) {
    note(skipped, `${bench} is skipped: it needs ${lacking}, which this machine does not have.`)
    return undefined
  }
  const taken: Turn[] = []
  while (taken.length < turns || (taken.length < 2 * turns && ratiosOf(taken).some(isBelow(floor)))) {
    const order = taken.length % 2 === 0 ? [root, tree] : [tree, root]
    const figures = new Map<string, Turn['ours']>()
    for (const place of order) {
      const found = await figuresIn(place, bench)
      if (typeof found === 'string') {
        if (place === root) note(broken, `${bench} is broken in this tree: ${found}`)
        else note(skipped, `${bench} is skipped: ${ref} cannot be measured: ${found}`)
        return undefined
      }
      figures.set(place, found)
    }
    const turn = { ours: figures.get(root) ?? [], ref: figures.get(tree) ?? [] }
    if (taken.length === 0)
      for (const name of unmatched(turn))
        note(skipped, `${bench}: only one of the two commits has "${name}".`)
    taken.push(turn)
    process.stderr.write(`${bench}: turn ${taken.length} of ${Math.max(turns, taken.length)}\n`)
  }
  const ratios = ratiosOf(taken)
  process.stdout.write(`### ${bench}, ${taken.length} turns against ${ref}\n\n${tableOf(ratios)}\n\n`)
  return ratios
}

/** @returns why there are none, as the end of a sentence */
async function figuresIn(place: string, bench: BenchName) {
  const { args, sources } = benches[bench]
  const output = await outputOf(place, process.execPath, args, stopped.signal)
  return figuresOf(output.printed, sources) ?? whyWithout(output)
}

function tableOf(ratios: readonly Ratio[]): string {
  const short = (value: number) => value.toPrecision(value >= 100 ? Math.ceil(Math.log10(value + 1)) : 3)
  return table(
    ['', 'ours', ref as string, 'ratio', 'worst turn', 'best turn'],
    ratios.map(({ name, ours, ref, ratio, turns }) => [
      name,
      short(ours),
      short(ref),
      ...[ratio, Math.min(...turns), Math.max(...turns)].map(value => value.toFixed(2)),
    ]),
  )
}

function note(sentences: string[], sentence: string): void {
  sentences.push(sentence)
  process.stdout.write(`${sentence}\n`)
}

function leave(sentence: string, code: number): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(code)
}
