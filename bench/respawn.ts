/**
 * `npm run bench:respawn [N]`: N random schedules (10,000) of respawn's step along the recorded sessions, clean and with sources
 * that fail; what was true decides whether a step that it sent was right. Beside it controllers by silence, by the last hook, and
 * docs/seeds.md#003's own. Exits 1 where a floor is missed. `LULL_SEED` has other schedules.
 */
import { corpusFolder, loadCorpus } from './corpus.ts'
import { quantile } from './live/processes.ts'
import { type Counts, count, floors, newCounts, type Settled, timelineOf } from './respawn/count-sends.ts'
import { randomRuns, variants } from './respawn/random-schedules.ts'
import { firstWords } from './respawn/reports.ts'
import { play } from './respawn/schedule.ts'
import { rivalNames, rivalSends, timeline } from './respawn/timelines.ts'
import { percent, table } from './table.ts'

const schedules = Number(process.argv[2] ?? 10_000)
const seed = Number(process.env.LULL_SEED ?? 1)
const recordings = loadCorpus(corpusFolder)

const ours = new Map<string, Counts>()
const theirs = new Map<string, Counts>()
const of = (map: Map<string, Counts>, name: string): Counts => {
  const known = map.get(name) ?? newCounts()
  map.set(name, known)
  return known
}
const wrongs = new Map<string, number>()

for (const { recording, variant, schedule, isSteered } of randomRuns(recordings, schedules, seed)) {
  const { settled, from, typing, words } = schedule
  const seen = timelineOf(recording, variant)
  const sends = play(
    entered => (entered.length === 0 ? seen : timeline(recording, variant.apply, entered)),
    schedule,
    recording.seconds * 1000,
  )
  const common = { recording, variant, settled, from }
  const until = words[0]?.at ?? Infinity
  for (const wrong of count(of(ours, `${variant.name}, ${settled / 1000} s`), {
    ...common,
    sends,
    until,
    seen,
  })) {
    const sentence = `${variant.name}: ${wrong}`
    wrongs.set(sentence, (wrongs.get(sentence) ?? 0) + 1)
  }
  if (isSteered) continue
  for (const rival of rivalNames) {
    const times = rivalSends(recording, variant.apply, rival, settled, from)
    const done = times.map((at, n) => ({ decided: at, at: at + (typing[n % 5] ?? 0), isCalledOff: false }))
    count(of(theirs, `${rival}, ${variant.name}`), { ...common, sends: done, until: Infinity })
  }
}

const both = (values: readonly number[]): string =>
  values.length === 0 ? '-' : `${quantile(values, 0.5).toFixed(2)} / ${quantile(values, 0.95).toFixed(2)}`
const told = ({ toldLate }: Counts): number =>
  [...toldLate.values()].reduce((sum, { times }) => sum + times, 0)
const row = (name: string, c: Counts) => [
  name,
  c.sends,
  c.working,
  c.waiting,
  c.double,
  c.calledOff,
  c.idles === 0 ? '-' : percent(c.acted / c.idles),
  c.parked,
  c.untold,
  both(c.late),
]
const head = [
  'sends',
  'while it worked',
  'into a dialog',
  'double',
  'after stop or pause',
  'true idles acted upon %',
  'parked by an error or a limit',
  'nobody tells',
  'true idle → step p50 / p95 s',
]
const sorted = (map: Map<string, Counts>) => [...map].sort(([a], [b]) => a.localeCompare(b))
const mine = sorted(ours).map(([name, c]) => [
  ...row(name, c),
  both(c.lateInTime),
  told(c),
  both(c.afterReport),
])
const heads = ['told in time: the same', 'told too late for the floor', 'those: report → step']
process.stdout.write(`${table(['respawn', ...head, ...heads], mine)}\n\n`)
const others = sorted(theirs).map(([name, c]) => row(name, c))
process.stdout.write(`${table(['other controllers', ...head], others)}\n\n`)

const late = new Map<string, { readonly after: number; times: number }>()
for (const name of ['all sources', 'without hooks'])
  for (const settled of [500, 3000])
    for (const [end, { after, times }] of of(ours, `${name}, ${settled / 1000} s`).toldLate) {
      const key = `${end}, ${name}`
      late.set(key, { after, times: times + (late.get(key)?.times ?? 0) })
    }
const proofs: (string | number)[][] = []
for (const [end, { after, times }] of late) {
  const recording = recordings.find(one => end.startsWith(`${one.name} from `))
  const episode = recording?.episodes.find(one => end.startsWith(`${recording.name} from ${one.from} s`))
  const words = recording && episode && (await firstWords(recording, episode.from, episode.to))
  proofs.push([end, times, after.toFixed(2), words ?? '-'])
}
if (proofs.length > 0) {
  const titles = [
    'told too late',
    'times',
    'first report, s',
    'first word of each source, hooks and screen among them, s',
  ]
  process.stdout.write(`${table(titles, proofs)}\n\n`)
}
for (const [wrong, times] of [...wrongs].sort(([, a], [, b]) => b - a).slice(0, 20))
  process.stdout.write(`${times} × ${wrong}\n`)

const fields = ['sends', 'working', 'waiting', 'double', 'calledOff', 'idles', 'acted'] as const
const sum = (field: (typeof fields)[number]) => [...ours.values()].reduce((total, c) => total + c[field], 0)
const slow = (name: string, settled: Settled): readonly (string | false)[] => {
  const { late: all, lateInTime, afterReport } = of(ours, `${name}, ${settled / 1000} s`)
  const [whole, inTime, after] = [all, lateInTime, afterReport].map(values => quantile(values, 0.95))
  const floor = floors[settled]
  return [
    (inTime ?? 0) > floor && `${name}: a step ${inTime?.toFixed(2)} s after the true idleness (p95)`,
    afterReport.length > 0 &&
      (after ?? 0) > floor &&
      `${name}: a step ${after?.toFixed(2)} s after a report that came late (p95)`,
    afterReport.length === 0 && (whole ?? 0) > floor && `${name}: ${whole?.toFixed(2)} s (p95)`,
  ]
}
const missed = [
  schedules < 10_000 && `${schedules} schedules are fewer than 10,000`,
  sum('working') > 0 && `${sum('working')} sends while it worked`,
  sum('waiting') > 0 && `${sum('waiting')} sends into a dialog`,
  sum('double') > 0 && `${sum('double')} double sends`,
  sum('calledOff') > 0 && `${sum('calledOff')} sends after a stop or a pause`,
  sum('acted') < sum('idles') && `${sum('idles') - sum('acted')} true idles not acted upon`,
  ...['all sources', 'without hooks'].flatMap(name => [...slow(name, 500), ...slow(name, 3000)]),
].filter(text => text !== false)
if (missed.length > 0) process.stdout.write(`missed: ${missed.join(', ')}\n`)
const figures = Object.fromEntries(fields.map(field => [field, sum(field)]))
process.stdout.write(
  `${JSON.stringify({ bench: 'respawn', schedules, seed, variants: variants.length, ...figures, missed })}\n`,
)
process.exitCode = missed.length > 0 ? 1 : 0
