/** The thread that waits beside a process which may be stuck; it shares nothing with it but its end. */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { attempt } from '../attempt.ts'
import { bindC } from './c-library.ts'
import { type DueEnd, loading } from './exit-timer.ts'

const state: Int32Array<SharedArrayBuffer> = workerData
const endProcess = loadEnd()
let timer: NodeJS.Timeout | undefined

parentPort?.on('message', ({ at, code, sentence }: DueEnd) => {
  clearTimeout(timer)
  // Of a time that is over already Node would say on standard error that it is negative.
  const left = Math.max(0, Number(at - process.hrtime.bigint()) / 1e6)
  timer = setTimeout(() => {
    if (sentence !== undefined) attempt(() => writeSync(2, `${sentence}\n`))
    endProcess?.(code)
  }, left)
})

/** undefined where the process is at its end already. */
function loadEnd(): ((code: number) => void) | undefined {
  if (Atomics.compareExchange(state, 0, loading.notBegun, loading.underWay) !== loading.notBegun)
    return undefined
  try {
    return bindC<(code: number) => void>('void _exit(int)')
  } finally {
    Atomics.store(state, 0, loading.over)
    Atomics.notify(state, 0)
  }
}
