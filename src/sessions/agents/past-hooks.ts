/** What a file of kept hooks says. Pure. */
import { defined } from '../../core/defined.ts'
import type { Instant } from '../../core/state.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'

/** A hook that came while an earlier host ran. */
export type PastHook = {
  /** When it came, on the machine's monotonic clock: the same line for every host until the next boot. */
  readonly at: Instant
  readonly event: string
  readonly via?: string
  readonly payload: unknown
  /** The transcript that was followed then, and the agent's own id of its session. */
  readonly transcript?: string
  readonly session?: string
}

/** So many are judged again: each costs a host as much as one that comes. */
const mostHooks = 1000

/**
 * The newest of the hooks that stand in a text.
 * @throws where a line is none: with one missing, the others may tell of what is over
 */
export function readPastHooks(text: string, now: Instant): readonly PastHook[] {
  const lines = text.split('\n').filter(line => line !== '')
  const all = lines.map(readPastHook)
  for (const [index, { at }] of all.entries())
    if (at < (all[index - 1]?.at ?? 0) || at > now) throw new Error(`line ${index + 1} is of another time`)
  return all.slice(-mostHooks)
}

function readPastHook(line: string, index: number): PastHook {
  const row = parseJson(line)
  if (!isRecord(row) || typeof row.at !== 'number' || typeof row.event !== 'string')
    throw new Error(`line ${index + 1} is no hook`)
  const { at, event, payload } = row
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const [via, transcript, session] = [row.via, row.transcript, row.session].map(text)
  return { at, event, payload, ...defined({ via, transcript, session }) }
}
