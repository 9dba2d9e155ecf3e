/** Waits for sessions: until they are ready for the next step, or it is known why they will not be. */

import type { WaitForOptions } from '../../connect/wait-for.ts'
import { exitCode, LullError } from '../../core.ts'
import { connect } from '../../index.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { type Goal, goals } from '../../sessions/wait/wait-step.ts'
import { durationFlag } from '../flags/duration-flag.ts'
import { onNotice } from '../notice.ts'
import { printable } from '../ui/cells.ts'
import { waitJson, waitSentence } from '../ui/print-wait.ts'

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

export async function waitForSessions(addresses: readonly string[], flags: WaitFlags): Promise<void> {
  if (addresses.length === 0) throw new LullError('USAGE', "missing required argument 'session'")
  const waiting = readWait(flags)
  // Whatever goes wrong from here on, `lull wait X && next` must not go on.
  process.exitCode = exitCode.failed
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const { signal } = stop
  await using lull = await connect({ startsHost: true, onNotice })
  try {
    const done = await lull.waitFor(addresses, {
      ...waiting,
      signal,
      onRegistered: sessions => {
        if (waiting.next) printRegistered(sessions, flags)
      },
    })
    process.exitCode = exitCode[done.outcome]
    process.stdout.write(flags.json ? waitJson(done, waiting) : `${waitSentence(done, waiting)}\n`)
  } catch (error) {
    if (!signal.aborted) throw error
    process.exitCode = exitCode.interrupted
  }
}

function readWait(flags: WaitFlags): WaitForOptions {
  if (flags.any && flags.all) throw new LullError('USAGE', '--any and --all: give one of them')
  const timeout = durationFlag('--timeout', flags.timeout)
  return {
    until: readGoals(flags.for),
    next: flags.next === true,
    any: flags.any === true,
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

function printRegistered(sessions: readonly LiveSession[], { json }: WaitFlags): void {
  const at = new Date().toISOString()
  const named = sessions.map(({ id, agent, pid }) => ({ id, agent, pid }))
  if (json) process.stdout.write(`${JSON.stringify({ event: 'registered', at, sessions: named })}\n`)
  process.stderr.write(
    `waiting for the next turn of ${sessions.map(session => printable(nameOf(session, homeFolder()))).join(', ')}\n`,
  )
}
