/**
 * Drives a terminal, a tmux pane or one of lull's own: types text and keys, reads the screen, waits until it is ready.
 * Each of these loads its modules at its first use: a wait does not load those that type.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { checkValues } from '../core/check-values.ts'
import { defined } from '../core/defined.ts'
import { LullError } from '../core/lull-error.ts'
import { openHandle } from '../core/open-handle.ts'
import type { Lock } from '../os/file/lock.ts'
import { lockPane } from '../os/file/lock.ts'
import { readKey } from '../os/tmux/key-names.ts'
import { callerContext } from '../sessions/caller-context.ts'
import type { LiveSession, RequestPort } from '../sessions/session-source.ts'
import { noteTyped, typedIntoPane } from '../sessions/typed-file.ts'
import { createObserver, type DrivenTerminal } from '../terminal/observer.ts'
import type { Observation } from '../terminal/observer-step.ts'
import type { Probe } from '../terminal/probe/probed.ts'
import type { DrivableHolder } from '../terminal/terminal-holder.ts'
import { type PaneAddress, tmuxPane } from '../terminal/tmux-pane.ts'
import { realClock } from '../track/clock.ts'
import type { Answered } from './dialog/answer-dialog.ts'
import type { ShownDialog } from './dialog/shown-dialog.ts'
import type { Dialogs } from './dialog/terminal-dialogs.ts'
import { type FoundTerminal, findTerminal } from './find-terminal.ts'
import { ownSessions } from './own-sessions.ts'
import { agentPids, judgePane, refusedToType } from './refusal.ts'
import type { Sent } from './send-text.ts'
import {
  type AnswerOptions,
  agentMs,
  openChecks,
  type TerminalOptions,
  type TypeOptions,
  terminalChecks,
  type WaitOptions,
} from './terminal-options.ts'
import { newRows, newRowsShown } from './wait/new-rows.ts'
import { type ReadyWait, startReadyWait } from './wait/ready-wait.ts'
import type { Answer } from './wait/wait-answer.ts'

export type SendResult = Pick<Sent, 'bytes' | 'isEntered' | 'isRead'> & {
  readonly answer?: Answer
  /** Of a wait: the rows since the text was typed, and how long that is ago, ms. */
  readonly rows?: readonly string[]
  readonly took?: number
  /** Why the shell could not be asked how its command ended, though it should be. */
  readonly unasked?: string
}

export type Terminal = AsyncDisposable & {
  readonly pane: PaneAddress
  /** What it does now, at once, conclusive or not. */
  observe(): Promise<Observation>
  /** What it does now, as soon as nothing moves; after `patience` ms as it is then (1,500 where not given). */
  settle(patience?: number): Promise<Observation>
  /**
   * The agent that runs in it, where one does and lull knows of it.
   * @param patience of one that begins: how long its composer or a dialog may take to show, ms
   * @throws {LullError} REFUSED_TO_TYPE where neither shows by then
   */
  agent(patience?: number): Promise<LiveSession | undefined>
  /** @throws {LullError} REFUSED_TO_TYPE, LOCKED, REFUSED, ENDED */
  send(text: string | Buffer, options?: TypeOptions): Promise<SendResult>
  /** `C-c`, `Up`, `Enter`, `y`. @throws {LullError} BAD_KEY, REFUSED_TO_TYPE, LOCKED, REFUSED, ENDED */
  keys(names: readonly string[], options?: Pick<TypeOptions, 'signal'>): Promise<void>
  /** What its screen asks, with the options; undefined where it shows no dialog of an agent. */
  dialog(): Promise<ShownDialog | undefined>
  /**
   * Chooses an option of the dialog that is shown: `yes`, `no`, `always`, its number, its text; or several, where several may be
   * chosen. Presses nothing if another dialog has replaced it by then.
   * @throws {LullError} NO_OPTION, USAGE, REFUSED_TO_TYPE, LOCKED, REFUSED, ENDED
   */
  answer(choice: string | readonly string[], options?: AnswerOptions): Promise<Answered>
  /** The last lines (100 where not given), or with `screen` all of the screen. @throws {LullError} REFUSED, ENDED */
  read(options?: { lines?: number; screen?: boolean; raw?: boolean }): Promise<readonly string[]>
  /** @returns undefined where its signal ended it */
  waitReady(options?: WaitOptions): Promise<Answer | undefined>
  close(): Promise<void>
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
  checkValues('openTerminal', [address, options], openChecks)
  const known = options.sessions
    ? { list: options.sessions, requests: options.requests, close: async () => undefined }
    : { ...ownSessions(address), requests: undefined }
  const { env } = process
  const { socket } = options
  const where = {
    env,
    caller: callerContext(),
    sessions: known.list,
    ...(socket === undefined ? {} : { socket }),
  }
  const target = await findTerminal(address, where).catch(async error => {
    await known.close()
    throw error
  })
  return terminalOf(target, await holderOf(target), known, options.readOnly === true)
}

