/** `lull loop-state`: what a final message means to a loop of somebody's own, as one line of JSON. */
import { isatty } from 'node:tty'
import { exitCode } from '../../core/exit-codes.ts'
import { LullError } from '../../core/lull-error.ts'
import { messageOf } from '../../loop/headless-rows.ts'
import { nextRun, readMessage, readPrompt } from '../../loop/next-run.ts'
import { durationFlag } from '../flags/flag-values.ts'
import { jsonLine, print } from '../ui/print.ts'

export type LoopStateFlags = {
  readonly count?: string
  readonly since?: string
  readonly prompt?: string
  readonly idleDelay?: string
  readonly idleBackoff?: string
  readonly idleMaxDelay?: string
  readonly idleMax?: string
}

const exits = {
  done: exitCode.reached,
  blocked: exitCode.waitsForPerson,
  idle_max: exitCode.idleMax,
} as const

export function loopStateCommand(flags: LoopStateFlags): void {
  const { count, since, prompt, idleDelay, idleBackoff, idleMaxDelay, idleMax } = flags
  if ((count === undefined) !== (since === undefined))
    throw new LullError(
      'USAGE',
      '--count and --since belong together: idleCount and idleSince of the previous run',
    )
  const before = count === undefined ? undefined : { count: countOf(count), since: timeOf(since as string) }
  const written = {
    delay: durationFlag('--idle-delay', idleDelay),
    backoff: idleBackoff === undefined ? undefined : factorOf(idleBackoff),
    maxDelay: durationFlag('--idle-max-delay', idleMaxDelay),
    max: durationFlag('--idle-max', idleMax),
  }
  const idle = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
  const {
    stop,
    delay,
    idle: run,
    until,
    ...report
  } = nextRun(stdin(), {
    idle,
    ...(prompt === undefined ? {} : { prompt: readPrompt(prompt) }),
    ...(before && before.count > 0 ? { before } : {}),
  })
  process.exitCode = stop === undefined ? exitCode.reached : exits[stop]
  print(
    jsonLine({
      ...report,
      ...(until === undefined
        ? {}
        : { until: 'at' in until ? new Date(until.at).toISOString() : until.in / 1000 }),
      ...(stop === undefined ? { delay: Math.round(delay ?? 0) / 1000 } : { stop }),
      idleCount: run?.count ?? 0,
      ...(run ? { idleSince: new Date(run.since).toISOString() } : {}),
    }),
  )
}

function stdin(): string {
  // process.stdin, once it is asked for, makes a pipe one in which nobody waits.
  if (isatty(0))
    throw new LullError(
      'USAGE',
      'stdin is a terminal; redirect the agent’s final message: lull loop-state < MESSAGE',
    )
  const message = readMessage()
  if ((messageOf(message) ?? message).trim() !== '') return message
  throw new LullError(
    'USAGE',
    'the message on stdin is empty; the agent failed or did not start. Wait before the next run',
  )
}

function countOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new LullError('USAGE', `--count ${text}: must be a whole number from 0 on`)
}

function factorOf(text: string): number {
  const factor = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0
  if (factor >= 1) return factor
  throw new LullError('USAGE', `--idle-backoff ${text}: must be a number from 1 on`)
}

function timeOf(text: string): number {
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new LullError('USAGE', `--since ${text}: must be a time like 2026-11-24T02:00:00.000Z`)
}
