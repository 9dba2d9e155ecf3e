/** `lull wait SESSION --ready`, and `--for` what a terminal is waited for: one terminal, or an agent's next step. */

import { isAgentName } from '../../agents/agent-names.ts'
import { leftOf, limitClosing, limitTo } from '../../connect/time-limit.ts'
import { exitCode } from '../../core/exit-codes.ts'
import { LullError } from '../../core/lull-error.ts'
import { answerFields, answerLines, codeOf } from '../../drive/wait/answer-fields.ts'
import { matchSessions } from '../../sessions/address.ts'
import { callerContext } from '../../sessions/caller-context.ts'
import { readTerminalWait } from '../flags/terminal-flags.ts'
import { openLull } from '../open-lull.ts'
import { ranThere } from '../run-there.ts'
import { lines, print } from '../ui/print.ts'
import { printEvent, withTerminal } from '../with-terminal.ts'
import type { WaitFlags } from './wait-sessions.ts'

export async function waitTerminalCommand(addresses: readonly string[], flags: WaitFlags): Promise<void> {
  const [address, another] = addresses
  if (another !== undefined) throw new LullError('USAGE', 'a wait for a terminal accepts one session')
  if (flags.next || flags.ignoreBackground)
    throw new LullError('USAGE', '--next and --ignore-background need an agent; a terminal has no turns')
  if ((flags.held ?? flags.settled) !== undefined || flags.any || flags.appear)
    throw new LullError(
      'USAGE',
      '--held, --any and --appear work only with --for idle, settled, waiting, stuck or exited',
    )
  const options = readTerminalWait(flags)
  if (await ranThere(address, flags)) return
  const { timeout } = options
  limitTo(timeout)
  const isForReady = flags.for === undefined || flags.for === 'ready'
  const isForAgent = isForReady && !flags.strategy && !flags.promptPattern
  let agent = isForAgent ? await knownAgent(address, flags) : undefined
  if (agent !== undefined) return waitForAgent(agent, flags)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  await withTerminal(
    address,
    flags,
    async terminal => {
      agent = isForAgent ? (await terminal.agent())?.id : undefined
      if (agent !== undefined) return
      const answer = await terminal.waitReady({ ...options, ...leftOf(timeout), signal: stop.signal })
      process.exitCode = answer ? codeOf(answer) : exitCode.interrupted
      if (!answer) return
      if (flags.json) printEvent({ event: 'ended', ...answerFields(answer) })
      else print(lines(...answerLines(answer)))
      limitClosing(timeout)
    },
    { readOnly: true },
  )
  if (agent !== undefined) await waitForAgent(agent, flags)
}

/** An agent by its id, name or folder is waited for wherever it runs, in no pane, too. */
async function knownAgent(address: string | undefined, flags: WaitFlags): Promise<string | undefined> {
  if (address === undefined || /^(tmux:|%)/.test(address)) return undefined
  await using lull = await openLull(flags, [address])
  const [found, another] = matchSessions(address, await lull.sessions(), callerContext())
  return found && !another && isAgentName(found.agent) ? found.id : undefined
}

/** docs/seeds.md#002: agents take 30 to 120 s to answer. */
async function waitForAgent(
  id: string,
  { ready: _, for: __, socket: ___, ...flags }: WaitFlags,
): Promise<void> {
  const { waitForSessions } = await import('./wait-sessions.ts')
  return waitForSessions([id], { timeout: '120s', ...flags })
}
