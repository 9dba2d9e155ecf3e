/**
 * The rules in the order of docs/research/process.md#order: work before waits, waits that end before waits that do not.
 */

import type { ClosureView } from './closure-view.ts'
import type { ClosureFinding, ClosureRule } from './finding.ts'
import { closed, stdin } from './rules-closed.ts'
import {
  awaited,
  dead,
  network,
  output,
  outsider,
  progressing,
  resting,
  server,
  signal,
  silentPeer,
  ticking,
  timer,
  unexplained,
  unseen,
} from './rules-waiting.ts'
import { busy, exited, halted, ring, zombie } from './rules-working.ts'

const rules: readonly ClosureRule[] = [
  exited,
  zombie,
  ring,
  busy,
  halted,
  network,
  silentPeer,
  dead,
  outsider,
  output,
  unexplained,
  timer,
  server,
  awaited,
  progressing,
  ticking,
  resting,
  signal,
  unseen,
  stdin,
]

export function find(view: ClosureView): ClosureFinding {
  for (const rule of rules) {
    const found = rule(view)
    if (found) return found
  }
  return closed(view)
}
