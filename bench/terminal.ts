/**
 * `npm run bench:terminal`: is this terminal ready? More than a hundred scenarios in real panes, how soon after a
 * command's end it is said, also among thirty panes, the race after a send, what idle panes cost, and floods; programs
 * that lull never met; beside it docs/seeds.md#002 and its pattern alone. `--section NAME` (several with commas),
 * `--owned` on terminals of lull's own (the sections that are not about tmux), `--mcp` there, lull asked by MCP (scenarios, unseen),
 * `--only SCENARIO|GROUP`, `--times N` (3, of the unseen 1), `--misses FILE`, `--json`. Exits 1 where a floor is missed.
 * `npm run setup-bench` installs what it drives, with `-- --unseen` also the programs that lull never met; those that are
 * absent are skipped.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureCrowded } from './terminal/crowded.ts'
import { measureFlood } from './terminal/flood.ts'
import { measureHeld } from './terminal/held.ts'
import { measureIdle } from './terminal/idle.ts'
import { measureLatency } from './terminal/latency.ts'
import { playAll, playUnseen } from './terminal/play-all.ts'
import { race } from './terminal/race.ts'
import { setStage } from './terminal/stage.ts'
import type { Stage } from './terminal/subject.ts'

const floors = {
  right: 0.95,
  /** Of the p95 of the pattern rule in the same shell and run. */
  latencyShare: 0.18,
  fishLatencyShare: 0.36,
  crowdedP95Ms: 100,
  sends: 2000,
  idleShare: 0.003,
  waitsShare: 0.02,
  floodP95Ms: 50,
  /** Where the machine is too slow for it and for the floor of reads, tmux in the same run is the measure. */
  heldPace: 0.95,
  heldReadP95Ms: 20,
  heldMb: 4,
}

type Result = { readonly figures: unknown; readonly text: string; readonly missed: readonly string[] }
type Flags = { readonly times?: string; readonly only?: string; readonly misses?: string }

const missedOf = (
  { right, falseReady, wait }: Awaited<ReturnType<typeof playAll>>['figures'],
  of: string,
): readonly string[] =>
  [
    right < floors.right && `${(100 * right).toFixed(1)} % of the ${of} are right`,
    falseReady > 0 && `${falseReady} of the ${of} falsely ready`,
    wait.falseReady > 0 && `${wait.falseReady} waits of the ${of} falsely ready`,
  ].filter(isText)

