/**
 * `npm run bench:screens`: what the screen alone tells of the recorded sessions, and what it adds to the other sources,
 * with each of these gone and with all of them dead from some moment on. Exits 1 where a floor is missed.
 */
import type { TraceEvent } from '../src/core/trace/trace.ts'
import { corpusFolder, loadCorpus, type Recording } from './corpus.ts'
import { type Fault, sourceFaults } from './faults.ts'
import { ours } from './judgements.ts'
import { isLook, withScreens } from './rendered.ts'
import { type Score, score } from './score.ts'
import { percent, seconds, table } from './table.ts'
import { type FalseIdle, falseIdles } from './truth.ts'

type Floor = {
  readonly right?: number
  readonly falseIdleShare: number
  readonly missedWaits?: number
  readonly kind?: number
}

type Case = {
  readonly name: string
  readonly keeps: (event: TraceEvent, recording: Recording) => boolean
  readonly floor: Floor
}

const none = { falseIdleShare: 0 }

/** A moment in the session that is the same in each run. */
const momentOf = ({ name, seconds: length }: Recording): number =>
  ([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1000, 7) / 1000) * length * 1000

const cases: readonly Case[] = [
  { name: 'all sources', keeps: () => true, floor: { ...none, right: 0.995 } },
  { name: 'no hooks', keeps: ({ code }) => code !== 'h', floor: { ...none, right: 0.985 } },
  {
    name: 'the screen alone',
    keeps: event => isLook(event) || event.code === 'x',
    floor: { right: 0.97, falseIdleShare: 0.01, missedWaits: 0, kind: 0.98 },
  },
  {
    name: 'the screen alone from a moment on',
    keeps: (event, recording) =>
      isLook(event) || !'htfo'.includes(event.code) || event.at < momentOf(recording),
    floor: none,
  },
]

const missed: string[] = []
const plain = loadCorpus(process.argv[2] ?? corpusFolder)
const recordings: Recording[] = []
for (const recording of plain) recordings.push(await withScreens(recording))

type Result = { readonly score: Score; readonly long: readonly FalseIdle[]; readonly share: number }

function judge(apply: (recording: Recording) => readonly TraceEvent[]): Result {
  const said = recordings.map(recording => ours({ ...recording, events: apply(recording) }, events => events))
  const idles = recordings.flatMap((recording, n) => falseIdles(recording, said[n] ?? []))
  const wrong = idles.reduce((sum, { from, to }) => sum + to - from, 0)
  const all = recordings.reduce((sum, recording) => sum + recording.seconds, 0)
  return {
    score: score(recordings, said).overall,
    long: idles.filter(idle => idle.to - idle.from > 1),
    share: wrong / all,
  }
}

const rowOf = (name: string, { score: s, long, share }: Result) => [
  name,
  percent(s.accuracy, 2),
  percent(s.unknownShare),
  percent(share, 2),
  long.length,
  `${s.missedWaits}/${s.waits}`,
  s.forAccuracy === undefined ? '-' : percent(s.forAccuracy),
  seconds(s.latency['working->idle']?.p95),
  seconds(s.latency['working->waiting']?.p95),
]
const head = [
  'sources',
  'right %',
  'unknown %',
  'false idle %',
  '> 1 s',
  'waits missed',
  'kind %',
  'to idle p95 s',
  'to waiting p95 s',
]

const results = cases.map(one => {
  const result = judge(recording => recording.events.filter(event => one.keeps(event, recording)))
  const { right = 0, falseIdleShare, missedWaits = Infinity, kind = 0 } = one.floor
  const wrongs = [
    result.score.accuracy < right && `${percent(result.score.accuracy, 2)} % right, asked ${percent(right)}`,
    result.share > falseIdleShare && `${percent(result.share, 2)} % of the time falsely idle`,
    result.score.missedWaits > missedWaits && `${result.score.missedWaits} waits missed`,
    (result.score.forAccuracy ?? 1) < kind &&
      `${percent(result.score.forAccuracy ?? 0)} % of the kinds right`,
  ].filter(wrong => wrong !== false)
  missed.push(...wrongs.map(wrong => `${one.name}: ${wrong}`))
  for (const idle of result.long) process.stdout.write(`${one.name}: ${JSON.stringify(idle)}\n`)
  return [one.name, result] as const
})
process.stdout.write(
  `\n## Sources\n\n${table(
    head,
    results.map(([name, result]) => rowOf(name, result)),
  )}\n`,
)

const faults = sourceFaults.map((fault: Fault) => {
  const result = judge(recording => withFault(recording, fault))
  if (result.long.length > 0) missed.push(`${fault.name}: ${result.long.length} false idles over 1 s`)
  for (const idle of result.long) process.stdout.write(`${fault.name}: ${JSON.stringify(idle)}\n`)
  return [fault.name, result] as const
})
process.stdout.write(
  `\n## One source fails, with screens\n\n${table(
    head,
    faults.map(([name, result]) => rowOf(name, result)),
  )}\n`,
)

/** The looks are no status file: they fail with nothing else. */
function withFault({ events, seconds: length }: Recording, { apply }: Fault): readonly TraceEvent[] {
  const others = apply(
    events.filter(event => !isLook(event)),
    length,
  )
  return [...others, ...events.filter(isLook)].sort((a, b) => a.at - b.at)
}

process.stdout.write(
  `\n${missed.length === 0 ? 'all floors met' : missed.map(one => `- missed: ${one}`).join('\n')}\n\n`,
)
const figures = Object.fromEntries(
  results.map(([name, { score: s, share, long }]) => [
    name,
    {
      right: s.accuracy,
      falseIdleShare: share,
      longFalseIdles: long.length,
      missedWaits: s.missedWaits,
      kind: s.forAccuracy,
    },
  ]),
)
process.stdout.write(
  `${JSON.stringify({ bench: 'screens', recordings: recordings.length, figures, missed })}\n`,
)
process.exitCode = missed.length === 0 ? 0 : 1
