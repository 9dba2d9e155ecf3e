/**
 * `npm run bench:agents`: how right the verdicts are on the recorded sessions, clean and with every source failing in
 * turn, beside the rules that other tools use. Exits 1 where a floor is missed.
 */
import { addRun, type Band, type Calibration, newCalibration } from './calibration.ts'
import { corpusFolder, loadCorpus, type Recording } from './corpus.ts'
import { crossTable, crossValidated, mostOff } from './cross-validation.ts'
import { type Fault, hookDeaths, sourceFaults } from './faults.ts'
import { type Apply, ours, theirs, unchanged } from './judgements.ts'
import { mislabelled } from './mislabelled.ts'
import { highestTierNewestWins, lastHookWins, type Rival, silence } from './rivals.ts'
import { type Score, score } from './score.ts'
import { percent, seconds, table } from './table.ts'
import { type FalseIdle, falseIdles, neverIdle, type Prediction, truthAt } from './truth.ts'

const floors = {
  accuracy: 0.985,
  workingToIdleP95: 0.4,
  hooksDeadFalseIdleShare: 0.01,
  calibrationPoints: 0.05,
  calibrationEpisodes: 30,
}

const recordings = loadCorpus(process.argv[2] ?? corpusFolder)
const calibration = newCalibration()
const cleanCalibration = newCalibration()
const [byAgent, cleanByAgent] = [new Map<string, Calibration>(), new Map<string, Calibration>()]
const missed: string[] = []

type Run = {
  readonly score: Score
  readonly agents: Record<string, Score>
  readonly falseIdles: readonly FalseIdle[]
  readonly share: number
  readonly never: readonly string[]
}

function run(
  judge: (recording: Recording) => Prediction[],
  add?: (recording: Recording, said: Prediction[]) => void,
): Run {
  const predictions = recordings.map(judge)
  const scored = score(recordings, predictions)
  const idles = recordings.flatMap((recording, n) => falseIdles(recording, predictions[n] as Prediction[]))
  for (const [n, recording] of recordings.entries()) add?.(recording, predictions[n] as Prediction[])
  const busy = recordings.reduce((sum, recording) => sum + busySeconds(recording), 0)
  const wrong = idles.reduce((sum, idle) => sum + idle.to - idle.from, 0)
  const never = recordings.flatMap((recording, n) => neverIdle(recording, predictions[n] as Prediction[]))
  return { score: scored.overall, agents: scored.agents, falseIdles: idles, share: wrong / busy, never }
}

function busySeconds(recording: Recording): number {
  let busy = 0
  for (let t = 0.05; t < recording.seconds; t += 0.1) {
    const state = truthAt(recording, t)?.state
    if (state === 'working' || state === 'waiting') busy += 0.1
  }
  return busy
}

function ofAgent(all: Map<string, Calibration>, { agent }: Recording): Calibration {
  const own = all.get(agent.name) ?? newCalibration()
  all.set(agent.name, own)
  return own
}

const ourRun = (apply: Apply) =>
  run(
    recording => ours(recording, apply),
    (recording, said) => {
      for (const one of [calibration, ofAgent(byAgent, recording)]) addRun(one, recording, said)
    },
  )
const rivalRun = (rival: Rival, apply: Apply) => run(recording => theirs(recording, apply, rival))

const longer = (idles: readonly FalseIdle[]) => idles.filter(idle => idle.to - idle.from > 1)
const row = (name: string, { score: s, falseIdles: idles, share }: Run) => [
  name,
  percent(s.accuracy, 2),
  percent(s.unknownShare),
  percent(share, 2),
  idles.length,
  longer(idles).length,
  seconds(s.latency['working->idle']?.p50),
  seconds(s.latency['working->idle']?.p95),
  s.latency['working->idle']?.never ?? 0,
  seconds(s.latency['idle->working']?.p95),
  `${s.missedWaits}/${s.waits}`,
  s.flaps,
]
const head = [
  'rule',
  'right %',
  'unknown %',
  'false idle %',
  'episodes',
  '> 1 s',
  'to idle p50 s',
  'p95 s',
  'never',
  'to working p95 s',
  'waits missed',
  'flaps',
]

