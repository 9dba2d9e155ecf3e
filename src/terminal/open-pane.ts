/**
 * A pane that is looked at for a while: its output is heard from the opening on, and each look asks the kernel, the
 * screen and the stream. What ends in between, the pane, its tmux server or the connection, is a look that says so.
 */

import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import { isLullError } from '../core/lull-error.ts'
import type { Grid } from '../core/text/grid.ts'
import { type Captured, capturePane } from '../os/tmux/capture.ts'
import type { ControlClient } from '../os/tmux/control-client.ts'
import type { ControlLine } from '../os/tmux/control-lines.ts'
import type { PaneFacts, PaneTarget } from '../os/tmux/pane-facts.ts'
import { joinSession } from '../os/tmux/shared-control.ts'
import { listPanes } from '../os/tmux/tmux-server.ts'
import { classify } from './classify/classify.ts'
import { type Learned, learn, nothingLearned } from './classify/learned.ts'
import type { TerminalVerdict } from './classify/terminal-verdict.ts'
import { innerTmux } from './probe/inner-tmux.ts'
import { type InnerTerminal, probeTerminal } from './probe/probe.ts'
import type { Probe } from './probe/probed.ts'
import { withReference } from './probe/shell-reference.ts'
import { isSteady } from './probe/steady.ts'
import { terminalPulse } from './pulse.ts'
import { newStream, readStream, type Stream } from './stream.ts'

export type Look = {
  readonly verdict: TerminalVerdict
  readonly probe: Probe
  /** Nothing moved while it was looked at. */
  readonly isSteady: boolean
  /** All that was printed before is on the screen: tmux had nothing left to read. */
  readonly isWhole: boolean
  readonly screen?: Grid
  /** The last lines, what has scrolled away included; of an earlier look where tmux was not asked. */
  readonly lines: readonly string[]
  readonly facts?: PaneFacts
}

export type OpenPane = {
  readonly socket: string
  readonly id: string
  /** Of the program that the pane was opened with. */
  readonly pid: number
  readonly tty: string
  look(): Promise<Look>
  /** A look without asking tmux, where the kernel alone tells that a program runs and nobody reads. */
  glimpse(): Look | undefined
  /** The kernel and the stream alone: at once, and without a screen of now. */
  glance(): Probe
  /** Resolves at the next output, when the connection ends, or after `ms`. */
  woken(ms: number): Promise<void>
  /** Hears all that the pane prints from now on. @returns the way to stop */
  listen(printed: (text: string) => void): () => void
  /** @throws {LullError} REFUSED, ENDED where it has ended */
  client(): ControlClient
  /** Resolves once tmux has taken this client: what is printed after that is heard. @throws {LullError} REFUSED, ENDED */
  readonly ready: Promise<unknown>
  close(): Promise<void>
}

