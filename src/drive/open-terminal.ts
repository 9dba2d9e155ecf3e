/** A terminal to drive: text and keys into a tmux pane, what stands on it, and when it is ready for more. */

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { LullError } from '../core/lull-error.ts'
import { attempt } from '../os/attempt.ts'
import { type Lock, waitForLock } from '../os/file/lock.ts'
import { makeOwnFolder, placesOf } from '../os/file/places.ts'
import { readKey } from '../os/tmux/key-names.ts'
import type { PaneTarget } from '../os/tmux/pane-facts.ts'
import { callerContext } from '../sessions/caller-context.ts'
import type { LocalSessions } from '../sessions/local-sessions.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { createObserver, type DrivenTerminal } from '../terminal/observer.ts'
import type { Observation } from '../terminal/observer-step.ts'
import { type PaneAddress, tmuxPane } from '../terminal/tmux-pane.ts'
import { realClock } from '../track/clock.ts'
import { findPane } from './find-pane.ts'
import { waitByPattern } from './pattern-wait.ts'
import { pressKeys } from './press-keys.ts'
import { type ReadyWait, startReadyWait } from './ready-wait.ts'
import { agentPids, judgePane, refusedToType } from './refusal.ts'
import { type Sent, sendText } from './send-text.ts'
import type { TerminalGoal } from './terminal-goals.ts'
import type { Answer } from './wait-answer.ts'

