/**
 * Programs that were made to look provably stuck, by what lets them go on: those that a signal lets go on are made in
 * `deceivers-signals.ts`, the others are lines of `deceivers.jsonl`.
 */

import { rowsOf } from '../rows.ts'
import type { Deceiver } from './deceiver.ts'
import { haltedDeceivers, signalDeceivers } from './deceivers-signals.ts'

const rows = rowsOf<Deceiver & { readonly set: string }>(new URL('deceivers.jsonl', import.meta.url))
const inSet = (name: string): readonly Deceiver[] => rows.filter(({ set }) => set === name)

export const deceivers: Readonly<Record<string, readonly Deceiver[]>> = {
  'timers that do not show': inSet('timers that do not show'),
  'signals of outsiders': signalDeceivers,
  'halted, and let go': haltedDeceivers,
  'what outsiders hold or change': inSet('what outsiders hold or change'),
}