export function openPane({ socket, facts }: PaneTarget, { types = false } = {}): OpenPane {
  const { id, pid, tty } = facts
  const listeners = new Set<(text: string) => void>()
  const wakers = new Set<() => void>()
  const openedAt = performance.now()
  let decoder = new StringDecoder('utf8')
  let stream: Stream = newStream(openedAt)
  let learned: Learned = nothingLearned
  let inner: InnerTerminal | undefined
  let lines: readonly string[] = []
  let heard = 0
  const pulse = terminalPulse(pid)
  let running: { readonly look: Look; readonly heard: number } | undefined
  let [screen, isLost, isClosed]: [Grid | undefined, boolean, boolean] = [undefined, false, false]
  let client = join(facts.session)
  const ready = client.run('display-message', '-p', '')
  // Who only looks does not wait for it, and hears of an end otherwise.
  ready.catch(() => undefined)

  function join(session: string): ControlClient {
    isLost = false
    return joinSession({ socket, session, pane: id, types }, told)
  }

  function told(line: ControlLine): void {
    if (line.type === 'output') {
      heard += line.bytes.length
      const text = decoder.write(line.bytes)
      stream = readStream(stream, text, performance.now())
      for (const printed of listeners) printed(text)
    } else if (line.type === 'exit') isLost = true
    else return
    for (const wake of [...wakers]) wake()
  }

  /** A person may detach all clients, and a server may end: which of both, it tells itself. */
  async function rejoin(): Promise<boolean> {
    try {
      const panes = await listPanes(socket)
      const found = panes.find(pane => pane.id === id && pane.pid === pid)
      if (!found || isClosed) return false
      decoder = new StringDecoder('utf8')
      stream = newStream(performance.now())
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
        return await capturePane(client, id, lookLines)
      } catch {
        isLost = true
        await pause(again)
      }
    }
    return undefined
  }

  const probe = (gone?: Probe['gone']): Probe => {
    const quiet = performance.now() - Math.max(openedAt, stream.marks.lastOutput)
    return probeTerminal(tty, pid, {
      stream: stream.marks,
      quiet,
      ...(screen ? { screen } : {}),
      ...(inner ? { inner } : {}),
      ...(gone ? { gone } : {}),
    })
  }

  async function look(): Promise<Look> {
    const before = probe()
    const heardBefore = heard
    const now = await captured()
    const isWhole = heard - heardBefore < tmuxRead
    if (!now || now.facts.pid !== pid || now.facts.dead) return ended(now)
    screen = now.screen
    lines = now.lines
    if (before.relay?.name === 'tmux: client') inner = await innerTmux({ ...before, screen })
    let after = probe()
    if (after.gone) return ended(await toldEnd())
    const known = await withReference(learned, after)
    if (known !== learned) {
      // Learning took time.
      learned = known
      after = probe()
    }
    const verdict = classify(after, learned)
    const steady = isSteady({ ...before, screen }, after)
    if (steady) learned = learn(learned, after)
    return { verdict, probe: after, isSteady: steady, isWhole, screen, lines, facts: now.facts }
  }

  /** The kernel tells the end of a program before tmux does, which knows how it ended. */
  async function toldEnd(): Promise<Captured | undefined> {
    for (let tries = 0; tries < mostTries; tries++) {
      const now = await captured()
      if (!now || now.facts.dead) return now
      await pause(again)
    }
    return undefined
  }

  function glimpse(): Look | undefined {
    if (isLost || screen === undefined) return undefined
    if (running && running.heard === heard && pulse.isStill()) return running.look
    running = undefined
    pulse.before()
    const now = probe()
    const verdict = classify(now, learned)
    if (verdict.state.kind !== 'working' || verdict.tier !== 'proven') return undefined
    const look: Look = { verdict, probe: now, isSteady: true, isWhole: false, screen, lines }
    if (verdict.lookAgainIn === undefined) {
      pulse.keep(now)
      running = { look, heard }
    }
    return look
  }

  function ended(now: Captured | undefined): Look {
    const gone = probe(now?.facts.dead ?? {})
    const rest = { ...(screen ? { screen } : {}), ...(now ? { facts: now.facts } : {}) }
    const verdict = classify(gone, learned)
    return { verdict, probe: gone, isSteady: true, isWhole: true, lines: now?.lines ?? lines, ...rest }
  }

  return {
    socket,
    id,
    pid,
    tty,
    look,
    glimpse,
    glance: () => probe(),
    async woken(ms) {
      if (isLost || isClosed) return void (await pause(Math.max(ms, again)))
      await new Promise<void>(resolve => {
        const wake = () => {
          clearTimeout(timer)
          wakers.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, Math.max(0, ms))
        wakers.add(wake)
      })
    },
    listen(printed) {
      listeners.add(printed)
      return () => void listeners.delete(printed)
    },
    client: () => client,
    ready,
    async close() {
      isClosed = true
      await client.close()
    },
  }
}

/** A connection that ends again and again is no connection. */
const mostTries = 5
/** docs/seeds.md#002: enough to hold a prompt and what led to it. */
const lookLines = 50

/** tmux reads this much of a pane in one go (libevent) before it answers: less, and there was no more. */
const tmuxRead = 4096

/** ms */
const again = 20
