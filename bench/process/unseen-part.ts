/** The trees that the rules' author never met: looked at as the scenarios are, or by a real `lull run`. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { percent, table } from '../table.ts'
import { startBeside } from './beside.ts'
import { inLanes } from './lanes.ts'
import { missing, type Programs } from './programs.ts'
import { runReally } from './real-run.ts'
import type { Part } from './report.ts'
import { runScenarios } from './scenarios-run.ts'
import { isLegitimate, score } from './scoring.ts'
import type { Unseen } from './unseen.ts'

const floors = { trees: 50, exact: 0.92 }
const abreast = 6
/** The dwell of 10 s twice, and the start of slow programs. */
const longest = 30_000
const looks = 3

type Judged = {
  readonly group: string
  readonly tree: Unseen
  readonly skipped?: string
  readonly got: string
  readonly isExact: boolean
  /** Called likely or confirmed stuck. */
  readonly called: boolean
  readonly isWrongProof: boolean
  readonly level: string
  readonly reason: string
}

type Judgement = Omit<Judged, 'group' | 'tree'>

export type Groups<T> = Readonly<Record<string, readonly T[]>>

/** @param isWhole all of them ran, so that the floor of their number holds */
export async function unseenPart(
  groups: Groups<Unseen>,
  programs: Programs,
  isWhole: boolean,
): Promise<Part> {
  const trees = Object.values(groups).flat()
  const judged = new Map<Unseen, Judgement>()
  const keep = (tree: Unseen, one: Judgement) => {
    const before = judged.get(tree)
    judged.set(tree, {
      ...one,
      called: one.called || before?.called === true,
      isWrongProof: one.isWrongProof || before?.isWrongProof === true,
    })
    process.stderr.write(`${tree.name}: ${one.skipped ?? (one.isExact ? 'right' : `WRONG: ${one.got}`)}\n`)
  }
  await runScenarios(
    trees.filter(({ options }) => !options),
    programs,
    seen => keep(seen.scenario as Unseen, looked(seen)),
  )
  await inLanes(
    trees.filter(({ options }) => options),
    abreast,
    async tree => {
      const lacks = missing(tree)
      keep(tree, lacks === undefined ? await run(tree, programs) : skipped(lacks))
    },
  )
  const isRight = (tree: Unseen) => judged.get(tree)?.isExact === true
  const atFirst = trees.filter(isRight).length
  // A run looks again and again: on a busy machine one look may miss what the next one sees. No fault is forgotten.
  for (let look = 2; look <= looks; look++)
    await runScenarios(
      trees.filter(tree => !isRight(tree) && !tree.options && judged.get(tree)?.skipped === undefined),
      programs,
      seen => keep(seen.scenario as Unseen, looked(seen)),
    )
  const rows = Object.entries(groups).flatMap(([group, all]) =>
    all.map(tree => ({ group, tree, ...(judged.get(tree) as Judgement) })),
  )
  return report(rows, Object.keys(groups), { isWhole, atFirst })
}

const skipped = (why: string) => ({
  skipped: why,
  got: '',
  isExact: false,
  called: false,
  isWrongProof: false,
  level: '',
  reason: '',
})

function looked(seen: Parameters<typeof score>[0]): Judgement {
  const row = score(seen)
  if (!row) return skipped(seen.skipped ?? 'not run')
  const { diagnosis, error } = seen.observation ?? {}
  const { isOpen } = seen.scenario as Unseen
  const isBlocked = diagnosis?.proof === 'proven' && diagnosis.isBlocked
  return {
    got: error ?? row.got,
    isExact: row.isExact,
    called: row.called,
    isWrongProof: diagnosis?.proof === 'proven' && (!row.isExact || (isOpen === true && isBlocked)),
    level: row.health.level,
    reason: diagnosis?.summary ?? '',
  }
}

