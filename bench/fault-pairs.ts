/**
 * `npm run bench:pairs`: two sources fail at once, each in every way, on the recorded sessions and on sessions
 * of several turns made of them. Exits 1 where work or a wait was called idle for longer than a second.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { corpusFolder, loadCorpus } from './corpus.ts'
import { faultPairs } from './faults.ts'
import { type LongFalseIdle, longestFalse, longFalseIdles } from './long-false-idles.ts'
import { severalTurns } from './several-turns.ts'
import { table } from './table.ts'

const workers = 2

type Part = { readonly found: readonly LongFalseIdle[]; readonly runs: number }

function inThread(nth: number): Promise<Part> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { nth } })
    worker.once('message', resolve).once('error', reject)
  })
}

function judged(nth: number): Part {
  const recordings = loadCorpus(corpusFolder)
  const all = [...recordings, ...severalTurns(recordings)]
  const faults = faultPairs().filter((_, n) => n % workers === nth)
  return { found: faults.flatMap(fault => longFalseIdles(all, fault)), runs: faults.length }
}

async function report(): Promise<void> {
  const parts = await Promise.all(Array.from({ length: workers }, (_, nth) => inThread(nth)))
  const found = parts.flatMap(part => part.found)
  const runs = parts.reduce((sum, part) => sum + part.runs, 0)
  const failed = new Set(found.map(idle => idle.fault))
  process.stdout.write(
    `${runs} pairs of faults: ${found.length} false idles of more than ${longestFalse} s in ${failed.size} of them\n`,
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
  process.exitCode = found.length === 0 ? 0 : 1
}

if (isMainThread) await report()
else parentPort?.postMessage(judged(workerData.nth))