function section(title: string, text: string): void {
  process.stdout.write(`\n## ${title}\n\n${text}\n`)
}

function floor(name: string, isMet: boolean, what: string): void {
  if (!isMet) missed.push(`${name}: ${what}`)
}

process.stdout.write(
  `${recordings.length} recorded sessions, ${percent(recordings.reduce((sum, r) => sum + r.seconds, 0) / 100, 0)} s, screens not read\n`,
)

const clean = ourRun(unchanged)
for (const recording of recordings) {
  const said = ours(recording, unchanged)
  for (const one of [cleanCalibration, ofAgent(cleanByAgent, recording)]) addRun(one, recording, said)
}
const rivals: readonly (readonly [string, Rival])[] = [
  ['last hook wins', lastHookWins],
  ['highest tier, newest wins', highestTierNewestWins],
  ['silence of 2 s', silence],
]
const rivalRuns = rivals.map(([name, rival]) => [name, rivalRun(rival, unchanged)] as const)
section('Clean recordings', table(head, [row('lull', clean), ...rivalRuns.map(([name, r]) => row(name, r))]))
section(
  'lull by agent',
  table(
    [
      'agent',
      'right %',
      'to idle p95 s',
      'to waiting p95 s',
      'to working p95 s',
      'kind of waiting %',
      'flaps',
    ],
    Object.entries(clean.agents).map(([name, s]) => [
      name,
      percent(s.accuracy, 2),
      seconds(s.latency['working->idle']?.p95),
      seconds(s.latency['working->waiting']?.p95),
      seconds(s.latency['idle->working']?.p95),
      s.forAccuracy === undefined ? '-' : percent(s.forAccuracy),
      s.flaps,
    ]),
  ),
)
section(
  'Label errors, shown and not counted',
  mislabelled.map(m => `- ${m.trace} ${m.from} to ${m.to} s: ${m.why}`).join('\n'),
)

floor(
  'accuracy',
  clean.score.accuracy >= floors.accuracy,
  `${percent(clean.score.accuracy, 2)} % of the time right, asked ${percent(floors.accuracy)}`,
)
floor('false idle', clean.falseIdles.length === 0, `${clean.falseIdles.length} episodes, asked 0`)
const p95 = clean.score.latency['working->idle']?.p95
floor(
  'working→idle',
  typeof p95 === 'number' && p95 <= floors.workingToIdleP95,
  `p95 ${seconds(p95)} s, asked ${floors.workingToIdleP95}`,
)
floor('working→idle', clean.never.length === 0, `never told in ${clean.never.join(', ')}`)

const faultRuns = sourceFaults.map(fault => [fault, ourRun(fault.apply)] as const)
const rivalFaults = (fault: Fault) => rivals.map(([, rival]) => rivalRun(rival, fault.apply))
const faultHead = [
  'fault',
  'right %',
  'unknown %',
  'false idle %',
  'episodes',
  '> 1 s',
  ...rivals.map(([name]) => `${name}: right / false idle %`),
]
section(
  'One source fails',
  table(
    faultHead,
    faultRuns.map(([fault, r]) => [
      ...row(fault.name, r).slice(0, 6),
      ...rivalFaults(fault).map(other => `${percent(other.score.accuracy)} / ${percent(other.share)}`),
    ]),
  ),
)
for (const [fault, r] of faultRuns)
  floor(
    fault.name,
    longer(r.falseIdles).length === 0,
    `${longer(r.falseIdles).length} false idles over 1 s, asked 0`,
  )

const deathRuns = hookDeaths(20).map(fault => [fault, ourRun(fault.apply)] as const)
const deathShare = deathRuns.reduce((sum, [, r]) => sum + r.share, 0) / deathRuns.length
section(
  'Hooks die',
  table(
    head.slice(0, 6),
    deathRuns.map(([fault, r]) => row(fault.name, r).slice(0, 6)),
  ),
)
section(
  'Every false idle with dead hooks',
  deathRuns
    .flatMap(([fault, r]) =>
      r.falseIdles.map(
        idle =>
          `- ${fault.name}: ${idle.trace} ${idle.from.toFixed(1)} to ${idle.to.toFixed(1)} s (${idle.truth})`,
      ),
    )
    .join('\n') || 'none',
)
for (const [fault, r] of deathRuns)
  floor(
    fault.name,
    r.share <= floors.hooksDeadFalseIdleShare,
    `${percent(r.share, 2)} % of busy time idle, asked 1`,
  )

