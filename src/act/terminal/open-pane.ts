/**
 * A pane that is looked at for a while: each look asks the kernel and the screen, and the stream once its output is
 * heard. What ends in between, the pane or its tmux server, is a look that says so.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Grid } from '../../core/screen.ts'
import { type Captured, capturePane } from '../../sense/terminal/capture.ts'
import { classify } from '../../sense/terminal/classify.ts'
import { innerTmux } from '../../sense/terminal/inner-tmux.ts'
import { type Learned, learn, nothingLearned } from '../../sense/terminal/learned.ts'
import type { PaneFacts } from '../../sense/terminal/pane-facts.ts'
import { type InnerTerminal, probeTerminal } from '../../sense/terminal/probe.ts'
import type { Probe } from '../../sense/terminal/probed.ts'
import { withReference } from '../../sense/terminal/reference.ts'
import { isSteady } from '../../sense/terminal/steady.ts'
import type { TerminalVerdict } from '../../sense/terminal/terminal-verdict.ts'
import { isUnreachable } from '../../sense/terminal/tmux.ts'
import { AskError } from '../../sense/terminal/tmux-command.ts'
import { hearing } from './hearing.ts'
import { terminalPulse } from './pulse.ts'
import type { PaneTarget } from './target.ts'

export type Look = {
  readonly verdict: TerminalVerdict
  readonly probe: Probe
  /** Nothing moved while it was looked at. */
  readonly isSteady: boolean
  /** All that was printed before is on the screen: tmux shows the same as in the look before. */
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
  /** Resolves at the next output, or after `ms`; sooner where nothing is heard. */
  woken(ms: number): Promise<void>
  /** Hears all that the pane prints from now on. @returns the way to stop */
  listen(printed: (text: string) => void): () => void
  /** Resolves once all that is printed from then on is heard, where that can be had. */
  hear(): Promise<void>
  /** Resolves once all that was printed before has been told to who listens. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function openPane({ socket, facts }: PaneTarget): OpenPane {
  const { id, pid, tty } = facts
  const wakers = new Set<() => void>()
  const heard = hearing(socket, id, () => {
    for (const wake of [...wakers]) wake()
  })
  let learned: Learned = nothingLearned
  let inner: InnerTerminal | undefined
  let lines: readonly string[] = []
  const pulse = terminalPulse(pid)
  let running: { readonly look: Look; readonly count: number } | undefined
  let [screen, shown]: [Grid | undefined, string] = [undefined, '']

  /** @throws {AskError} where the server is there and does not answer */
  async function captured(): Promise<Captured | undefined> {
    for (let tries = 0; tries < mostTries; tries++) {
      try {
        const now = await capturePane(socket, id, lookLines)
        if (now) heard.captured(now)
        return now
      } catch (error) {
        if (!(error instanceof AskError && isUnreachable(error.message))) throw error
        await pause(again)
      }
    }
    return undefined
  }

  const probe = (gone?: Probe['gone']): Probe => {
    const stream = heard.marks()
    return probeTerminal(tty, pid, {
      quiet: performance.now() - heard.lastStir(),
      ...(stream ? { stream } : {}),
      ...(screen ? { screen } : {}),
      ...(inner ? { inner } : {}),
      ...(gone ? { gone } : {}),
    })
  }

  async function look(): Promise<Look> {
    const before = probe()
    const count = heard.count()
    const now = await captured()
    const shownBefore = shown
    shown = now ? JSON.stringify([now.facts.historySize, now.screen]) : ''
    const isWhole = shown === shownBefore && heard.count() - count < tmuxRead
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
    if (screen === undefined) return undefined
    if (running && running.count === heard.count() && pulse.isStill()) return running.look
    running = undefined
    pulse.before()
    const now = probe()
    const verdict = classify(now, learned)
    if (verdict.state.kind !== 'working' || verdict.tier !== 'proven') return undefined
    const look: Look = { verdict, probe: now, isSteady: true, isWhole: false, screen, lines }
    if (verdict.lookAgainIn === undefined) {
      pulse.keep(now)
      running = { look, count: heard.count() }
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
      if (!heard.marks()) return void (await pause(Math.min(ms, again)))
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
    listen: heard.listen,
    hear: heard.open,
    async flush() {
      if (!(await heard.flush())) await look()
    },
    close: heard.close,
  }
}

/** A server that is busy may refuse a client. */
const mostTries = 5
/** Document 002: enough to hold a prompt and what led to it. */
const lookLines = 50

/** tmux reads this much of a pane in one go (libevent): less, and there was no more. */
const tmuxRead = 4096

/** ms */
const again = 20
