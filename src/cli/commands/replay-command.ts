/** `lull replay`: judges recordings again and prints each change. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../../agents.ts'
import {
  openTrace,
  openTranscript,
  type Recording,
  type TranscriptFiles,
} from '../../connect/open-recording.ts'
import {
  describeState,
  type Evidence,
  explainHealth,
  explainWhy,
  instantOf,
  LullError,
  usageOf,
  type Verdict,
} from '../../core.ts'
import { complaintsTo } from '../ui/complaints.ts'

/** Node's timers overflow past 2^31 ms and then fire at once. */
const longestSleep = 2_000_000_000

export type ReplayFlags = TranscriptFiles & {
  readonly json?: boolean
  readonly speed?: string
  readonly until?: string
}

export async function replayCommand(files: readonly string[], flags: ReplayFlags): Promise<void> {
  const complaints = complaintsTo(text => process.stderr.write(text))
  const speed = readSpeed(flags.speed)
  const options = { ...flags, complain: complaints.complain }
  if (files.length > 0) refuseTranscriptFlags(flags)
  if (files.length === 0) {
    if (flags.transcript === undefined)
      throw new LullError(
        'USAGE',
        'replay what? Give a trace (lull replay SESSION.cast), or --agent NAME --transcript FILE',
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
    throw new LullError(
      'USAGE',
      `--${given} is of no use to a trace: give either traces, or --transcript FILE`,
    )
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
    if (isNamed && !flags.json) process.stdout.write(`${recording.name}\n`)
    const began = performance.now()
    for (const change of recording.changes) {
      const ahead = change.at / speed - (performance.now() - began)
      if (ahead > 0) await sleep(Math.min(ahead, longestSleep))
      process.stdout.write(
        `${flags.json ? jsonLine(change, recording, isNamed) : describeChange(change, recording.epoch)}\n`,
      )
    }
  } catch (error) {
    throw usageOf(error, file)
  }
}

export function readSpeed(text: string | undefined): number {
  if (text === undefined) return Infinity
  const speed = Number(text)
  if (!(speed > 0))
    throw new LullError('USAGE', `--speed ${text}: must be a number above 0, like 1 for real time or 10`)
  return speed
}

/** The last instant that ISO time can tell; a damaged stamp may lie beyond it. */
const lastDate = 8.64e15

const isoOf = (ms: number): string => new Date(Math.min(ms, lastDate)).toISOString()

/** Seconds from the start of a trace, ISO time for a transcript. */
const timeOf = (at: number, epoch: number | undefined): number | string =>
  epoch === undefined ? at / 1000 : isoOf(epoch + at)

const jsonLine = ({ at, verdict }: Change, { name, epoch }: Recording, isNamed: boolean): string =>
  JSON.stringify({
    ...(isNamed ? { trace: name } : {}),
    t: timeOf(at, epoch),
    ...jsonVerdict(verdict, epoch),
  })

/** The fields of a verdict as docs/cli.md names them. With an epoch, instants are ISO time, else seconds. */
export function jsonVerdict(verdict: Verdict, epoch: number | undefined) {
  const { state, health, healthBy } = verdict
  return {
    state: state.kind,
    ...(state.kind === 'waiting' ? { for: state.for } : {}),
    ...(state.kind === 'working' && state.doing ? { doing: state.doing } : {}),
    ...(state.kind === 'idle' && state.after ? { after: state.after } : {}),
    health: health.level,
    ...(healthBy
      ? {
          ...(health.cause ? { cause: health.cause } : {}),
          certainty: health.certainty,
          healthSince: timeOf(healthBy.since, epoch),
          healthWhy: healthBy.what,
          ...(healthBy.advice === undefined ? {} : { advice: healthBy.advice }),
        }
      : {}),
    confidence: verdict.confidence,
    turn: verdict.turn,
    turnOver: verdict.turnOver,
    ...(verdict.asks ? { asks: true } : {}),
    ...(verdict.limit
      ? { limit: verdict.limit.until === undefined ? {} : { until: timeOf(verdict.limit.until, epoch) } }
      : {}),
    since: timeOf(verdict.since, epoch),
    rule: verdict.rule,
    because: verdict.because.map(evidence => jsonEvidence(evidence, epoch)),
  }
}

export function jsonEvidence(evidence: Evidence, epoch: number | undefined) {
  return {
    source: evidence.source,
    what: evidence.what,
    ...(evidence.type === 'exit' ? {} : { says: describeState(evidence.says) }),
    ...(evidence.type === 'sign' ? { tier: evidence.tier } : {}),
    at: timeOf(instantOf(evidence), epoch),
  }
}

/** A change on one line: time, state, why. */
export function describeChange({ at, verdict }: Change, epoch: number | undefined): string {
  const time = epoch === undefined ? `${(at / 1000).toFixed(1)} s`.padStart(9) : isoOf(epoch + at)
  const over = verdict.state.kind === 'working' && verdict.turnOver ? ' (turn over)' : ''
  const health = explainHealth(verdict, at)
  return `${time}  ${`${describeState(verdict.state)}${over}`.padEnd(22)}  ${explainWhy(verdict, at)}${health && `. ${health}`}`
}
