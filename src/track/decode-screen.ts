/** A look at an agent's screen, as a sign of what it does. A picture that is half drawn shows idleness for a moment. */
import type { Agent, Memory, Moment, Reading } from '../agents/kit/agent.ts'
import { readScreen } from '../agents/screen/read-screen.ts'
import { layoutOf } from '../agents/screen/screen-layout.ts'
import type { ScreenMemory } from '../agents/screen/screen-memory.ts'
import type { ScreenRules } from '../agents/screen/screen-rule.ts'
import { allAbove, draftOf, isCommand, printedAbove } from '../agents/screen/sent-prompt.ts'
import { type ReadScreen, stateOfWord, wordOfState } from '../agents/screen/state-words.ts'
import { defined } from '../core/defined.ts'
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

/** The result of the rules, in a form that fits a trace. */
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
  // A screen that never showed a known part is no evidence.
  if (read.state === 'unknown' && !before) return { signals: [] }
  const written = input.type === 'same screen' ? writtenStill(before) : writtenNow(before, input, at)
  const taken = takenAs(written, read, at)
  const isSame = before?.told.state === taken.state
  const since = isSame ? before.since : at
  const first = before === undefined || (isSame && before.isFirst) ? { isFirst: true as const } : {}
  const menu = menuOf(read)
  const memory = { screen: { read, told: taken, since, ...first, ...written } }
  const facts: readonly FactSignal[] =
    menu === menuOf(before?.read) ? [] : [{ type: 'facts', facts: { menu }, at }]
  // Typed into, a menu would be chosen from.
  const state: State = read.isMenu ? { kind: 'unknown' } : stateOfWord(taken.state)
  if (state.kind === 'idle' && !input.isStill && at < since + stillMs) return { signals: facts, memory }
  const seen = { since, ...first, seen: at, isStill: input.isStill === true }
  return { signals: [signOf(state, taken, seen), ...facts], memory }
}

/** How long a sent prompt counts as work without other evidence: ms. OpenCode's first turn took 2.1 s under load. */
const takenMs = 5000

/** How long an emptied composer is `unknown`, as Enter may have emptied it: ms. OpenCode drew its first command after 1.4 s. */
const emptiedMs = 2000

type Written = Pick<ScreenMemory, 'draft' | 'sent' | 'emptiedAt' | 'above' | 'typed'>

const writtenStill = ({ draft, sent, emptiedAt, above, typed }: Written = {}): Written => ({
  ...defined({ above, typed }),
  ...(draft ? { draft } : {}),
  ...(sent?.isLast ? { sent } : {}),
  ...(emptiedAt === undefined ? {} : { emptiedAt }),
})

/** The text in the composer, and which text was sent. */
function writtenNow(before: ScreenMemory | undefined, input: ScreenInput, at: Instant): Written {
  const layout = layoutOf(input)
  const above = printedAbove(layout)
  const draft = layout.composer ? draftOf(layout) : before?.draft
  const was = before?.draft
  const isNew = was !== undefined && draft !== was && above.includes(was)
  const all = allAbove(layout)
  const typed = typedNow(before, input.typed, all)
  const isTyped = typed?.hasCome === true && !typed.hadCome
  const text = isNew ? was : isTyped ? input.typed?.prompt : undefined
  const sent = text === undefined ? before?.sent : { text, at }
  const isLast = sent !== undefined && above.endsWith(sent.text)
  // A turn that works takes what is queued out of it, or gives back what was sent.
  const isEmptied = before?.told.state === 'idle' && was !== undefined && draft === '' && !isNew
  const emptiedAt = isEmptied ? at : draft === '' ? before?.emptiedAt : undefined
  return {
    ...(emptiedAt === undefined ? {} : { emptiedAt }),
    ...(draft && !above.includes(draft) ? { draft } : {}),
    ...(sent && (text !== undefined || isLast) ? { sent: { ...sent, isLast } } : {}),
    above: all,
    ...(typed ? { typed: { at: typed.at, times: typed.times, hasCome: typed.hasCome || isNew } } : {}),
  }
}

const shortestPrompt = 4

/** What lull typed is known before any look has seen it in the composer: it may be sent, and answered, by the next one. */
function typedNow(before: ScreenMemory | undefined, typed: ScreenInput['typed'], above: string) {
  if (!typed) return undefined
  const { at, prompt } = typed
  // A letter or two are found anywhere.
  const times = (text: string): number => (prompt.length < shortestPrompt ? 0 : text.split(prompt).length - 1)
  const known = before?.typed?.at === at ? before?.typed : undefined
  const { times: first = times(before?.above ?? above), hasCome: hadCome = false } = known ?? {}
  return { at, times: first, hadCome, hasCome: hadCome || times(above) > first }
}

/** At the first look at it, as the turn may have begun and ended since the look before; and while nothing comes after it. */
const isPromptTaken = ({ sent }: Written, { state, isMenu }: ReadScreen, at: Instant): boolean =>
  sent !== undefined && !isCommand(sent.text) && state === 'idle' && !isMenu && at < sent.at + takenMs

const promptTaken: ReadScreen = { state: 'working', rule: 'prompt sent' }
const emptied: ReadScreen = { state: 'unknown', rule: 'composer emptied' }

function takenAs(written: Written, read: ReadScreen, at: Instant): ReadScreen {
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
    // A screen that was still for seconds has settled before the look: one look proves that the start is over.
    settles: isStill ? 0 : stillMs,
    hold: holdMs,
    since,
    ...(isFirst ? { isSinceLook: true } : {}),
    seen,
    alive: true,
  }
}
