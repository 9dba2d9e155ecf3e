/** A look at a tmux pane from outside, without a client that stays: one short question to its server, and the kernel. */
import type { Grid } from '../core/text/grid.ts'
import { askTmux } from '../os/tmux/ask-tmux.ts'
import { type PaneFacts, paneFormat, readPaneFacts } from '../os/tmux/pane-facts.ts'
import { classify } from './classify/classify.ts'
import { type Learned, learn, nothingLearned } from './classify/learned.ts'
import type { TerminalVerdict } from './classify/terminal-verdict.ts'
import { innerTmux } from './probe/inner-tmux.ts'
import { probeTerminal } from './probe/probe.ts'
import type { Probe } from './probe/probed.ts'
import { withReference } from './probe/shell-reference.ts'
import { isSteady } from './probe/steady.ts'

/** What is kept from look to look. Times on the monotonic clock, ms. */
export type PaneMemory = {
  readonly learned: Learned
  /** Since when the screen is as it is, as far as looks can tell. */
  readonly still: { readonly text: string; readonly since: number }
}

export const noMemory: PaneMemory = { learned: nothingLearned, still: { text: '', since: Infinity } }

export type PaneLook = {
  readonly verdict: TerminalVerdict
  readonly probe: Probe
  readonly memory: PaneMemory
  readonly facts?: PaneFacts
  /** Nothing moved during the look, and no more quiet is needed. */
  readonly isRipe: boolean
}

export async function lookAtPane(
  pane: { readonly socket: string; readonly id: string; readonly tty: string; readonly pid: number },
  memory: PaneMemory = noMemory,
): Promise<PaneLook> {
  const { socket, id, tty, pid } = pane
  const before = probeTerminal(tty, pid)
  const shown = await captured(socket, id)
  const now = performance.now()
  if (!shown || shown.facts.pid !== pid || shown.facts.dead) {
    const probe = probeTerminal(tty, pid, { gone: shown?.facts.dead ?? {} })
    return { verdict: classify(probe), probe, memory, isRipe: true }
  }
  const { facts, screen } = shown
  const text = JSON.stringify(screen)
  const still = text === memory.still.text ? memory.still : { text, since: now }
  const inner = await innerTmux(before)
  const given = { screen, quiet: now - still.since, ...(inner ? { inner } : {}) }
  const probe = probeTerminal(tty, pid, given)
  const learned = await withReference(memory.learned, probe)
  const verdict = classify(probe, learned)
  // The first probe had no screen: what the kernel tells is compared.
  const isStill = isSteady(before.inner ? before : { ...before, screen }, probe)
  return {
    verdict,
    probe,
    facts,
    memory: { learned: isStill ? learn(learned, probe) : learned, still },
    isRipe: isStill && verdict.lookAgainIn === undefined,
  }
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Looks until a look is ripe, or the patience is over (ms). */
export async function settledPane(
  pane: Parameters<typeof lookAtPane>[0],
  memory: PaneMemory = noMemory,
  patience = 1200,
): Promise<PaneLook> {
  const end = performance.now() + patience
  let look = await lookAtPane(pane, memory)
  while (!look.isRipe && performance.now() < end) {
    await pause(Math.min(100, look.verdict.lookAgainIn ?? 5))
    look = await lookAtPane(pane, look.memory)
  }
  return look
}

/** Undefined where the pane, or its server, is gone. */
async function captured(socket: string, id: string): Promise<{ facts: PaneFacts; screen: Grid } | undefined> {
  const target = ['-t', id]
  const ask = ['display-message', '-p', ...target, paneFormat, ';', 'capture-pane', '-p', ...target]
  try {
    const [told = '', ...rows] = (await askTmux(socket, ...ask)).replace(/\n$/, '').split('\n')
    const facts = readPaneFacts(told)
    if (!facts || facts.id !== id) return undefined
    const { columns, cursor, isAlternate } = facts
    return { facts, screen: { rows, columns, cursor, alternate: isAlternate } }
  } catch {
    return undefined
  }
}
