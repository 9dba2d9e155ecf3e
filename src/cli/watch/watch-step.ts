/** What a key or the mouse does in `lull watch`: the next view, and what is to be done besides. */
import { type Choice, chooseBy, pick, type WatchedDialog, write } from './asked-step.ts'
import type { TerminalInput } from './terminal-input-step.ts'

type Panel = 'explain' | 'history' | 'help'

export type WatchView = {
  /** The session that the person chose; the first one where none was. */
  readonly selected?: string
  /** Only sessions with this text in their row are shown. */
  readonly filter: string
  readonly isTyping: boolean
  readonly onlyMine: boolean
  readonly panel?: Panel
  /** The dialog of a session, while a person picks its answer. Keys are the dialog's then. */
  readonly asked?: WatchedDialog
  /** The first row that is shown, and the first line of the panel; what does not fit moves them. */
  readonly firstRow: number
  readonly scroll: number
}

export type WatchEffect = { readonly type: 'quit' } | { readonly type: 'suspend' } | SessionEffect

export type SessionEffect =
  | { readonly type: 'go' | 'seen' | 'ask'; readonly id: string }
  | ({ readonly type: 'answer' } & Choice)

export type Pressed = { readonly view: WatchView; readonly effect?: WatchEffect }

/** What is under the mouse. */
export type UnderMouse =
  | { readonly type: 'row'; readonly id: string }
  | { readonly type: 'option'; readonly place: number }
  | { readonly type: 'panel' }

export const firstView: WatchView = {
  filter: '',
  isTyping: false,
  onlyMine: false,
  firstRow: 0,
  scroll: 0,
}

/** The selected one of the sessions that are shown. */
export const selectedOf = ({ selected }: WatchView, ids: readonly string[]): string | undefined =>
  selected !== undefined && ids.includes(selected) ? selected : ids[0]

/**
 * @param ids the sessions that are shown, in their order
 * @param target what is under the mouse
 */
export function take(
  view: WatchView,
  input: TerminalInput,
  ids: readonly string[],
  target?: UnderMouse,
): Pressed {
  switch (input.type) {
    case 'key':
      return press(view, input.key, ids)
    case 'paste':
      return { view: pasted(view, input.text) }
    case 'click':
      return { view: clicked(view, target) }
    case 'wheel':
      return { view: rolled(view, input.by, ids, target) }
  }
}

/** @param ids the sessions that are shown, in their order */
export function press(view: WatchView, key: string, ids: readonly string[]): Pressed {
  if (key === 'ctrl-c') return { view, effect: { type: 'quit' } }
  if (key === 'ctrl-z') return { view, effect: { type: 'suspend' } }
  if (view.asked) return pressed(view, view.asked, key)
  if (view.isTyping) return { view: typed(view, key, ids) }
  const id = selectedOf(view, ids)
  const rows = rowMoves[key]
  if (rows !== undefined) return { view: moved(view, ids, rows * (Math.abs(rows) === all ? ids.length : 1)) }
  switch (key) {
    case 'q':
      return view.panel === 'help' ? { view: shut(view) } : { view, effect: { type: 'quit' } }
    case 'pageup':
    case 'ctrl-b':
    case 'ctrl-u':
      return { view: paged(view, ids, -page) }
    case 'pagedown':
    case 'ctrl-f':
    case 'ctrl-d':
    case 'space':
      return { view: paged(view, ids, page) }
    case 'e':
      return { view: opened(view, 'explain', id) }
    case 'h':
      return { view: opened(view, 'history', id) }
    case '?':
      return { view: opened(view, 'help', id) }
    case '/':
      return { view: { ...shut(view), isTyping: true } }
    case 'n':
      return { view: { ...view, onlyMine: !view.onlyMine } }
    case 'escape':
      return { view: view.panel ? shut(view) : { ...view, filter: '', onlyMine: false } }
    case 'enter':
    case 'g':
      return act(view, 'go', id)
    case 's':
      return act(view, 'seen', id)
    case 'a':
      return act(view, 'ask', id)
    default:
      return { view }
  }
}

const act = (view: WatchView, type: 'go' | 'seen' | 'ask', id: string | undefined): Pressed =>
  id === undefined ? { view } : { view: { ...view, selected: id }, effect: { type, id } }

/** As many rows as there are. */
const all = 1e6
/** Rows that a page key moves: about half of what a terminal shows. */
const page = 10

