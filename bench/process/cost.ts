/** What a look at a quiescent tree costs, in processor time, beside the packages that people use for it. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { CostResult } from './cost-one.ts'
import type { Programs } from './programs.ts'
import { kill } from './subject.ts'
import { treeOf } from './tree.ts'

const run = promisify(execFile)

const sizes = [1, 10, 100, 1000] as const
export const methods = ['lull', 'pidusage', 'systeminformation'] as const

export type Cost = { readonly size: number; readonly by: Readonly<Record<string, CostResult>> }

export async function measureCosts(programs: Programs): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const size of sizes) {
    const [command = '', ...rest] = programs.resolve(['tree.c', String(size)], {})
    const child = spawn(command, rest, { stdio: 'ignore', detached: true })
    await once(child, 'spawn')
    const pid = child.pid as number
    try {
      const end = performance.now() + 10_000
      while (treeOf(pid).length < size && performance.now() < end) await sleep(50)
      await sleep(300)
      const by: Record<string, CostResult> = {}
      for (const method of methods) {
        const one = path.join(import.meta.dirname, 'cost-one.ts')
        const { stdout } = await run(process.execPath, [one, method, String(pid)], { timeout: 120_000 })
        by[method] = JSON.parse(stdout) as CostResult
      }
      costs.push({ size, by })
    } finally {
      for (const one of treeOf(pid).reverse()) kill(one)
    }
  }
  return costs
}