export type WaitOptions = {
  /** What to wait for; ready where not given. */
  readonly for?: readonly TerminalGoal[]
  /** ms; 10,000 where not given, 120,000 where a known agent runs in the foreground (docs/seeds.md#002). */
  readonly timeout?: number
  /** Decides what is ready, unless the kernel proves that the program runs. */
  readonly promptPattern?: RegExp
  /** `pattern`: the polling of docs/seeds.md#002; taken by itself where the kernel can't be asked. */
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

export type Terminal = AsyncDisposable & {
  readonly pane: PaneAddress
  /** What it does now, at once, conclusive or not. */
  observe(): Promise<Observation>
  /** What it does now, as soon as nothing moves; after `patience` ms as it is then (1,500 where not given). */
  settle(patience?: number): Promise<Observation>
  /** The agent that runs in it, where one does and lull knows of it. */
  agent(): Promise<LiveSession | undefined>
  /** @throws {LullError} REFUSED_TO_TYPE, LOCKED, REFUSED, ENDED */
  send(text: string | Buffer, options?: TypeOptions): Promise<SendResult>
  /** `C-c`, `Up`, `Enter`, `y`. @throws {LullError} BAD_KEY, REFUSED_TO_TYPE, LOCKED, REFUSED, ENDED */
  keys(names: readonly string[]): Promise<void>
  /** The last lines (100 where not given), or with `screen` all of the screen. @throws {LullError} REFUSED, ENDED */
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
 * await using terminal = await openTerminal('tmux:work:1.0')
 * const { answer } = await terminal.send('npm test', { wait: { timeout: 60_000 } })
 * console.log(answer?.state, answer?.screen.at(-1))
 * ```
 * @param address `tmux:%3`, `tmux:name:window.pane`, `pid:123`, a session of lull's; the default pane where not given
 * @throws {LullError} NO_PANE, AMBIGUOUS_PANE, NO_SESSION, AMBIGUOUS_SESSION where none or several are meant; NO_SERVER
 *   where no tmux answers
 */
export async function openTerminal(address?: string, options: TerminalOptions = {}): Promise<Terminal> {
  const known = options.sessions ? { list: options.sessions, close: async () => undefined } : ownSessions()
  const { env } = process
  const { socket } = options
  const where = {
    env,
    caller: callerContext(),
    sessions: known.list,
    ...(socket === undefined ? {} : { socket }),
  }
  const target = await findPane(address, where).catch(async error => {
    await known.close()
    throw error
  })
  const terminal = terminalOf(target, known.list, options.readOnly === true)
  const close = async () => {
    await Promise.all([terminal.close(), known.close()])
  }
  return { ...terminal, close, [Symbol.asyncDispose]: close }
}

/** @param sessions what is known of agents: asked only where one runs in the pane */
function terminalOf(
  target: PaneTarget,
  sessions: () => Promise<readonly LiveSession[]>,
  readOnly: boolean,
): Terminal {
  const { socket } = target
  const { id, pid, tty } = target.facts
  const pane = createObserver(tmuxPane({ socket, id, pid, tty }))
  const judge = (observation: Observation) => judgePane(observation, sessions)

  async function locked<T>(act: () => Promise<T>): Promise<T> {
    if (readOnly) throw refusedToType('failed', 'this terminal was opened to be read only: nothing was typed')
    let lock: Lock | undefined
    try {
      lock = await lockPane(socket, id, lockMs)
      return await act()
    } finally {
      lock?.release()
    }
  }

  function timeoutOf({ timeout }: WaitOptions): number {
    if (timeout === undefined) return agentPids(pane.probe()).length > 0 ? agentMs : terminalMs
    if (timeout >= 0) return timeout
    throw new LullError('USAGE', `the timeout must be a number of ms, 0 or more, not ${timeout}`)
  }

  return {
    pane: { socket, id, pid, tty },
    observe: pane.observe,
    settle: (patience = settleMs) => pane.settle(patience),
    agent: async () => (await judge(await pane.observe())).agent,
    async send(text, { enter = true, force = false, wait } = {}) {
      const timeout = timeoutOf(wait ?? {})
      let sent: Sent | undefined
      const waiting = wait && startWait(pane, { ...wait, timeout }, now => sent?.isConsumed(now) === true)
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
      pane.holder.readLines(lines, { screen, raw }),
    async waitReady(options = {}) {
      return startWait(pane, { ...options, timeout: timeoutOf(options) }, () => true).answer()
    },
    close: pane.holder.close,
    [Symbol.asyncDispose]: pane.holder.close,
  }
}

/** docs/seeds.md#002: agents take 30 to 120 s to answer, a shell's command 10 s; reading shows 100 lines. */
const terminalMs = 10_000
const agentMs = 120_000
const readLines = 100
/** A terminal is frozen after a second at the earliest. */
const settleMs = 1500

/** Another sender may wait for a large paste to be read. */
const lockMs = 30_000

/**
 * Who types into a pane does so alone: others wait until it is done.
 * @param patience ms
 * @throws {LullError} LOCKED, BAD_PLACE where another one still types then
 */
function lockPane(socket: string, pane: string, patience: number): Promise<Lock> {
  const folder = path.join(placesOf().runtime, 'panes')
  makeOwnFolder(folder)
  const server = attempt(() => realpathSync(socket)) ?? socket
  const name = createHash('sha256').update(server).digest('hex').slice(0, 16)
  return waitForLock(path.join(folder, `${name}-${pane.slice(1)}`), patience)
}

function startWait(
  pane: DrivenTerminal,
  options: WaitOptions & { readonly timeout: number },
  isConsumed: (observation: Observation) => boolean,
): ReadyWait {
  const { for: goals = [{ type: 'ready' }], promptPattern: pattern, strategy, timeout, signal } = options
  const common = { timeout, ...(pattern ? { pattern } : {}), ...(signal ? { signal } : {}) }
  if (strategy !== 'pattern' && pane.probe().hasKernel)
    return startReadyWait(pane, { ...common, goals, isConsumed })
  const { stableCaptures: captures = 1 } = options
  return {
    answer: () => waitByPattern(pane.holder, { ...common, captures }),
    restart: async () => undefined,
    stop: () => undefined,
  }
}

/** A track of one's own, loaded and begun with the first question. */
function ownSessions() {
  let live: Promise<LocalSessions> | undefined
  const begin = async () => {
    const { localSessions } = await import('../sessions/local-sessions.ts')
    return localSessions(realClock(true), { stateFolder: placesOf().state })
  }
  return {
    list: async () => {
      live ??= begin()
      return (await live).list()
    },
    close: async () => (await live)?.close(),
  }
}
