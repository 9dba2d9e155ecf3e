/** A recorded session as the demo shows it: the agent's own screen, lull's verdict, and the newest hook. */
import type { Change } from '../../agents.ts'
import type { RecordedStory, StoryHook } from '../../connect/open-story.ts'
import { describeState, explainWhy } from '../../core/explain/explain.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import type { Instant, Kind } from '../../core.ts'
import { cut, pad, wrap } from '../ui/cells.ts'
import { inColour, type Meaning } from '../ui/colours.ts'
import { describeChange } from '../ui/print-verdict.ts'

export const headline = 'lull shows what your agents really do, and how it knows.'
export const legend: readonly string[] = [
  '✗ marks the state by the newest hook where that is wrong.',
  'These are recordings of real agents, played faster; lull judges them now.',
]

/** What everything begins with. */
export const openingLines = (width: number): readonly string[] =>
  [headline, ...legend].map(line => ` ${cut(line, width - 1)}`)

/** What to type next. */
export const farewell: readonly string[] = [
  'Next, on your own agents:',
  '  lull                        all of them live, most urgent first; ? helps',
  '  lull ps                     the same as a table, --json for programs',
  '  lull wait web && make       0 only when the agent in ~/web is really done',
  '  lull hooks install AGENT    makes it faster; lull hooks doctor tests it',
]

/** What is worth telling of it: from the first prompt to its end, ms of the recording. */
export function spanOf({ changes }: Pick<RecordedStory, 'changes'>): {
  readonly from: Instant
  readonly to: Instant
} {
  const kindOf = ({ verdict }: Change): Kind => verdict.state.kind
  const work = changes.find(change => kindOf(change) === 'working')?.at ?? 0
  const last = changes.findLast(change => kindOf(change) !== 'exited')?.at ?? work
  const exit = changes.find(({ at }) => at > last)?.at ?? Infinity
  return { from: Math.max(0, work - 500), to: Math.min(exit, last + 3000) }
}

/** How long the newest hook was wrong in that time, and its longest wrong claim. */
function wrongTime(story: RecordedStory): { readonly ms: number; readonly claimed: string } {
  const { from, to } = spanOf(story)
  const moments = [...story.changes, ...story.hooks].map(({ at }) => at).filter(at => at > from && at < to)
  const bounds = [from, ...moments.sort((a, b) => a - b), to]
  const times = new Map<string, number>()
  for (const [n, at] of bounds.entries()) {
    const change = story.changes.findLast(one => one.at <= at)
    const hook = change && hookAt(story, change, at)
    if (!hook?.isWrong) continue
    const claimed = describeState(hook.claim.state)
    times.set(claimed, (times.get(claimed) ?? 0) + (bounds[n + 1] ?? at) - at)
  }
  const [longest] = [...times].sort((a, b) => b[1] - a[1])
  return { ms: [...times.values()].reduce((sum, ms) => sum + ms, 0), claimed: longest?.[0] ?? '' }
}

/** The lines that remain of a finished story. */
export function outcomeLines(
  story: RecordedStory,
  name: string,
  width: number,
  isColoured: boolean,
): readonly string[] {
  const { from, to } = spanOf(story)
  const { ms, claimed } = wrongTime(story)
  const all = Math.round((to - from) / 1000)
  const isWrong = ms >= 500
  const words = isWrong
    ? `✗ the newest hook was wrong for ${Math.round(ms / 1000)} of ${all} s (${claimed})`
    : '✓ here the newest hook was right'
  return [
    ` ${cut(name, width - 1)}`,
    `   ${paint(cut(words, width - 3), isWrong ? 'wrong' : 'done', isColoured)}`,
  ]
}

/** Between these a program that sends, waits or notifies decides. */
const decisive: ReadonlySet<Kind> = new Set(['working', 'waiting', 'idle'])