const bandRows = (bands: Iterable<Band>) =>
  [...bands]
    .sort((a, b) => b.claimed / b.ticks - a.claimed / a.ticks)
    .map(b => [
      b.label,
      percent(b.claimed / b.ticks),
      percent(b.right / b.ticks),
      b.episodes,
      (b.ticks / 10).toFixed(0),
    ])
const bandHead = ['confidence', 'claimed %', 'right %', 'episodes', 's']
section(
  `Calibration, clean and faulty runs together (Brier score ${(calibration.brier / calibration.ticks).toFixed(4)})`,
  table(bandHead, bandRows(calibration.bands.values())),
)
section('by rule', table(['rule', ...bandHead.slice(1)], bandRows(calibration.rules.values())))
section(
  `Calibration, clean runs (Brier score ${(cleanCalibration.brier / cleanCalibration.ticks).toFixed(4)})`,
  table(bandHead, bandRows(cleanCalibration.bands.values())),
)
const [cleanRows, faultRows] = [crossValidated(cleanByAgent), crossValidated(byAgent)]
const crossTitle =
  'Cross-validation: each rule fitted on all agents but one, tested on that one, by time and by verdicts'
section(`${crossTitle}, clean runs`, crossTable(cleanRows))
section(`${crossTitle}, clean and faulty runs together`, crossTable(faultRows))
for (const one of cleanRows)
  floor(
    'cross-validation, clean runs',
    mostOff(one) <= floors.calibrationPoints,
    `${one.rule} of ${one.agent} is ${percent(mostOff(one))} points off`,
  )
for (const [name, c] of [
  ['all runs', calibration],
  ['clean runs', cleanCalibration],
] as const) {
  for (const band of c.bands.values()) {
    const off = Math.abs(band.claimed - band.right) / band.ticks
    if (band.episodes < floors.calibrationEpisodes) continue
    floor(
      `calibration, ${name}`,
      off <= floors.calibrationPoints,
      `verdicts at ${band.label} are right in ${percent(band.right / band.ticks)} %`,
    )
  }
}

section('Floors', missed.length === 0 ? 'all met' : missed.map(m => `- missed: ${m}`).join('\n'))
process.stdout.write(
  `\n${JSON.stringify({
    bench: 'agents',
    traces: recordings.length,
    accuracy: clean.score.accuracy,
    falseIdleEpisodes: clean.falseIdles.length,
    falseIdleEpisodesAsLabelled: clean.score.falseIdleEpisodes,
    workingToIdleP95: p95,
    never: clean.never,
    rivals: Object.fromEntries(
      rivalRuns.map(([name, r]) => [
        name,
        { accuracy: r.score.accuracy, falseIdleShare: r.share, episodes: r.falseIdles.length },
      ]),
    ),
    faults: Object.fromEntries(
      faultRuns.map(([fault, r]) => [
        fault.name,
        { accuracy: r.score.accuracy, falseIdlesOver1s: longer(r.falseIdles).length },
      ]),
    ),
    hooksDead: {
      falseIdleShare: deathShare,
      episodes: deathRuns.reduce((sum, [, r]) => sum + r.falseIdles.length, 0),
    },
    brier: calibration.brier / calibration.ticks,
    crossValidated: {
      cleanMostOff: Math.max(...cleanRows.map(mostOff)),
      faultyOver5Points: faultRows
        .filter(one => !one.isFew && mostOff(one) > floors.calibrationPoints)
        .map(one => `${one.rule}, ${one.agent}: ${percent(mostOff(one))}`),
    },
    missed,
  })}\n`,
)
process.exitCode = missed.length === 0 ? 0 : 1
