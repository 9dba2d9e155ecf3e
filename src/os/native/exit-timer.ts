/**
 * Ends this process at a time, whatever it is stuck in: a read from a disk that does not answer holds Node's main thread, and
 * one in its pool keeps Node from ending. So a thread of its own waits for that time, and calls _exit(2), which waits for nobody.
 * (`process.exit` ends that thread first and then waits for the pool: what may be stuck does not call it.)
 */
import { extname } from 'node:path'
import type { Worker } from 'node:worker_threads'

/** A message to the thread; the last one counts. */
export type DueEnd = {
  /** By the machine's monotonic clock, which all threads share: ns. */
  readonly at: bigint
  readonly code: number
  readonly sentence: string | undefined
}

/**
 * How far the thread has come with the native library. Node ends its threads when the process ends, and one that is just then
 * loading a native library takes the whole process down (SIGABRT): so the two tell each other, in one shared word.
 */
export const loading = { notBegun: 0, underWay: 1, over: 2, forbidden: 3 } as const

/** A library that loads for longer is on a disk that does not answer. */
const mostLoadingMs = 1000

let thread: Worker | undefined

/**
 * Ends this process after `ms`, unless it is called again before. Nothing ends it where koffi does not load.
 * @param sentence for standard error, right before the end
 */
export function exitAfter(ms: number, code: number, sentence?: string): void {
  thread ??= startThread()
  const end: DueEnd = { at: process.hrtime.bigint() + BigInt(Math.round(ms * 1e6)), code, sentence }
  thread.postMessage(end)
}

function startThread(): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  // In the package it is compiled, as this file is.
  const started = new Worker(new URL(`./exit-timer-thread${extname(import.meta.url)}`, import.meta.url), {
    execArgv: [],
    stdin: false,
    workerData: state,
  })
  process.once('exit', () => {
    const before = Atomics.compareExchange(state, 0, loading.notBegun, loading.forbidden)
    if (before === loading.underWay) Atomics.wait(state, 0, loading.underWay, mostLoadingMs)
  })
  // A machine that has no room for a thread does without; nobody is kept waiting for its end.
  started.on('error', () => {})
  started.unref()
  return started
}
