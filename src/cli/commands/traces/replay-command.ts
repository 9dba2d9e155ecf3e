/** `lull replay`: judges recordings again and prints each change. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../../../agents.ts'
import {
  openTrace,
  openTranscript,
  type Recording,
  type TranscriptFiles,
} from '../../../connect/open-recording.ts'
import { usageOf } from '../../../core/error-sentence.ts'
import { LullError } from '../../../core/lull-error.ts'
import { jsonVerdict, timeOf } from '../../../shapes/verdict-json.ts'
import { jsonLine, lines, newComplaints, onNotice, print } from '../../ui/print.ts'
import { describeChange } from '../../ui/print-verdict.ts'

/** Node's timers overflow past 2^31 ms and then fire at once. */
const longestSleep = 2_000_000_000

export type ReplayFlags = TranscriptFiles & {
  readonly json?: boolean
  readonly speed?: string
  readonly until?: string
}

export async function replayCommand(files: readonly string[], flags: ReplayFlags): Promise<void> {
  const complaints = newComplaints()
  const speed = readSpeed(flags.speed)
  const options = { ...flags, complain: complaints.complain }
  if (files.length > 0) refuseTranscriptFlags(flags)
  if (files.length === 0) {
    if (flags.transcript === undefined)
      throw new LullError(
        'USAGE',
        'no input; give a trace (lull replay SESSION.cast), or --agent NAME --transcript FILE',
      )
    await play(flags.transcript, () => openTranscript(options), flags, speed, false)
  }
  for (const file of files) await play(file, () => openTrace(file, options), flags, speed, files.length > 1)
  complaints.end()
}

/** They would be passed over in silence. */
function refuseTranscriptFlags(flags: ReplayFlags): void {
  const given = (['transcript', 'hooks', 'growth'] as const).find(flag => flags[flag] !== undefined)
  if (given !== undefined)
    throw new LullError('USAGE', `--${given} has no effect on a trace; give traces, or --transcript FILE`)
}

async function play(
  file: string,
  open: () => Recording,
  flags: ReplayFlags,
  speed: number,
  isNamed: boolean,
): Promise<void> {
  try {
    const recording = open()
    if (isNamed && !flags.json) print(lines(recording.name))
    const began = performance.now()
    for (const change of flags.json ? recording.changes : fromBeginning(recording.changes)) {
      const ahead = change.at / speed - (performance.now() - began)
      if (ahead > 0) await sleep(Math.min(ahead, longestSleep))
      print(
        flags.json
          ? jsonLine(rowOf(change, recording, isNamed))
          : lines(describeChange(change, recording.epoch)),
      )
    }
  } catch (error) {
    throw usageOf(error, file)
  }
}

/** What had become of a live session before it was recorded all happens at its beginning: how it was then is told. */
function* fromBeginning(changes: Iterable<Change>): Iterable<Change> {
  let first: Change | undefined
  let count = 0
  for (const change of changes) {
    if (change.at === 0) {
      first = change
      count++
      continue
    }
    if (first) yield* begun(first, count)
    first = undefined
    yield change
  }
  if (first) yield* begun(first, count)
}

function* begun(first: Change, count: number): Iterable<Change> {
  const before = count === 2 ? '1 change' : `${count - 1} changes`
  if (count > 1) onNotice(`${before} from before the recording omitted; --json has all`)
  yield first
}

export function readSpeed(text: string | undefined): number {
  if (text === undefined) return Infinity
  const speed = Number(text)
  if (!(speed > 0))
    throw new LullError('USAGE', `--speed ${text}: must be a number above 0, like 1 for real time or 10`)
  return speed
}

const rowOf = ({ at, verdict }: Change, { name, epoch }: Recording, isNamed: boolean): object => ({
  ...(isNamed ? { trace: name } : {}),
  t: timeOf(at, epoch),
  ...jsonVerdict(verdict, epoch),
})
