/** Titles that carry no state: the first one only shows that the program's screen is up. */

import { claimsOf, type Memory, type Moment, nothing, type Reading } from './agent.ts'
import { isTitle, type Osc } from './osc.ts'

export function readFirstTitle(osc: Osc, { seen }: Moment, memory: Memory): Reading {
  if (memory.moved || !isTitle(osc) || osc.text === '') return nothing
  const up = claimsOf('title', 'first title', seen, seen).idle(undefined, { onlyFrom: ['starting'] })
  return { signals: [up], memory: { moved: true } }
}
