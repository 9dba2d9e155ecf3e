/** What stands below the table of `lull watch`: why a session is so, what became of it, or what it asks. */
import { printable } from '../../core/text/printable.ts'
import { wordOf } from '../../drive/dialog/choose-option.ts'
import { type Option, textWidth } from '../../index.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { cut, wrap } from '../ui/cells.ts'
import { explanationLines } from '../ui/explanation-lines.ts'
import { rowOf } from '../ui/session-rows.ts'
import { takesSeveral, type WatchedDialog } from './asked-step.ts'
import { helpLines } from './watch-footer.ts'
import type { Scene } from './watch-scene.ts'

export type PanelLine = {
  readonly text: string
  /** The option that stands in this line. */
  readonly option?: number
  readonly isPicked?: true
}

export type PanelText = {
  readonly title: string
  readonly lines: readonly PanelLine[]
  /** Lines at its end that are shown whatever is scrolled. */
  readonly fixed: number
}

export function panelOf(scene: Scene, selected: string | undefined, width: number): PanelText | undefined {
  const { view, sessions, home } = scene
  const find = (id: string | undefined) => sessions.find(session => session.id === id)
  if (view.asked) {
    const asking = find(view.asked.id)
    return askedPanel(view.asked, asking ? nameOf(asking, home) : view.asked.id, width)
  }
  if (view.panel === 'help')
    return { title: 'keys and signs', lines: wrapped(helpLines, width, 12), fixed: 0 }
  const session = find(selected)
  if (!session || !view.panel) return undefined
  const name = nameOf(session, home)
  if (view.panel === 'history')
    return { title: `history of ${name}`, lines: wrapped(scene.past ?? ['…'], width, 10), fixed: 0 }
  return { title: `why: ${name}`, lines: wrapped(whyLines(scene, session), width, 4), fixed: 0 }
}

function whyLines({ now, home, epoch }: Scene, session: LiveSession): readonly string[] {
  const [, ...rest] = explanationLines(session.session, now)
  const place = [
    `pid ${session.pid}`,
    session.pane === undefined ? '' : `pane ${session.pane}`,
    session.transcript ?? 'no transcript found',
  ]
  return [rowOf(session, now, home, epoch).why, ...rest, `  ${place.filter(text => text !== '').join(', ')}`]
}

/** @param hanging cells by which what goes on in another line is moved in */
function wrapped(texts: readonly string[], width: number, hanging: number): readonly PanelLine[] {
  return texts.flatMap(raw => {
    const text = printable(raw)
    if (textWidth(text) <= width) return [{ text }]
    const indent = /^ */.exec(text)?.[0] ?? ''
    const shift = Math.min(indent.length + hanging, Math.max(0, width - 20))
    const room = Math.max(1, width - indent.length)
    const [first = '', ...more] = wrap(text.trimStart(), room, shift - indent.length)
    return [
      { text: cut(indent + first, width) },
      ...more.map(line => ({ text: cut(' '.repeat(shift) + line, width) })),
    ]
  })
}

function askedPanel(asked: WatchedDialog, name: string, width: number): PanelText {
  const { dialog, at, text } = asked
  const { options, rows } = dialog
  const begins = firstOptionRow(rows, options)
  const above = (begins < 0 ? rows : rows.slice(0, begins)).map(row => printable(row.trimEnd()))
  const isBlank = (row: string | undefined): boolean => row !== undefined && row.trim() === ''
  while (isBlank(above[0])) above.shift()
  while (isBlank(above.at(-1))) above.pop()
  const isMany = takesSeveral(asked)
  const choices = options.map((option, place): PanelLine => {
    const box = option.isChecked === undefined ? '' : asked.ticked.includes(place) ? '[x] ' : '[ ] '
    const word = isMany && option.isSubmit ? '' : `${wordOf(option, place)}. `
    const line = `${place === at ? '>' : ' '} ${word}${box}${printable(option.label)}`
    return { text: cut(line, width), option: place, ...(place === at ? { isPicked: true as const } : {}) }
  })
  const isCut = dialog.whole === 'no' && options.length > 0
  const below = [
    ...(options.length === 0 ? ['lull cannot tell the options apart; enter switches to it'] : []),
    ...(isCut ? ['  its beginning is not on the screen: esc, then enter, goes there'] : []),
    ...(dialog.isScrolled ? ['  and more beyond its edge: esc, then enter, goes there'] : []),
    ...(text === undefined ? [] : [`your text: ${lastOf(text, width - 13)}_`]),
  ].map(line => ({ text: cut(line, width) }))
  const asks = above.map(row => ({ text: cut(row, width) }))
  return {
    title: `${name} asks`,
    lines: [...asks, { text: '' }, ...choices, ...below],
    fixed: 1 + choices.length + below.length,
  }
}

/** Each stands above the next, or beside it: one may hold the words of another. -1 where they are not found. */
function firstOptionRow(rows: readonly string[], options: readonly Option[]): number {
  if (options.length === 0) return -1
  let at = rows.length
  for (const { label, isBeside } of options.toReversed()) {
    const above = rows.slice(0, isBeside ? at + 1 : at)
    at = above.findLastIndex(row => row.includes(label))
    if (at < 0) return -1
  }
  return at
}

/** The end of what is written is what one looks at. */
function lastOf(text: string, width: number): string {
  const kept = [...text]
  while (kept.length > 0 && textWidth(kept.join('')) > width) kept.shift()
  return kept.join('')
}
