/**
 * One healthy job under a supervisor of its own. Two judges look on: the real watch with its dwell, and one that makes a cut
 * of any two scans, however short apart, so that whatever the closure would wrongly call blocked is seen.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import { adoptOrphans } from '../../src/process/reaper.ts'
import type { Snapshot } from '../../src/process/snapshot.ts'
import { systemReader } from '../../src/process/system-reader.ts'
import { presets } from '../../src/run/step/presets.ts'
import { watchRun } from '../../src/run/watch-run.ts'
import { realClock } from '../../src/track/clock.ts'
import { isCalledStuck } from './levels.ts'
import { startSubject } from './subject.ts'

export type SoakJob = {
  readonly run: readonly string[]
  readonly cwd: string
  readonly ms: number
  /** ms between two scans. */
  readonly interval: number
}

export type SoakResult = {
  readonly samples: number
  /** Cuts that were proven blocked: each of them wrong. */
  readonly blocked: number
  /** Verdicts of the real watch, and those of them that called it likely or confirmed stuck. */
  readonly verdicts: number
  readonly likely: number
  readonly confirmed: number
  readonly causes: Readonly<Record<string, number>>
  readonly wrong: readonly string[]
}

async function soak({ run, cwd, ms, interval }: SoakJob): Promise<SoakResult> {
  adoptOrphans()
  let own = 0
  const adopts = { isOwn: (pid: number) => pid === own }
  const reader = systemReader({ adopts })
  const subject = startSubject(run, { pty: false, drained: true, cwd })
  own = subject.pid
  const causes: Record<string, number> = {}
  const wrong: string[] = []
  let samples = 0
  let blocked = 0
  let verdicts = 0
  let likely = 0
  let confirmed = 0
  const clock = realClock()
  const watch = watchRun(subject.pid, {
    clock,
    begun: clock.now(),
    preset: presets.aggressive,
    dwell: 2000,
    stdin: 'open',
    seesOutput: true,
    adopts,
    fetch: () => undefined,
    onVerdict: ({ health, reason }) => {
      verdicts++
      if (isCalledStuck(health)) likely++
      if (health.level === 'confirmed_stuck') {
        confirmed++
        wrong.push(reason)
      }
    },
  })
  const end = performance.now() + ms
  let before: Snapshot | undefined
  while (performance.now() < end) {
    await sleep(interval)
    const after = reader.snapshot(subject.pid, 'calls')
    if (!after) throw new Error(`${run.join(' ')} has ended`)
    if (before) {
      const diagnosis = diagnose({ before, after })
      samples++
      causes[diagnosis.cause] = (causes[diagnosis.cause] ?? 0) + 1
      if (diagnosis.isBlocked) {
        blocked++
        wrong.push(diagnosis.summary)
      }
    }
    before = after
  }
  watch.close()
  subject.end()
  return { samples, blocked, verdicts, likely, confirmed, causes, wrong: wrong.slice(0, 3) }
}

const result = await soak(JSON.parse(process.argv[2] as string) as SoakJob)
process.stdout.write(JSON.stringify(result), () => process.exit(0))
