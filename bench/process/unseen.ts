/** The second set of trees, by kind: none of them was known when the rules were written. */
import { healthyTrees } from './unseen-healthy.ts'
import { lockTrees } from './unseen-locks.ts'
import { pipeTrees } from './unseen-pipes.ts'
import { runtimeTrees } from './unseen-runtimes.ts'
import type { Unseen } from './unseen-scenario.ts'
import { wrapperTrees } from './unseen-wrappers.ts'

export const unseen: Readonly<Record<string, readonly Unseen[]>> = {
  'locks and queues': lockTrees,
  'pipes, children, halted': pipeTrees,
  'wrappers and terminals': wrapperTrees,
  runtimes: runtimeTrees,
  'healthy, quiet': healthyTrees,
}
