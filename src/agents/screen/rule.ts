/** Words for the rules over screens. */
import type { Doing, IdleAfter, State, WaitingFor } from '../../core/state.ts'
import type { ScreenPart } from './screen-layout.ts'
import type { ScreenRule } from './screen-rule.ts'

export const waiting = (reason: WaitingFor): State => ({ kind: 'waiting', for: reason })
export const working = (doing?: Doing): State => (doing ? { kind: 'working', doing } : { kind: 'working' })
export const atComposer = (after?: IdleAfter): State =>
  after ? { kind: 'idle', at: 'composer', after } : { kind: 'idle', at: 'composer' }

type More = Partial<Pick<ScreenRule, 'unless' | 'isMenu' | 'confidence'>>

export const rule = (
  id: string,
  part: ScreenPart,
  pattern: RegExp,
  state: State,
  more: More = {},
): ScreenRule => ({ id, part, pattern, state, ...more })
