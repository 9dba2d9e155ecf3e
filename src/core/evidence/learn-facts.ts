/**
 * What is learnt besides the state, and what it is forgotten with: a question with its dialog, a tool once no tool runs, an
 * error with its turn. It moves no verdict.
 */
import type { Session } from '../session.ts'
import type { Instant, State } from '../state.ts'
import type { FactSignal, Facts } from './signal.ts'

export function learn(session: Session, { facts, at }: FactSignal): Session {
  const { tokensIn, tokensOut } = session.facts
  const moved = (facts.tokensIn ?? tokensIn) !== tokensIn || (facts.tokensOut ?? tokensOut) !== tokensOut
  const when = Math.min(at, session.now)
  const isNewPrompt = facts.prompt !== undefined && when >= (session.promptAt ?? -Infinity)
  const { prompt: _, ...others } = facts
  const told = {
    ...fullerTexts(session.facts, withTool(session, others, when)),
    ...(isNewPrompt ? { prompt: facts.prompt as string } : {}),
  }
  const isNewTool = told.tool !== undefined && when >= (session.toolAt ?? -Infinity)
  const { about: __, ...kept } = session.facts
  const before = isNewTool && told.tool !== session.facts.tool ? kept : session.facts
  return {
    ...session,
    facts: { ...before, ...told },
    ...(moved ? { tokensAt: session.now } : {}),
    ...(isNewTool ? { toolAt: when } : {}),
    ...(isNewPrompt ? { promptAt: when } : {}),
  }
}

/**
 * A transcript may tell late of a tool that another one has followed. What the tool is about counts late too, where it was not
 * told with its name.
 */
function withTool({ facts, toolAt = -Infinity }: Session, told: Facts, when: Instant): Facts {
  if (told.tool === undefined || when >= toolAt) return told
  const { tool, about, ...others } = told
  const completes = tool === facts.tool && facts.about === undefined && about !== undefined
  return completes ? { ...others, about } : others
}

/**
 * Of two sources that tell of one dialog the fuller stands: OpenCode's log has the parts of the command. So with an error, of
 * which one has the words and the other its kind (`rate_limit`).
 */
function fullerTexts(known: Facts, told: Facts): Facts {
  const isHeld = told.question?.split('\n').every(part => known.question?.includes(part))
  const isKind = told.error !== undefined && /^\w*$/.test(told.error) && /\s/.test(known.error ?? '')
  return {
    ...told,
    ...(isHeld ? { question: known.question as string } : {}),
    ...(isKind ? { error: known.error as string } : {}),
  }
}

const factsOfDialog = ['question'] as const
const factsOfTool = ['question', 'tool', 'about'] as const

/** What still is so in this state: a tool that asks runs on after the answer. */
export function factsIn(state: State, facts: Facts): Facts {
  if (state.kind === 'waiting') return facts
  const isTool = state.kind === 'working' && state.doing === 'tool'
  return without(facts, isTool ? factsOfDialog : factsOfTool)
}

export function without(facts: Facts, fields: readonly (keyof Facts)[]): Facts {
  let isNone = true
  for (const field of fields) if (facts[field] !== undefined) isNone = false
  if (isNone) return facts
  const left: Record<string, unknown> = {}
  for (const field in facts)
    if (!fields.includes(field as keyof Facts)) left[field] = facts[field as keyof Facts]
  return left
}
