/**
 * One scenario, looked at by a process of its own: it starts the command as `lull run` does, waits until it has settled,
 * and takes lull's cut and the baseline's readings of the same seconds. The job comes as JSON, and so goes the answer.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import type { Diagnosis } from '../../src/process/diagnosis.ts'
import { adoptOrphans } from '../../src/process/reaper.ts'
import type { Snapshot, SnapshotPair } from '../../src/process/snapshot.ts'
import { systemReader } from '../../src/process/system-reader.ts'
import { newMeter, type Reading } from './baseline.ts'
import { attachedSubject, type Subject, startSubject } from './subject.ts'
import { slicesOf } from './tree.ts'

type Look = {
  /** Scans the tree. */
  take(root: number): void
  /** From the first and the last scan; nothing where the tree was gone at either. */
  conclude(): { readonly diagnosis?: Diagnosis; readonly cut?: SnapshotPair }
}

/** @param drains whether the one who looks reads what the tree prints */
function newLook(drains: boolean): Look {
  const reader = systemReader({ adopts: { isOwn: () => false } })
  const scans: Snapshot[] = []
  return {
    take: root => {
      const scan = reader.snapshot(root, scans.length === 0 ? 'calls' : 'suspects')
      if (scan) scans.push(scan)
    },
    conclude: () => {
      const [before, after] = scans
      if (!before || !after) return {}
      const cut = { before, after }
      return { diagnosis: diagnose(cut, { drains }), cut }
    },
  }
}

export type Job = {
  readonly run: readonly string[]
  readonly attach?: number
  readonly pty: boolean
  readonly drained: boolean
  readonly cwd: string
  readonly moves: boolean
  readonly settle: number
  /** Readings for the baseline, 0.5 s apart; lull needs four. */
  readonly readings: number
  /** `{pid}` is the command's. */
  readonly afterwards?: readonly string[]
  readonly undo?: readonly string[]
}

export type Observation = {
  readonly diagnosis?: Diagnosis
  readonly cut?: SnapshotPair
  readonly readings: readonly Reading[]
  /** Seconds between two outputs while it was looked at; none where nothing was printed. */
  readonly printsEvery?: number
  /** CPU ms of both of lull's scans, and of its conclusion. */
  readonly costMs: number
  readonly error?: string
}

const interval = 500
/** The cut's two scans stand at these samples. */
const [first, second] = [2, 4]
const restMs = 400
const longestSettleMs = 12_000

async function observe(job: Job): Promise<Observation> {
  adoptOrphans()
  const look = newLook(job.drained)
  const subject = job.attach
    ? attachedSubject(job.attach)
    : startSubject(job.run, { pty: job.pty, drained: job.drained, cwd: job.cwd })
  try {
    await settle(subject, job)
    if (job.afterwards) runFor(job.afterwards, subject)
    await sleep(200)
    return await watch(subject, look, job.readings)
  } finally {
    if (job.undo) runFor(job.undo, subject)
    subject.end()
  }
}

async function settle({ pid }: Subject, { moves, settle: least }: Job): Promise<void> {
  await sleep(least)
  if (moves) return
  const end = performance.now() + longestSettleMs
  for (let slices = slicesOf(pid); performance.now() < end; ) {
    await sleep(restMs)
    const now = slicesOf(pid)
    if (now === slices) return
    slices = now
  }
}

async function watch(subject: Subject, look: Look, count: number): Promise<Observation> {
  const meter = newMeter(subject.pid)
  const readings: Reading[] = []
  const before = subject.printed().times
  const began = performance.now()
  let costMs = 0
  for (let i = 1; i <= count; i++) {
    await sleep(Math.max(0, began + i * interval - performance.now()))
    readings.push(meter())
    if (i !== first && i !== second) continue
    const cpu = process.cpuUsage()
    look.take(subject.pid)
    const { user, system } = process.cpuUsage(cpu)
    costMs += (user + system) / 1000
  }
  const prints = subject.printed().times - before
  return {
    ...look.conclude(),
    readings,
    costMs,
    ...(prints > 0 && { printsEvery: (count * interval) / 1000 / prints }),
  }
}

function runFor(words: readonly string[], { pid }: Subject): void {
  const [command = '', ...rest] = words.map(word => word.replace('{pid}', String(pid)))
  execFileSync(command, words.some(word => word.includes('{pid}')) ? rest : [...rest, String(pid)])
}

const answer = await observe(JSON.parse(process.argv[2] as string) as Job).catch(
  (error: Error): Observation => ({ readings: [], costMs: 0, error: error.message }),
)
process.stdout.write(JSON.stringify(answer), () => process.exit(0))
