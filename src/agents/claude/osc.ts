/**
 * Claude's titles and terminal codes. In tmux the title is a static `✳`; in a bare terminal `◐`/`◑` about every 0.96 s
 * while it works. It also shows `✳` where a dialog is open, and clears its progress there, so neither may call it idle
 * against the news.
 */
import type { Osc } from '../osc.ts'
import { type Memory, type Moment, nothing, type Reading, read, type SignRule, show } from '../shape.ts'
import { readStatusCommand } from '../status-protocol.ts'

const title: SignRule = { source: 'title', tier: 'seen', lag: 1500, excludes: [] }
const progress: SignRule = { source: 'progress', tier: 'seen', lag: 1500, excludes: [] }

export function readOsc(osc: Osc, moment: Moment, memory: Memory): Reading {
  const { seen } = moment
  switch (osc.code) {
    case 0:
    case 2:
      if (/^[◐◑]/u.test(osc.text)) {
        return {
          signals: [show(title, osc.text.slice(0, 40), { kind: 'working' }, seen, seen)],
          memory: { moved: true },
        }
      }
      return memory.moved && osc.text.startsWith('✳')
        ? read(show(title, osc.text.slice(0, 40), { kind: 'idle' }, seen, seen))
        : nothing
    case 7501: {
      const sign = readStatusCommand(osc.text, 'claude-code', moment)
      return sign ? read(sign) : nothing
    }
    case 9:
      if (!osc.text.startsWith('4;')) return nothing
      return read(
        show(
          progress,
          `9;${osc.text}`,
          /^4;[13]/.test(osc.text) ? { kind: 'working' } : { kind: 'unknown' },
          seen,
          seen,
        ),
      )
    default:
      return nothing
  }
}
