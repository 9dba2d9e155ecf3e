/** The eight commands of `lull demo --processes`, and what is true of each. All of them end by themselves in ten minutes. */

import { type ChildProcess, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Cause, Health } from '../core/state.ts'
import { attempt } from '../os/attempt.ts'
import { signalGroup, spawnGroup } from '../os/spawn/process-group.ts'

export type DemoCommand = {
  readonly name: string
  /** What is true of it. */
  readonly causes: readonly Cause[]
  readonly level: Health['level']
  start(place: DemoPlace): ChildProcess
}

type DemoPlace = {
  /** A folder of the demo's own. */
  readonly folder: string
  /** A server on the loopback that never answers. */
  readonly url: string
}

/** In a group of its own, so that one signal ends it with all that it started. */
const run = (program: string, ...words: readonly string[]): ChildProcess =>
  spawnGroup([program, ...words], { stdio: ['ignore', 'pipe', 'ignore'] })

const node = (script: string): ChildProcess => run(process.execPath, '-e', script)

export const demoCommands: readonly DemoCommand[] = [
  {
    name: 'computing',
    // Beside seven others on a busy machine it may hardly get to it.
    causes: ['computing', 'starved'],
    level: 'healthy',
    start: () => node('const end = Date.now() + 600000; while (Date.now() < end);'),
  },
  {
    name: 'slow http',
    causes: ['network'],
    // That an answer may come excuses a silence for a time: the demo's is over soon.
    level: 'suspicious',
    start: ({ url }) => node(`fetch(${JSON.stringify(url)}).catch(() => undefined)`),
  },
  { name: 'quiet sleep', causes: ['timer'], level: 'healthy', start: () => run('sleep', '600') },
  {
    name: 'cat, open stdin',
    causes: ['stdin'],
    level: 'confirmed_stuck',
    start: () => spawnGroup(['cat'], { stdio: ['pipe', 'pipe', 'ignore'] }),
  },
  {
    name: 'lock cycle',
    causes: ['deadlock', 'closed_wait'],
    level: 'confirmed_stuck',
    start: ({ folder }) => lockCycle(folder),
  },
  {
    name: 'stopped',
    causes: ['stopped'],
    level: 'likely_stuck',
    start() {
      const child = run('sleep', '600')
      child.kill('SIGSTOP')
      return child
    },
  },
  {
    name: 'spinner',
    causes: ['ticking'],
    level: 'suspicious',
    start: () =>
      node(
        `let n = 0; const end = Date.now() + 600000
         const timer = setInterval(() => {
           process.stdout.write('\\r' + '|/-\\\\'[n++ % 4] + ' working')
           if (Date.now() > end) clearInterval(timer)
         }, 100)`,
      ),
  },
  { name: 'finished', causes: ['exited'], level: 'healthy', start: () => run('echo', 'done') },
]

/** Two threads, each of which holds the lock that the other one waits for. */
const cycleInC = `
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused) {
  (void)unused;
  pthread_mutex_lock(&b); usleep(200000); pthread_mutex_lock(&a);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&a); usleep(200000); pthread_mutex_lock(&b);
  return 0;
}
`
const cycleInPython = `
import threading, time
a, b = threading.Lock(), threading.Lock()
def hold(first, second):
    with first:
        time.sleep(0.2)
        with second: pass
threading.Thread(target=hold, args=(a, b)).start()
hold(b, a)
`
const cycleInNode = `
const { Worker } = require('node:worker_threads')
const words = new Int32Array(new SharedArrayBuffer(8))
new Worker('Atomics.wait(require("node:worker_threads").workerData, 0, 0)', { eval: true, workerData: words })
setTimeout(() => Atomics.wait(words, 1, 0), 200)
`

const compiler = 'cc'

/** In C, in Python where no compiler is installed, and else in what runs this very program. */
function lockCycle(folder: string): ChildProcess {
  const program = path.join(folder, 'lock-cycle')
  const source = `${program}.c`
  const built = attempt(() => {
    writeFileSync(source, cycleInC)
    execFileSync(compiler, ['-pthread', '-o', program, source], { stdio: 'ignore', timeout: 10_000 })
    return true
  })
  if (built) return run(program)
  const hasPython = attempt(() => execFileSync('python3', ['--version'], { stdio: 'ignore' })) !== undefined
  return hasPython ? run('python3', '-c', cycleInPython) : node(cycleInNode)
}

/** Ends a command of the demo with all that it started. */
export function endDemoProgram({ pid, exitCode, signalCode, stdin, stdout }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) signalGroup(pid, 'SIGKILL')
  stdin?.destroy()
  stdout?.destroy()
}
