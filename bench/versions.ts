/**
 * `npm run bench:versions [-- CLI…]`: the newest version of each agent and the two before it beside the pinned one, in the
 * situations of test:agents, in tmux. For a night: it tells what has drifted since lull's facts were measured. Exits 1
 * where a version that is not pinned misses a floor of test:agents, with what was missed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import { type LabCli, labPackage, versionsVariable } from '../scripts/setup-lab.ts'
import { percent, table } from './table.ts'
import { type PlayedCli, playedClis } from './test-agents/facts.ts'

/** The newest, and so many before it. */
const before = 2

const isStable = (version: string): boolean => /^\d+\.\d+\.\d+$/.test(version)

/** Newest first, the pinned one last where it is none of them. */
function versionsOf(name: LabCli): readonly string[] {
  const { packageName, version: pinned } = labPackage(name)
  const ask = (field: string) =>
    JSON.parse(execFileSync('npm', ['view', packageName, field, '--json'], { encoding: 'utf8' })) as unknown
  const all = (ask('versions') as readonly string[]).filter(isStable)
  const newest = all.indexOf(ask('dist-tags.latest') as string)
  const some = all.slice(Math.max(0, newest - before), newest + 1).toReversed()
  return some.includes(pinned) ? some : [...some, pinned]
}

/** The last line of test:agents. */
type Figures = {
  readonly rightShare: number
  readonly unknownShare: number
  readonly wrongShare: number
  readonly falseIdles: number
  readonly missedWaits: number
  readonly dialogs: number
  readonly answered: number
  readonly p95: number
  readonly notPlayed: number
  readonly missed: readonly string[]
}

function play(name: LabCli, version: string): Figures | undefined {
  const { stdout } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'test-agents.ts'), name, 'tmux'],
    {
      env: { ...process.env, [versionsVariable]: `${name}@${version}` },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  process.stderr.write(stdout)
  const last = stdout.trim().split('\n').at(-1) ?? ''
  return last.startsWith('{') ? (JSON.parse(last) as Figures) : undefined
}

const words = process.argv.slice(2)
const unknown = words.find(word => !playedClis.some(cli => cli === word))
if (unknown !== undefined) {
  process.stderr.write(`versions: ${unknown} is none of ${playedClis.join(', ')}\n`)
  process.exit(2)
}
const clis = words.length > 0 ? (words as PlayedCli[]) : playedClis
const rows = clis.flatMap(cli =>
  versionsOf(cli).map(version => ({
    cli,
    version,
    isPinned: version === labPackage(cli).version,
    figures: play(cli, version),
  })),
)
const head = [
  'version',
  'right %',
  'unknown %',
  'wrong %',
  'idle > 1 s',
  'missed waits',
  'answered',
  'ms p95',
  'not played',
]
process.stdout.write(
  `${table(
    head,
    rows.map(({ cli, version, isPinned, figures: one }) => [
      `${cli} ${version}${isPinned ? ' (pinned)' : ''}`,
      ...(one
        ? [
            ...[one.rightShare, one.unknownShare, one.wrongShare].map(share => percent(share)),
            ...[one.falseIdles, one.missedWaits, `${one.answered}/${one.dialogs}`, one.p95, one.notPlayed],
          ]
        : ['it did not run']),
    ]),
  )}\n\n`,
)
const drifted = rows.flatMap(({ cli, version, isPinned, figures }) =>
  isPinned ? [] : (figures?.missed ?? ['it did not run']).map(what => `${cli} ${version}: ${what}`),
)
for (const one of drifted) process.stdout.write(`drifted: ${one}\n`)
process.stdout.write(`${JSON.stringify({ bench: 'versions', versions: rows.length, drifted })}\n`)
process.exitCode = drifted.length > 0 ? 1 : 0
