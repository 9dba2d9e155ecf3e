/**
 * A log that all processes of an agent write (OpenCode's names the run in each line, Cline's the process): which lines are
 * from one process. An ambiguous line belongs to none: lull would show another's open permission as this one's.
 */
import type { Agent } from '../agents/kit/agent.ts'
import { ownStamp } from '../agents/kit/agent-files.ts'

/** `own` is empty where several could be meant. */
export type LogWriters = {
  readonly own?: string
  readonly others: readonly string[]
  /** Who has begun to write since the process started, and when, ms since the epoch. */
  readonly begun?: Begun
  /** When the first line was written that was read, ms since the epoch. */
  readonly first?: number
}

export type Begun = readonly (readonly [name: string, at: number])[]

/** What is known of the process that writes the log: its start in ms since the epoch, and the other possible writers. */
export type ProcessOrigin = {
  readonly startedAt?: number
  readonly pid?: number
  readonly others?: readonly OtherWriter[]
}

/** Another process of the agent, and the word that names it in the log, where that is known. */
export type OtherWriter = { readonly startedAt: number; readonly own?: string | undefined }

/** Stamps and starts are read by clocks that differ a little, and headers of recordings note whole seconds. */
export const slackMs = 1000
/** A process has written its first line by then: OpenCode 3 s after its start, and 18 s on a machine under load (recorded). */
const firstLineMs = 60_000
/** The start times of two processes within this time do not distinguish them. */
const nearMs = 2000
const mostNames = 64

/** @param lines in their order; `known` is the result of those before them */
export function tellWriters(
  { files: { writer } }: Agent,
  { startedAt, pid, others: processes = [] }: ProcessOrigin,
  lines: readonly string[],
  known: LogWriters = { others: [] },
): LogWriters {
  if (writer === undefined || known.own !== undefined) return known
  if (writer.isProcess && pid !== undefined) return { own: String(pid), others: [] }
  const others = new Set(known.others)
  const begun = new Map(known.begun)
  let { first } = known
  for (const line of lines) {
    const name = writer.read(line)
    if (name === undefined || begun.has(name) || others.has(name)) continue
    if (startedAt === undefined) return { own: name, others: [...others] }
    const at = ownStamp(line) ?? first ?? startedAt
    first ??= at
    if (at < startedAt - slackMs) others.add(name)
    else begun.set(name, at)
  }
  const found = { others: [...others].slice(-mostNames), ...(first === undefined ? {} : { first }) }
  if (startedAt === undefined) return found
  const own = ownOf([...begun], { startedAt, others: processes }, first)
  return own === undefined ? { ...found, begun: [...begun].slice(0, mostNames) } : { ...found, own }
}

type Started = { readonly startedAt: number; readonly others: readonly OtherWriter[] }

/** @param first when the first line that is known was written */
function ownOf(begun: Begun, process: Started, first: number | undefined): string | undefined {
  const { startedAt } = process
  const [one, next] = begun
    .filter(([name, at]) => !isOfAnother(process, name, at))
    .sort(([, a], [, b]) => a - b)
  if (one === undefined) return undefined
  const [name, at] = one
  if (at <= startedAt + firstLineMs) {
    const isAlone = (next === undefined || next[1] > at + nearMs) && !hasTwin(process, at)
    return isAlone ? name : ''
  }
  // The lines of its start are not there any more, or it writes none.
  const isCut = first !== undefined && first > startedAt + firstLineMs
  return !isCut ? undefined : next === undefined ? name : ''
}

/** Who starts first writes first: what begins while one that started before it is not known by name is that one's. */
const isOfAnother = ({ startedAt, others }: Started, name: string, at: number): boolean =>
  others.some(other => other.own === name || (other.startedAt < startedAt - nearMs && isAwaited(other, at)))

const hasTwin = ({ startedAt, others }: Started, at: number): boolean =>
  others.some(other => Math.abs(other.startedAt - startedAt) <= nearMs && isAwaited(other, at))

/** What begins at this time may be its first line. */
const isAwaited = ({ startedAt, own = '' }: OtherWriter, at: number): boolean =>
  own === '' && at >= startedAt - slackMs && at <= startedAt + firstLineMs
