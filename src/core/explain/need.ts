/** What a session needs of a person, and its state in a few words that tell of it: the same in tables and on the page. */
import type { Health, IdleAfter, State } from '../state.ts'
import { describeState } from './explain.ts'

/** The most urgent first. */
export const needs = ['answer', 'help', 'look', 'retry', 'instruction', 'nothing', 'unclear', 'gone'] as const
export type Need = (typeof needs)[number]

type Needing = { readonly need: Need; readonly since: number | string; readonly id: string }

/** For sorting: the most urgent first; of equal need, the one in its state for the longest. */
export const compareUrgency = (a: Needing, b: Needing): number =>
  needs.indexOf(a.need) - needs.indexOf(b.need) || compare(a.since, b.since) || compare(a.id, b.id)

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)

/** How a turn ended that nobody has looked at yet. */
const ends: Readonly<Record<IdleAfter, string>> = {
  turn: 'done',
  interrupt: 'interrupted',
  error: 'failed',
  limit: 'limited',
}

/** It distinguishes done from idle, and stuck from busy. */
export function stateWords(state: State, health: Health['level'], need: Need): string {
  const words = describeState(state)
  switch (need) {
    case 'help':
      return `${health === 'confirmed_stuck' ? 'stuck' : 'stuck?'} (${words})`
    case 'look':
      return (state.kind === 'idle' && state.after && ends[state.after]) || `done (${words})`
    default:
      return words
  }
}
