/**
 * `npm run bench:respawn [N]`: N random schedules (10,000) of respawn's step along the recorded sessions, clean and with sources
 * that fail; what was true decides whether a step that it sent was right. Beside it controllers by silence, by the last hook, and
 * docs/seeds.md#003's own. Exits 1 where a floor is missed.
 */

import { usualTimers } from '../src/respawn/plan/plan.ts'
import { corpusFolder, loadCorpus, type Recording } from './corpus.ts'
import { sourceFaults } from './faults.ts'
import { type Apply, unchanged } from './judgements.ts'
import { quantile } from './live/processes.ts'
import { play, type Schedule, type Send } from './respawn/schedule.ts'
import { type RivalName, rivalNames, rivalSends, type Seen, timeline } from './respawn/timelines.ts'
import { percent, table } from './table.ts'
import { truthAt } from './truth.ts'

const schedules = Number(process.argv[2] ?? 10_000)
const seed = Number(process.env.LULL_SEED ?? 1)
/** s, p95 from the true idleness to the step. */
const floors = { 3000: 4, 500: 1 } as const

const faulty = (name: string): Apply => sourceFaults.find(fault => fault.name === name)?.apply ?? unchanged
const variants: readonly { readonly name: string; readonly apply: Apply }[] = [
  { name: 'all sources', apply: unchanged },
  { name: 'without hooks', apply: faulty('hook dropped') },
  { name: 'hooks late 2 s', apply: faulty('hook late 2 s') },
  { name: 'transcript frozen at a third', apply: faulty('transcript frozen at a third') },
  { name: 'transcript dropped', apply: faulty('transcript dropped') },
  {
    name: 'terminal alone',
    apply: events => events.filter(({ code }) => code !== 'h' && code !== 't' && code !== 'f'),
  },
]

