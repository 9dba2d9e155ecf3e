/** The random schedules of `bench:respawn`: the same ones for the same seed. */
import type { Recording } from '../corpus.ts'
import { delayed, sourceFaults } from '../faults.ts'
import { type Apply, unchanged } from '../judgements.ts'
import type { Schedule } from './schedule.ts'

/** Sources that fail. */
export type Variant = { readonly name: string; readonly apply: Apply }

const faulty = (name: string): Apply => sourceFaults.find(fault => fault.name === name)?.apply ?? unchanged
export const clean: Variant = { name: 'all sources', apply: unchanged }
export const variants: readonly Variant[] = [
  clean,
  { name: 'without hooks', apply: faulty('hook dropped') },
  ...[700, 2000, 3000, 5000].map(ms => ({
    name: `hooks late ${ms / 1000} s`,
    apply: delayed('hook', ms).apply,
  })),
  { name: 'hooks twice', apply: faulty('hook doubled') },
  { name: 'hooks twice, a second apart', apply: faulty('hook doubled after 1 s') },
  { name: 'transcript frozen at a third', apply: faulty('transcript frozen at a third') },
  { name: 'transcript dropped', apply: faulty('transcript dropped') },
  {
    name: 'terminal alone',
    apply: events => events.filter(({ code }) => code !== 'h' && code !== 't' && code !== 'f'),
  },
]

export type RandomRun = {
  readonly recording: Recording
  readonly variant: Variant
  readonly schedule: Schedule
  /** A person pauses, resumes, skips or stops it. */
  readonly isSteered: boolean
}

/** xorshift */
function random(from: number): () => number {
  let state = from || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

export function* randomRuns(
  recordings: readonly Recording[],
  count: number,
  seed: number,
): Iterable<RandomRun> {
  const next = random(seed * 7919)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T
  for (let run = 0; run < count; run++) {
    const recording = pick(recordings)
    const variant = pick(variants)
    const end = recording.seconds * 1000
    const settled = pick([500, 3000] as const)
    const from = next() < 0.5 ? 0 : Math.floor((next() * end) / 2)
    const isSteered = next() < 0.5
    const words = isSteered
      ? Array.from({ length: 1 + Math.floor(next() * 4) }, () => ({
          at: Math.floor(from + next() * (end - from)),
          what: pick(['pause', 'resume', 'resume', 'skip', 'stop'] as const),
        })).sort((a, b) => a.at - b.at)
      : []
    const typing = Array.from({ length: 5 }, () => Math.floor(20 + next() ** 3 * 2000))
    yield { recording, variant, isSteered, schedule: { settled, from, typing, words } }
  }
}
