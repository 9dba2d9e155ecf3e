/** A look at an agent's screen, as a sign of what it does. A picture that is half drawn shows idleness for a moment. */
import type { Agent, Memory, Moment, Reading } from '../agents/kit/agent.ts'
import { readScreen } from '../agents/screen/read-screen.ts'
import type { ScreenRules } from '../agents/screen/screen-rule.ts'
import { type ReadScreen, stateOfWord, wordOfState } from '../agents/screen/state-words.ts'
import type { FactSignal, Sign } from '../core/evidence/signal.ts'
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

type ScreenInput = Extract<RawInput, { readonly type: 'screen' }>
type SameScreen = Extract<RawInput, { readonly type: 'same screen' }>

/** What is said of it by rules, in what a trace can hold. */
export function readShown(
  rules: ScreenRules,
  { rows, title }: Pick<ScreenInput, 'rows' | 'title'>,
): ReadScreen {
  const view = { grid: { rows }, ...(title === undefined ? {} : { title }) }
  const { state, match, isMenu } = readScreen(rules, view)
  return {
    says: wordOfState(state),
    ...(match ? { rule: match.rule.id, row: match.row } : {}),
    ...(isMenu ? { isMenu } : {}),
  }
}

export function decodeScreen(
  { screens }: Agent,
  input: ScreenInput | SameScreen,
  { seen: at }: Moment,
  { screen: before }: Memory,
): Reading {
  const read = input.type === 'same screen' ? before?.read : (input.read ?? readShown(screens, input))
  // Of what stood before a trace began nothing is known.
  if (!read) return { signals: [] }
  const shown = stateOfWord(read.says)
  // What never showed a known part says nothing.
  if (shown.kind === 'unknown' && !before) return { signals: [] }
  const since = before?.read.says === read.says ? before.since : at
  const menu = menuOf(read)
  const memory = { screen: { read, since } }
  const facts: readonly FactSignal[] =
    menu === menuOf(before?.read) ? [] : [{ type: 'facts', facts: { menu }, at }]
  // Typed into, a menu would be chosen from.
  const state: State = read.isMenu ? { kind: 'unknown' } : shown
  if (state.kind === 'idle' && !input.isStill && at < since + stillMs) return { signals: facts, memory }
  const seen = { since, seen: at, isStill: input.isStill === true }
  return { signals: [signOf(state, read, seen), ...facts], memory }
}

const menuOf = (read: ReadScreen | undefined): string =>
  read?.isMenu ? oneLine((read.row ?? '').trim(), 60) : ''

type Seen = { readonly since: number; readonly seen: number; readonly isStill: boolean }

function signOf(state: State, { rule, row = '', isMenu }: ReadScreen, { since, seen, isStill }: Seen): Sign {
  const what =
    rule === undefined ? 'no known part' : `${rule}${isMenu ? ' (a menu)' : ''}: ${oneLine(row.trim(), 60)}`
  return {
    type: 'sign',
    source: 'screen',
    what,
    says: state,
    excludes: overturned[state.kind],
    tier: 'seen',
    lag: lagMs,
    // What has stood still for seconds has settled before it is seen: a single look tells that the start is over.
    settles: isStill ? 0 : stillMs,
    hold: holdMs,
    since,
    seen,
    alive: true,
  }
}
