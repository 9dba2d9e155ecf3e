/** `lull wait SESSION…`: returns when the sessions are ready for the next step, or tells why they will not be. */

import { exitCode } from '../../core/exit-codes.ts'
import { describeState, explain } from '../../core/explain/explain.ts'
import { LullError } from '../../core/lull-error.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { isTerminalGoal } from '../../drive/terminal-goals.ts'
import { findSession } from '../../sessions/address.ts'
import { type LastingChanges, lastingChanges } from '../../sessions/lasting-changes.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { wait } from '../../sessions/wait/wait.ts'
import {
  type Done,
  type Goal,
  goals,
  type WaitOutcome,
  type WaitRequest,
} from '../../sessions/wait/wait-step.ts'
import { realClock } from '../../track/clock.ts'
import { here, homeFolder } from '../caller-context.ts'
import { connect } from '../connect.ts'
import { durationFlag } from '../flags/duration-flag.ts'
import { tame } from '../ui/cells.ts'
import { jsonRow } from '../ui/session-rows.ts'

export type WaitFlags = {
  readonly for?: string
  readonly next?: boolean
  readonly settled?: string
  readonly ignoreBackground?: boolean
  readonly timeout?: string
  readonly any?: boolean
  readonly all?: boolean
  readonly json?: boolean
  /** As `--for ready`: a terminal that takes the next input. */
  readonly ready?: boolean
  readonly promptPattern?: string
  readonly strategy?: string
  readonly stable?: string
  readonly socket?: string
}

export async function waitCommand(addresses: readonly string[], flags: WaitFlags): Promise<void> {
  if (isForTerminal(flags)) return (await import('./wait-terminal.ts')).waitTerminalCommand(addresses, flags)
  if (addresses.length === 0) throw new LullError('USAGE', "missing required argument 'session'")
  const request = readRequest(flags)
  // Whatever goes wrong from here on, `lull wait X && next` must not go on.
  process.exitCode = exitCode.failed
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  let changes: LastingChanges | undefined
  try {
    changes = await lastingChanges(await connect({ starts: true }), connect, () =>
      process.stderr.write('lull: the host is gone; looking for myself from here on\n'),
    )
    const done = await wait(request, sessions => unique(addresses, sessions), {
      changes,
      clock: realClock(true),
      signal: stop.signal,
      onRegistered: sessions => {
        if (request.next) tellRegistered(sessions, flags)
      },
    })
    process.exitCode = done
      ? exitCode[done.outcome]
      : stop.signal.aborted
        ? exitCode.interrupted
        : exitCode.failed
    if (done) process.stdout.write(flags.json ? jsonEnd(done, request) : `${endSentence(done, request)}\n`)
  } finally {
    await changes?.close()
  }
}

const isForTerminal = ({ ready, for: goals, promptPattern, strategy }: WaitFlags): boolean =>
  ready === true ||
  promptPattern !== undefined ||
  strategy !== undefined ||
  (goals !== undefined && isTerminalGoal(goals))

export function readRequest(flags: WaitFlags): WaitRequest {
  if (flags.any && flags.all) throw new LullError('USAGE', '--any and --all: give one of them')
  const timeout = durationFlag('--timeout', flags.timeout)
  return {
    for: readGoals(flags.for),
    next: flags.next === true,
    mode: flags.any ? 'any' : 'all',
    ignoreBackground: flags.ignoreBackground === true,
    settled: durationFlag('--settled', flags.settled) ?? 0,
    ...(timeout === undefined ? {} : { timeout }),
  }
}

function readGoals(text: string | undefined): readonly Goal[] {
  if (text === undefined) return ['idle']
  return text.split(',').map(word => {
    const goal = goals.find(name => name === word.trim())
    if (goal === undefined)
      throw new LullError('USAGE', `--for ${text}: "${word.trim()}" is none of ${goals.join(', ')}`)
    return goal
  })
}

function unique(addresses: readonly string[], sessions: readonly LiveSession[]): readonly LiveSession[] {
  const around = here()
  const found = addresses.map(address => findSession(address, sessions, around))
  return found.filter((session, n) => found.findIndex(({ id }) => id === session.id) === n)
}

const name = (session: LiveSession): string => tame(nameOf(session, homeFolder()))

function tellRegistered(sessions: readonly LiveSession[], { json }: WaitFlags): void {
  const at = new Date().toISOString()
  const named = sessions.map(({ id, agent, pid }) => ({ id, agent, pid }))
  if (json) process.stdout.write(`${JSON.stringify({ event: 'registered', at, sessions: named })}\n`)
  process.stderr.write(`waiting for the next turn of ${sessions.map(name).join(', ')}\n`)
}

/** What the verdict's own sentence does not say. */
const leads: Readonly<Record<WaitOutcome, string>> = {
  reached: '',
  waitsForPerson: '',
  stuck: 'stuck: ',
  gone: 'gone: ',
  turnFailed: '',
  limited: '',
  timeout: 'timeout: ',
}

export function endSentence({ outcome, sessions }: Done, { timeout }: WaitRequest): string {
  const [first, ...others] = sessions
  const lead = outcome === 'timeout' ? `not reached within ${formatDuration(timeout ?? 0)}: ` : leads[outcome]
  if (!first) return `${lead}no session`
  if (others.length > 0) {
    const each = sessions.map(session => `${name(session)} ${describeState(session.session.verdict.state)}`)
    return `${lead}${each.join(', ')}`
  }
  const { verdict, facts } = first.session
  return tame(`${lead}${name(first)}: ${explain(verdict, realClock().now(), facts)}`)
}

const jsonEnd = (done: Done, request: WaitRequest): string =>
  `${JSON.stringify({ event: 'ended', at: new Date().toISOString(), ...endFields(done, request) })}\n`

export function endFields(done: Done, request: WaitRequest) {
  const clock = realClock()
  const now = clock.now()
  return {
    outcome: done.outcome,
    code: exitCode[done.outcome],
    why: endSentence(done, request),
    sessions: done.sessions.map(session => jsonRow(session, now, clock.wall() - now)),
  }
}
