/** What was true decides of each step that was sent, and of each idleness, whether it was right. */
import { usualTimers } from '../../src/respawn/plan/plan.ts'
import type { Recording } from '../corpus.ts'
import { truthAt } from '../truth.ts'
import { clean, type Variant } from './random-schedules.ts'
import { type Report, reportedAfter, reportsOf } from './reports.ts'
import type { Send } from './schedule.ts'
import { type Seen, timeline } from './timelines.ts'

/** s, p95 from the true idleness to the step. */
export const floors = { 3000: 4, 500: 1 } as const
export type Settled = keyof typeof floors

export type Counts = {
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
  /** s from the true idleness to the step, and where its first report left time for the floor. */
  readonly late: number[]
  readonly lateInTime: number[]
  /** Ends of which the first report came too late for the floor, and how much later the step came than it, s. */
  readonly toldLate: Map<string, { readonly after: number; times: number }>
  readonly afterReport: number[]
}
export const newCounts = (): Counts => ({
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
  lateInTime: [],
  toldLate: new Map(),
  afterReport: [],
})

/** Idlenesses that are long enough to be acted upon by the weakest evidence: s */
const longestHold = 10 + 3

const cached = <T>(make: (recording: Recording, variant: Variant) => T) => {
  const known = new Map<string, T>()
  return (recording: Recording, variant: Variant): T => {
    const key = `${recording.name} ${variant.name}`
    const found = known.get(key) ?? make(recording, variant)
    known.set(key, found)
    return found
  }
}
export const timelineOf = cached<readonly Seen[]>((recording, { apply }) => timeline(recording, apply))
const reports = cached<readonly Report[]>((recording, { apply }) => reportsOf(recording, apply))

/** Who presses Enter may have begun something: from then on it is confirmed anew. ms */
const lastEnter = ({ events }: Recording, before: number): number =>
  events.findLast(({ code, data, at }) => code === 'i' && data.includes('\r') && at < before)?.at ?? 0

/** By design: what failed is tried again later, a limit is waited for; and what nobody tells needs a judge. */
function whyNot(
  recording: Recording,
  seen: readonly Seen[],
  { from, to }: { readonly from: number; readonly to: number },
  isActed: boolean,
): 'parked' | 'untold' | undefined {
  const ends = timelineOf(recording, clean).filter(({ at }) => at >= (from - 1) * 1000 && at < to * 1000)
  if (ends.some(({ seen: { after } }) => after === 'error' || after === 'limit')) return 'parked'
  const isTold = seen.some(
    ({ at, seen: { is, by } }, n) =>
      is === 'idle' &&
      by !== 'doubtful' &&
      Math.min((seen[n + 1]?.at ?? Infinity) / 1000, to) - Math.max(at / 1000, from) >= longestHold,
  )
  return isTold || isActed ? undefined : 'untold'
}

export type Played = {
  readonly recording: Recording
  readonly variant: Variant
  readonly settled: Settled
  readonly sends: readonly Send[]
  /** ms: what a person stops or passes over is not acted upon. */
  readonly from: number
  readonly until: number
  /** Of ours; another controller is excused by nothing. */
  readonly seen?: readonly Seen[]
}

/** @returns what was wrong, as sentences */
export function count(to: Counts, played: Played): readonly string[] {
  const { recording } = played
  const wrong = played.sends.flatMap(send => countSend(to, recording, send))
  for (const [n, episode] of recording.episodes.entries())
    if (episode.state === 'idle')
      wrong.push(...countIdle(to, played, episode, recording.episodes[n - 1]?.state))
  return wrong
}

function countSend(to: Counts, recording: Recording, { at, isCalledOff }: Send): readonly string[] {
  const truth = truthAt(recording, at / 1000)
  to.sends++
  if (truth?.state === 'working') to.working++
  if (truth?.state === 'waiting') to.waiting++
  if (isCalledOff) to.calledOff++
  if (truth?.state !== 'working' && truth?.state !== 'waiting' && !isCalledOff) return []
  return [
    `${recording.name} at ${(at / 1000).toFixed(1)} s: ${truth?.label}${isCalledOff ? ', called off' : ''}`,
  ]
}

function countIdle(
  to: Counts,
  played: Played,
  episode: Recording['episodes'][number],
  before: string | undefined,
): readonly string[] {
  const { recording, seen, sends } = played
  const wrong: string[] = []
  const inside = sends.filter(({ at }) => at >= episode.from * 1000 && at < episode.to * 1000)
  // A recording does not answer what is sent; its own next prompt stands for that. After 30 s without one the next step is due.
  const doubled = inside.filter(({ at }, n) => at < (inside[n - 1]?.at ?? -Infinity) + usualTimers.begin)
  if (doubled.length > 0) {
    to.double += doubled.length
    wrong.push(`${recording.name}: ${inside.length} sends into the idleness from ${episode.from} s`)
  }
  const isWhole = episode.from * 1000 > played.from && episode.to * 1000 < played.until && episode.from > 0
  if (!isWhole) return wrong
  const [first] = inside
  const why = seen && whyNot(recording, seen, episode, first !== undefined)
  if (first && why === undefined && before !== 'starting') countDelay(to, played, episode, first)
  if (episode.to - episode.from < longestHold) return wrong
  if (why) to[why]++
  else {
    to.idles++
    if (first) to.acted++
    else wrong.push(`${recording.name}: the idleness from ${episode.from} s is not acted upon`)
  }
  return wrong
}

function countDelay(
  to: Counts,
  { recording, variant, settled }: Played,
  { from, to: end }: Recording['episodes'][number],
  { decided }: Send,
): void {
  const enter = lastEnter(recording, decided) / 1000
  const late = decided / 1000 - Math.max(from, enter)
  to.late.push(late)
  const after = enter > from ? 0 : reportedAfter(reports(recording, variant), from, end)
  if (after <= floors[settled] - settled / 1000) {
    to.lateInTime.push(late)
    return
  }
  const name = `${recording.name} from ${from} s`
  const known = to.toldLate.get(name) ?? { after, times: 0 }
  known.times++
  to.toldLate.set(name, known)
  if (Number.isFinite(after)) to.afterReport.push(late - after)
}
