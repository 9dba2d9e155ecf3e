/** What a subagent tells under its parent's id: its dialogs are dialogs of the session, the rest is not the session's turn. */
import type { FactSignal, Lane, LanePattern, News, Signal } from '../../core/evidence/signal.ts'
import { isRecord } from '../../core/trace/trace.ts'
import type { HookInput, Reader } from './agent.ts'

/** The subagent that a payload names as the one that speaks. */
export function subagentOf(payload: unknown): string | undefined {
  const id = isRecord(payload) ? payload.agent_id : undefined
  return typeof id === 'string' && id !== '' ? id.slice(0, 100).replaceAll('*', '_') : undefined
}

/** A reader of hooks in which a subagent's are told apart. Its own beginning and end are the reader's. */
export const apartSubagents =
  (readHook: Reader<HookInput>): Reader<HookInput> =>
  (input, moment, memory) => {
    const reading = readHook(input, moment, memory)
    const id = /^subagent/i.test(input.event) ? undefined : subagentOf(input.payload)
    return id === undefined ? reading : { ...reading, signals: ofSubagent(reading.signals, id), memory }
  }

/** What is left of signals that were read as the main turn's, where a subagent gave them. */
export function ofSubagent(signals: readonly Signal[], id: string): readonly Signal[] {
  const own = signals.flatMap(signal => (signal.type === 'news' ? ofOwner(signal, `ask:sub:${id}:`) : []))
  const asks = own.some(news => news.state.kind === 'waiting')
  return asks ? [...own, ...signals.flatMap(asked)] : own
}

/** Which tool the session runs is the one that began the subagent. */
function asked(signal: Signal): readonly FactSignal[] {
  if (signal.type !== 'facts') return []
  const { tool: _, about: __, ...facts } = signal.facts
  return [{ ...signal, facts }]
}

const main = /^ask:main:/

function ofOwner({ type, source, what, at, seen, ...news }: News, owner: string): News[] {
  const base = { type, source, what, at, seen }
  if (news.state.kind === 'waiting' && main.test(news.lane))
    return [{ ...base, state: news.state, lane: news.lane.replace(main, owner) as Lane }]
  const ends = (news.ends ?? [])
    .filter(lane => main.test(lane))
    .map(lane => lane.replace(main, owner) as LanePattern)
  return ends.length === 0 ? [] : [{ ...base, state: { kind: 'unknown' }, lane: 'main', ends }]
}
