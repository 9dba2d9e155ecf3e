/** lull as the bench asks it: the same functions that `lull read`, `lull wait` and `lull send --wait` call. */
import { openTerminal, type Terminal } from '../../src/drive/open-terminal.ts'
import type { TerminalVerdict } from '../../src/terminal/classify/terminal-verdict.ts'
import type { Probe } from '../../src/terminal/probe/probed.ts'
import type { Pane } from './pane.ts'
import type { Guess } from './rivals.ts'

export type LullSays = {
  /** In the words of the labels. */
  readonly says: string
  readonly why: string
  readonly probe?: Probe
}

export const terminalOf = (pane: Pick<Pane, 'socket' | 'id'>): Promise<Terminal> =>
  openTerminal(`tmux:${pane.id}`, { socket: pane.socket })

/** One question by somebody who has never seen the pane before. */
export async function askLull(pane: Pane, timeout: number): Promise<LullSays> {
  const terminal = await terminalOf(pane)
  try {
    const { verdict, probe } = await terminal.settle(timeout)
    const { why, tier, confidence } = verdict
    return { says: saysOf(verdict), why: `${why} (${tier}, ${confidence})`, probe }
  } finally {
    await terminal.close()
  }
}

/** A wait that goes on until the pane is ready, or never will be. */
export async function waitOfLull(pane: Pane, timeout: number): Promise<LullSays & { guess: Guess }> {
  const terminal = await terminalOf(pane)
  try {
    const answer = await terminal.waitReady({ timeout })
    if (!answer?.verdict) throw new Error('a wait of lull came back without a verdict')
    const why = `${answer.outcome}: ${answer.verdict.why}`
    const isReady = answer.outcome === 'reached'
    return {
      says: saysOf(answer.verdict),
      why,
      guess: { says: isReady ? 'ready' : 'timeout', why, at: performance.now() },
    }
  } finally {
    await terminal.close()
  }
}

export function saysOf({ state, health }: TerminalVerdict): string {
  // Ctrl-S is a matter of health: the terminal takes no output, and nobody lets it go on.
  if (health.level === 'confirmed_stuck' && (health.cause === 'output' || health.cause === 'frozen'))
    return 'frozen'
  switch (state.kind) {
    case 'waiting':
      return `waiting/${state.for}`
    case 'idle':
      return state.at === undefined ? 'idle' : `idle/${state.at}`
    case 'working':
    case 'starting':
    case 'exited':
    case 'unknown':
      return state.kind
  }
}
