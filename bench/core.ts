/**
 * `npm run bench:core`: signals advanced and judged a second in one thread, and the memory of ten thousand sessions,
 * beside the cheapest rule there is. Exits 1 where a floor is missed.
 */

import { advance, startedSession } from '../src/core/advance.ts'
import type { Signal } from '../src/core/evidence/signal.ts'
import type { Session } from '../src/core/session.ts'
import type { Instant } from '../src/core/state.ts'
import { decode, newDecoder } from '../src/track/decode.ts'
import { fileAll, rechecks } from '../src/track/track.ts'
import { corpusFolder, loadCorpus, type Recording } from './corpus.ts'
import { table } from './table.ts'

const floors = { signalsPerSecond: 300_000, sessionsMegabytes: 40 }
const rounds = 7
const sessionCount = 10_000

/**
 * `instant`, not `at`: V8 gives `{ at, signals }` here and the like elsewhere one shape, and compiles the loop that reads it
 * again and again, which costs a sixth of the speed that is measured.
 */
type Step = { readonly instant: Instant; readonly signals: readonly Signal[] }

function stepsOf(recording: Recording): Step[] {
  const steps: Step[] = []
  let decoder = newDecoder(recording.agent, recording.startedAt)
  for (const event of recording.events) {
    const decoded = decode(decoder, event)
    decoder = decoded.decoder
    if (decoded.signals.length > 0) steps.push({ instant: event.at, signals: decoded.signals })
  }
  return steps
}

function ours(steps: readonly Step[]): Session {
  let session = startedSession(0)
  for (const { instant, signals } of steps) {
    for (const due of rechecks(() => session, instant)) session = advance(session, due)
    session = fileAll(session, instant, signals)
  }
  return session
}

/** The last hook wins: what a verdict without any rule costs. */
function rival(steps: readonly Step[]): string {
  let state = 'starting'
  for (const { signals } of steps) {
    for (const signal of signals)
      if (signal.type === 'news' && signal.source === 'hook') state = signal.state.kind
  }
  return state
}

function replayAll(recordings: readonly Recording[]): void {
  for (const recording of recordings) ours(stepsOf(recording))
}

function perSecond(count: number, run: () => void): number {
  const began = performance.now()
  run()
  return count / ((performance.now() - began) / 1000)
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const recordings = loadCorpus(corpusFolder)
const all = recordings.map(stepsOf)
const count = all.flat().reduce((sum, step) => sum + step.signals.length, 0)
const repeats = Math.ceil(200_000 / count)
const measured = { ours: [] as number[], rival: [] as number[] }
for (let round = 0; round < rounds; round++) {
  measured.ours.push(perSecond(count * repeats, () => repeat(ours)))
  measured.rival.push(perSecond(count * repeats, () => repeat(rival)))
}
function repeat(judge: (steps: readonly Step[]) => unknown): void {
  for (let n = 0; n < repeats; n++) for (const steps of all) judge(steps)
}

const { gc } = globalThis
if (!gc) throw new Error('run with --expose-gc')
/** Every session from signals of its own, as a live host would hold it. */
const busiest = recordings.filter(r => /mixedperm|agent|bash20|permission/.test(r.name))
gc()
const before = process.memoryUsage().heapUsed
const sessions: Session[] = []
for (let n = 0; n < sessionCount; n++) sessions.push(ours(stepsOf(busiest[n % busiest.length] as Recording)))
gc()
const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024

const ourSpeed = median(measured.ours)
const rivalSpeed = median(measured.rival)
const realSeconds = recordings.reduce((sum, r) => sum + r.seconds, 0)
const replaySpeed = median(
  Array.from({ length: 3 }, () => perSecond(realSeconds, () => replayAll(recordings))),
)
process.stdout.write(
  `${table(
    ['measure', 'lull', 'last hook wins', 'ratio', 'asked'],
    [
      [
        'signals advanced and judged a second',
        Math.round(ourSpeed),
        Math.round(rivalSpeed),
        (ourSpeed / rivalSpeed).toFixed(3),
        `≥ ${floors.signalsPerSecond}`,
      ],
      [
        `memory of ${sessions.length} sessions, MB`,
        megabytes.toFixed(0),
        '-',
        '-',
        `≤ ${floors.sessionsMegabytes}`,
      ],
      ['replay, times real time', Math.round(replaySpeed), '-', '-', '≥ 1000'],
    ],
  )}\n`,
)
const missed = [
  ...(ourSpeed < floors.signalsPerSecond ? ['signals a second'] : []),
  ...(megabytes > floors.sessionsMegabytes ? ['memory'] : []),
  ...(replaySpeed < 1000 ? ['replay speed'] : []),
]
process.stdout.write(
  `${JSON.stringify({ bench: 'core', signalsPerSecond: Math.round(ourSpeed), rivalSignalsPerSecond: Math.round(rivalSpeed), sessionsMegabytes: Math.round(megabytes), replayTimesRealTime: Math.round(replaySpeed), missed })}\n`,
)
process.exitCode = missed.length === 0 ? 0 : 1
