/** Types a step of a plan, if all of it still holds right before: its conditions, the agent's idleness, that no person is there. */
import { isLullError } from '../core/lull-error.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { holds, textOf } from './conditions.ts'
import type { Condition, PlanStep, RespawnPlan } from './plan/plan.ts'
import type { ActResult, Sighting } from './step/respawn-state.ts'

export type TypePorts = {
  /** As it is now; undefined where there is none any more. */
  session(): Promise<LiveSession | undefined>
  terminal(session: LiveSession): Promise<Terminal>
  sighting(session: LiveSession): Sighting
  /** A sentence where a person is at the terminal. */
  person(session: LiveSession): Promise<string | undefined>
  /** Told of what is typed. */
  typing(text: string): void
  readonly folder: string
  readonly isDry: boolean
  readonly signal: AbortSignal
}

/** What throws a conversation away, by whatever name and whoever wrote it: never while something goes on in it. */
const forgets = /^\/(?:clear|new|reset)\b/

export async function typeStep(
  plan: RespawnPlan,
  step: PlanStep,
  isByJudge: boolean,
  hasLeftover: boolean,
  ports: TypePorts,
): Promise<ActResult & { readonly isLeftOver?: boolean }> {
  const { signal, folder } = ports
  try {
    const session = await ports.session()
    if (!session) return { is: 'gone', why: 'there is no such session any more' }
    const around = { facts: session.session.facts, folder, cwd: session.cwd ?? folder, signal }
    const does = async (condition: Condition | undefined) => condition && (await holds(condition, around))
    if ((await does(plan.until)) === true) return { is: 'done', why: `${told(plan.until)} holds` }
    if (step.when && (await does(step.when)) !== true)
      return { is: 'passed', why: `${told(step.when)} does not hold, or is not known` }
    if (step.unless && (await does(step.unless)) === true)
      return { is: 'passed', why: `${told(step.unless)} holds` }
    // Before they are typed, they may take a while.
    const { act } = step
    const text = act.do === 'keys' ? act.keys.join(' ') : await textOf(act, around)
    const seen = ports.sighting(session)
    if (act.do !== 'keys' && forgets.test(text) && seen.isBeside)
      return { is: 'refused', why: `${text} would throw away what still goes on in the background` }
    const person = await ports.person(session)
    if (person !== undefined) return { is: 'person', why: person }
    if (signal.aborted) return { is: 'refused', why: 'it was called off' }
    ports.typing(text)
    if (ports.isDry) return { is: 'passed', why: 'a dry run types nothing' }
    await using terminal = await ports.terminal(session)
    if (act.do === 'keys') {
      const now = await terminal.agent()
      const why = unwanted(now, isByJudge, ports)
      if (why !== undefined) return { is: 'refused', why }
      await terminal.keys(act.keys, { signal })
      return { is: 'sent' }
    }
    const { isEntered } = await terminal.send(text, {
      signal,
      unless: now => unwanted(now, isByJudge, ports),
      ...(isByJudge ? { force: true } : {}),
      ...(hasLeftover ? { clear: true } : {}),
    })
    return isEntered
      ? { is: 'sent' }
      : { is: 'failed', why: 'it was typed, and Enter was not pressed', isLeftOver: true }
  } catch (error) {
    if (!isLullError(error)) throw error
    return resultOf(error)
  }
}

/** Idle, right before each of text and Enter; and nothing else where nobody but the judge says so. */
function unwanted(
  now: LiveSession | undefined,
  isByJudge: boolean,
  { sighting }: TypePorts,
): string | undefined {
  if (!now) return 'no agent has the terminal now'
  const seen = sighting(now)
  if (seen.is === 'idle' || (isByJudge && seen.is === 'unknown')) return undefined
  return `it is not idle any more: ${seen.why}`
}

function resultOf(error: Error & { readonly code: string }): ActResult & { readonly isLeftOver?: boolean } {
  const why = error.message
  if (isLullError(error, 'REFUSED_TO_TYPE')) {
    const { outcome, typed } = error.facts
    if (outcome === 'gone') return { is: 'gone', why }
    const isLine = /\bits line\b/.test(why) && typed === 0
    return { is: isLine ? 'person' : 'refused', why, ...(typed > 0 ? { isLeftOver: true } : {}) }
  }
  if (isLullError(error, 'NO_PANE', 'NO_SESSION', 'ENDED', 'NO_SERVER')) return { is: 'gone', why }
  return { is: 'failed', why }
}

const told = (condition: Condition | undefined): string => {
  switch (condition?.kind) {
    case 'context':
      return `context ${condition.is === 'below' ? '<' : '>'} ${Math.round(condition.share * 100)}%`
    case 'exists':
      return `exists ${condition.path}`
    case 'passes':
      return `passes ${condition.command}`
    case 'marker':
      return `marker ${condition.name}`
    case undefined:
      return ''
  }
}
