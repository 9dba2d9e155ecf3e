/** Titles without a state, and the name that an agent gives its session in a title. Pure. */
import { type Agent, claimsOf, type Memory, type Moment, nothing, type Reading } from './agent.ts'
import { isTitle, type Osc } from './osc.ts'

const longest = 200

/** @returns undefined where the title only names the program, its folder or its state */
export function ownTitle({ sessionTitle }: Agent, title: string, cwd = ''): string | undefined {
  const name = sessionTitle
    ?.exec(title.slice(0, 2 * longest))?.[1]
    ?.trim()
    .slice(0, longest)
  return name === '' || name === cwd.slice(cwd.lastIndexOf('/') + 1) ? undefined : name
}

/** For titles without a state: the first one shows that the program's screen is up. */
export function readFirstTitle(osc: Osc, { seen }: Moment, memory: Memory): Reading {
  if (memory.moved || !isTitle(osc) || osc.text === '') return nothing
  const up = claimsOf('title', 'first title', seen, seen).idle(undefined, { onlyFrom: ['starting'] })
  return { signals: [up], memory: { moved: true } }
}
