/** States as one word, as rules of a person and traces write them: `waiting/permission`, `idle`, `working/retrying`. */
import { doings, ends, waits } from '../../core/explain/explain.ts'
import type { Doing, IdleAfter, State, WaitingFor } from '../../core/state.ts'
import { atComposer, waiting, working } from './screen-rule.ts'

/** The states that a rule can give. `unknown` is none of them. */
export const stateWords: readonly string[] = [
  'working',
  ...Object.keys(doings).map(doing => `working/${doing}`),
  ...Object.keys(waits).map(reason => `waiting/${reason}`),
  'idle',
  ...Object.keys(ends).map(end => `idle/${end}`),
]

/** @param word one of `stateWords`; any other is `unknown` */
export function stateOfWord(word: string): State {
  if (!stateWords.includes(word)) return { kind: 'unknown' }
  const [kind, detail] = word.split('/')
  if (kind === 'waiting') return waiting(detail as WaitingFor)
  return kind === 'working' ? working(detail as Doing) : atComposer(detail as IdleAfter)
}

export function wordOfState(state: State): string {
  if (state.kind === 'waiting') return `waiting/${state.for}`
  if (state.kind === 'working') return state.doing ? `working/${state.doing}` : 'working'
  if (state.kind === 'idle') return state.after ? `idle/${state.after}` : 'idle'
  return 'unknown'
}

/** What rules made of a screen, as a trace holds it. */
export type ReadScreen = {
  /** One of `stateWords`, or `unknown`. */
  readonly state: string
  readonly rule?: string
  /** The row that it matched. */
  readonly row?: string
  readonly isMenu?: true
}
