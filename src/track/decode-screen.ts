/** A look at an agent's screen, as a sign of what it does. A picture that is half drawn shows idleness for a moment. */
import type { Agent, Memory, Moment, Reading } from '../agents/kit/agent.ts'
import { readScreen } from '../agents/screen/read-screen.ts'
import { layoutOf } from '../agents/screen/screen-layout.ts'
import type { ScreenMemory } from '../agents/screen/screen-memory.ts'
import type { ScreenRules } from '../agents/screen/screen-rule.ts'
import { draftOf, isCommand, printedAbove } from '../agents/screen/sent-prompt.ts'
import { type ReadScreen, stateOfWord, wordOfState } from '../agents/screen/state-words.ts'
import type { FactSignal, Sign } from '../core/evidence/signal.ts'
import type { Instant, Kind, State } from '../core/state.ts'
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
    state: wordOfState(state),
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
  // What never showed a known part says nothing.
  if (read.state === 'unknown' && !before) return { signals: [] }
  const written = input.type === 'same screen' ? writtenStill(before) : writtenNow(before, input.rows, at)
  const told = toldOf(written, read, at)
  const isSame = before?.told.state === told.state
  const since = isSame ? before.since : at
  const first = before === undefined || (isSame && before.isFirst) ? { isFirst: true as const } : {}
  const menu = menuOf(read)
  const memory = { screen: { read, told, since, ...first, ...written } }
  const facts: readonly FactSignal[] =
    menu === menuOf(before?.read) ? [] : [{ type: 'facts', facts: { menu }, at }]
  // Typed into, a menu would be chosen from.
  const state: State = read.isMenu ? { kind: 'unknown' } : stateOfWord(told.state)
  if (state.kind === 'idle' && !input.isStill && at < since + stillMs) return { signals: facts, memory }
  const seen = { since, ...first, seen: at, isStill: input.isStill === true }
  return { signals: [signOf(state, told, seen), ...facts], memory }
}

/** How long a prompt that was sent stands for work of which nothing else shows: ms. OpenCode's first turn took 2.1 s under load. */
const takenMs = 5000

/** How long nothing is said of a composer that was emptied, as that may have been Enter: ms. OpenCode drew its first command after 1.4 s. */
const emptiedMs = 2000

type Written = Pick<ScreenMemory, 'draft' | 'sent' | 'emptiedAt'>

const writtenStill = ({ draft, sent, emptiedAt }: Written = {}): Written => ({
  ...(draft ? { draft } : {}),
  ...(sent?.isLast ? { sent } : {}),
  ...(emptiedAt === undefined ? {} : { emptiedAt }),
})

/** What stands in the composer, and what of it was sent. */
function writtenNow(before: ScreenMemory | undefined, rows: readonly string[], at: Instant): Written {
  const layout = layoutOf({ rows })
  const above = printedAbove(layout)
  const draft = layout.composer ? draftOf(layout) : before?.draft
  const was = before?.draft
  const isNew = was !== undefined && draft !== was && above.includes(was)
  const sent = isNew ? { text: was, at } : before?.sent
  const isLast = sent !== undefined && above.endsWith(sent.text)
  // A turn that works takes what is queued out of it, or gives back what was sent.
  const isEmptied = before?.told.state === 'idle' && was !== undefined && draft === '' && !isNew
  const emptiedAt = isEmptied ? at : draft === '' ? before?.emptiedAt : undefined
  return {
    ...(emptiedAt === undefined ? {} : { emptiedAt }),
    ...(draft && !above.includes(draft) ? { draft } : {}),
    ...(sent && (isNew || isLast) ? { sent: { ...sent, isLast } } : {}),
  }
}

/** At the first look at it, as the turn may have begun and ended since the look before; and while nothing comes after it. */
const isPromptTaken = ({ sent }: Written, { state: says, isMenu }: ReadScreen, at: Instant): boolean =>
  sent !== undefined && !isCommand(sent.text) && says === 'idle' && !isMenu && at < sent.at + takenMs

const promptTaken: ReadScreen = { state: 'working', rule: 'prompt sent' }
const emptied: ReadScreen = { state: 'unknown', rule: 'composer emptied' }

function toldOf(written: Written, read: ReadScreen, at: Instant): ReadScreen {
  if (isPromptTaken(written, read, at)) return promptTaken
  const { emptiedAt = -Infinity } = written
  return read.state === 'idle' && at < emptiedAt + emptiedMs ? emptied : read
}

const menuOf = (read: ReadScreen | undefined): string =>
  read?.isMenu ? oneLine((read.row ?? '').trim(), 60) : ''

type Seen = Pick<ScreenMemory, 'since' | 'isFirst'> & { readonly seen: Instant; readonly isStill: boolean }

function signOf(
  state: State,
  { rule, row = '', isMenu }: ReadScreen,
  { since, isFirst, seen, isStill }: Seen,
): Sign {
  const of = `${isMenu ? ' (a menu)' : ''}${row === '' ? '' : `: ${oneLine(row.trim(), 60)}`}`
  const what = rule === undefined ? 'no known part' : `${rule}${of}`
  return {
    type: 'sign',
    source: 'screen',
    what,
    state,
    excludes: overturned[state.kind],
    tier: 'seen',
    lag: lagMs,
    // What has stood still for seconds has settled before it is seen: a single look tells that the start is over.
    settles: isStill ? 0 : stillMs,
    hold: holdMs,
    since,
    ...(isFirst ? { isSinceLook: true } : {}),
    seen,
    alive: true,
  }
}
