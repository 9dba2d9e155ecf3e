/**
 * `npm run bench:pairs`: two sources fail at once, each in every way, on the recorded sessions and on sessions
 * of several turns made of them. Exits 1 where work or a wait was called idle for longer than a second, or where the
 * confidences are too far off (Brier score). They were fitted on the recordings with single faults.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { addRun, type Calibration, newCalibration } from './calibration.ts'
import { corpusFolder, loadCorpus, type Recording } from './corpus.ts'
import { type Fault, faultPairs, sourceFaults } from './faults.ts'
import { type LongFalseIdle, longestFalse, longFalseIdles } from './long-false-idles.ts'
import { severalTurns } from './several-turns.ts'
import { table } from './table.ts'

const workers = 2

const worstBrier = 0.012

/** Sets that the confidences were not fitted on, and whether a floor holds there. */
const sets = {
  turns: { what: 'one source fails, several turns', hasFloor: true },
  pairs: { what: 'two fail, one turn', hasFloor: true },
  pairsOfTurns: { what: 'two fail, several turns', hasFloor: false },
} as const
type SetName = keyof typeof sets

type Part = {
  readonly found: readonly LongFalseIdle[]
  readonly runs: number
  readonly calibrations: Readonly<Record<SetName, Calibration>>
}

function inThread(nth: number): Promise<Part> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { nth } })
    worker.once('message', resolve).once('error', reject)
  })
}

function judged(nth: number): Part {
  const recordings = loadCorpus(corpusFolder)
  const several = severalTurns(recordings)
  const ofThread = (all: readonly Fault[]) => all.filter((_, n) => n % workers === nth)
  const calibrations = { turns: newCalibration(), pairs: newCalibration(), pairsOfTurns: newCalibration() }
  const into = (name: SetName, all: readonly Recording[], fault: Fault) =>
    longFalseIdles(all, fault, (recording, said) => addRun(calibrations[name], recording, said))
  for (const fault of ofThread(sourceFaults)) into('turns', several, fault)
  const faults = ofThread(faultPairs())
  const found = faults.flatMap(fault => [
    ...into('pairs', recordings, fault),
    ...into('pairsOfTurns', several, fault),
  ])
  return { found, runs: faults.length, calibrations }
}

async function report(): Promise<void> {
  const parts = await Promise.all(Array.from({ length: workers }, (_, nth) => inThread(nth)))
  const found = parts.flatMap(part => part.found)
  const runs = parts.reduce((sum, part) => sum + part.runs, 0)
  const briers = (Object.keys(sets) as SetName[]).map(name => {
    const sum = (field: 'brier' | 'ticks') =>
      parts.reduce((total, { calibrations }) => total + calibrations[name][field], 0)
    return { ...sets[name], brier: sum('brier') / sum('ticks') }
  })
  const failed = new Set(found.map(idle => idle.fault))
  process.stdout.write(
    `${runs} pairs of faults: ${found.length} false idles of more than ${longestFalse} s in ${failed.size} of them\n` +
      briers
        .map(
          ({ what, brier, hasFloor }) =>
            `Brier score, ${what}: ${brier.toFixed(4)}${hasFloor ? ` (at most ${worstBrier})` : ''}\n`,
        )
        .join(''),
  )
  const rows = found.map(({ fault, trace, from, to, truth }) => [
    fault,
    trace,
    from.toFixed(1),
    to.toFixed(1),
    truth,
  ])
  if (found.length > 0)
    process.stdout.write(`\n${table(['faults', 'session', 'from s', 'to s', 'truth'], rows)}\n`)
  const isCalibrated = briers.every(({ brier, hasFloor }) => !hasFloor || brier <= worstBrier)
  process.exitCode = found.length === 0 && isCalibrated ? 0 : 1
}

if (isMainThread) await report()
else parentPort?.postMessage(judged(workerData.nth))
