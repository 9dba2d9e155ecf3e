/**
 * What an agent calls its session, out of its terminal's title. For people: nothing is decided by it. Pure.
 */
import type { Agent } from './agent.ts'

const longest = 200

/** @returns undefined where the title says no more than which program it is, where it runs or what it does */
export function ownTitle({ sessionTitle }: Agent, title: string, cwd = ''): string | undefined {
  const name = sessionTitle
    ?.exec(title.slice(0, 2 * longest))?.[1]
    ?.trim()
    .slice(0, longest)
  return name === '' || name === cwd.slice(cwd.lastIndexOf('/') + 1) ? undefined : name
}
