/** Codex' title (`⠋ name`, `[ ! ] Action Required | name`, plain when idle) and the status protocol, unasked. */
import type { State } from '../../core/state.ts'
import { type Moment, nothing, type Reading, read, type SignRule, show } from '../kit/agent.ts'
import { isTitle, type Osc } from '../kit/osc.ts'
import { readStatusCommand } from '../kit/status-protocol.ts'

const title: SignRule = {
  source: 'title',
  tier: 'seen',
  lag: 1000,
  excludes: ['working', 'waiting'],
  settles: 300,
}

export function readOsc(osc: Osc, moment: Moment): Reading {
  if (osc.code === 7501) return readStatusCommand(osc.text, 'codex', moment)
  if (!isTitle(osc) || osc.text === '') return nothing
  return read(show(title, osc.text.slice(0, 40), stateOf(osc.text), moment.seen, moment.seen))
}

function stateOf(text: string): State {
  if (/^[\u2800-\u28ff]/u.test(text)) return { kind: 'working' }
  if (/^\[ [.!] \] Action Required/.test(text)) return { kind: 'waiting', for: 'dialog' }
  return { kind: 'idle' }
}
