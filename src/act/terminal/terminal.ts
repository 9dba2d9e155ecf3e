/** A terminal to drive: text and keys into a tmux pane, what stands on it, and when it is ready for more. */

import { placesOf } from '../../sense/places.ts'
import { captureLines } from '../../sense/terminal/capture.ts'
import { realClock } from '../../track/clock.ts'
import type { LiveSession } from '../../track/live/live.ts'
import { type OwnLive, ownLive } from '../../track/live/own.ts'
import type { Lock } from '../lock.ts'
import { judgePane } from './agent-in-pane.ts'
import type { Answer } from './answer.ts'
import type { Goal } from './goals.ts'
import { readKey } from './key-names.ts'
import { pressKeys } from './keys.ts'
import { type Look, type OpenPane, openPane } from './open-pane.ts'
import { lockPane } from './pane-lock.ts'
import { waitByPattern } from './pattern.ts'
import { type ReadyWait, startReadyWait } from './ready.ts'
import { agentPids, RefusedError } from './refusal.ts'
import { type Sent, sendText } from './send.ts'
import { settledLook } from './settled-look.ts'
import { findPane, type PaneTarget } from './target.ts'

export type WaitOptions = {
  /** What to wait for; ready where not given. */
  readonly for?: readonly Goal[]
  /** ms; 10,000 where not given, 120,000 where a known agent runs in the foreground (document 002). */
  readonly timeout?: number
  /** Decides what is ready, unless the kernel proves that the program runs. */
  readonly promptPattern?: RegExp
  /** `pattern`: document 002's polling; taken by itself where the kernel can't be asked. */
  readonly strategy?: 'kernel' | 'pattern'
  /** With the strategy `pattern`: equal captures in a row, after the first, that mean stable. */
  readonly stableCaptures?: number
  readonly signal?: AbortSignal
}

export type TypeOptions = {
  /** Presses Enter after the text (the default). */
  readonly enter?: boolean
  /** Types although it is not known what an agent in the pane does. Never into a permission, trust or password. */
  readonly force?: boolean
  /** Waits afterwards: registered before anything is typed, and for what is typed to be read. */
  readonly wait?: WaitOptions
}

export type SendResult = Pick<Sent, 'bytes' | 'isEntered' | 'isRead'> & { readonly answer?: Answer }

export type Terminal = {
  readonly pane: Pick<OpenPane, 'socket' | 'id' | 'pid' | 'tty'>
  /** One look at once, ripe or not. */
  look(): Promise<Look>
  /** What it does now, as soon as nothing moves; after `patience` ms as it is then (1,500 where not given). */
  settled(patience?: number): Promise<Look>
  /** The agent that runs in it, where one does and lull knows of it. */
  agent(): Promise<LiveSession | undefined>
  /** @throws {RefusedError | LockError | AskError} */
  send(text: string | Buffer, options?: TypeOptions): Promise<SendResult>
  /** `C-c`, `Up`, `Enter`, `y`. @throws {KeyError | RefusedError | LockError | AskError} */
  keys(names: readonly string[]): Promise<void>
  /** The last lines (100 where not given), or with `screen` all of the screen. @throws {AskError} */
  read(options?: { lines?: number; screen?: boolean; raw?: boolean }): Promise<readonly string[]>
  /** @returns undefined where its signal ended it */
  waitReady(options?: WaitOptions): Promise<Answer | undefined>
  close(): Promise<void>
}

export type TerminalOptions = {
  /** A tmux server: the path of its socket, or its name. The one around this program, or the default one. */
  readonly socket?: string
  /** Nothing will be typed. */
  readonly readOnly?: boolean
  /** Where what is known of agents comes from; a track of its own where not given. */
  readonly sessions?: () => Promise<readonly LiveSession[]>
}

/**
 * ```ts
 * const terminal = await openTerminal('tmux:work:1.0')
 * const { answer } = await terminal.send('npm test', { wait: { timeout: 60_000 } })
 * console.log(answer?.state, answer?.screen.at(-1))
 * await terminal.close()
 * ```
 * @param address `tmux:%3`, `tmux:name:window.pane`, `pid:123`, a session of lull's; the default pane where not given
 * @throws {TmuxError | AddressError} where no pane, or more than one, is meant
 */
