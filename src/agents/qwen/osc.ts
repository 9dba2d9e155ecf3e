/** Qwen Code's titles: `◐ Qwen - dir` works, `✳ Qwen - dir` has a dialog open, `Qwen - dir` is idle. */
import type { State } from '../../core/state.ts'
import { type Moment, nothing, type Reading, read, type SignRule, show } from '../kit/agent.ts'
import { isTitle, type Osc } from '../kit/osc.ts'

/**
 * Lag: 222 ms median, 288 ms at most after a turn's end (docs/research/agents.md#latency). Settles: the title is set
 * 0.4 to 1.3 s before the prompt, 0.7 s or more where no hook tells of it.
 */
const title: SignRule = {
  source: 'title',
  tier: 'declared',
  lag: 750,
  excludes: ['working', 'waiting'],
  settles: 1300,
  mayBeUpFrom: 700,
}

export function readOsc(osc: Osc, { seen }: Moment): Reading {
  if (!isTitle(osc) || osc.text === '') return nothing
  const state = stateOf(osc.text)
  return state ? read(show(title, osc.text.slice(0, 40), state, seen, seen)) : nothing
}

function stateOf(text: string): State | undefined {
  if (/^[◐◑◒◓]/u.test(text)) return { kind: 'working' }
  if (text.startsWith('✳')) return { kind: 'waiting', for: 'dialog' }
  return text.startsWith('Qwen') ? { kind: 'idle' } : undefined
}
