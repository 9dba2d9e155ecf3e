/** The processes of a session: all that was started below its first one, and has not made a session of its own. */
import { readdirSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { readStat } from './stat.ts'

/** Those that run; none where there is no /proc. @param session the pid of its first process */
export function membersOfSession(session: number): readonly number[] {
  const names = attempt(() => readdirSync('/proc')) ?? []
  return names
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      const stat = readStat(pid)
      return stat?.session === session && stat.state !== 'Z'
    })
}
