/** Programs that were made to look provably stuck, by what lets them go on. */

import type { Deceiver } from './deceiver.ts'
import { clockDeceivers } from './deceivers-clocks.ts'
import { hiddenDeceivers } from './deceivers-hidden.ts'
import { haltedDeceivers, signalDeceivers } from './deceivers-signals.ts'

export const deceivers: Readonly<Record<string, readonly Deceiver[]>> = {
  'timers that do not show': clockDeceivers,
  'signals of outsiders': signalDeceivers,
  'halted, and let go': haltedDeceivers,
  'what outsiders hold or change': hiddenDeceivers,
}
