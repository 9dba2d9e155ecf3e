/**
 * Claude's titles and terminal codes. In tmux the title is a static `✳`; in a bare terminal `◐`/`◑` about every 0.96 s
 * while it works. It also shows `✳` where a dialog is open, and clears its progress there, so neither may call it idle
 * against the news.
 */

import {
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  remember,
  type SignRule,
  show,
} from '../kit/agent.ts'
import { isTitle, type Osc, progressOf } from '../kit/osc.ts'
import { readStatusCommand } from '../kit/status-protocol.ts'

const title: SignRule = { source: 'title', tier: 'seen', lag: 1500, excludes: [] }
const progress: SignRule = { source: 'progress', tier: 'seen', lag: 1500, excludes: [] }

export function readOsc(osc: Osc, moment: Moment, memory: Memory): Reading {
  const { seen } = moment
  if (osc.code === 7501) return readStatusCommand(osc.text, 'claude-code', moment)
  const bar = progressOf(osc)
  if (bar) {
    return read(
      show(progress, `9;${osc.text}`, { kind: bar === 'shown' ? 'working' : 'unknown' }, seen, seen),
    )
  }
  if (!isTitle(osc)) return nothing
  const what = osc.text.slice(0, 40)
  if (/^[◐◑]/u.test(osc.text))
    return remember({ moved: true }, show(title, what, { kind: 'working' }, seen, seen))
  return memory.moved && osc.text.startsWith('✳')
    ? read(show(title, what, { kind: 'idle' }, seen, seen))
    : nothing
}
