/** The rules that other tools use, on the same signals: what ours is measured against. */
import type { Signal } from '../src/core/evidence/signal.ts'
import { tierRank } from '../src/core/evidence/signal.ts'
import type { Instant, State } from '../src/core/state.ts'

export type Said = { readonly at: Instant; readonly state: State }
/** Yields what the rule says at each change, from signals and the instants of output, in order of time. */
export type Rival = (inputs: Iterable<RivalInput>) => Iterable<Said>
export type RivalInput = {
  readonly at: Instant
  readonly signals: readonly Signal[]
  readonly output: boolean
}

/** The state that the newest hook names, whatever else is known. */
export function* lastHookWins(inputs: Iterable<RivalInput>): Iterable<Said> {
  yield { at: 0, state: { kind: 'starting' } }
  for (const { at, signals } of inputs) {
    for (const s of signals) {
      if (s.type === 'exit') yield { at, state: { kind: 'exited' } }
      if (s.type === 'news' && s.source === 'hook' && s.state.kind !== 'unknown') yield { at, state: s.state }
    }
  }
}

/** Of all that was said, the highest tier wins, of equal ones the newest. News count as declared. */
export function* highestTierNewestWins(inputs: Iterable<RivalInput>): Iterable<Said> {
  yield { at: 0, state: { kind: 'starting' } }
  const said = new Map<string, { at: Instant; rank: number; state: State }>()
  for (const { at, signals } of inputs) {
    for (const s of signals) {
      if (s.type === 'exit') {
        yield { at, state: { kind: 'exited' } }
        return
      }
      if (s.type === 'facts' || s.type === 'health' || s.state.kind === 'unknown') continue
      const rank = s.type === 'sign' ? tierRank[s.tier] : tierRank.declared
      if (s.type === 'sign' && said.get(s.source)?.state.kind === s.state.kind) continue
      said.set(s.source, { at, rank, state: s.state })
    }
    const best = [...said.values()].sort((a, b) => b.rank - a.rank || b.at - a.at)[0]
    if (best) yield { at, state: best.state }
  }
}

/** Output means work; two seconds without any mean idle. */
export function* silence(inputs: Iterable<RivalInput>): Iterable<Said> {
  const silentMs = 2000
  yield { at: 0, state: { kind: 'starting' } }
  let last = 0
  for (const { at, signals, output } of inputs) {
    if (last > 0 && at > last + silentMs) {
      yield { at: last + silentMs, state: { kind: 'idle' } }
      last = 0
    }
    if (signals.some(s => s.type === 'exit')) {
      yield { at, state: { kind: 'exited' } }
      return
    }
    if (output) {
      yield { at, state: { kind: 'working' } }
      last = at
    }
  }
}