async function run(tree: Unseen, programs: Programs): Promise<Judgement> {
  const dir = path.join(programs.folder, `unseen-${tree.name.replace(/\W+/g, '-')}`)
  mkdirSync(dir)
  const beside = tree.beside ? await startBeside(programs.resolve(tree.beside, { dir }), dir) : undefined
  try {
    const command = programs.resolve(tree.run, { dir, value: beside?.value ?? '' })
    const { verdicts } = await runReally(command, { dir, options: tree.options ?? [], longest })
    const { health, reason = '', diagnosis } = verdicts.at(-1) ?? {}
    const called = verdicts.some(one => /^(likely|confirmed)_stuck$/.test(one.health.level))
    const isRight = tree.expected.some(cause => cause === health?.cause)
    return {
      got: health ? `${health.cause ?? 'no cause'}, ${diagnosis?.proof ?? 'no proof'}` : 'nothing',
      isExact: isRight && called === (tree.kind === 'stuck'),
      called,
      isWrongProof: diagnosis?.proof === 'proven' && !isRight,
      level: health?.level ?? '',
      reason,
    }
  } finally {
    beside?.close()
  }
}

type Circumstances = {
  readonly isWhole: boolean
  /** How many were right at the first look. */
  readonly atFirst: number
}

function report(
  all: readonly Judged[],
  groups: readonly string[],
  { isWhole, atFirst }: Circumstances,
): Part {
  const rows = all.filter(one => one.skipped === undefined)
  const count = (is: (row: Judged) => boolean, of: readonly Judged[] = rows) => of.filter(is).length
  const isStuck = ({ tree }: Judged) => tree.kind === 'stuck'
  const isFalse = ({ tree, called }: Judged) => isLegitimate(tree) && called
  const exact = count(({ isExact }) => isExact)
  const figures = {
    trees: rows.length,
    skipped: all.filter(one => one.skipped).map(({ tree, skipped }) => `${tree.name}: ${skipped}`),
    exact,
    exactAtFirst: atFirst,
    falseStuck: count(isFalse),
    wrongProofs: count(({ isWrongProof }) => isWrongProof),
    stuckCalled: count(row => isStuck(row) && row.called),
    stuck: count(isStuck),
    wrong: rows
      .filter(row => !row.isExact || row.isWrongProof)
      .map(({ tree, got }) => `${tree.name}: ${got}`),
  }
  const share = (part: number, whole: number) => `${part}/${whole} (${percent(part / Math.max(1, whole))} %)`
  const lineOf = (name: string, of: readonly Judged[]) => [
    name,
    share(
      count(({ isExact }) => isExact, of),
      of.length,
    ),
    `${count(row => isStuck(row) && row.called, of)}/${count(isStuck, of)}`,
    count(isFalse, of),
    count(({ isWrongProof }) => isWrongProof, of),
  ]
  const totals = table(
    ['unseen trees', 'exact cause', 'stuck ones called so', 'false stuck', 'wrong proofs'],
    [
      ...groups.map(group =>
        lineOf(
          group,
          rows.filter(row => row.group === group),
        ),
      ),
      lineOf('all', rows),
    ],
  )
  const misses = rows
    .filter(row => !row.isExact || row.isWrongProof || isFalse(row))
    .map(
      ({ tree, got, level, reason, isWrongProof }) =>
        `${tree.name}: ${tree.truth}; ${tree.expected.join(' or ')}\n  ${level}: ${got}${isWrongProof ? ' (WRONG PROOF)' : ''}: ${reason}`,
    )
  return {
    text: [totals, ...misses, ...figures.skipped.map(text => `missing: ${text}`)].join('\n'),
    figures,
    missed: [
      ...(isWhole && rows.length < floors.trees ? [`only ${rows.length} unseen trees`] : []),
      ...(exact < floors.exact * rows.length
        ? [`exact cause of ${exact} of ${rows.length} unseen trees`]
        : []),
      ...(figures.falseStuck > 0 ? [`${figures.falseStuck} unseen legitimate trees called stuck`] : []),
      ...(figures.wrongProofs > 0 ? [`${figures.wrongProofs} wrong proofs of unseen trees`] : []),
    ],
  }
}
