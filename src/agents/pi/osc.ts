/** pi's OSC 9;4: renewed every second while it works, cleared at the end. It has no dialogs, so cleared means idle. */

import { type Memory, type Moment, nothing, type Reading, read, type SignRule, show } from '../kit/agent.ts'
import { type Osc, progressOf } from '../kit/osc.ts'
import { readFirstTitle } from '../kit/title.ts'

const progress: SignRule = { source: 'progress', tier: 'declared', lag: 500, excludes: ['working'] }

export function readOsc(osc: Osc, moment: Moment, memory: Memory): Reading {
  if (osc.code !== 9) return readFirstTitle(osc, moment, memory)
  const bar = progressOf(osc)
  if (bar === undefined) return nothing
  const { seen } = moment
  return read(show(progress, `9;${osc.text}`, { kind: bar === 'shown' ? 'working' : 'idle' }, seen, seen))
}
