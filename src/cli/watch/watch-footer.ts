/** The keys of `lull watch`: those that hold now in its last line, and all of them where `?` asks. */
import { needsPerson } from '../../sessions/rank.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { cut } from '../ui/cells.ts'
import { takesSeveral } from './asked-step.ts'
import type { WatchView } from './watch-step.ts'

/** A key with what it does; the lower its rank, the longer it is shown where there is less room. */
type Key = readonly [shown: string, rank: number]

/** As many as there is room for, in their order, none of them cut. */
export function footer(view: WatchView, selected: LiveSession | undefined, width: number): string {
  const keys = keysOf(view, selected)
  let shown = keys
  const text = () => shown.map(([words]) => words).join('  ')
  while (shown.length > 1 && text().length > width) {
    const last = Math.max(...shown.map(([, rank]) => rank))
    shown = shown.filter(([, rank]) => rank < last)
  }
  return cut(text(), width)
}

function keysOf(view: WatchView, selected: LiveSession | undefined): readonly Key[] {
  if (view.asked) return askedKeys(view.asked)
  if (view.isTyping)
    return [
      ['type to filter', 2],
      ['enter keeps it', 0],
      ['esc shows all', 1],
    ]
  if (view.panel === 'help')
    return [
      ['↑↓ scroll', 1],
      ['? or esc back', 0],
    ]
  const waits = selected?.session.verdict.state.kind === 'waiting'
  const isMine = selected !== undefined && needsPerson(selected)
  const ofRow: readonly Key[] = selected
    ? [
        ['enter go', 1],
        ...(waits ? ([['a answer', 2]] as const) : []),
        ...(isMine && !waits ? ([['s seen', 5]] as const) : []),
        ['e explain', 3],
        ['h history', 4],
      ]
    : []
  const back: readonly Key[] = view.panel
    ? [['esc close', 0]]
    : view.filter !== '' || view.onlyMine
      ? [['esc all', 0]]
      : [['n mine', 7]]
  return [...ofRow, ['/ filter', 6], ...back, ['? help', 0], ['q quit', 0]]
}

function askedKeys(asked: NonNullable<WatchView['asked']>): readonly Key[] {
  const { dialog, at, text, isGiven } = asked
  if (isGiven) return [['it is being answered…', 0]]
  if (text !== undefined)
    return [
      ['enter gives it', 0],
      ['esc back', 0],
    ]
  if (dialog.options.length === 0)
    return [
      ['enter go there', 0],
      ['esc back', 0],
    ]
  const isMany = takesSeveral(asked)
  return [
    [at === undefined ? '↑↓ or its number picks' : '↑↓ picks', 1],
    ...(isMany ? ([['space ticks', 0]] as const) : []),
    ...(at === undefined ? [] : ([[isMany ? 'enter gives what is ticked' : 'enter answers', 0]] as const)),
    ['esc back, nothing is pressed', 0],
  ]
}

/** What `?` shows. */
export const helpLines: readonly string[] = [
  'enter, g    switch to its tmux pane or terminal, and mark it as seen',
  'a           show its question and options; choose one, then enter answers (like lull answer)',
  'e           explain the verdict: the evidence (* counts), and what would change it',
  'h           show its last day, newest first',
  's           mark it as seen',
  '',
  '↑ ↓, j k    select; also PgUp PgDn Home End; with a panel open PgUp PgDn scroll it',
  'mouse       a click selects, the wheel scrolls; with Shift the terminal selects text',
  '/           show only rows with a text; esc shows all',
  'n           show only sessions that need you (●), or all',
  'esc         close what is open',
  'Ctrl-Z      suspend (fg returns); q or Ctrl-C quits',
  '',
  '●           waits for you, is stuck, or is done and unseen; the first has waited longest',
  'FOR         time in this state; >3m: at least, since before lull first looked; -: just seen',
  'done        the turn ended, and you have not looked yet; idle: you have',
]