const sections = {
  async scenarios(stage: Stage, { times, only, misses }: Flags): Promise<Result> {
    const { figures, text } = await playAll(stage, Number(times ?? 3), only, misses)
    return { figures, text, missed: missedOf(figures, 'scenarios') }
  },
  async unseen(stage: Stage, { times, only, misses }: Flags): Promise<Result> {
    const { figures, text } = await playUnseen(stage, Number(times ?? 1), only, misses)
    return { figures, text, missed: missedOf(figures, 'unseen situations') }
  },
  async latency(stage: Stage, { times, only }: Flags): Promise<Result> {
    const { figures, text } = await measureLatency(stage, Number(times ?? 100), only)
    const missed = figures
      .filter(({ who }) => who === 'lull')
      .flatMap(({ shell, share, early, never }) => [
        share !== undefined &&
          !(share <= (shell === 'fish' ? floors.fishLatencyShare : floors.latencyShare)) &&
          `${shell} is ready too late: ${share.toFixed(2)} of the pattern rule's p95`,
        early > 0 && `${shell}: ${early} times ready before the end`,
        never > 0 && `${shell}: ${never} times never ready`,
      ])
    return { figures, text, missed: missed.filter(isText) }
  },
  async crowded(stage: Stage): Promise<Result> {
    const { figures, text } = await measureCrowded(stage)
    const missed = figures.flatMap(({ kind, isReadline, p95, early, never }) => [
      isReadline && !(p95 <= floors.crowdedP95Ms) && `${kind} among many panes is ready too late`,
      early > 0 && `${kind} among many panes: ${early} times ready before the end`,
      never > 0 && `${kind} among many panes: ${never} times never ready`,
    ])
    return { figures, text, missed: missed.filter(isText) }
  },
  async race(stage: Stage): Promise<Result> {
    const { figures, text } = await race(stage)
    const missed = [
      figures.sends < floors.sends && 'too few sends',
      figures.stale > 0 && `${figures.stale} stale verdicts after a send`,
    ]
    return { figures, text, missed: missed.filter(isText) }
  },
  async idle(stage: Stage): Promise<Result> {
    const { figures, text } = await measureIdle(stage)
    const missed = [
      figures.added > floors.idleShare && 'idle panes cost too much',
      figures.children > 0 && `${figures.children} child processes while nobody waits`,
      figures.waits > floors.waitsShare && 'ten waits cost too much',
    ]
    return { figures, text, missed: missed.filter(isText) }
  },
  async flood(stage: Stage): Promise<Result> {
    const { figures, text } = await measureFlood(stage)
    const missed = [
      figures.lost > 0 && `${figures.lost} bytes of floods lost`,
      !(figures.p95 <= floors.floodP95Ms) && 'a wait beside floods is late',
      figures.early > 0 && 'falsely ready beside floods',
      figures.never > 0 && 'never ready beside floods',
    ]
    return { figures, text, missed: missed.filter(isText) }
  },
  async held(stage: Stage): Promise<Result> {
    const { figures, text } = await measureHeld(stage)
    const missed = [
      figures.lost > 0 && `${figures.lost} bytes of own terminals lost`,
      !(figures.pace >= Math.min(floors.heldPace, figures.tmuxPace)) &&
        'own terminals take neither 5 MB/s each nor what tmux takes',
      !(figures.readP95 <= Math.max(floors.heldReadP95Ms, figures.tmuxReadP95)) &&
        'a read beside floods is late, and later than one of tmux',
      !(figures.memory <= floors.heldMb) && 'a terminal takes too much memory',
    ]
    return { figures, text, missed: missed.filter(isText) }
  },
}

type Section = keyof typeof sections
const isText = (value: string | false): value is string => value !== false
const isSection = (name: string): name is Section => Object.hasOwn(sections, name)

const { values } = parseArgs({
  options: {
    section: { type: 'string' },
    times: { type: 'string' },
    only: { type: 'string' },
    misses: { type: 'string' },
    owned: { type: 'boolean', default: false },
    mcp: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const isOwned = values.owned || values.mcp
const wanted =
  values.section?.split(',') ??
  (values.only !== undefined || values.mcp
    ? ['scenarios']
    : isOwned
      ? ['scenarios', 'latency', 'race', 'held']
      : Object.keys(sections).filter(name => name !== 'held'))
const unknown = wanted.find(name => !isSection(name))
if (unknown !== undefined) {
  process.stderr.write(`there is no section ${unknown}: ${Object.keys(sections).join(', ')}\n`)
  process.exit(2)
}
const stage = await setStage(wanted.includes('unseen'), isOwned, values.mcp)
if (isOwned) process.env.LULL_RUNTIME_DIR = stage.ownFolder()
// What lull measures once a machine it measures anew: nothing is known at the start.
process.env.XDG_STATE_HOME = path.join(stage.home, 'state')
const figures: Record<string, unknown> = {}
const missed: string[] = []
try {
  if (stage.missing.size > 0 && !values.json)
    process.stdout.write(`missing: ${[...stage.missing].join(', ')}\n\n`)
  for (const name of wanted.filter(isSection)) {
    const result = await sections[name](stage, values)
    figures[name] = result.figures
    missed.push(...result.missed)
    if (!values.json) process.stdout.write(`### ${name}\n\n${result.text}\n\n`)
  }
} finally {
  await stage.close()
}
if (missed.length > 0 && !values.json) process.stdout.write(`missed: ${missed.join(', ')}\n`)
process.stdout.write(`${JSON.stringify({ bench: 'terminal', ...figures, missed })}\n`)
process.exitCode = missed.length > 0 ? 1 : 0
