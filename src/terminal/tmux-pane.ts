/**
 * A pane of tmux as a holder: asked by short commands, of which its program learns nothing (ask-tmux.ts). Who only follows
 * a pane does not listen to it. Who types or waits does, through a pipe that tmux gives to one listener a pane: where that
 * is another one, the screens that are captured tell what is new, and marks that programs print in passing are not known.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { isLullError, LullError } from '../core/lull-error.ts'
import { readWhole } from '../os/proc/proc-file.ts'
import { readStat } from '../os/proc/stat.ts'
import { actIf, pasteIf } from '../os/tmux/ask-tmux.ts'
import { type Captured, captureLines, capturePane } from '../os/tmux/capture.ts'
import { rowsShown } from '../os/tmux/control-words.ts'
import type { PanePipe } from '../os/tmux/pane-pipe.ts'
import { joinPanePipe } from '../os/tmux/pane-pipe.ts'
import { uniqueName } from '../os/unique-name.ts'
import { type OutputFeed, outputFeed } from './output-feed.ts'
import type { Capture, DrivableHolder, Ended } from './terminal-holder.ts'

/** A server that is busy may refuse a client. */
const mostTries = 5
/** ms */
const againMs = 20
/** docs/seeds.md#002: enough to hold a prompt and what led to it. */
const capturedLines = 50
/** tmux reads this much of a pane in one go (libevent): less, and there was no more. */
const tmuxRead = 4096

export type PaneAddress = Pick<DrivableHolder, 'socket' | 'id' | 'tty' | 'pid'>

export function tmuxPane({ socket, id, tty, pid }: PaneAddress): DrivableHolder {
  const output = outputFeed()
  const listening = listener(socket, id, output)

  async function capture(patience?: number): Promise<Capture> {
    for (let tries = 1; ; tries++) {
      const count = output.count()
      try {
        const now = await capturePane(socket, id, capturedLines, {
          ...(patience === undefined ? {} : { patience }),
          // Who listens wants to know soon that nothing more comes.
          isTwice: output.marks() !== undefined,
        })
        if (!now) return { type: 'ended', end: {} }
        listening.onCapture(now)
        const { facts, lines, screen, isRepeated } = now
        if (facts.pid !== pid) return { type: 'ended', end: { how: 'replaced' }, lines, facts }
        if (facts.dead) {
          if (isTold(facts.dead) || tries === mostTries)
            return { type: 'ended', end: facts.dead, lines, facts }
          await pause(againMs)
          continue
        }
        const isWhole = output.count() - count < tmuxRead
        return { type: 'shown', screen, isRendered: true, lines, isWhole, isRepeated, facts }
      } catch (error) {
        if (!isLullError(error)) throw error
        const isUnreachable = isLullError(error, 'ENDED')
        if (isUnreachable && !hasTerminal(pid)) return { type: 'ended', end: {} }
        if (!isUnreachable || tries === mostTries) return { type: 'unanswered', why: error.message }
        await pause(againMs)
      }
    }
  }

  return {
    socket,
    id,
    tty,
    pid,
    output,
    capture,
    /** tmux learns of an end from the kernel, as lull does, and may be later. */
    async ended(): Promise<Ended> {
      for (let tries = 0; tries < mostTries; tries++) {
        const now = await capture()
        if (now.type === 'ended') return now
        if (now.type === 'unanswered') break
        await pause(againMs)
      }
      return { type: 'ended', end: {} }
    },
    receiveOutput: listening.receiveOutput,
    flush: listening.flush,
    /**
     * Bytes go into a paste buffer of their own, which tmux pastes only if the pane still belongs to the same process. A
     * paste goes to the program even while somebody scrolls, and never to other panes, as keys of synchronized panes do.
     */
    async type(bytes, { isPaste, shown = [] }) {
      const buffer = `lull-${uniqueName()}`
      const isAlive = [`#{==:#{pane_pid},${pid}}`, '#{==:#{pane_dead},0}']
      const wanted = [...isAlive, ...rowsShown(shown)]
      return pasteIf(socket, id, wanted, { buffer, bytes, isPaste }).catch(unlessSilent).catch(notTyped)
    },
    press(key, shown = []) {
      const takesKeys = [`#{==:#{pane_pid},${pid}}`, '#{==:#{pane_in_mode}#{pane_synchronized},00}']
      const wanted = [...takesKeys, ...rowsShown(shown)]
      return actIf(socket, id, wanted, 'send-keys', '-t', id, key).catch(unlessSilent)
    },
    readLines: (lines, how) => captureLines(socket, id, lines, how),
    close: listening.close,
  }
}

/**
 * tmux calls a pane dead as soon as its terminal is closed, and learns how the program ended when it reaps it (3.3a,
 * format.c: `format_cb_pane_dead_status`). Before 3.3 it never tells a signal.
 */
const isTold = ({ code, signal }: Ended['end']): boolean => code !== undefined || signal !== undefined

/**
 * The pane's program still has its terminal: whoever holds that lives, though its socket may have been removed. Without /proc
 * a server that is not there has ended.
 */
function hasTerminal(pid: number): boolean {
  const { value, refusal } = readWhole(() => readStat(pid))
  return refusal !== undefined || (value?.tty ?? 0) !== 0
}

/** What was not answered may be done all the same, later. */
function unlessSilent(error: unknown): never {
  if (!isLullError(error, 'NO_ANSWER')) throw error
  throw new LullError('NO_ANSWER', `${error.message}: whether it was typed is not known`)
}

function notTyped(error: unknown): false {
  if (isLullError(error) && !isLullError(error, 'NO_ANSWER')) return false
  throw error
}

/** The pipe is lost where lull can't keep up with a flood, or has no helper: tried again no sooner. ms */
const relistenMs = 1000
/** Lines of captures: some screens of them. */
const mostKnown = 1000

/** Feeds what a pane prints, from its pipe where that can be had, and else from captures. */
function listener(socket: string, id: string, output: OutputFeed) {
  let pipe: PanePipe | undefined
  let [lostAt, isClosed] = [-Infinity, false]
  let known: Set<string> | undefined

  const onBytes = (bytes: Buffer): void => {
    if (!isClosed) output.take(bytes)
  }
  const onLost = (): void => {
    lostAt = performance.now()
    pipe = undefined
    output.lose()
  }

  async function receiveOutput(): Promise<void> {
    if (isClosed) return
    if (!pipe) {
      pipe = joinPanePipe(socket, id, { onBytes, onLost })
      output.start()
    }
    await pipe.opened
  }

  return {
    receiveOutput,
    flush: async (): Promise<boolean> => (await pipe?.flush()) === true,
    onCapture({ facts, lines }: Captured): void {
      const fresh = known ? lines.filter(line => !known?.has(line)) : []
      known = new Set([...(known ?? []), ...lines].slice(-mostKnown))
      if (output.marks()) return
      if (fresh.length > 0) output.emit(`${fresh.join('\n')}\n`)
      const isDue = performance.now() - lostAt >= relistenMs
      if (output.hasListeners() && !facts.isPiped && isDue) void receiveOutput()
    },
    async close(): Promise<void> {
      isClosed = true
      await pipe?.close()
    },
  }
}
