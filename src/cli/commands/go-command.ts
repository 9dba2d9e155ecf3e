/** `lull go [SESSION]`: to the pane of the session that needs a person first, and from there to the next one's. */

import { exitCode } from '../../core/exit-codes.ts'
import { oneLine } from '../../core/text/printable.ts'
import { connect, type Lull } from '../../index.ts'
import { findSession } from '../../sessions/address.ts'
import { callerContext, homeFolder } from '../../sessions/caller-context.ts'
import { type Jump, jump, type Standpoint, sessionsAround, terminalOf } from '../../sessions/jump.ts'
import { nextToGo } from '../../sessions/rank.ts'
import { nameOf, shortFolder } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { ranThere } from '../run-there.ts'
import { lines, onNotice, print } from '../ui/print.ts'

export async function goCommand(address: string | undefined): Promise<void> {
  if (await ranThere(address, {}, true)) return
  await using lull = await connect({ onNotice })
  const sessions = await lull.sessions()
  const caller = callerContext()
  const session =
    address === undefined ? await firstOf(sessions, caller.tmux) : findSession(address, sessions, caller)
  if (!session) {
    print(lines('no session waits for you'))
    return
  }
  const { sentence, isThere } = await goTo(session, lull)
  if (sentence !== '') print(lines(sentence))
  if (!isThere) process.exitCode = exitCode.failed
}

/** Sessions that can be shown here come first: another would only be named, each time again. */
async function firstOf(
  sessions: readonly LiveSession[],
  tmux: string | undefined,
): Promise<LiveSession | undefined> {
  if (tmux === undefined) return nextToGo(sessions, undefined)
  const { here, near } = await sessionsAround(sessions, tmux)
  return nextToGo(near, here) ?? nextToGo(sessions, here)
}

/** Jumps, and marks the session as seen. Where it can't jump, the sentence names the place of the session. */
export async function goTo(
  session: LiveSession,
  lull: Lull,
): Promise<{ sentence: string; isThere: boolean }> {
  const jumped = await jump(session, standpoint())
  if (jumped.type !== 'jumped') return { sentence: whereabouts(session, jumped), isThere: false }
  await lull.markSeen([session.id])
  return { sentence: '', isThere: true }
}

function standpoint(): Standpoint {
  const { tmux } = callerContext()
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  return tmux === undefined ? { isTerminal } : { tmux, isTerminal }
}

function whereabouts(session: LiveSession, { why, ...jumped }: Exclude<Jump, { type: 'jumped' }>): string {
  const home = homeFolder()
  if (jumped.type === 'command')
    return `${nameOf(session, home)}: ${oneLine(why, 300)}; attach with ${jumped.command}`
  const tty = terminalOf(session.pid)
  const folder = session.cwd === undefined ? '' : ` in ${shortFolder(session.cwd, home)}`
  const at = `it runs as pid ${session.pid}${tty === undefined ? '' : ` on ${tty}`}${folder}`
  return `${session.agent} ${session.id}: ${oneLine(why, 300)}; ${at}`
}
