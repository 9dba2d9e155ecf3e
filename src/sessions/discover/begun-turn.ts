/** In which of several transcripts a turn has begun since a process started: that one is written by it. */
import { statSync } from 'node:fs'
import type { Agent } from '../../agents/kit/agent.ts'
import { attempt } from '../../os/attempt.ts'
import type { ReadOptions } from '../../os/file/plain-file.ts'
import { readAppended, unread } from '../../os/file/tail-file.ts'
import { decodeInput, newDecoder } from '../../track/decode.ts'

/** Each costs the reading of its last megabyte. */
const mostFiles = 8

/**
 * @param startedAt ms since the epoch
 * @returns none where turns have begun in none of them, or in several
 */
export function begunTurn(
  agent: Agent,
  files: readonly string[],
  startedAt: number,
  options: ReadOptions,
): string | undefined {
  if (files.length > mostFiles) return undefined
  const begun = files.filter(file => hasBegunTurn(agent, file, startedAt, options))
  return begun.length === 1 ? begun[0] : undefined
}

/**
 * Of several transcripts that one process writes the one in which a turn began last: those of its subagents begin none, and one
 * that it has left (Codex's `/clear` keeps it open) begins none any more.
 * @param startOf its beginning, which identifies its owner: lull reads only the end of a long file
 */
export function lastBegunTurn(
  agent: Agent,
  files: readonly string[],
  startedAt: number,
  options: ReadOptions,
  startOf: (file: string) => string,
): string | undefined {
  // Codex holds open whatever it has gone on from, a thread for each `/clear`: it writes to the newest.
  const newest = files.toSorted((a, b) => (writtenAt(b) ?? 0) - (writtenAt(a) ?? 0)).slice(0, mostFiles)
  const begun = newest.flatMap(file => {
    const [first = ''] = (attempt(() => startOf(file)) ?? '').split('\n', 1)
    const at = lastStart(agent, file, startedAt, options, [first])
    return at === undefined ? [] : [{ file, at }]
  })
  return begun.toSorted((a, b) => b.at - a.at)[0]?.file
}

const hasBegunTurn = (agent: Agent, path: string, startedAt: number, options: ReadOptions): boolean =>
  lastStart(agent, path, startedAt, options) !== undefined

/** Start of the last turn in the file, ms since `startedAt`. @param before lines that come first */
function lastStart(
  agent: Agent,
  path: string,
  startedAt: number,
  options: ReadOptions,
  before: readonly string[] = [],
): number | undefined {
  const lines = attempt(() => readAppended(unread(path), options).lines) ?? []
  const written = writtenAt(path) ?? startedAt
  let decoder = newDecoder(agent, startedAt, { startedAt })
  let last: number | undefined
  for (const line of [...before, ...lines]) {
    const decoded = decodeInput(decoder, { type: 'line', path, line }, written - startedAt)
    decoder = decoded.decoder
    for (const signal of decoded.signals) if (signal.type === 'news' && signal.starts) last = signal.at
  }
  return last
}

const writtenAt = (file: string): number | undefined => attempt(() => statSync(file).mtimeMs)
