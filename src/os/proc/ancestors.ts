/** The processes above a process. */
import { readStat } from './stat.ts'

/** `pid` itself, its parent, and so on, as far as they live: `most` of them. */
export function* ancestors(pid: number, most: number): Generator<number> {
  let at = pid
  for (let step = 0; step < most && at > 1; step++) {
    const stat = readStat(at)
    if (!stat) return
    yield at
    at = stat.parent
  }
}
