/** Opens the terminal that a command names, for as long as the command needs it. */

import { exitCode } from '../core/exit-codes.ts'
import { isLullError } from '../core/lull-error.ts'
import { findPane } from '../drive/find-pane.ts'
import { type Terminal, terminalOf } from '../drive/open-terminal.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { here } from './caller-context.ts'
import { connect } from './connect.ts'

export type TerminalFlags = { readonly socket?: string; readonly json?: boolean }

/** A pane, or an agent's session that is in none: such a one can be waited for. */
export type Connection = {
  /** Where sessions come from: connected with the first question. */
  readonly live: () => Promise<SessionSource>
}

export async function withTerminal(
  address: string | undefined,
  { socket, json }: TerminalFlags,
  act: (terminal: Terminal, connection: Connection) => Promise<void>,
  { readOnly = false } = {},
): Promise<void> {
  // Whatever goes wrong from here on, `lull send … && next` must not go on.
  process.exitCode = exitCode.failed
  let connecting: Promise<SessionSource> | undefined
  const live = () => {
    connecting ??= connect()
    return connecting
  }
  const sessions = async () => (await live()).list()
  let terminal: Terminal | undefined
  try {
    const where = { env: process.env, here: here(), sessions, ...(socket === undefined ? {} : { socket }) }
    terminal = terminalOf(await findPane(address, where), sessions, readOnly)
    await act(terminal, { live })
  } catch (error) {
    if (!isLullError(error, 'REFUSED_TO_TYPE')) throw error
    process.exitCode = error.exit
    const { exit: code, message: why, facts } = error
    if (json) printJson({ event: 'refused', outcome: facts.outcome, code, why, typed: facts.typed })
    else process.stderr.write(`lull: ${why}\n`)
  } finally {
    await terminal?.close()
    await connecting?.then(
      one => one.close(),
      () => undefined,
    )
  }
}

export function printJson({
  event,
  ...fields
}: {
  readonly event: string
  readonly [field: string]: unknown
}): void {
  process.stdout.write(`${JSON.stringify({ event, at: new Date().toISOString(), ...fields })}\n`)
}
