/** Gemini CLI's titles: `◇  Ready`, `✦  Working…`, `✋  Action Required`. */
import type { State } from '../../core/state.ts'
import { type Moment, nothing, type Reading, read, type SignRule, show } from '../kit/agent.ts'
import { isTitle, type Osc } from '../kit/osc.ts'

/** Lag: 155 ms median, 234 ms at most after a turn's end (docs/research/agents.md#latency). */
const title: SignRule = {
  source: 'title',
  tier: 'declared',
  lag: 750,
  excludes: ['working', 'waiting'],
  // It says Ready up to 1.7 s before it takes a prompt (recorded under load): one that is typed by then waits unseen.
  settles: 3000,
  // On an idle machine its hook says so 0.18 to 0.43 s after the title (the corpus).
  mayBeUpFrom: 500,
}

const states: readonly (readonly [string, State])[] = [
  ['◇', { kind: 'idle' }],
  ['✦', { kind: 'working' }],
  ['✋', { kind: 'waiting', for: 'dialog' }],
]

export function readOsc(osc: Osc, { seen }: Moment): Reading {
  if (!isTitle(osc)) return nothing
  const state = states.find(([glyph]) => osc.text.startsWith(glyph))?.[1]
  return state ? read(show(title, osc.text.trim().slice(0, 40), state, seen, seen)) : nothing
}
