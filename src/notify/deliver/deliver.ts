/** Sends a message to a destination, whatever that is. Nothing throws, and nothing takes longer than `patienceMs` and a little. */
import { socketOf } from '../../os/tmux/socket-path.ts'
import type { Destination } from '../rules/notify-rules.ts'
import type { Outgoing } from '../step/compose-step.ts'
import { notifyTerminals } from './client-terminals.ts'
import type { Delivery } from './delivery.ts'
import { notifyDesktop } from './desktop.ts'
import { post } from './post.ts'
import { runProgram } from './run-program.ts'

export type DeliverAround = {
  readonly env: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
  /** tmux servers in which sessions run. */
  readonly sockets: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/** @param ref by which the destination knows what is withdrawn */
export async function deliver(
  to: Destination,
  message: Outgoing,
  { env, platform = process.platform, sockets, signal }: DeliverAround,
  ref?: string,
): Promise<Delivery> {
  switch (to.by) {
    case 'ntfy':
    case 'webhook':
      return post(to, message, signal)
    case 'desktop':
      return notifyDesktop(message, { env, platform, signal }, ref)
    case 'terminal':
      return notifyTerminals(to.signal, message, [...new Set([...sockets, socketOf(undefined, env)])])
    case 'command': {
      // It was run to tell; that it is run again would tell again.
      if (message.withdrawn) return { is: 'nothing' }
      const end = await runProgram(to.words, {
        env: { ...env, LULL_NOTIFY_TITLE: message.title, LULL_NOTIFY_TEXT: message.text },
        stdin: `${JSON.stringify(message)}\n`,
        signal,
      })
      return 'why' in end ? { is: 'failed', why: end.why } : { is: 'done' }
    }
  }
}
