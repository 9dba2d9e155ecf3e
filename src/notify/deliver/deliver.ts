/** Sends a message to a destination, whatever that is. Nothing throws, and nothing takes longer than `patienceMs` and a little. */

import { printable } from '../../core/text/printable.ts'
import { askTmuxWithin } from '../../os/tmux/ask-tmux.ts'
import { socketOf } from '../../os/tmux/socket-path.ts'
import { writeTerminal } from '../../os/tty/write-terminal.ts'
import type { UnsentNotice } from '../../shapes/notice-shape.ts'
import type { Destination } from '../rules/destination-fields.ts'
import type { Outgoing } from '../step/compose-step.ts'
import type { Delivery } from './delivery.ts'
import { notifyDesktop, runProgram } from './desktop.ts'
import type { OfferAnswers } from './offered-answers.ts'
import { post } from './post.ts'

export type DeliverAround = {
  readonly env: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
  /** tmux servers in which sessions run. */
  readonly sockets: readonly string[]
  readonly signal?: AbortSignal | undefined
  /** Makes the links of a message that answer what it tells of. */
  readonly offer?: OfferAnswers | undefined
  readonly show?: ShowNotice | undefined
}

/** Shows it on each open page. @returns whether there is one */
export type ShowNotice = (notice: UnsentNotice) => Promise<boolean>

/** @param ref by which the destination knows what is withdrawn */
export async function deliver(
  to: Destination,
  message: Outgoing,
  { env, platform = process.platform, sockets, signal, offer, show }: DeliverAround,
  ref?: string,
): Promise<Delivery> {
  switch (to.by) {
    case 'ntfy':
    case 'webhook':
      return post(to, message, { signal, offer })
    case 'desktop':
      return notifyDesktop(message, { env, platform, signal }, ref)
    case 'terminal':
      return notifyTerminals(to.signal, message, [...new Set([...sockets, socketOf(undefined, env)])])
    case 'page':
      return showOnPages(message, show)
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

async function showOnPages(message: Outgoing, show: ShowNotice | undefined): Promise<Delivery> {
  const { sessions, ...words } = message
  const [one, ...others] = sessions
  const notice = { ...words, ...(one && others.length === 0 ? { session: one.id } : {}) }
  if (await show?.(notice)) return { is: 'done' }
  // A page that is opened now shows what holds now.
  return message.withdrawn ? { is: 'nothing' } : { is: 'failed', why: 'no page of lull serve is open' }
}

type Signal = Extract<Destination, { readonly by: 'terminal' }>['signal']

/** A server that does not answer has nobody who looks: ms. */
const patienceMs = 2000

/** @param sockets of this user's tmux servers */
export async function notifyTerminals(
  signal: Signal,
  message: Outgoing,
  sockets: readonly string[],
): Promise<Delivery> {
  if (message.withdrawn) return { is: 'nothing' }
  const all = (await Promise.all(sockets.map(clientsOf))).flat()
  if (all.length === 0) return { is: 'failed', why: 'nobody is attached to tmux' }
  const bytes = bytesOf(signal, message)
  const refused = [...new Set(all)].map(tty => ({ tty, why: writeTerminal(tty, bytes) }))
  const [first] = refused
  // One of them that took it is enough.
  return refused.some(({ why }) => why === undefined)
    ? { is: 'done' }
    : { is: 'failed', why: `${first?.tty}: ${first?.why}` }
}

async function clientsOf(socket: string): Promise<readonly string[]> {
  const asked = ['list-clients', '-F', '#{client_control_mode} #{client_tty}']
  const printed = await askTmuxWithin(patienceMs, socket, asked).catch(() => '')
  return [...printed.matchAll(/^0 (\/dev\/\S+)$/gm)].map(([, tty = '']) => tty)
}

/** No text in it can end the sequence or begin another. */
export function bytesOf(signal: Signal, { title, text }: Pick<Outgoing, 'title' | 'text'>): string {
  const line = (text: string): string => printable(text).trim()
  switch (signal) {
    case 'bell':
      return '\u0007'
    case 'osc9':
      // Behind a word: a number there would be a progress to some terminals (ConEmu's 9;4).
      return `\u001b]9;lull: ${line(title)}\u0007`
    case 'osc777': {
      const field = (text: string): string => line(text).replaceAll(';', ',')
      return `\u001b]777;notify;lull: ${field(title)};${field(text.replaceAll('\n', ' · '))}\u0007`
    }
  }
}
