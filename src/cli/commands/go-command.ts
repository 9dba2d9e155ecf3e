/** `lull go [SESSION]`: to the pane of the session that has waited for a person the longest. */

import { exitCode } from '../../core/exit-codes.ts'
import { oneLine } from '../../core/text/printable.ts'
import { connect, type Lull } from '../../index.ts'
import { findSession } from '../../sessions/address.ts'
import { callerContext, homeFolder } from '../../sessions/caller-context.ts'
import { type Jump, jump, type Standpoint, terminalOf } from '../../sessions/jump.ts'
import { byNeed, needOf, needsPerson } from '../../sessions/rank.ts'
import { nameOf, shortFolder } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { lines, print } from '../ui/print.ts'

export async function goCommand(address: string | undefined): Promise<void> {
  await using lull = await connect()
  const sessions = byNeed(await lull.sessions())
  const session =
    address === undefined
      ? sessions.find(one => needOf(one) === 'answer')
      : findSession(address, sessions, callerContext())
  if (!session) {
    print(lines(nobodyWaits(sessions)))
    return
  }
  const { sentence, isThere } = await goTo(session, lull)
  if (sentence !== '') print(lines(sentence))
  if (!isThere) process.exitCode = exitCode.failed
}

function nobodyWaits(sessions: readonly LiveSession[]): string {
  const others = sessions.filter(needsPerson).length
  if (others === 0) return 'nobody waits for you'
  return `nobody waits for an answer; ${others === 1 ? 'one is' : `${others} are`} done and unseen or stuck: lull ps --needs-me`
}

/** Jumps, and marks the session as seen; where that can't be done, the sentence says where it runs. */
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
