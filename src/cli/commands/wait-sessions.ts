/** Waits for sessions: until they are ready for the next step, or it is known why they will not be. */

import type { Lull } from '../../connect/connect.ts'
import { leftOf, limitClosing, limitTo } from '../../connect/time-limit.ts'
import type { WaitForOptions } from '../../connect/wait-for.ts'
import { everyone } from '../../connect/wait-whom.ts'
import { defined } from '../../core/defined.ts'
import { exitCode } from '../../core/exit-codes.ts'
import { LullError } from '../../core/lull-error.ts'
import { matchSessions } from '../../sessions/address.ts'
import { callerContext } from '../../sessions/caller-context.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { type Goal, goals } from '../../sessions/wait/wait-step.ts'
import { durationFlag, kindsOf } from '../flags/flag-values.ts'
import type { OnFlag } from '../flags/on-flag.ts'
import { openLull } from '../open-lull.ts'
import { printHint } from '../ui/hint.ts'
import { jsonLine, lines, note, onNotice, print } from '../ui/print.ts'
import { waitJson, waitSentence, whomSentence } from '../ui/print-wait.ts'

export type WaitFlags = OnFlag & {
  readonly for?: string
  readonly next?: boolean
  readonly held?: string
  /** The name of `--held` in lull 0.1. */
  readonly settled?: string
  readonly ignoreBackground?: boolean | string
  readonly timeout?: string
  readonly any?: boolean
  readonly all?: boolean
  readonly appear?: boolean
  readonly json?: boolean
  /** As `--for ready`: a terminal that takes the next input. */
  readonly ready?: boolean
  readonly promptPattern?: string
  readonly strategy?: string
  readonly stable?: string
  readonly socket?: string
}

export async function waitForSessions(named: readonly string[], given: WaitFlags): Promise<void> {
  const { addresses: meant, flags } = withoutValue(named, given)
  if (meant.length === 0 && !flags.any)
    throw new LullError(
      'USAGE',
      "missing required argument 'session': lull ps lists them; --any without one waits for any of them, new ones too",
    )
  const addresses = meant.length === 0 ? [everyone] : meant
  const waiting = readWait(flags)
  const { timeout } = waiting
  limitTo(timeout)
  // Whatever goes wrong from here on, `lull wait X && next` must not go on.
  process.exitCode = exitCode.failed
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const { signal } = stop
  await using lull = await openLull(flags, meant, { startsHost: true, onNotice })
  try {
    const ids = await inPanes(lull, addresses, flags)
    const done = await lull.waitFor(ids, {
      ...waiting,
      ...leftOf(timeout),
      signal,
      onRegistered(sessions) {
        if (waiting.next && flags.json) printRegistered(sessions)
        note(lines(whomSentence(sessions, addresses, waiting)))
        void printHint(sessions)
      },
    })
    process.exitCode = exitCode[done.outcome]
    print(flags.json ? waitJson(done, waiting) : lines(waitSentence(done, waiting)))
    limitClosing(timeout)
  } catch (error) {
    if (!signal.aborted) throw error
    process.exitCode = exitCode.interrupted
  }
}

/** A pane as `lull send` names it is the agent in it: tmux knows more names of panes than lull, and lull not which server is meant. */
async function inPanes(
  lull: Lull,
  addresses: readonly string[],
  { socket, appear }: WaitFlags,
): Promise<readonly string[]> {
  const isPane = (address: string): boolean => /^(tmux:|%)/.test(address)
  const other = addresses.find(address => !isPane(address))
  if (socket !== undefined && other !== undefined)
    throw new LullError('USAGE', `--socket ${socket}: ${other} needs no socket; use it with tmux:%3`)
  if (appear || !addresses.some(isPane)) return addresses
  const sessions = await lull.sessions()
  const isKnown = (address: string): boolean =>
    !isPane(address) ||
    (socket === undefined &&
      /^tmux:%\d+$/.test(address) &&
      matchSessions(address, sessions, callerContext()).length > 0)
  return Promise.all(
    addresses.map(async address => {
      if (isKnown(address)) return address
      const [live] = await lull.sessions([address], defined({ socket }))
      if (live && sessions.some(({ id }) => id === live.id)) return live.id
      throw new LullError(
        'NO_SESSION',
        `no session is in ${address}: lull wait ${address} --ready waits for the terminal`,
        { address },
      )
    }),
  )
}

/** `--ignore-background api`: the next word is a session, unless it names kinds of work. */
function withoutValue(addresses: readonly string[], flags: WaitFlags) {
  const { ignoreBackground } = flags
  if (typeof ignoreBackground !== 'string' || kindsOf(ignoreBackground)) return { addresses, flags }
  return { addresses: [ignoreBackground, ...addresses], flags: { ...flags, ignoreBackground: true } }
}

function readWait(flags: WaitFlags): WaitForOptions {
  if (flags.stable !== undefined)
    throw new LullError(
      'USAGE',
      '--stable needs a wait for a terminal: --ready, or --for ready, question, password, output:/re/',
    )
  if (flags.any && flags.all) throw new LullError('USAGE', '--any and --all exclude each other; give one')
  const timeout = durationFlag('--timeout', flags.timeout)
  return {
    until: readGoals(flags.for),
    next: flags.next === true,
    any: flags.any === true,
    appear: flags.appear === true,
    ignoreBackground: kindsOf(flags.ignoreBackground) ?? flags.ignoreBackground === true,
    held: durationFlag('--held', flags.held) ?? durationFlag('--settled', flags.settled) ?? 0,
    ...(timeout === undefined ? {} : { timeout }),
  }
}

function readGoals(text: string | undefined): readonly Goal[] {
  if (text === undefined) return ['idle']
  return text.split(',').map(word => {
    const goal = goals.find(name => name === word.trim())
    if (goal === undefined)
      throw new LullError(
        'USAGE',
        `--for ${text}: "${word.trim()}" is not a state; use ${goals.join(', ')}, or for a terminal ready, question, password, output:/re/`,
      )
    return goal
  })
}

function printRegistered(sessions: readonly LiveSession[]): void {
  const named = sessions.map(({ id, agent, pid }) => ({ id, agent, pid }))
  print(jsonLine({ event: 'registered', at: new Date().toISOString(), sessions: named }))
}
