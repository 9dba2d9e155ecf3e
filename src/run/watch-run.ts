/** Watches a command that runs: samples of its processes and news of its output in, verdicts out. */
import type { Clock } from '../core/clock.ts'
import type { Instant } from '../core/state.ts'
import { diagnose } from '../process/closure/diagnose.ts'
import { reap } from '../process/reaper.ts'
import { watchTree } from '../process/sampler.ts'
import type { Sample } from '../process/sampler-step.ts'
import { systemReader } from '../process/system-reader.ts'
import type { Out } from './child/outputs.ts'
import type { Stdin } from './child/piped-child.ts'
import { createTally, type Tally } from './run-summary.ts'
import { type HealthState, newHealth, stepHealth } from './step/health-step.ts'
import type { Preset } from './step/presets.ts'
import { createNovelty } from './step/progress.ts'
import type { RunVerdict } from './step/run-verdict.ts'

export type WatchOptions = {
  readonly clock: Clock
  /** When the command was started. */
  readonly begun: Instant
  readonly preset: Preset
  /** ms. */
  readonly dwell: number
  readonly stdin: Stdin | 'keys'
  /** False where its output goes where it can't be heard: then silence means nothing. */
  readonly hears: boolean
  /** Lull is a sub-reaper, and these children are its own. */
  readonly adopts?: { readonly isOwn: (pid: number) => boolean }
  /** Called before each look: output that has to be fetched. */
  readonly fetch: () => void
  /** A fault of lull's own: it is told once, and nothing is judged any more. Thrown where nobody is told. */
  readonly failed?: (error: Error) => void
  /** With each sample. `isNews`: its health, or the cause of it, is not what it was. */
  readonly told: (verdict: RunVerdict, isNews: boolean) => void
}

export type Watch = {
  heard(out: Out, piece: Uint8Array): void
  /** Judged now, on a look at every thread. None where the command has ended. */
  look(): RunVerdict | undefined
  /** The last one. */
  last(): RunVerdict | undefined
  readonly tally: Tally
  /** Why nothing can be seen of its processes on this machine. */
  readonly lacks?: string
  close(): void
}

export function watchRun(pid: number, options: WatchOptions): Watch {
  const { clock, begun, preset, dwell, stdin, hears, adopts, fetch, failed, told } = options
  const reader = systemReader(adopts ? { adopts } : {})
  const novelties = { 1: createNovelty(), 2: createNovelty() }
  const tally = createTally(begun)
  let lastOutput: Instant = begun
  let state: HealthState = newHealth(begun)
  let last: RunVerdict | undefined

  const sampler = watchTree(pid, {
    clock,
    reader,
    onSample(sample) {
      try {
        fetch()
        if (adopts) reap(adopts.isOwn)
        take(sample)
      } catch (error) {
        sampler.close()
        if (!failed) throw error
        failed(error as Error)
      }
    },
  })

  function take(sample: Sample): RunVerdict | undefined {
    if (sample.isGone) return undefined
    const diagnosis =
      sample.pair && diagnose(sample.pair, { owesInput: stdin === 'keys' || stdin === 'inherit' })
    const { state: next, verdict } = stepHealth(
      state,
      {
        sample,
        lastOutput: hears ? lastOutput : sample.lastMoved,
        ...(diagnosis ? { diagnosis } : {}),
        ...(stdin === 'inherit' ? {} : { isStdinOpen: stdin !== 'null' }),
      },
      preset,
      dwell,
    )
    state = next
    tally.add(verdict, sample.moved)
    const isNews = last === undefined || !isSame(last, verdict)
    last = verdict
    told(verdict, isNews)
    return verdict
  }

  return {
    heard(out, piece) {
      const now = clock.now()
      if (!novelties[out].heard(piece, now)) return
      lastOutput = now
      sampler.progress(now)
    },
    look: () => take(sampler.look()),
    last: () => last,
    tally,
    ...(reader.lacks === undefined ? {} : { lacks: reader.lacks }),
    close: () => sampler.close(),
  }
}

const isSame = (a: RunVerdict, b: RunVerdict): boolean =>
  a.health.level === b.health.level &&
  a.health.cause === b.health.cause &&
  a.health.certainty === b.health.certainty &&
  a.fallback === b.fallback
