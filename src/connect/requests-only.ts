/** The terminal of an agent that runs where lull can read no screen and type nothing: its hooks alone tell what it asks. */
import { isLullError, LullError } from '../core/lull-error.ts'
import { openHandle } from '../core/open-handle.ts'
import { dialogsOf } from '../drive/dialog/terminal-dialogs.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { refusedToType } from '../drive/refusal.ts'
import { terminalChecks } from '../drive/terminal-options.ts'
import { findSession } from '../sessions/address.ts'
import { callerContext } from '../sessions/caller-context.ts'
import type { LiveSession, RequestPort } from '../sessions/session-source.ts'
import type { TerminalWhere } from './session-machine.ts'

/** @returns undefined where the address means no session that asks something so */
export async function requestsOnly(
  address: string,
  where: TerminalWhere = {},
  list: () => Promise<readonly LiveSession[]>,
  requests: RequestPort,
): Promise<Terminal | undefined> {
  const session = await list().then(all => sessionIn(address, all))
  if (!session || !(await requests.asked(session.id))) return undefined
  const handle = openHandle('this terminal was closed: open it again')
  const agent = async () => (await list()).find(({ id }) => id === session.id)
  const { dialog, answer } = dialogsOf({ agent, requests })
  const unreachable = async (): Promise<never> => {
    throw refusedToType(
      'failed',
      'it runs in no terminal that lull can reach: only what it asks can be answered',
    )
  }
  const unread = async (): Promise<never> => {
    throw new LullError('NO_PANE', 'it runs in no terminal that lull can read: only what it asks is known')
  }
  const methods: Omit<Terminal, 'pane' | 'close' | typeof Symbol.asyncDispose> = {
    ...{ observe: unread, settle: unread, read: unread, waitReady: unread },
    ...{ send: unreachable, keys: unreachable, agent, dialog },
    answer: async (choice, options = {}) =>
      where.readOnly ? unreachable() : answer(typeof choice === 'string' ? [choice] : choice, options),
  }
  const close = async (): Promise<void> => handle.close()
  return {
    pane: { socket: '', id: '', pid: session.pid, tty: '' },
    ...handle.guard(methods, terminalChecks),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function sessionIn(address: string, all: readonly LiveSession[]): LiveSession | undefined {
  try {
    return findSession(address, all, callerContext())
  } catch (error) {
    if (isLullError(error)) return undefined
    throw error
  }
}
