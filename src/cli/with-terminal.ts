/** Opens the terminal that a command names, for as long as the command needs it. */

import type { Lull } from '../connect/connect.ts'
import { exitCode } from '../core/exit-codes.ts'
import { isLullError } from '../core/lull-error.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import type { OnFlag } from './flags/on-flag.ts'
import { openLull } from './open-lull.ts'
import { jsonLine, onNotice, print } from './ui/print.ts'

export type TerminalFlags = OnFlag & { readonly socket?: string; readonly json?: boolean }

/** Signals that end a command from outside; Ctrl-C is the command's own affair. */
const endings = ['SIGTERM', 'SIGHUP'] as const

export async function withTerminal(
  address: string | undefined,
  { socket, json, on }: TerminalFlags,
  act: (terminal: Terminal, lull: Lull) => Promise<void>,
  { readOnly = false } = {},
): Promise<void> {
  // Whatever goes wrong from here on, `lull send … && next` must not go on.
  process.exitCode = exitCode.failed
  await using lull = await openLull({ on }, [address], { onNotice })
  try {
    await using terminal = await lull.terminal(address, {
      readOnly,
      ...(socket === undefined ? {} : { socket }),
    })
    // A pipe that tmux keeps for a command that is no more would make the next one deaf.
    const onEnded = (signal: NodeJS.Signals): void =>
      void terminal.close().finally(() => process.kill(process.pid, signal))
    for (const signal of endings) process.once(signal, onEnded)
    try {
      await act(terminal, lull)
    } finally {
      for (const signal of endings) process.removeListener(signal, onEnded)
    }
  } catch (error) {
    if (!isLullError(error, 'REFUSED_TO_TYPE')) throw error
    process.exitCode = error.exit
    const { exit: code, message: why, facts } = error
    if (json) printEvent({ event: 'refused', outcome: facts.outcome, code, why, typed: facts.typed })
    else onNotice(why)
  }
}

export function printEvent({
  event,
  ...fields
}: {
  readonly event: string
  readonly [field: string]: unknown
}): void {
  print(jsonLine({ event, at: new Date().toISOString(), ...fields }))
}