export async function openTerminal(address?: string, options: TerminalOptions = {}): Promise<Terminal> {
  const known = options.sessions ? { list: options.sessions, close: async () => undefined } : ownSessions()
  const { env } = process
  const here = { cwd: process.cwd(), home: env.HOME ?? '/' }
  const { socket } = options
  const where = { env, here, sessions: known.list, ...(socket === undefined ? {} : { socket }) }
  const target = await findPane(address, where).catch(async error => {
    await known.close()
    throw error
  })
  const terminal = terminalOf(target, known.list, options.readOnly === true)
  return {
    ...terminal,
    async close() {
      await Promise.all([terminal.close(), known.close()])
    },
  }
}

/** @param sessions what is known of agents: asked only where one runs in the pane */
export function terminalOf(
  target: PaneTarget,
  sessions: () => Promise<readonly LiveSession[]>,
  readOnly: boolean,
): Terminal {
  const pane = openPane(target)
  const judge = (look: Look) => judgePane(look, sessions)

  async function locked<T>(act: () => Promise<T>): Promise<T> {
    if (readOnly)
      throw new RefusedError('failed', 'this terminal was opened to be read only: nothing was typed')
    let lock: Lock | undefined
    try {
      lock = await lockPane(pane.socket, pane.id, lockMs)
      return await act()
    } finally {
      lock?.release()
    }
  }

  const timeoutOf = ({ timeout }: WaitOptions): number =>
    timeout ?? (agentPids(pane.glance()).length > 0 ? agentMs : terminalMs)

  return {
    pane: { socket: pane.socket, id: pane.id, pid: pane.pid, tty: pane.tty },
    look: () => pane.look(),
    settled: (patience = lookMs) => settledLook(pane, patience),
    agent: async () => (await judge(await pane.look())).agent,
    async send(text, { enter = true, force = false, wait } = {}) {
      const timeout = timeoutOf(wait ?? {})
      let sent: Sent | undefined
      const waiting = wait && startWait(pane, { ...wait, timeout }, look => sent?.isConsumed(look) === true)
      const entering = async () => waiting?.restart()
      try {
        sent = await locked(() => sendText(pane, text, { enter, force, timeout, judge, entering }))
        const { bytes, isEntered, isRead } = sent
        const answer = isEntered || !enter ? await waiting?.answer() : undefined
        return { bytes, isEntered, isRead, ...(answer ? { answer } : {}) }
      } finally {
        waiting?.stop()
      }
    },
    keys: names => locked(() => pressKeys(pane, names.map(readKey))),
    read: ({ lines = readLines, screen = false, raw = false } = {}) =>
      captureLines(pane.socket, pane.id, lines, { screen, raw }),
    async waitReady(options = {}) {
      return startWait(pane, { ...options, timeout: timeoutOf(options) }, () => true).answer()
    },
    close: () => pane.close(),
  }
}

/** Document 002: agents take 30 to 120 s to answer, a shell's command 10 s; reading shows 100 lines. */
const terminalMs = 10_000
const agentMs = 120_000
const readLines = 100
/** A terminal is frozen after a second at the earliest. */
const lookMs = 1500

/** Another sender may wait for a large paste to be read. */
const lockMs = 30_000

function startWait(
  pane: OpenPane,
  options: WaitOptions & { readonly timeout: number },
  isConsumed: (look: Look) => boolean,
): ReadyWait {
  const { for: goals = [{ type: 'ready' }], promptPattern: pattern, strategy, timeout, signal } = options
  const common = { timeout, ...(pattern ? { pattern } : {}), ...(signal ? { signal } : {}) }
  if (strategy !== 'pattern' && pane.glance().hasKernel)
    return startReadyWait(pane, { ...common, goals, isConsumed })
  const { stableCaptures: captures = 1 } = options
  return {
    answer: () => waitByPattern(pane, { ...common, captures }),
    restart: async () => undefined,
    stop: () => undefined,
  }
}

/** A track of one's own, begun with the first question. */
function ownSessions() {
  let live: OwnLive | undefined
  return {
    list: () => {
      live ??= ownLive(realClock(true), { stateFolder: placesOf().state })
      return live.list()
    },
    close: async () => live?.close(),
  }
}
