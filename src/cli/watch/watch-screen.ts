/** The picture of `lull watch`: exactly as many lines as the terminal has, none wider than it is. */
import { printable } from '../../core/text/printable.ts'
import { textWidth } from '../../index.ts'
import { needsPerson } from '../../sessions/rank.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { emptyText } from '../commands/ps-command.ts'
import { cut, pad } from '../ui/cells.ts'
import { inColour } from '../ui/colours.ts'
import type { Row } from '../ui/session-rows.ts'
import { sessionTable } from '../ui/session-table.ts'
import { footer, type PanelLine, type PanelText, panelOf } from './watch-panel.ts'
import { type Scene, type Size, shownRows } from './watch-scene.ts'
import { selectedOf, type UnderMouse } from './watch-step.ts'

/** A line as it is drawn, and what the mouse finds there. */
type Line = { readonly text: string; readonly target?: UnderMouse }

export type Picture = {
  readonly lines: readonly Line[]
  /** The first row that is shown, and how far the panel is scrolled. */
  readonly firstRow: number
  readonly scroll: number
}

/** Narrower than this, nothing but cutting helps. */
const narrowest = 20
/** Before each row: the selection and the mark of who needs a person. */
const gutter = 3

export function pictureOf(scene: Scene, size: Size, hasColours: boolean): Picture {
  const { width, height } = size
  const isColoured = hasColours && width >= narrowest
  const rows = shownRows(scene)
  const ids = rows.map(({ id }) => id)
  const selected = selectedOf(scene.view, ids)
  const text = panelOf(scene, selected, width - 2)
  const { heading, blocks } = blocksOf(rows, selected, width, isColoured)
  const panel = text && framed(text, scene, size, Math.max(1, blocks.flat().length), isColoured)
  const isAlone = scene.view.panel === 'help' && !scene.view.asked
  const hint =
    scene.hint === undefined ? [] : [{ text: ` ${cut(printable(`hint: ${scene.hint}`), width - 1)}` }]
  const room = Math.max(1, height - 3 - hint.length - (panel?.lines.length ?? 0))
  const table = windowOf(
    blocks,
    rows.findIndex(row => row.id === selected),
    scene.view.firstRow,
    room,
  )
  const none = { text: ` ${cut(printable(nothingShown(scene)), width - 1)}` }
  const faint = (line: string): string => (isColoured ? inColour(line, 'faint') : line)
  const top = titleLine(scene, rows.length, table, isColoured, width)
  const body: readonly Line[] = isAlone
    ? []
    : [{ text: faint(heading) }, ...(rows.length === 0 ? [none] : table.lines)]
  const drawn = [{ text: top }, ...body, ...hint, ...(panel?.lines ?? [])]
  const filled = [...drawn, ...Array.from({ length: height }, () => ({ text: '' }))].slice(0, height - 1)
  const live = scene.sessions.find(({ id }) => id === selected)
  const last = scene.message ?? footer(scene.view, live, width - 1)
  const lines: readonly Line[] = [...filled, { text: ` ${cut(printable(last), width - 1)}` }]
  return {
    lines: width < narrowest ? lines.map(line => ({ ...line, text: cut(line.text, width) })) : lines,
    firstRow: table.firstRow,
    scroll: panel?.scroll ?? 0,
  }
}

type Block = readonly Line[]

/** Each session's row, with what there is no room for beside it. */
function blocksOf(
  rows: readonly Row[],
  selected: string | undefined,
  width: number,
  isColoured: boolean,
): { readonly heading: string; readonly blocks: readonly Block[] } {
  const { heading, lines } = sessionTable(rows, { width: width - gutter, isColoured })
  const blocks = rows.map((row): Block => {
    const [first = '', ...below] = lines(row)
    const isSelected = row.id === selected
    const line = `${isSelected ? '>' : ' '}${row.needsMe ? '●' : ' '} ${first}`
    const target = { type: 'row', id: row.id } as const
    return [
      { text: isSelected && isColoured ? `\u001b[7m${pad(line, width)}\u001b[27m` : line, target },
      ...below.slice(0, 1).map(words => ({ text: cut(`${' '.repeat(gutter)}${words}`, width), target })),
    ]
  })
  return { heading: `${' '.repeat(gutter)}${heading}`, blocks }
}

type Table = { readonly lines: readonly Line[]; readonly firstRow: number; readonly shown: number }

/** As many whole rows as there is room for, the selected one among them. */
function windowOf(blocks: readonly Block[], selected: number, before: number, room: number): Table {
  const firstRow = firstOf(blocks, selected, before, room)
  const visible = blocks.slice(firstRow)
  let [used, shown] = [0, 0]
  for (const block of visible) {
    if (used + block.length > room) break
    used += block.length
    shown++
  }
  return { lines: visible.flat().slice(0, room), firstRow, shown }
}