const rowMoves: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  'ctrl-p': -1,
  down: 1,
  j: 1,
  'ctrl-n': 1,
  home: -all,
  end: all,
  G: all,
}

const shut = ({ panel: _, ...view }: WatchView): WatchView => ({ ...view, scroll: 0 })

/** The same key closes it. It shows the selected session, and the selection stays. */
function opened(view: WatchView, panel: Panel, id: string | undefined): WatchView {
  if (view.panel === panel) return shut(view)
  return { ...view, ...(id === undefined ? {} : { selected: id }), panel, scroll: 0 }
}

/** The selection stops at the ends: one that wraps around surprises in a list that moves. */
function moved(view: WatchView, ids: readonly string[], by: number): WatchView {
  if (view.panel === 'help') return scrolled(view, by)
  const at = ids.indexOf(selectedOf(view, ids) ?? '')
  const selected = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
  return selected === undefined ? view : { ...view, selected, scroll: 0 }
}

/** Pages are the panel's where one is open. */
const paged = (view: WatchView, ids: readonly string[], by: number): WatchView =>
  view.panel ? scrolled(view, by) : moved(view, ids, by)

/** Beyond its end nothing is shown, and the picture sets it back. */
const scrolled = (view: WatchView, by: number): WatchView => ({
  ...view,
  scroll: Math.max(0, view.scroll + by),
})

function clicked(view: WatchView, target: UnderMouse | undefined): WatchView {
  if (target?.type === 'option' && view.asked) return { ...view, asked: pick(view.asked, target.place) }
  if (target?.type !== 'row' || view.asked) return view
  return { ...view, isTyping: false, selected: target.id, scroll: 0 }
}

const wheelLines = 3

function rolled(
  view: WatchView,
  by: -1 | 1,
  ids: readonly string[],
  target: UnderMouse | undefined,
): WatchView {
  // What asks is shown from its end.
  if (view.asked) return scrolled(view, -by * wheelLines)
  const isPanel = target?.type === 'panel' || view.panel === 'help'
  return isPanel ? scrolled(view, by * wheelLines) : moved(view, ids, by)
}

function pressed(view: WatchView, asked: WatchedDialog, key: string): Pressed {
  if (key === 'pageup' || key === 'pagedown') return { view: scrolled(view, key === 'pageup' ? page : -page) }
  const next = chooseBy(asked, key)
  if (next.type === 'closed') return { view: withoutAsked(view) }
  if (next.type === 'go') return { view: withoutAsked(view), effect: { type: 'go', id: asked.id } }
  const changed = { ...view, asked: next.asked }
  return next.choice ? { view: changed, effect: { type: 'answer', ...next.choice } } : { view: changed }
}

export const withoutAsked = ({ asked: _, ...view }: WatchView): WatchView => ({ ...view, scroll: 0 })

/** Longer than any folder; a paste is no filter. */
const longestFilter = 100

/** Text where a text is written, and nothing anywhere else. */
function pasted(view: WatchView, text: string): WatchView {
  if (view.asked) return { ...view, asked: write(view.asked, text) }
  return view.isTyping ? filtered(view, view.filter + text) : view
}

const filtered = (view: WatchView, text: string): WatchView => ({
  ...view,
  filter: [...text.replace(/\p{Cc}/gu, ' ')].slice(0, longestFilter).join(''),
})

/** As in a list that one looks through by typing: the arrows move in it meanwhile. */
function typed(view: WatchView, key: string, ids: readonly string[]): WatchView {
  switch (key) {
    case 'enter':
      return { ...view, isTyping: false }
    case 'escape':
      return { ...view, isTyping: false, filter: '' }
    case 'backspace':
      return view.filter === ''
        ? { ...view, isTyping: false }
        : filtered(view, [...view.filter].slice(0, -1).join(''))
    case 'ctrl-u':
      return filtered(view, '')
    case 'ctrl-w':
      return filtered(view, withoutLastWord(view.filter))
    case 'up':
    case 'down':
    case 'ctrl-p':
    case 'ctrl-n':
      return moved(view, ids, rowMoves[key] ?? 0)
    case 'space':
      return filtered(view, `${view.filter} `)
    default:
      return [...key].length === 1 ? filtered(view, view.filter + key) : view
  }
}

const withoutLastWord = (text: string): string => text.slice(0, text.trimEnd().lastIndexOf(' ') + 1)
