/** What a key does in `lull watch`: the next view, and what is to be done besides. Pure. */

export type WatchView = {
  /** The session that the person chose; the first one where none was. */
  readonly selected?: string
  /** Only sessions whose row holds this text are shown. */
  readonly filter: string
  readonly isTyping: boolean
  readonly onlyMine: boolean
  readonly isExplaining: boolean
}

/** A printed character, or the name of a key. */
export type KeyName = string

export type WatchEffect = { readonly type: 'quit' } | { readonly type: 'go' | 'seen'; readonly id: string }

export type Pressed = { readonly view: WatchView; readonly effect?: WatchEffect }

export const firstView: WatchView = { filter: '', isTyping: false, onlyMine: false, isExplaining: false }

export const help = '↑↓ select  enter explain  g go  s seen  / filter  n mine  q quit'

/** The selected one of the sessions that are shown. */
export const selectedOf = ({ selected }: WatchView, ids: readonly string[]): string | undefined =>
  selected !== undefined && ids.includes(selected) ? selected : ids[0]

/** @param ids the sessions that are shown, in their order */
export function press(view: WatchView, key: KeyName, ids: readonly string[]): Pressed {
  if (key === 'ctrl-c') return { view, effect: { type: 'quit' } }
  if (view.isTyping) return { view: typed(view, key) }
  const selected = selectedOf(view, ids)
  switch (key) {
    case 'q':
      return { view, effect: { type: 'quit' } }
    case 'up':
    case 'k':
      return { view: moved(view, ids, -1) }
    case 'down':
    case 'j':
      return { view: moved(view, ids, 1) }
    case 'pageup':
      return { view: moved(view, ids, -page) }
    case 'pagedown':
      return { view: moved(view, ids, page) }
    case 'home':
      return { view: moved(view, ids, -ids.length) }
    case 'end':
      return { view: moved(view, ids, ids.length) }
    case 'enter':
    case 'e':
      return {
        view: { ...view, ...(selected === undefined ? {} : { selected }), isExplaining: !view.isExplaining },
      }
    case '/':
      return { view: { ...view, isTyping: true } }
    case 'n':
      return { view: { ...view, onlyMine: !view.onlyMine } }
    case 'escape':
      return {
        view: view.isExplaining ? { ...view, isExplaining: false } : { ...view, filter: '', onlyMine: false },
      }
    case 'g':
      return selected === undefined ? { view } : { view, effect: { type: 'go', id: selected } }
    case 's':
      return selected === undefined ? { view } : { view, effect: { type: 'seen', id: selected } }
    default:
      return { view }
  }
}

/** Rows that a page key moves: about half of what a terminal shows. */
const page = 10

/** The selection stops at the ends: one that wraps around surprises in a list that moves. */
function moved(view: WatchView, ids: readonly string[], by: number): WatchView {
  const at = ids.indexOf(selectedOf(view, ids) ?? '')
  const selected = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
  return selected === undefined ? view : { ...view, selected }
}

/** Longer than any folder; a paste is no filter. */
const longestFilter = 100

function typed(view: WatchView, key: KeyName): WatchView {
  switch (key) {
    case 'enter':
      return { ...view, isTyping: false }
    case 'escape':
      return { ...view, isTyping: false, filter: '' }
    case 'backspace':
      return { ...view, filter: [...view.filter].slice(0, -1).join('') }
    default:
      return [...key].length === 1 && view.filter.length < longestFilter
        ? { ...view, filter: view.filter + key }
        : view
  }
}
