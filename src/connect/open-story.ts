/** A recording as a story: the verdicts, the newest hook at each instant, and what its screen showed. */

import type { Instant, State } from '../core/state.ts'
import { isRecord, parseJson, readHeader } from '../core/trace/trace.ts'
import { readLines } from '../os/file/lines.ts'
import { decode } from '../track/decode.ts'
import { agentOf, type Change, calibratedDecoder, eventsOf, replay } from '../track/replay.ts'

/** What a program holds to be true that goes by the newest hook. */
export type StoryHook = { readonly at: Instant; readonly what: string; readonly state: State }

type ShownScreen = { readonly at: Instant; readonly rows: readonly string[] }

export type RecordedStory = {
  readonly changes: readonly Change[]
  readonly hooks: readonly StoryHook[]
  readonly screens: readonly ShownScreen[]
}

/** ms: output that comes in pieces is one picture. */
const together = 50

/** @throws {LullError} as `replay` does */
export async function openStory(file: string): Promise<RecordedStory> {
  const lines = [...readLines(file)].map(({ text }) => text)
  const changes = [...replay(lines)]
  const header = readHeader(lines[0] ?? '')
  const events = [...eventsOf(lines.slice(1)[Symbol.iterator](), undefined)]
  const hooks: StoryHook[] = []
  let decoder = calibratedDecoder(agentOf(header), header.startedAt, events)
  for (const event of events) {
    const decoded = decode(decoder, event)
    decoder = decoded.decoder
    for (const signal of decoded.signals)
      if (
        signal.type === 'news' &&
        signal.source === 'hook' &&
        signal.lane === 'main' &&
        signal.state.kind !== 'unknown'
      )
        hooks.push({ at: event.at, what: signal.what, state: signal.state })
  }
  const { createEmulator } = await import('../owned/emulator/emulator.ts')
  const emulator = createEmulator(sizeOf(lines[0] ?? ''), () => undefined)
  const screens: ShownScreen[] = []
  const output = events.filter(({ code }) => code === 'o')
  for (const [n, { at, data }] of output.entries()) {
    await emulator.write(Buffer.from(data))
    if ((output[n + 1]?.at ?? Infinity) - at > together) screens.push({ at, rows: emulator.grid().rows })
  }
  emulator.dispose()
  return { changes, hooks, screens }
}

/** As asciicast's header has it. */
function sizeOf(header: string): { readonly columns: number; readonly rows: number } {
  const read = parseJson(header)
  const { width, height } = isRecord(read) ? read : {}
  return { columns: cells(width, 120), rows: cells(height, 40) }
}

const cells = (value: unknown, usual: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 1000 ? value : usual
