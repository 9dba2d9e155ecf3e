/**
 * Panes of tmux as holders, in two ways. Who types, waits, or reads for a while drives a pane through a control client, and
 * hears its output. Who only follows a pane watches it by short commands, and leaves no client behind. Nobody else decides.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isLullError } from '../core/lull-error.ts'
import { askTmux } from '../os/tmux/ask-tmux.ts'
import { type Captured, captureLines, capturePane } from '../os/tmux/capture.ts'
import type { ControlClient } from '../os/tmux/control-client.ts'
import type { ControlLine } from '../os/tmux/control-lines.ts'
import { type PaneTarget, paneFormat, readPaneFacts } from '../os/tmux/pane-facts.ts'
import { joinSession } from '../os/tmux/shared-control.ts'
import { listPanes } from '../os/tmux/tmux-server.ts'
import { outputFeed } from './output-feed.ts'
import type { Capture, DrivableHolder, Ended, TerminalHolder } from './terminal-holder.ts'

/** A connection that ends again and again is no connection. */
const mostTries = 5
/** ms */
const againMs = 20
/** Document 002: enough to hold a prompt and what led to it. */
const capturedLines = 50
/** tmux reads this much of a pane in one go (libevent) before it answers: less, and there was no more. */
const tmuxRead = 4096
/** Characters a command to tmux; one that is longer grows four times at most by its escapes. */
const longestPart = 16 * 1024

export type PaneAddress = Pick<DrivableHolder, 'socket' | 'id' | 'tty' | 'pid'>

export function watchPane(pane: PaneAddress): TerminalHolder {
  const { socket, id, tty, pid } = pane
  const capture = async (): Promise<Capture> => captureOf(await capturedOnce(socket, id), pid, false)
  return { tty, pid, output: outputFeed(), pace: { soon: 5, late: 100 }, capture, ended: endOf(capture) }
}

async function capturedOnce(socket: string, id: string): Promise<Captured | undefined> {
  const target = ['-t', id]
  const ask = ['display-message', '-p', ...target, paneFormat, ';', 'capture-pane', '-p', ...target]
  try {
    const [first = '', ...rows] = (await askTmux(socket, ...ask)).replace(/\n$/, '').split('\n')
    const facts = readPaneFacts(first)
    if (!facts || facts.id !== id) return undefined
    const { columns, cursor, isAlternate } = facts
    return { facts, screen: { rows, columns, cursor, alternate: isAlternate }, lines: rows }
  } catch {
    return undefined
  }
}

/** @param types it will be typed into: a client that only reads may be refused that */
export function drivePane({ socket, facts }: PaneTarget, { types = false } = {}): DrivableHolder {
  const { id, pid, tty } = facts
  const output = outputFeed()
  let [isLost, isClosed] = [false, false]
  let client = join(facts.session)
  const ready = client.run('display-message', '-p', '')
  // Who only observes does not wait for it, and learns of an end by a capture.
  ready.catch(() => undefined)

  function join(session: string): ControlClient {
    isLost = false
    output.start()
    return joinSession({ socket, session, pane: id, types }, onLine)
  }

  function onLine(line: ControlLine): void {
    if (line.type === 'output') output.take(line.bytes)
    if (line.type !== 'exit') return
    isLost = true
    output.lose()
  }

  /** A person may detach all clients, and a server may end: which of both, it tells itself. */
  async function rejoin(): Promise<boolean> {
    try {
      const panes = await listPanes(socket)
      const found = panes.find(pane => pane.id === id && pane.pid === pid)
      if (!found || isClosed) return false
      client = join(found.session)
      return true
    } catch (error) {
      if (isLullError(error, 'NO_TMUX', 'OLD_TMUX', 'NO_SERVER')) return false
      throw error
    }
  }

  async function captured(): Promise<Captured | undefined> {
    for (let tries = 0; tries < mostTries; tries++) {
      if (isLost && !(await rejoin())) return undefined
      try {
        return await capturePane(client, id, capturedLines)
      } catch {
        isLost = true
        await pause(againMs)
      }
    }
    return undefined
  }

  async function capture(): Promise<Capture> {
    const count = output.count()
    const now = await captured()
    return captureOf(now, pid, output.count() - count < tmuxRead)
  }

  return {
    socket,
    id,
    tty,
    pid,
    output,
    pace: { soon: 1, late: 20 },
    ready,
    capture,
    ended: endOf(capture),
    /**
     * Bytes go into a paste buffer of their own, which tmux pastes only if the pane still belongs to the same process. A
     * paste goes to the program even while somebody scrolls, and never to other panes, as keys of synchronized panes do.
     */
    async type(bytes, { isPaste }) {
      const typist = client
      const buffer = `lull-${randomUUID()}`
      for (let at = 0; at < bytes.length; at += longestPart) {
        const part = bytes.subarray(at, at + longestPart)
        await typist.run('set-buffer', '-a', '-b', buffer, '--', part)
      }
      const isAlive = `#{&&:#{==:#{pane_pid},${pid}},#{==:#{pane_dead},0}}`
      const paste = ['paste-buffer', '-d', ...(isPaste ? ['-p'] : []), '-b', buffer, '-t', id]
      const isTyped = await typist.runIf(id, isAlive, ...paste).catch(() => false)
      if (!isTyped) await typist.run('delete-buffer', '-b', buffer).catch(() => undefined)
      return isTyped
    },
    press(key) {
      const takesKeys = `#{&&:#{==:#{pane_pid},${pid}},#{==:#{pane_in_mode}#{pane_synchronized},00}}`
      return client.runIf(id, takesKeys, 'send-keys', '-t', id, key)
    },
    readLines: (lines, how) => captureLines(client, id, lines, how),
    async close() {
      isClosed = true
      await client.close()
    },
  }
}

/** @param now undefined where the pane, or its server, is gone */
function captureOf(now: Captured | undefined, pid: number, isWhole: boolean): Capture {
  if (!now) return { type: 'ended', end: {} }
  const { facts, lines, screen } = now
  if (facts.pid === pid && !facts.dead)
    return { type: 'shown', screen, isRendered: true, lines, isWhole, facts }
  return { type: 'ended', end: facts.dead ?? {}, lines, facts }
}

/** tmux learns of an end from the kernel, as lull does, and may be later. */
const endOf = (capture: () => Promise<Capture>) => async (): Promise<Ended> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const now = await capture()
    if (now.type === 'ended') return now
    await pause(againMs)
  }
  return { type: 'ended', end: {} }
}