/** The newest hook's claim, and whether lull knows better. */
export function hookAt(
  { hooks }: Pick<RecordedStory, 'hooks'>,
  { verdict: { state } }: Change,
  now: Instant,
): { readonly claim: StoryHook; readonly isWrong: boolean } | undefined {
  const claim = hooks.findLast(({ at }) => at <= now)
  if (!claim) return undefined
  const isWrong =
    claim.state.kind !== state.kind && decisive.has(claim.state.kind) && decisive.has(state.kind)
  return { claim, isWrong }
}

const hookWords = ({ state, what }: StoryHook): string => `${describeState(state)} (${oneLine(what, 40)})`

/** Each change in a line, marked where the newest hook is wrong. */
export const changeLines = (story: RecordedStory): readonly string[] =>
  story.changes.map(change => {
    const hook = hookAt(story, change, change.at)
    return `${describeChange(change, undefined)}${hook?.isWrong ? `  ✗ the last hook: ${hookWords(hook.claim)}` : ''}`
  })

/** The middle of the longest time in which the hook is wrong, best with idle while it works: for a picture. */
export function tellingInstant(story: RecordedStory): Instant {
  const { changes } = story
  const spans = changes.map((change, n) => {
    const length = (changes[n + 1]?.at ?? change.at) - change.at
    const hook = hookAt(story, change, change.at)
    const weight = !hook?.isWrong ? 0 : hook.claim.state.kind === 'idle' ? 2 : 1
    return { at: change.at + length / 2, length, weight }
  })
  return spans.toSorted((a, b) => b.weight - a.weight || b.length - a.length)[0]?.at ?? 0
}

export type StoryView = {
  /** Cells of a line. */
  readonly width: number
  /** Rows of the agent's screen that are shown. */
  readonly rows: number
  readonly isColoured: boolean
}

const besideWidth = 48
/** `last hook  ` before it, `  ✗` after it. */
const widestClaim = besideWidth - 11 - 3 - 2

/** The agent's screen in a frame, and beside it, or below where that is too narrow, lull's verdict and the last hook. */
export function storyLines(
  story: RecordedStory,
  now: Instant,
  { width, rows, isColoured }: StoryView,
): readonly string[] {
  const change = story.changes.findLast(({ at }) => at <= now) ?? story.changes[0]
  if (!change) return []
  const isBeside = width >= 100
  const inner = (isBeside ? width - besideWidth : width) - 4
  const shown = story.screens.findLast(({ at }) => at <= now)?.rows ?? []
  const filled = shown.slice(0, shown.findLastIndex(row => row.trim() !== '') + 1).slice(-rows)
  const screen = Array.from({ length: rows }, (_, n) => printable((filled[n] ?? '').trimEnd()))
  const hook = hookAt(story, change, now)
  const beside = [
    `lull       ${paint(describeState(change.verdict.state), 'works', isColoured)}`,
    `last hook  ${claimOf(hook, isColoured)}`,
    '',
    ...wrap(oneLine(explainWhy(change.verdict, now), 400), (isBeside ? besideWidth : width) - 2),
  ]
  const frame = [
    '─'.repeat(inner + 2),
    ...screen.map(row => pad(cut(row, inner), inner)),
    '─'.repeat(inner + 2),
  ]
  const boxed = frame.map((row, n) =>
    n === 0 ? `┌${row}┐` : n === frame.length - 1 ? `└${row}┘` : `│ ${row} │`,
  )
  return isBeside ? boxed.map((row, n) => `${row} ${beside[n - 1] ?? ''}`.trimEnd()) : [...boxed, ...beside]
}

function claimOf(hook: ReturnType<typeof hookAt>, isColoured: boolean): string {
  if (!hook) return '-'
  const words = cut(hookWords(hook.claim), widestClaim)
  return hook.isWrong ? paint(`${words}  ✗`, 'wrong', isColoured) : words
}

const paint = (text: string, meaning: Meaning, isColoured: boolean): string =>
  isColoured ? `\u001b[1m${inColour(text, meaning)}\u001b[22m` : text