/** xorshift: the same schedules for the same seed. */
function random(from: number): () => number {
  let state = from || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const recordings = loadCorpus(corpusFolder)
const next = random(seed * 7919)
const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T

type Counts = {
  sends: number
  working: number
  waiting: number
  double: number
  calledOff: number
  idles: number
  acted: number
  /** Not acted upon: after an error or a limit; where no source tells of it. */
  parked: number
  untold: number
  readonly late: number[]
}
const counts = (): Counts => ({
  sends: 0,
  working: 0,
  waiting: 0,
  double: 0,
  calledOff: 0,
  idles: 0,
  acted: 0,
  parked: 0,
  untold: 0,
  late: [],
})

/** Idlenesses that are long enough to be acted upon by the weakest evidence: s */
const longestHold = 10 + 3

/** Who presses Enter may have begun something: from then on it is confirmed anew. ms */
const lastEnter = ({ events }: Recording, before: number): number =>
  events.findLast(({ code, data, at }) => code === 'i' && data.includes('\r') && at < before)?.at ?? 0

function whyNot(
  recording: Recording,
  seen: readonly Seen[] | undefined,
  { from, to }: { readonly from: number; readonly to: number },
  isActed: boolean,
): 'parked' | 'untold' | undefined {
  if (!seen) return undefined
  const ends = timelineOf(recording, variants[0] as (typeof variants)[number]).filter(
    ({ at }) => at >= (from - 1) * 1000 && at < to * 1000,
  )
  if (ends.some(({ seen: { after } }) => after === 'error' || after === 'limit')) return 'parked'
  const isTold = seen.some(
    ({ at, seen: { is, by } }, n) =>
      is === 'idle' &&
      by !== 'doubtful' &&
      Math.min((seen[n + 1]?.at ?? Infinity) / 1000, to) - Math.max(at / 1000, from) >= longestHold,
  )
  return isTold || isActed ? undefined : 'untold'
}

function add(
  to: Counts,
  recording: Recording,
  sends: readonly Send[],
  from: number,
  isStopped: number,
  seen?: readonly Seen[],
): readonly string[] {
  const wrong: string[] = []
  for (const { at, isCalledOff } of sends) {
    const truth = truthAt(recording, at / 1000)
    to.sends++
    if (truth?.state === 'working') to.working++
    if (truth?.state === 'waiting') to.waiting++
    if (isCalledOff) to.calledOff++
    if (truth?.state === 'working' || truth?.state === 'waiting' || isCalledOff)
      wrong.push(
        `${recording.name} at ${(at / 1000).toFixed(1)} s: ${truth?.label}${isCalledOff ? ', called off' : ''}`,
      )
  }
  for (const episode of recording.episodes) {
    if (episode.state !== 'idle') continue
    const inside = sends.filter(({ at }) => at >= episode.from * 1000 && at < episode.to * 1000)
    // A recording does not answer what is sent; its own next prompt stands for that. After 30 s without one the next step is due.
    const doubled = inside.filter(({ at }, n) => at < (inside[n - 1]?.at ?? -Infinity) + usualTimers.begin)
    if (doubled.length > 0) {
      to.double += doubled.length
      wrong.push(`${recording.name}: ${inside.length} sends into the idleness from ${episode.from} s`)
    }
    const isWhole = episode.from * 1000 > from && episode.to * 1000 < isStopped && episode.from > 0
    const [first] = inside
    if (!isWhole) continue
    const why = whyNot(recording, seen, episode, first !== undefined)
    const before = recording.episodes[recording.episodes.indexOf(episode) - 1]?.state
    if (first && why === undefined && before !== 'starting')
      to.late.push(
        (first.decided - Math.max(episode.from * 1000, lastEnter(recording, first.decided))) / 1000,
      )
    if (episode.to - episode.from < longestHold) continue
    // By design: what failed is tried again later, a limit is waited for; and what nobody tells needs a judge.
    if (why) to[why]++
    if (why) continue
    to.idles++
    if (first) to.acted++
    else wrong.push(`${recording.name}: the idleness from ${episode.from} s is not acted upon`)
  }
  return wrong
}

const timelines = new Map<string, readonly Seen[]>()
const timelineOf = (recording: Recording, variant: (typeof variants)[number]): readonly Seen[] => {
  const key = `${recording.name} ${variant.name}`
  const known = timelines.get(key) ?? timeline(recording, variant.apply)
  timelines.set(key, known)
  return known
}

const ours = new Map<string, Counts>()
const theirs = new Map<string, Counts>()
const of = (map: Map<string, Counts>, name: string): Counts => {
  const known = map.get(name) ?? counts()
  map.set(name, known)
  return known
}
const wrongs = new Map<string, number>()

for (let run = 0; run < schedules; run++) {
  const recording = pick(recordings)
  const variant = pick(variants)
  const end = recording.seconds * 1000
  const settled = pick([500, 3000])
  const from = next() < 0.5 ? 0 : Math.floor((next() * end) / 2)
  const isSteered = next() < 0.5
  const words = isSteered
    ? Array.from({ length: 1 + Math.floor(next() * 4) }, () => ({
        at: Math.floor(from + next() * (end - from)),
        what: pick(['pause', 'resume', 'resume', 'skip', 'stop'] as const),
      })).sort((a, b) => a.at - b.at)
    : []
  const typing = Array.from({ length: 5 }, () => Math.floor(20 + next() ** 3 * 2000))
  const schedule: Schedule = { settled, from, typing, words }
  const seen = timelineOf(recording, variant)
  const sends = play(
    entered => (entered.length === 0 ? seen : timeline(recording, variant.apply, entered)),
    schedule,
    end,
  )
  // What a person stops or passes over is not acted upon.
  const until = words[0]?.at ?? Infinity
  const name = `${variant.name}, ${settled / 1000} s`
  for (const wrong of add(of(ours, name), recording, sends, from, until, seen))
    wrongs.set(`${variant.name}: ${wrong}`, (wrongs.get(`${variant.name}: ${wrong}`) ?? 0) + 1)
  if (isSteered) continue
  for (const rival of rivalNames) {
    const times = rivalSends(recording, variant.apply, rival as RivalName, settled, from)
    const done = times.map((at, n) => ({ decided: at, at: at + (typing[n % 5] ?? 0), isCalledOff: false }))
    add(of(theirs, `${rival}, ${variant.name}`), recording, done, from, Infinity)
  }
}

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
  c.late.length === 0 ? '-' : `${quantile(c.late, 0.5).toFixed(2)} / ${quantile(c.late, 0.95).toFixed(2)}`,
]
const head = [
  'respawn',
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
const all = [...ours].sort(([a], [b]) => a.localeCompare(b))
process.stdout.write(
  `${table(
    head,
    all.map(([name, c]) => row(name, c)),
  )}\n\n`,
)
process.stdout.write(
  `${table(
    ['other controllers', ...head.slice(1)],
    [...theirs].sort(([a], [b]) => a.localeCompare(b)).map(([name, c]) => row(name, c)),
  )}\n\n`,
)
for (const [wrong, times] of [...wrongs].sort(([, a], [, b]) => b - a).slice(0, 20))
  process.stdout.write(`${times} × ${wrong}\n`)
const sum = (
  map: Map<string, Counts>,
  field: 'sends' | 'working' | 'waiting' | 'double' | 'calledOff' | 'idles' | 'acted',
) => [...map.values()].reduce((total, c) => total + c[field], 0)
const missed = [
  schedules < 10_000 && `${schedules} schedules are fewer than 10,000`,
  sum(ours, 'working') > 0 && `${sum(ours, 'working')} sends while it worked`,
  sum(ours, 'waiting') > 0 && `${sum(ours, 'waiting')} sends into a dialog`,
  sum(ours, 'double') > 0 && `${sum(ours, 'double')} double sends`,
  sum(ours, 'calledOff') > 0 && `${sum(ours, 'calledOff')} sends after a stop or a pause`,
  sum(ours, 'acted') < sum(ours, 'idles') &&
    `${sum(ours, 'idles') - sum(ours, 'acted')} true idles not acted upon`,
  ...(['all sources', 'without hooks'] as const).flatMap(name =>
    ([500, 3000] as const).map(settled => {
      const { late } = of(ours, `${name}, ${settled / 1000} s`)
      const p95 = quantile(late, 0.95)
      return p95 > floors[settled] && `${name}: a step ${p95.toFixed(2)} s after the true idleness (p95)`
    }),
  ),
].filter(text => text !== false)
if (missed.length > 0) process.stdout.write(`missed: ${missed.join(', ')}\n`)
const figures = Object.fromEntries(
  (['sends', 'working', 'waiting', 'double', 'calledOff', 'idles', 'acted'] as const).map(field => [
    field,
    sum(ours, field),
  ]),
)
process.stdout.write(`${JSON.stringify({ bench: 'respawn', schedules, seed, ...figures, missed })}\n`)
process.exitCode = missed.length > 0 ? 1 : 0
