/** How long a tree has been blocked when `lull run` says that it is certain: from its last time slice to the verdict. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { RunVerdict } from '../../src/run/step/run-verdict.ts'
import type { Programs } from './programs.ts'
import { kill } from './subject.ts'
import { treeOf } from './tree.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

export const blockingDwell = 2000
const rounds = 28
const abreast = 4
const longest = 20_000

/** ms of each round; `undefined` where it was never certain. */
export async function timeToCertain(programs: Programs): Promise<(number | undefined)[]> {
  const took: (number | undefined)[] = []
  let round = 0
  const lane = async () => {
    while (round < rounds) took.push(await blockOnce(programs, ++round))
  }
  await Promise.all(Array.from({ length: abreast }, lane))
  return took
}

/** Node's high resolution time is the kernel's monotonic clock, as the program's own is. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6

async function blockOnce(programs: Programs, round: number): Promise<number | undefined> {
  // Blocks at another phase of the watch each time.
  const busy = 1500 + ((round * 137) % 1000)
  const command = programs.resolve(['block.c', String(busy)], {})
  const words = [bin, 'run', '--stdin', 'open', '--dwell', `${blockingDwell}ms`, '--json', '--', ...command]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let blocked: number | undefined
  let certain: number | undefined
  createInterface({ input: child.stdout }).on('line', line => {
    blocked = Number(BigInt(line)) / 1e6
  })
  const isCertain = new Promise<void>(resolve => {
    createInterface({ input: child.stderr }).on('line', line => {
      const { health } = JSON.parse(line) as RunVerdict
      if (health?.level !== 'confirmed_stuck' || health.certainty !== 'certain') return
      certain ??= now()
      resolve()
    })
  })
  let timer: NodeJS.Timeout | undefined
  try {
    await Promise.race([
      isCertain,
      new Promise(resolve => {
        timer = setTimeout(resolve, longest)
      }),
    ])
    return certain === undefined || blocked === undefined ? undefined : certain - blocked
  } finally {
    clearTimeout(timer)
    for (const pid of treeOf(child.pid as number).reverse()) kill(pid)
  }
}
