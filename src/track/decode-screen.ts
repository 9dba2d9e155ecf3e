/** A look at an agent's screen, as a sign of what it does. A picture that is half drawn shows idleness for a moment. */
import type { Agent, Memory, Moment, Reading } from '../agents/kit/agent.ts'
import { readScreen, type ScreenReading } from '../agents/screen/read-screen.ts'
import type { Sign } from '../core/evidence/signal.ts'
import type { Kind, State } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import type { RawInput } from './raw-input.ts'

/** Idleness counts once it has been seen for so long: ms. Between two frames of a screen that works lay up to 1.0 s. */
const stillMs = 200

/** What has not been seen for so long may have gone: ms. */
const holdMs = 15_000

/** How far behind the news a screen may be that is looked at now and then: ms. */
const lagMs = 1500

const overturned: Readonly<Record<Kind, readonly Kind[]>> = {
  idle: ['working', 'waiting'],
  waiting: ['working', 'idle'],
  working: ['idle', 'waiting'],
  starting: [],
  exited: [],
  unknown: [],
}

export function decodeScreen(
  { screens }: Agent,
  { rows, title, isStill }: Extract<RawInput, { readonly type: 'screen' }>,
  { seen: at }: Moment,
  { screen: before }: Memory,
): Reading {
  const reading = readScreen(screens, { grid: { rows }, ...(title === undefined ? {} : { title }) })
  // What never showed a known part says nothing.
  if (reading.state.kind === 'unknown' && !before) return { signals: [] }
  const says = JSON.stringify(reading.state)
  const since = before?.says === says ? before.since : at
  const memory = { screen: { says, since } }
  // Typed into, a menu would be chosen from.
  const state: State = reading.isMenu ? { kind: 'unknown' } : reading.state
  if (state.kind === 'idle' && !isStill && at < since + stillMs) return { signals: [], memory }
  return { signals: [signOf({ ...reading, state }, since, at)], memory }
}

function signOf({ state, match, isMenu }: ScreenReading, since: number, seen: number): Sign {
  const what = match
    ? `${match.rule.id}${isMenu ? ' (a menu)' : ''}: ${oneLine(match.row.trim(), 60)}`
    : 'no known part'
  return {
    type: 'sign',
    source: 'screen',
    what,
    says: state,
    excludes: overturned[state.kind],
    tier: 'seen',
    lag: lagMs,
    settles: stillMs,
    hold: holdMs,
    since,
    seen,
    alive: true,
  }
}
