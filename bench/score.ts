/** Scores predictions against the truth of recordings: how much of the time they are right, and how late. */
import { type Episode, isStartUpDialog, type Recording } from './corpus.ts'
import { briefest, instantOf, isUnsure, type Prediction } from './truth.ts'

type Seconds = number | 'never'

type Latency = {
  /** Changes that no prediction followed. */
  readonly never: number
  /** s; nothing where each change was said ahead of time. */
  readonly p50: Seconds | undefined
  readonly p95: Seconds | undefined
}

type Change = 'working->idle' | 'working->waiting' | 'idle->working'

/** Shares are rounded to four digits, seconds to three. */
export type Score = {
  readonly accuracy: number
  readonly unknownShare: number
  /** Stretches of at least 0.1 s called idle that were labelled as work or waiting. */
  readonly falseIdleEpisodes: number
  readonly waits: number
  readonly missedWaits: number
  /** Of the time rightly called waiting, how much names the right kind; nothing where none was. */
  readonly forAccuracy: number | undefined
  /** Changes of what is said while the truth stays, without the first that gets it right. */
  readonly flaps: number
  readonly latency: Readonly<Partial<Record<Change, Latency>>>
}

/** @param predictions those of each recording, in its place */
export function score(
  recordings: readonly Recording[],
  predictions: readonly (readonly Prediction[])[],
): { overall: Score; agents: Record<string, Score> } {
  const overall = newTally()
  const agents: Record<string, Tally> = {}
  for (const [n, recording] of recordings.entries()) {
    const agent = recording.name.split('/')[0] as string
    agents[agent] ??= newTally()
    for (const tally of [overall, agents[agent]]) count(tally, recording, claimsOf(predictions[n] ?? []))
  }
  return {
    overall: summary(overall),
    agents: Object.fromEntries(Object.entries(agents).map(([agent, tally]) => [agent, summary(tally)])),
  }
}

type Tally = {
  ticks: number
  right: number
  unknown: number
  falseIdleEpisodes: number
  waits: number
  missedWaits: number
  waitingTicks: number
  rightKind: number
  flaps: number
  /** s of each change that was not said ahead of time; Infinity where it was never said. */
  readonly latencies: Map<string, number[]>
}

const newTally = (): Tally => ({
  ticks: 0,
  right: 0,
  unknown: 0,
  falseIdleEpisodes: 0,
  waits: 0,
  missedWaits: 0,
  waitingTicks: 0,
  rightKind: 0,
  flaps: 0,
  latencies: new Map(),
})

/** `isRefined`: only the kind of waiting has changed. */
type Claim = {
  readonly t: number
  readonly state: string
  readonly for: string | undefined
  readonly isRefined: boolean
}

function claimsOf(predictions: readonly Prediction[]): Claim[] {
  const claims: Claim[] = []
  for (const { t, state } of predictions) {
    const kind = state.kind === 'waiting' ? state.for : undefined
    const last = claims.at(-1)
    const isRefined = last?.state === state.kind
    if (!isRefined || last.for !== kind) claims.push({ t, state: state.kind, for: kind, isRefined })
  }
  return claims
}

function count(tally: Tally, recording: Recording, claims: readonly Claim[]): void {
  countTime(tally, recording, claims)
  const { episodes } = recording
  for (const [n, episode] of episodes.entries()) {
    countFlaps(tally, recording, claims, episode)
    const before = episodes[n - 1]
    if (before) countLatency(tally, claims, before, episode)
  }
}

function countTime(tally: Tally, recording: Recording, claims: readonly Claim[]): void {
  const waits = new Set<Episode>()
  const seen = new Set<Episode>()
  let isFalseIdle = false
  let at = 0
  for (let n = 0; instantOf(n) < recording.seconds; n++) {
    const t = instantOf(n)
    while (at < recording.episodes.length - 1 && t >= (recording.episodes[at] as Episode).to) at++
    const truth = recording.episodes[at] as Episode
    if (isUnsure(recording, t) || t < truth.from + truth.grace) continue
    const said = claimAt(claims, t)
    const state = said?.state ?? 'unknown'
    tally.ticks++
    if (state === truth.state) tally.right++
    if (state === 'unknown') tally.unknown++
    if (truth.state === 'waiting') {
      waits.add(truth)
      if (state === 'waiting') {
        seen.add(truth)
        tally.waitingTicks++
        if (said?.for === truth.for) tally.rightKind++
      }
    }
    const wasFalseIdle = isFalseIdle
    isFalseIdle = state === 'idle' && (truth.state === 'working' || truth.state === 'waiting')
    if (isFalseIdle && !wasFalseIdle) tally.falseIdleEpisodes++
  }
  tally.waits += waits.size
  tally.missedWaits += waits.size - seen.size
}

/** What is said this long before it is true was not said because of the change. s */
const tooEarly = 0.5

function countLatency(tally: Tally, claims: readonly Claim[], before: Episode, episode: Episode): void {
  if (episode.to - episode.from < briefest || isStartUpDialog(episode)) return
  const isSaid = (t: number) => claimAt(claims, t)?.state === episode.state
  if (isSaid(episode.from) && isSaid(episode.from - tooEarly)) return
  const first = isSaid(episode.from)
    ? episode.from
    : claims.find(c => c.t >= episode.from && c.t < episode.to && c.state === episode.state)?.t
  const change = `${before.state}->${episode.state}`
  const latencies = tally.latencies.get(change) ?? []
  tally.latencies.set(change, latencies)
  latencies.push((first ?? Infinity) - episode.from)
}

function countFlaps(tally: Tally, recording: Recording, claims: readonly Claim[], episode: Episode): void {
  let state = claimAt(claims, episode.from)?.state
  let wasRight = state === episode.state
  for (const claim of claims) {
    if (claim.t <= episode.from || claim.t >= episode.to || claim.isRefined || claim.state === state) continue
    state = claim.state
    if (!wasRight && state === episode.state) wasRight = true
    else if (!isUnsure(recording, claim.t) && claim.t >= episode.from + episode.grace) tally.flaps++
  }
}

const claimAt = (claims: readonly Claim[], t: number): Claim | undefined => claims.findLast(c => c.t <= t)

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

function summary(tally: Tally): Score {
  const share = (part: number, of: number) => rounded(part / of, 4)
  const latency = (change: Change): Latency | undefined => {
    const latencies = tally.latencies.get(change)?.sort((a, b) => a - b)
    if (!latencies) return undefined
    return {
      never: latencies.filter(s => s === Infinity).length,
      p50: quantile(latencies, 0.5),
      p95: quantile(latencies, 0.95),
    }
  }
  const changes = ['working->idle', 'working->waiting', 'idle->working'] as const
  return {
    accuracy: share(tally.right, tally.ticks),
    unknownShare: share(tally.unknown, tally.ticks),
    falseIdleEpisodes: tally.falseIdleEpisodes,
    waits: tally.waits,
    missedWaits: tally.missedWaits,
    forAccuracy: tally.waitingTicks > 0 ? share(tally.rightKind, tally.waitingTicks) : undefined,
    flaps: tally.flaps,
    latency: Object.fromEntries(changes.map(change => [change, latency(change)])),
  }
}

/** @param sorted not empty */
function quantile(sorted: readonly number[], share: number): Seconds {
  const value = sorted[Math.min(sorted.length, Math.ceil(share * sorted.length)) - 1] as number
  return value === Infinity ? 'never' : rounded(value, 3)
}
