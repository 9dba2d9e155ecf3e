/** Watches a command that runs: samples of its processes and what it prints in, verdicts out. */
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import type { Instant } from '../core/state.ts'
import { diagnose } from '../process/closure/diagnose.ts'
import { reap } from '../process/reaper.ts'
import { watchTree } from '../process/sampler.ts'
import type { Sample } from '../process/sampler-step.ts'
import { systemReader } from '../process/system-reader.ts'
import type { Out } from './child/outputs.ts'
import type { Stdin } from './child/piped-child.ts'
import { createTally, type RunTally } from './run-summary.ts'
import { type HealthState, newHealth, stepHealth } from './step/health-step.ts'
import type { Preset } from './step/presets.ts'
import { createProgressDetector } from './step/progress.ts'
import type { RunVerdict } from './step/run-verdict.ts'

export type WatchOptions = {
  readonly clock: Clock
  /** When the command was started. */
  readonly begun: Instant
  readonly preset: Preset
  /** ms. */
  readonly dwell: number
  readonly stdin: Stdin | 'keys'
  /** False where its output goes where it can't be read: then silence means nothing. */
  readonly seesOutput: boolean
  /** Lull is a sub-reaper, and these children are its own. */
  readonly adopts?: { readonly isOwn: (pid: number) => boolean }
  /** Called before each sample: output that has to be fetched. */
  readonly fetch: () => void
  /** A fault of lull's own: it comes once, and nothing is judged any more. Thrown where nobody listens. */
  readonly onFault?: (error: Error) => void
  /** Its first process is no more. */
  readonly onGone?: () => void
  /** With each sample. `isNews`: its health, or the cause of it, is not what it was. */
  readonly onVerdict: (verdict: RunVerdict, isNews: boolean) => void
}

export type Watch = {
  receive(out: Out, piece: Uint8Array): void
  /** Judged now, on a look at every thread. None where the command has ended. */
  judge(): RunVerdict | undefined
  /** The last one. */
  last(): RunVerdict | undefined
  readonly tally: RunTally
  /** Why nothing can be seen of its processes on this machine. */
  readonly unsupported?: string
  close(): void
}

export function watchRun(pid: number, options: WatchOptions): Watch {
  const { clock, begun, preset, dwell, stdin, seesOutput, adopts, fetch, onFault, onGone, onVerdict } =
    options
  const reader = systemReader(adopts ? { adopts } : {})
  const progress = { 1: createProgressDetector(), 2: createProgressDetector() }
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
        if (sample.isGone) onGone?.()
      } catch (error) {
        sampler.close()
        if (!onFault) throw error
        onFault(error as Error)
      }
    },
  })

  function take(sample: Sample): RunVerdict | undefined {
    if (sample.isGone) return undefined
    const diagnosis =
      sample.pair && diagnose(sample.pair, { owesInput: stdin === 'keys' || stdin === 'inherit' })
    const { state: next, verdict } = stepHealth(
      state,
      defined({
        sample,
        lastOutput: seesOutput ? lastOutput : sample.lastMoved,
        diagnosis,
        isStdinOpen: stdin === 'inherit' ? undefined : stdin !== 'null',
      }),
      preset,
      dwell,
    )
    state = next
    tally.add(verdict, sample.moved)
    const isNews = last === undefined || !isSame(last, verdict)
    last = verdict
    onVerdict(verdict, isNews)
    return verdict
  }

  return {
    receive(out, piece) {
      const now = clock.now()
      if (!progress[out].detect(piece, now)) return
      lastOutput = now
      sampler.progress(now)
    },
    judge: () => take(sampler.sample()),
    last: () => last,
    tally,
    ...defined({ unsupported: reader.unsupportedReason }),
    close: () => sampler.close(),
  }
}

const isSame = (a: RunVerdict, b: RunVerdict): boolean =>
  a.health.level === b.health.level &&
  a.health.cause === b.health.cause &&
  a.health.certainty === b.health.certainty &&
  a.fallback === b.fallback &&
  (a.silentFor === undefined) === (b.silentFor === undefined)