/** It stays where it was as far as it can: a list that jumps under the mouse is none to click in. */
function firstOf(blocks: readonly Block[], selected: number, before: number, room: number): number {
  const at = Math.max(0, selected)
  const cells = (from: number, to: number): number =>
    blocks.slice(from, to).reduce((sum, block) => sum + block.length, 0)
  let first = Math.min(before, at)
  while (first < at && cells(first, at + 1) > room) first++
  // Where there is room below the last, those above come back.
  while (first > 0 && cells(first - 1, blocks.length) <= room) first--
  return first
}

function titleLine(
  { sessions, via, view }: Scene,
  rows: number,
  { firstRow, shown }: Table,
  isColoured: boolean,
  width: number,
): string {
  const mine = sessions.filter(needsPerson).length
  const count = countOf(sessions)
  const need = `${mine} ${mine === 1 ? 'needs' : 'need'} you`
  const source = via === 'host' ? '' : ' (no host, so no hooks)'
  const only = view.onlyMine ? ', only those that need you' : ''
  const part = shown > 0 && shown < rows ? `  ${firstRow + 1}–${firstRow + shown} of ${rows}` : ''
  const filter = view.isTyping ? `  /${view.filter}_` : view.filter === '' ? '' : `  /${view.filter}`
  // The typed text must be visible. The message before it may go.
  const before = ` lull: ${count}, ${need}${only}${source}${part}`
  const whole = printable(`${before}${filter}`)
  const line = textWidth(whole) > width && view.isTyping ? printable(` lull${filter}`) : whole
  const fits = cut(line, width)
  return isColoured && mine > 0 ? fits.replace(need, `\u001b[1m${need}\u001b[22m`) : fits
}

/** Terminals that were named stand beside the agents, and are none. */
function countOf(sessions: readonly LiveSession[]): string {
  const terminals = sessions.filter(({ agent }) => agent === 'terminal').length
  const agents = sessions.length - terminals
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
  if (terminals === 0) return counted(agents, 'agent')
  return [...(agents === 0 ? [] : [counted(agents, 'agent')]), counted(terminals, 'terminal')].join(', ')
}

function nothingShown({ sessions, view }: Scene): string {
  if (sessions.length === 0) return emptyText(0)
  return view.filter === '' ? emptyText(sessions.length) : `none holds "${view.filter}": esc shows all`
}

/** The panel with its title, as many lines of it as there is room for. */
function framed(
  { title, lines, fixed }: PanelText,
  { view }: Scene,
  { width, height }: Size,
  rows: number,
  isColoured: boolean,
): { readonly lines: readonly Line[]; readonly scroll: number } {
  const isModal = view.asked !== undefined
  // What the table leaves is the panel's, and at least half.
  const share = Math.max(Math.floor(height / 2), height - 3 - rows)
  const most = view.panel === 'help' && !isModal ? height - 2 : isModal ? Math.max(share, height - 5) : share
  const room = Math.max(0, Math.min(lines.length, most - 1))
  const stays = Math.min(fixed, room)
  const [moving, last] = [lines.slice(0, lines.length - stays), lines.slice(lines.length - stays)]
  const space = room - stays
  // The end of a question is nearest to its options.
  const furthest = Math.max(0, moving.length - space)
  const scroll = Math.min(view.scroll, furthest)
  const from = isModal ? furthest - scroll : scroll
  const shown = [...moving.slice(from, from + space), ...last]
  const part = furthest > 0 ? `${from + 1}–${from + space} of ${moving.length}` : ''
  return {
    lines: [{ text: ruled(title, part, width) }, ...shown.map(line => drawnLine(line, width, isColoured))],
    scroll,
  }
}

function ruled(title: string, part: string, width: number): string {
  const end = part === '' ? '' : ` ${part} ──`
  const begin = cut(`── ${printable(title)} `, Math.max(0, width - textWidth(end)))
  return cut(`${begin}${'─'.repeat(Math.max(0, width - textWidth(begin) - textWidth(end)))}${end}`, width)
}

function drawnLine({ text, option, isPicked }: PanelLine, width: number, isColoured: boolean): Line {
  const line = cut(` ${text}`, width)
  const target: UnderMouse = option === undefined ? { type: 'panel' } : { type: 'option', place: option }
  return { text: isPicked && isColoured ? `\u001b[7m${pad(line, width)}\u001b[27m` : line, target }
}
