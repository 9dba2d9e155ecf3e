/** Waits for an agent's turn, and tells what came of it as of any terminal. */
import type { Lull } from '../connect/connect.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import type { Done } from '../sessions/wait/wait-step.ts'
import { whyOf } from './session-row.ts'
import type { Told } from './terminal-answer.ts'

/** docs/seeds.md#002: agents take 30 to 120 s to answer. */
const agentMs = 120_000

/** @param type types a prompt, once every turn that begins from then on counts */
export async function waitForAgent(
  lull: Lull,
  agent: LiveSession,
  { timeout = agentMs, signal }: { readonly timeout?: number; readonly signal: AbortSignal },
  type?: () => Promise<unknown>,
): Promise<Done> {
  if (!type) return lull.waitFor(agent.id, { timeout, signal })
  const stop = new AbortController()
  let typing: Promise<unknown> | undefined
  const onRegistered = () => {
    typing = type()
    // Nothing begins where nothing was typed.
    typing.catch(error => stop.abort(error))
  }
  const both = AbortSignal.any([signal, stop.signal])
  const done = await lull.waitFor(agent.id, { next: 'or-running', timeout, signal: both, onRegistered })
  await typing
  return done
}

export function tellsDone({ outcome, sessions }: Done): Told {
  const [first] = sessions
  const verdict = first?.session.verdict
  return {
    state: verdict?.state.kind ?? 'unknown',
    ready: verdict?.state.kind === 'idle',
    outcome,
    why: first ? `${first.agent}: ${whyOf(first)}` : 'no session',
  }
}
