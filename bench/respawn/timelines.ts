/** What the detector says along a recording, as respawn sees it; and what the rules of others say along it. */
import { startedSession } from '../../src/core/advance.ts'
import type { Verdict } from '../../src/core/judge/verdict.ts'
import { sightingOf } from '../../src/respawn/sighting.ts'
import type { Sighting } from '../../src/respawn/step/respawn-state.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { calibratedDecoder, replayEvents } from '../../src/track/replay.ts'
import { sameClaim } from '../../src/track/track.ts'
import type { Recording } from '../corpus.ts'
import { type Apply, theirs } from '../judgements.ts'
import { lastHookWins, type Rival, type RivalInput, type Said, silence } from '../rivals.ts'

/** `at`: ms from the recording's beginning. */
export type Seen = { readonly at: number; readonly seen: Sighting }

/** @param entered when respawn pressed Enter, ms: filed as lull files what it types; the recording does not answer it */
export function timeline(
  { agent, startedAt, events, seconds }: Recording,
  apply: Apply,
  entered: readonly number[] = [],
): readonly Seen[] {
  const typed = entered.flatMap(at => [
    { line: 0, at: at - 1, code: 'i', data: 'go on' } as const,
    { line: 0, at, code: 'i', data: '\r' } as const,
  ])
  const faulty = [...apply(events, seconds), ...typed].sort((a, b) => a.at - b.at)
  const isSame = (a: Verdict, b: Verdict) =>
    sameClaim(a, b) && a.turn === b.turn && a.confidence === b.confidence && a.since === b.since
  const decoder = calibratedDecoder(agent, startedAt, faulty)
  const heardAt = faulty.find(({ code }) => code === 'h')?.at ?? Infinity
  return [...replayEvents(faulty, decoder, startedSession(0), { isSame })].map(({ at, session }) => ({
    at,
    seen: sightingOf(
      { session, agent: agent.name, hooks: at < heardAt ? 'unknown' : 'heard' } as LiveSession,
      { now: at, wall: at, zone: 0 },
      false,
    ),
  }))
}

/** docs/seeds.md#003: a Stop or idle_prompt is idle, a permission blocks; without hooks 10 s without output. */
function* document003(inputs: Iterable<RivalInput>): Iterable<Said> {
  const all = [...inputs]
  const hasHooks = all.some(({ signals }) => signals.some(s => s.type === 'news' && s.source === 'hook'))
  if (hasHooks) {
    yield* lastHookWins(all)
    return
  }
  let last = 0
  for (const { at, output } of all) {
    if (!output) continue
    if (at > last + completionSilenceMs) yield { at: last + completionSilenceMs, state: { kind: 'idle' } }
    yield { at, state: { kind: 'working' } }
    last = at
  }
}

const completionSilenceMs = 10_000

const rivals = { silence, 'last hook': lastHookWins, 'document 003': document003 } satisfies Readonly<
  Record<string, Rival>
>
export type RivalName = keyof typeof rivals
export const rivalNames = Object.keys(rivals) as readonly RivalName[]

/** When such a controller sends: an idleness has held for `settled`, once each. ms */
export function rivalSends(
  recording: Recording,
  apply: Apply,
  name: RivalName,
  settled: number,
  from: number,
): readonly number[] {
  const said = theirs(recording, apply, rivals[name])
  return said.flatMap(({ t, state }, n) => {
    const begin = said[n - 1]?.state.kind === 'idle' ? undefined : t * 1000
    if (state.kind !== 'idle' || begin === undefined) return []
    const end = said.slice(n).find(other => other.state.kind !== 'idle')?.t ?? recording.seconds
    const at = Math.max(begin, from) + settled
    return at < end * 1000 ? [at] : []
  })
}
