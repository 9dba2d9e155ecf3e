/** Writes a run as a trace: its output, samples of its processes, verdicts and its end, so that it can be judged again. */
import { closeSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { Clock } from '../core/clock.ts'
import { redact } from '../core/trace/redact.ts'
import type { TraceCode } from '../core/trace/trace.ts'
import { writeEvent, writeHeader } from '../core/trace/trace-write.ts'
import type { ProcessEnd } from '../os/spawn/process-group.ts'
import { writeReport } from '../process/health-report.ts'
import { commandName } from '../track/replay.ts'
import type { Out } from './child/outputs.ts'
import { reportOf } from './run-report.ts'
import type { RunVerdict } from './step/run-verdict.ts'

export type Recorder = {
  output(out: Out, piece: Uint8Array): void
  sample(pid: number, verdict: RunVerdict, isNews: boolean): void
  end(end: ProcessEnd): void
}

/** Where nothing changes, a sample is recorded this often. */
const sampleEveryMs = 5000

/**
 * @param file the descriptor of a new file
 * @param onFailure it can't be written any more (the disk is full): called once
 */
export function createRecorder(
  file: number,
  words: readonly string[],
  clock: Clock,
  onFailure: (why: string) => void,
): Recorder {
  const begun = clock.now()
  const decoders = { 1: new StringDecoder('utf8'), 2: new StringDecoder('utf8') }
  let lastSample = -Infinity
  let isBroken = false

  const put = (line: string): void => {
    if (isBroken) return
    try {
      writeSync(file, `${redact(line)}\n`)
    } catch (error) {
      isBroken = true
      onFailure((error as Error).message)
    }
  }
  const event = (code: TraceCode, data: string, at = clock.now()): void =>
    put(writeEvent({ at: at - begun, code, data }))

  put(writeHeader({ agent: commandName, startedAt: clock.wall(), note: words.join(' ').slice(0, 500) }))
  return {
    output(out, piece) {
      const text = decoders[out].write(Buffer.from(piece))
      if (text !== '') event('o', text)
    },
    sample(pid, verdict, isNews) {
      if (!isNews && verdict.at - lastSample < sampleEveryMs) return
      lastSample = verdict.at
      event('p', writeReport(reportOf(verdict, pid)), verdict.at)
      if (isNews) event('v', JSON.stringify({ health: verdict.health, reason: verdict.reason }), verdict.at)
    },
    end(end) {
      event('x', JSON.stringify(end))
      closeSync(file)
    },
  }
}
