// Waits of Node programs: `waits.js WAY`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'

switch (process.argv[2]) {
  case 'full': {
    // A child whose output nobody takes is waited for.
    const child = spawn('head', ['-c', '8M', '/dev/zero'], { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(child, 'close')
    break
  }
  case 'workers': {
    // Two workers and the main thread wait for a word of shared memory that nobody changes.
    if (isMainThread) for (let i = 0; i < 2; i++) new Worker(import.meta.filename, { argv: ['workers'] })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    break
  }
  case 'watch':
    watch(process.cwd(), () => {})
    break
  case 'timer':
    process.stdin.resume()
    setTimeout(() => process.exit(), 1_200_000)
}
