/** Ends a process with a main thread that hangs, and prints its last step, which that thread can't do itself. */
import { writeSync } from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/** The command that repeats a run is shorter. */
const mostText = 512
const patienceMs = 20_000

const sharedOf = (buffer: SharedArrayBuffer) => ({
  steps: new Int32Array(buffer, 0, 1),
  text: new Uint8Array(buffer, 4, mostText),
})

/** @returns reports the start of a step, with the command that repeats it */
export function startWatchdog(): (again: string) => void {
  const buffer = new SharedArrayBuffer(4 + mostText)
  const { steps, text } = sharedOf(buffer)
  new Worker(new URL(import.meta.url), { workerData: buffer }).unref()
  return again => {
    text.fill(0).set(Buffer.from(again).subarray(0, mostText))
    Atomics.add(steps, 0, 1)
  }
}

if (!isMainThread) {
  const { steps, text } = sharedOf(workerData as SharedArrayBuffer)
  let last = -1
  setInterval(() => {
    const now = Atomics.load(steps, 0)
    if (now === last && now > 0) {
      writeSync(
        1,
        `✗ no end in ${patienceMs / 1000} s\nagain: ${Buffer.from(text).toString().replaceAll('\0', '')}\n`,
      )
      process.kill(process.pid, 'SIGKILL')
    }
    last = now
  }, patienceMs)
}
