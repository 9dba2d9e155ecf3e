/** lull as the bench asks it: the same functions that `lull read`, `lull wait` and `lull send --wait` call. */

import { openTerminal, type Terminal } from '../../src/drive/open-terminal.ts'
import type { TerminalVerdict } from '../../src/terminal/classify/terminal-verdict.ts'
import type { Face, Guess, LullSays, Pane } from './subject.ts'

export const terminalOf = (pane: Pick<Pane, 'socket' | 'id'>): Promise<Terminal> =>
  pane.id.startsWith('%') ? openTerminal(`tmux:${pane.id}`, { socket: pane.socket }) : openTerminal(pane.id)

export async function libraryFace(pane: Pane): Promise<Face> {
  let sender: Terminal | undefined
  return {
    async send(line) {
      sender ??= await terminalOf(pane)
      return sender.send(line)
    },
    look: timeout =>
      sender ? look(sender, timeout) : withTerminal(pane, terminal => look(terminal, timeout)),
    wait: timeout =>
      sender ? waitIn(sender, timeout) : withTerminal(pane, terminal => waitIn(terminal, timeout)),
    close: async () => sender?.close(),
  }
}

async function look(terminal: Terminal, timeout: number): Promise<LullSays> {
  const { verdict, probe } = await terminal.settle(timeout)
  const { why, tier, confidence } = verdict
  return { says: saysOf(verdict), tier, why: `${why} (${tier}, ${confidence})`, probe }
}

async function waitIn(terminal: Terminal, timeout: number): Promise<LullSays & { guess: Guess }> {
  const answer = await terminal.waitReady({ timeout })
  if (!answer?.verdict) throw new Error('a wait of lull came back without a verdict')
  const why = `${answer.outcome}: ${answer.verdict.why}`
  const isReady = answer.outcome === 'reached'
  return {
    says: saysOf(answer.verdict),
    tier: answer.verdict.tier,
    why,
    guess: { says: isReady ? 'ready' : 'timeout', why, at: performance.now() },
  }
}

async function withTerminal<T>(pane: Pane, ask: (terminal: Terminal) => Promise<T>): Promise<T> {
  const terminal = await terminalOf(pane)
  try {
    return await ask(terminal)
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
