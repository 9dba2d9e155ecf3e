/** What `lull send` does not type into: what a person has to decide, a password, a pane that takes nothing. */

import { describeState } from '../core/explain/explain.ts'
import type { Verdict } from '../core/judge/verdict.ts'
import { LullError, type RefusedOutcome } from '../core/lull-error.ts'
import { recognise } from '../sessions/discover/recognise-agent.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import type { Observation } from '../terminal/observer-step.ts'
import type { Probe } from '../terminal/probe/probed.ts'

/** Nothing was typed, or no more than `typed` bytes. The sentence says why. */
export const refusedToType = (
  outcome: RefusedOutcome,
  sentence: string,
  typed = 0,
): LullError<'REFUSED_TO_TYPE'> => new LullError('REFUSED_TO_TYPE', sentence, { outcome, typed })

/** Processes of known agents that own the terminal now. */
export const agentPids = (probe: Probe): readonly number[] =>
  (probe.inner ?? probe).processes.filter(({ args }) => recognise(args) !== undefined).map(({ pid }) => pid)

export type Judged = {
  readonly observation: Observation
  /** The session of the agent in the pane, where there is one. */
  readonly agent?: LiveSession
  /** There is an agent, but lull has no session of it. */
  readonly isStranger: boolean
}

/** @param sessions asked only where the pane's foreground is a known agent */
export async function judgePane(
  observation: Observation,
  sessions: () => Promise<readonly LiveSession[]>,
): Promise<Judged> {
  const pids = agentPids(observation.probe)
  if (pids.length === 0) return { observation, isStranger: false }
  const agent = (await sessions()).find(({ pid }) => pids.includes(pid))
  return agent ? { observation, agent, isStranger: false } : { observation, isStranger: true }
}

/**
 * Why nothing may be typed now; undefined where it may.
 * @param force although it is not known what an agent does
 */
export function refusal(
  { observation, agent, isStranger }: Judged,
  force: boolean,
): LullError<'REFUSED_TO_TYPE'> | undefined {
  const { verdict } = observation
  const deaf = paneRefusal(observation)
  if (deaf) return deaf
  if (agent) return ofAgent(agent.session.verdict, force)
  if (isStranger && !force)
    return refusedToType(
      'waitsForPerson',
      'an agent runs in the pane of which nothing is known: --force types',
    )
  if (verdict.health.level === 'confirmed_stuck')
    return refusedToType('stuck', `the terminal is frozen (${verdict.why}): lull keys … C-q lets it go on`)
  if (verdict.state.kind === 'waiting' && verdict.state.for === 'password')
    return refusedToType('waitsForPerson', `it asks for a password: ${verdict.prompt?.trim() || verdict.why}`)
  return undefined
}

/** Why the pane takes nothing, whatever runs in it. */
export function paneRefusal({
  verdict,
  facts,
  unanswered,
}: Observation): LullError<'REFUSED_TO_TYPE'> | undefined {
  if (verdict.state.kind === 'exited') return refusedToType('gone', `the pane has ended: ${verdict.why}`)
  if (unanswered !== undefined) return refusedToType('failed', unanswered)
  if (facts?.isInputOff)
    return refusedToType('failed', 'tmux drops what is typed into this pane (select-pane -e takes it again)')
  return undefined
}

function ofAgent(
  { state, because: [evidence] }: Verdict,
  force: boolean,
): LullError<'REFUSED_TO_TYPE'> | undefined {
  const said = `${describeState(state)}${evidence ? ` (${evidence.what})` : ''}`
  switch (state.kind) {
    case 'waiting':
      // An answer is given on purpose: Enter on a dialog takes what happens to be selected.
      return state.for === 'input'
        ? undefined
        : refusedToType('waitsForPerson', `it waits for a person: ${said}`)
    case 'exited':
      return refusedToType('gone', 'the agent has exited')
    case 'starting':
    case 'unknown':
      return force
        ? undefined
        : refusedToType(
            'waitsForPerson',
            `what it does is not known (${said}): a dialog may be open; --force types`,
          )
    case 'idle':
    case 'working':
      return undefined
  }
}
