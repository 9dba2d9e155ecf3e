/** Below the table of `lull watch`: why a session is so, its past, or its question; and the footer with the keys. */
import { printable } from '../../core/text/printable.ts'
import { wordOf } from '../../drive/dialog/choose-option.ts'
import { type Option, textWidth } from '../../index.ts'
import { needsPerson } from '../../sessions/rank.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { cut, wrap } from '../ui/cells.ts'
import { explanationLines } from '../ui/explanation-lines.ts'
import { rowOf } from '../ui/session-rows.ts'
import { takesSeveral, type WatchedDialog } from './asked-step.ts'
import type { Scene } from './watch-scene.ts'
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

export type PanelLine = {
  readonly text: string
  /** The option of this line. */
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

/** Rows of the options, in order: one may contain the words of another. -1 where one is not found. */
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
