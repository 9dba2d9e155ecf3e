/** Waits for an agent: until one that begins shows where a prompt is typed, or a dialog, and until the turn of a prompt shows. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '../core/state.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import type { TypedPrompt } from '../sessions/typed-file.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import type { Observation } from '../terminal/observer-step.ts'
import { checkWanted, isUnseen, type Judged, refusal } from './refusal.ts'

/** ms */
const everyMs = 150

/** @throws {LullError} REFUSED_TO_TYPE where it shows neither within `patience` ms, or is not wanted any more */
export async function awaitAgent(
  pane: Pick<DrivenTerminal, 'observe'>,
  judge: (observation: Observation) => Promise<Judged>,
  patience: number,
  signal?: AbortSignal,
): Promise<LiveSession | undefined> {
  checkWanted(signal)
  const look = async () => judge(await pane.observe())
  const judged = await outOfDoubt(look, () => checkWanted(signal), patience)
  if (isUnseen(judged)) throw refusal(judged, false)
  return judged.agent
}

/** How long what an agent does may not be known between two turns, or a moment after a prompt: ms. A source is late then. */
const doubtMs = 3000

/**
 * Looks again while it is not known what an agent does.
 * @param check before another look: throws where nobody wants it any more
 * @param patience ms
 * @returns the last look
 */
export async function outOfDoubt(
  look: () => Promise<Judged>,
  check: () => void,
  patience = doubtMs,
): Promise<Judged> {
  for (const end = performance.now() + patience; ; ) {
    const judged = await look()
    const left = end - performance.now()
    if (!isUnseen(judged) || left <= 0) return judged
    await pause(Math.min(everyMs, left))
    check()
  }
}

/** How long an agent may look idle after a prompt: ms */
const shownMs = 3000

/**
 * A prompt was typed a moment ago: until its turn shows, the agent looks idle, and who types the next one would take the first
 * one's turn for his own.
 * @param typed what lull typed last into its terminal
 */
export async function awaitTurn(
  typed: TypedPrompt,
  agentNow: () => Promise<LiveSession | undefined>,
  now: () => Instant,
): Promise<void> {
  if (typed.prompt === undefined) return
  const end = typed.at + shownMs
  while (now() < end) {
    const agent = await agentNow()
    if (!agent || hasBegunSince(agent, typed.at)) return
    await pause(Math.min(everyMs, Math.max(0, end - now())))
  }
}

function hasBegunSince({ session: { turns, verdict } }: LiveSession, at: Instant): boolean {
  const { kind } = verdict.state
  return turns.lastStart >= at || kind === 'working' || kind === 'waiting' || kind === 'exited'
}
