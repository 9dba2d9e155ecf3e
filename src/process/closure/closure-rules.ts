/**
 * The rules in the order of docs/research/process.md#order: work before waits, waits that end before waits that do not.
 */

import type { Finding, Rule } from './finding.ts'
import { closed, stdin } from './rules-closed.ts'
import {
  awaited,
  dead,
  gettingOn,
  network,
  output,
  outsider,
  resting,
  server,
  signal,
  silent,
  ticking,
  timer,
  unexplained,
  unseen,
} from './rules-waiting.ts'
import { busy, exited, halted, ring, zombie } from './rules-working.ts'
import type { View } from './view.ts'

const rules: readonly Rule[] = [
  exited,
  zombie,
  ring,
  busy,
  halted,
  network,
  silent,
  dead,
  outsider,
  output,
  unexplained,
  timer,
  server,
  awaited,
  gettingOn,
  ticking,
  resting,
  signal,
  unseen,
  stdin,
  closed,
]

export function find(view: View): Finding {
  for (const rule of rules) {
    const found = rule(view)
    if (found) return found
  }
  return { cause: 'unknown', proof: 'unknown', isBlocked: false, summary: 'nothing of it could be seen' }
}