async function holderOf({ isOwned, ...address }: FoundTerminal): Promise<DrivableHolder> {
  if (!isOwned) return tmuxPane(address)
  const { ownedPane } = await import('../owned/owned-pane.ts')
  return ownedPane(address)
}

type KnownSessions = {
  list(): Promise<readonly LiveSession[]>
  readonly requests: RequestPort | undefined
  close(): Promise<void>
}

/** @param known what is known of agents: asked only where one runs in the pane */
function terminalOf(
  target: FoundTerminal,
  holder: DrivableHolder,
  known: KnownSessions,
  readOnly: boolean,
): Terminal {
  const clock = realClock()
  const handle = openHandle('this terminal was closed: open it again')
  const { socket, id, pid, tty, session } = target
  const pane = createObserver(holder)
  const judge = (observation: Observation) => judgePane(observation, known.list, session)

  const agentNow = async () => (await judge(await pane.observe())).agent

  /** @param prompt what is typed, where an agent gets it */
  async function locked<T>(act: () => Promise<T>, prompt?: string): Promise<T> {
    if (readOnly) throw refusedToType('failed', 'this terminal was opened to be read only: nothing was typed')
    let lock: Lock | undefined
    try {
      lock = await lockPane(socket, id)
      const before = prompt === undefined ? undefined : typedIntoPane(socket, id)
      if (before) await (await import('./await-agent.ts')).awaitTurn(before, agentNow, clock.now)
      // Before it is typed: a look may see what came of it at once.
      const at = clock.now()
      await noteTyped(socket, id, at, prompt)
      return await act().catch(async error => {
        if (prompt !== undefined) await noteTyped(socket, id, at)
        throw error
      })
    } finally {
      lock?.release()
    }
  }

  async function dialogs(): Promise<Dialogs> {
    const { dialogsOf } = await import('./dialog/terminal-dialogs.ts')
    const screen = { pane, judge, meant: session }
    return dialogsOf({ agent: () => methods.agent(), requests: known.requests, screen })
  }

  async function agentIn(
    probe: Probe,
    patience?: number,
    signal?: AbortSignal,
  ): Promise<LiveSession | undefined> {
    // What runs behind a relay, its screen may have to tell.
    if (!session && !probe.relay && agentPids(probe).length === 0) return undefined
    if (patience === undefined) return agentNow()
    const { awaitAgent } = await import('./await-agent.ts')
    return awaitAgent(pane, judge, patience, signal)
  }

  const methods: Omit<Terminal, 'pane' | 'close' | typeof Symbol.asyncDispose> = {
    observe: () => pane.observe(),
    settle: (patience = settleMs) => pane.settle(patience),
    agent: patience => agentIn(pane.probe(), patience),
    async send(text, options = {}) {
      const { enter = true, force = false, clear = false, append = false, wait } = options
      const { signal, unless, whenFree } = options
      if (clear && append) throw new LullError('USAGE', 'clear and append exclude each other: give one')
      const only = defined({ signal, unless })
      const held = clear ? { held: 'clear' as const } : append ? { held: 'append' as const } : {}
      const called = performance.now()
      const probe = pane.probe()
      const whole = timeoutOf(wait, probe)
      // What is typed to an agent before its composer shows is lost.
      if (wait && !force && wait.for === undefined && wait.promptPattern === undefined)
        await agentIn(probe, whole, signal)
      const timeout = Math.max(0, whole - (performance.now() - called))
      let sent: Sent | undefined
      let last: Observation | undefined
      const isConsumed = (now: Observation) => {
        last = now
        return sent?.isConsumed(now) === true
      }
      const waiting = wait && startWait(pane, probe.hasKernel, { ...wait, timeout }, isConsumed)
      const entering = async () => waiting?.restart()
      const begun = performance.now()
      const before = wait && (await pane.holder.readLines(mostRows))
      try {
        const { sendText } = await import('./send-text.ts')
        const type = async () => {
          await whenFree?.()
          return sendText(pane, text, { enter, force, ...held, ...only, timeout, judge, entering })
        }
        const isToAgent = session !== undefined || agentPids(probe).length > 0
        sent = await locked(type, isToAgent && enter ? text.toString() : undefined)
        const { bytes, isEntered, isRead } = sent
        const answer = isEntered || !enter ? await waiting?.answer() : undefined
        if (!answer) return { bytes, isEntered, isRead }
        const took = performance.now() - begun
        // Most fit the screen that the wait ended with: then nothing is captured again.
        const rows =
          (sent.before && last && newRowsShown(sent.before, last)) ??
          newRows(before, await rowsAfter(pane.holder, answer))
        const done = { bytes, isEntered, isRead, rows, took }
        if (!options.asksCode || answer.outcome !== 'reached' || answer.exitCode !== undefined)
          return { ...done, answer }
        const { askExitCode } = await import('./exit-code/ask-exit-code.ts')
        const asked = await locked(() => askExitCode(pane, { judge, timeout, ...defined({ signal }) }))
        return 'why' in asked
          ? { ...done, answer, unasked: asked.why }
          : { ...done, answer: { ...answer, ...asked } }
      } finally {
        waiting?.stop()
      }
    },
    dialog: async () => (await dialogs()).dialog(),
    answer: (choice, options = {}) =>
      locked(async () => (await dialogs()).answer(typeof choice === 'string' ? [choice] : choice, options)),
    keys: (names, { signal } = {}) =>
      locked(async () => {
        const { pressKeys } = await import('./press-keys.ts')
        return pressKeys(pane, names.map(readKey), defined({ meant: session, signal }))
      }),
    read: ({ lines = readLines, screen = false, raw = false } = {}) =>
      pane.holder.readLines(lines, { screen, raw }),
    async waitReady(options = {}) {
      const probe = pane.probe()
      const timeout = timeoutOf(options, probe)
      return startWait(pane, probe.hasKernel, { ...options, timeout }, () => true).answer()
    },
  }
  async function close(): Promise<void> {
    handle.close()
    await Promise.all([pane.holder.close(), known.close()])
  }
  return {
    pane: { socket, id, pid, tty },
    ...handle.guard(methods, terminalChecks),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** At most so many new rows are returned. */
const mostRows = 2000

/** What has ended by now can't be read, and a holder that does not answer keeps nobody beyond his timeout. */
const lastRowsMs = 300

async function rowsAfter(holder: DrivableHolder, { outcome, screen }: Answer): Promise<readonly string[]> {
  const rows = holder.readLines(mostRows).catch(() => screen)
  return outcome === 'timeout' ? Promise.race([rows, pause(lastRowsMs, screen, { ref: false })]) : rows
}

/** docs/seeds.md#002: a shell's command takes 10 s; reading shows 100 lines. */
const terminalMs = 10_000
const readLines = 100
/** A terminal is frozen after a second at the earliest. */
const settleMs = 1500

const timeoutOf = (options: WaitOptions | undefined, probe: Probe): number =>
  options?.timeout ?? (agentPids(probe).length > 0 ? agentMs : terminalMs)

function startWait(
  pane: DrivenTerminal,
  hasKernel: boolean,
  options: WaitOptions & { readonly timeout: number },
  isConsumed: (observation: Observation) => boolean,
): ReadyWait {
  const { for: goals = [{ type: 'ready' }], promptPattern: pattern, strategy, timeout, signal } = options
  const common = { timeout, ...(pattern ? { pattern } : {}), ...(signal ? { signal } : {}) }
  if (strategy !== 'pattern' && hasKernel) return startReadyWait(pane, { ...common, goals, isConsumed })
  const { stableCaptures: captures = 1 } = options
  return {
    answer: async () => {
      const { waitByPattern } = await import('./wait/pattern-wait.ts')
      return waitByPattern(pane.holder, { ...common, captures })
    },
    restart: async () => undefined,
    stop: () => undefined,
  }
}
