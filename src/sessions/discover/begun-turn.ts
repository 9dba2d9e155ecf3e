/** In which of several transcripts a turn has begun since a process started: others may only be written to their end. */
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

function hasBegunTurn(agent: Agent, path: string, startedAt: number, options: ReadOptions): boolean {
  const lines = attempt(() => readAppended(unread(path), options).lines) ?? []
  const written = attempt(() => statSync(path).mtimeMs) ?? startedAt
  let decoder = newDecoder(agent, startedAt, { startedAt })
  for (const line of lines) {
    const decoded = decodeInput(decoder, { type: 'line', path, line }, written - startedAt)
    decoder = decoded.decoder
    if (decoded.signals.some(signal => signal.type === 'news' && signal.starts)) return true
  }
  return false
}
