/**
 * Facts: what is known besides the state. A question is forgotten with its dialog, a tool once no tool runs, an error with
 * its turn. Facts change no verdict.
 */
import type { Draft } from '../session.ts'
import type { State } from '../state.ts'
import type { FactSignal, Facts } from './signal.ts'

/** Adds facts. A transcript may report a tool or a prompt late, after a newer one: the newer one stays. */
export function learn(session: Draft, { facts, at }: FactSignal): void {
  const { tokensIn, tokensOut, tool } = session.facts
  const when = Math.min(at, session.now)
  const isLateTool = facts.tool !== undefined && when < (session.toolAt ?? -Infinity)
  const isLatePrompt = facts.prompt === undefined || when < (session.promptAt ?? -Infinity)
  if (facts.tool !== undefined && !isLateTool) {
    session.toolAt = when
    if (facts.tool !== tool) forget(session, 'about')
  }
  if (!isLatePrompt) session.promptAt = when
  const known = session.facts
  const isOutdated = (field: keyof Facts): boolean => {
    if (field === 'prompt') return isLatePrompt
    if (field === 'tool') return isLateTool
    // What a tool works on may be reported after its name.
    if (field === 'about') return isLateTool && (facts.tool !== tool || known.about !== undefined)
    if (field === 'question') return isPartOf(facts.question, known.question)
    return field === 'error' && isKindOf(facts.error, known.error)
  }
  let learnt: Record<string, unknown> | undefined
  for (const name in facts) {
    const field = name as keyof Facts
    if (facts[field] === known[field] || isOutdated(field)) continue
    learnt ??= { ...known }
    learnt[field] = facts[field]
  }
  if (!learnt) return
  session.facts = learnt
  if (learnt.tokensIn !== tokensIn || learnt.tokensOut !== tokensOut) session.tokensAt = session.now
}

/** Of two sources that report one dialog the fuller text stays: OpenCode's log has only parts of the command. */
const isPartOf = (question = '', known = ''): boolean =>
  question.split('\n').every(part => known.includes(part))

/** One source may report only the kind of an error (`rate_limit`), another its words: the words stay. */
const isKindOf = (error = '', known = ''): boolean => /^\w*$/.test(error) && /\s/.test(known)

/** Forgets what is no longer so in this state. A tool that asks for permission runs on after the answer. */
export function forgetPast(session: Draft, state: State): void {
  if (state.kind === 'waiting') return
  if (state.kind === 'working' && state.doing === 'tool') forget(session, 'question')
  else forget(session, 'question', 'tool', 'about')
}

export function forget(session: Draft, ...fields: readonly (keyof Facts)[]): void {
  const { facts } = session
  if (fields.every(field => facts[field] === undefined)) return
  const left: Record<string, unknown> = {}
  for (const field in facts)
    if (!fields.includes(field as keyof Facts)) left[field] = facts[field as keyof Facts]
  session.facts = left
}
