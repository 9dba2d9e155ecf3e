/**
 * What a headless CLI prints: rows, one JSON object a line, or one JSON text that is its answer. They are known by their
 * shape, whatever program prints them: a script around the CLI, a container, a path of its own.
 */
import type { AgentName } from '../agents/agent-names.ts'
import { whoAnswers, whoBegins, whoBeginsWith } from '../agents/recognise-rows.ts'
import { agents } from '../agents/registry.ts'
import { advance, startedSession } from '../core/advance.ts'
import type { Signal } from '../core/evidence/signal.ts'
import type { Instant } from '../core/state.ts'
import { type Fence, fenceAfter } from '../core/text/code-fence.ts'
import { parseJson } from '../core/trace/trace.ts'
import { endOfTurn } from '../sessions/turn-end.ts'
import { type Decoder, decodeRow, newDecoder } from '../track/decode.ts'

export type Rows = {
  /** Without an agent until the first row of one. */
  readonly decoder: Decoder
  /** Of the text before the first row: a row in it is shown, not printed. */
  readonly fence: Fence | undefined
  /** A line was a row: else the program prints something else than it was asked for. */
  readonly hasRead: boolean
}

export type RowsStep = { readonly rows: Rows; readonly signals: readonly Signal[] }

/**
 * @param asked the CLI that is asked for rows, where the command line names one
 * @param epoch ms since the epoch at the session's instant 0
 */
export const newRows = (asked?: AgentName, epoch?: number): Rows => ({
  decoder: newDecoder(asked && agents[asked], epoch),
  fence: undefined,
  hasRead: false,
})

/** True for the line with which a run's rows begin. */
export const isFirstRow = (line: string): boolean => whoBeginsWith(line) !== undefined

/** Reads a line of stdout. The first row of another CLI shows that this one prints now. */
export function readRowLine(rows: Rows, line: string, at: Instant): RowsStep {
  const name = rows.fence ? undefined : whoBeginsWith(line)
  const decoder = decoderOf(name ?? rows.decoder.agent?.name, rows)
  if (!decoder.agent) return { rows: { ...rows, fence: fenceAfter(rows.fence, line) }, signals: [] }
  const decoded = decodeRow(decoder, line, at)
  const isRow = decoded.refused === undefined && decoded.signals.length > 0
  const next = { decoder: decoded.decoder, fence: undefined, hasRead: rows.hasRead || isRow }
  return { rows: next, signals: decoded.signals }
}

/** Reads an output that ends in one JSON text, `--output-format json`: an array of rows, or the answer alone. */
export function readAnswer(rows: Rows, output: string, at: Instant): RowsStep {
  const values = jsonAtEndOf(output)
  const name = whoBegins(values[0]) ?? whoAnswers(values.at(-1))
  if (name === undefined) return { rows, signals: [] }
  let next: Rows = { ...rows, decoder: decoderOf(name, rows) }
  const signals = values.flatMap(value => {
    const step = readRowLine(next, JSON.stringify(value), at)
    next = step.rows
    return step.signals
  })
  return { rows: next, signals }
}

const decoderOf = (name: string | undefined, { decoder }: Rows): Decoder =>
  name === decoder.agent?.name ? decoder : newDecoder(agents[name as AgentName], decoder.epoch)

/** On its last line; or over several, from a line that is a bracket alone. */
function jsonAtEndOf(output: string): readonly unknown[] {
  const text = output.trimEnd()
  const starts = [text.lastIndexOf('\n') + 1, [...text.matchAll(/^[{[]\r?$/gm)].at(-1)?.index ?? 0]
  for (const start of starts) {
    const value = /[{[]/.test(text.charAt(start)) ? parseJson(text.slice(start)) : undefined
    if (value !== undefined) return Array.isArray(value) ? value : [value]
  }
  return []
}

/**
 * The final message in what a headless run printed, empty where its last turn did not end well; undefined for any other
 * text, which is a message itself.
 */
export function messageOf(output: string): string | undefined {
  let rows = newRows()
  let session = startedSession(0)
  let at = 0
  // Rows that are read from a file have no times of their own: apart enough that none is taken for a late report of the last.
  const next = (): Instant => {
    at += 1000
    return at
  }
  const file = (step: RowsStep): void => {
    rows = step.rows
    for (const signal of step.signals) session = advance(session, at, signal)
  }
  for (const line of output.split(/\r?\n/)) file(readRowLine(rows, line, next()))
  if (!rows.hasRead) file(readAnswer(rows, output, next()))
  if (!rows.hasRead) return undefined
  return endOfTurn(session) === 'turn' ? (session.facts.finalMessage ?? '') : ''
}
