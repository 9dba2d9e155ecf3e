/** pi's OSC 9;4: renewed every second while it works, cleared at the end. It has no dialogs, so cleared means idle. */
import type { Osc } from '../osc.ts'
import { type Memory, type Moment, nothing, type Reading, read, type SignRule, show } from '../shape.ts'
import { readFirstTitle } from '../title.ts'

const progress: SignRule = { source: 'progress', tier: 'declared', lag: 500, excludes: ['working'] }

export function readOsc(osc: Osc, moment: Moment, memory: Memory): Reading {
  if (osc.code !== 9) return readFirstTitle(osc, moment, memory)
  if (!osc.text.startsWith('4;')) return nothing
  const { seen } = moment
  const works = /^4;[13]/.test(osc.text)
  return read(show(progress, `9;${osc.text}`, works ? { kind: 'working' } : { kind: 'idle' }, seen, seen))
}
