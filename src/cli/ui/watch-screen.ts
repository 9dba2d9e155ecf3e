/** The picture of `lull watch`: exactly as many lines as the terminal has, none wider than it is. */

import { explainEvidence } from '../../core/explain/explain.ts'
import { printable } from '../../core/text/printable.ts'
import type { Instant } from '../../core.ts'
import { textWidth } from '../../index.ts'
import { byNeed, needsPerson } from '../../sessions/rank.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { emptyText } from '../commands/ps-command.ts'
import { cut, wrap } from './cells.ts'
import { type Row, rowOf } from './session-rows.ts'
import { sessionTable } from './session-table.ts'
import { help, selectedOf, type WatchView } from './watch-keys.ts'

export type Scene = {
  readonly sessions: readonly LiveSession[]
  readonly via: 'host' | 'own'
  readonly view: WatchView
  readonly now: Instant
  /** ms since the epoch at the machine's monotonic 0 */
  readonly epoch: number
  readonly home: string
  /** A message that is shown once, in place of the list of keys. */
  readonly message?: string
  /** What would make known what is unknown. */
  readonly hint?: string
}

export type Size = { readonly width: number; readonly height: number }

/** The rows that the view lets through, in their order. */
export function shownRows({ sessions, view, now, epoch, home }: Scene): readonly Row[] {
  const mine = view.onlyMine ? sessions.filter(needsPerson) : sessions
  const wanted = view.filter.toLowerCase()
  return byNeed(mine)
    .map(session => rowOf(session, now, home, epoch))
    .filter(row =>
      [row.state, row.agent, row.id, row.where, row.topic, row.folder, row.now]
        .join(' ')
        .toLowerCase()
        .includes(wanted),
    )
}

/** Narrower than this, nothing but cutting helps. */
const narrowest = 20

export function frame(scene: Scene, size: Size, hasColours: boolean): string[] {
  const { width, height } = size
  const isColoured = hasColours && width >= narrowest
  const rows = shownRows(scene)
  const selected = selectedOf(
    scene.view,
    rows.map(({ id }) => id),
  )
  const { heading, lines } = sessionTable(rows, { width: width - gutter, isColoured })
  const panel = scene.view.isExplaining ? panelLines(scene, selected, width) : []
  const hint = scene.hint === undefined ? [] : [` ${cut(`hint: ${scene.hint}`, width - 1)}`]
  const room = Math.max(1, height - 3 - hint.length - Math.min(panel.length, Math.floor(height / 2)))
  const blocks = rows.map(row => {
    const [first = '', ...below] = lines(row)
    const mark = `${row.id === selected ? '>' : ' '}${row.needsMe ? '●' : ' '} `
    const line = row.id === selected && isColoured ? `\u001b[7m${mark}${first}\u001b[27m` : `${mark}${first}`
    return [line, ...below.slice(0, 1).map(words => cut(`${' '.repeat(gutter)}${words}`, width))]
  })
  const body =
    rows.length === 0
      ? [` ${cut(nothingShown(scene), width - 1)}`]
      : windowOf(
          blocks,
          rows.findIndex(row => row.id === selected),
          room,
        )
  const top = [titleLine(scene, width), `${' '.repeat(gutter)}${heading}`, ...body, ...hint, ...panel]
  const filled = [...top, ...Array<string>(height).fill('')].slice(0, height - 1)
  const all = [...filled, ` ${cut(scene.message ?? help, width - 1)}`]
  return all.map(line => (width < narrowest ? cut(line, width) : line))
}

/** Before each row: the selection and the mark of who needs a person. */
const gutter = 3

function titleLine({ sessions, via, view }: Scene, width: number): string {
  const mine = sessions.filter(needsPerson).length
  const count = sessions.length === 1 ? '1 agent' : `${sessions.length} agents`
  const source = via === 'host' ? 'host' : 'no host: hooks are not heard'
  const only = view.onlyMine ? ', only those that need you' : ''
  const filter = view.isTyping ? `  /${view.filter}_` : view.filter === '' ? '' : `  /${view.filter}`
  return ` ${cut(`lull: ${count}, ${mine} need you${only} (${source})${filter}`, width - 1)}`
}

function nothingShown({ sessions, view }: Scene): string {
  if (sessions.length === 0) return emptyText(0)
  return view.filter === '' ? emptyText(sessions.length) : `none holds "${view.filter}": escape shows all`
}

/** As many whole rows as there is room for, the selected one among them. */
function windowOf(blocks: readonly (readonly string[])[], selected: number, room: number): string[] {
  const at = Math.max(0, selected)
  let first = at
  let used = blocks[at]?.length ?? 0
  while (first > 0 && used + (blocks[first - 1]?.length ?? 0) <= room) used += blocks[--first]?.length ?? 0
  return blocks.slice(first).flat().slice(0, room)
}

function panelLines(
  { sessions, now, epoch, home }: Scene,
  selected: string | undefined,
  width: number,
): string[] {
  const session = sessions.find(({ id }) => id === selected)
  if (!session) return []
  const { verdict } = session.session
  const evidence = verdict.because.map(item => `  * ${explainEvidence(item, now)}`)
  const place = [
    `pid ${session.pid}`,
    session.pane === undefined ? '' : `pane ${session.pane}`,
    session.transcript ?? 'no transcript found',
  ].filter(text => text !== '')
  const next = verdict.recheckAt === undefined ? 'only new evidence changes it' : 'time alone may change it'
  return [
    '─'.repeat(width),
    ...[
      rowOf(session, now, home, epoch).why,
      ...evidence,
      `confidence ${verdict.confidence.toFixed(2)}, turn ${verdict.turn}${verdict.turnOver ? ' (over)' : ''}, ${next}`,
      place.join(', '),
    ].flatMap(text => wrapIndented(printable(text), width - 2)),
  ]
}

const wrapIndented = (text: string, width: number): string[] =>
  textWidth(text) <= width ? [` ${text}`] : wrap(text, width).map(line => ` ${line}`)
