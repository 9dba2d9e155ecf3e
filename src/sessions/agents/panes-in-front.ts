/**
 * The terminals in which agents are in front, tmux' panes and lull's own, asked for in one question to each server: nothing has
 * to be switched on for that.
 */
import { placesOf } from '../../os/file/places.ts'
import { readStat } from '../../os/proc/stat.ts'
import { askTmuxWithin } from '../../os/tmux/ask-tmux.ts'
import { terminalPath } from '../../os/tty/tty.ts'
import { listOwned } from '../../owned/find-owned.ts'
import type { FoundAgent } from './agents-state.ts'
import { type ScreenPlace, screenPlaceOf } from './pane-screen.ts'

type PaneFacts = {
  readonly tty: string
  readonly moved: string
  readonly title: string
  readonly printedAt: number
}

export type PaneInFront = {
  /** The session's. */
  readonly id: string
  readonly place: ScreenPlace
  readonly title: string
  /** Another word whenever its window may have printed something; of a second that is not over it may be the same. */
  readonly moved: string
  /** When its window printed last, s since the epoch. */
  readonly printedAt: number
}

/** It is looked at again soon: ms. */
const patienceMs = 500

export async function panesInFront(agents: readonly FoundAgent[]): Promise<readonly PaneInFront[]> {
  const sockets = [...new Set(agents.flatMap(({ surroundings }) => surroundings.tmux ?? []))]
  const isInOwned = agents.some(({ surroundings }) => surroundings.terminal !== undefined)
  const [panes, owned] = await Promise.all([
    Promise.all(sockets.map(async socket => [socket, await readPanes(socket)] as const)).then(
      all => new Map(all),
    ),
    isInOwned ? readOwned() : new Map<string, PaneFacts>(),
  ])
  return agents.flatMap(({ id, process: { pid }, surroundings }) => {
    const place = screenPlaceOf(surroundings)
    if (!place) return []
    const found = 'terminal' in place ? owned.get(place.terminal) : panes.get(place.tmux)?.get(place.pane)
    if (!found || !isInFront(pid, found)) return []
    const { title, moved, printedAt } = found
    return [{ id, place, title, moved, printedAt }]
  })
}

/** By their names. */
async function readOwned(): Promise<ReadonlyMap<string, PaneFacts>> {
  const all = await listOwned(placesOf())
  return new Map(
    all.map(({ name, tty, title, count, outputAt }) => [
      name,
      { tty, title, moved: `${count}`, printedAt: outputAt / 1000 },
    ]),
  )
}

const format = [
  '#{pane_id} #{pane_tty}',
  '#{window_activity},#{cursor_x},#{cursor_y},#{history_size},#{pane_width},#{pane_height}',
  '#{pane_title}',
].join(' ')

/** By the panes' ids; none where the server does not answer. */
async function readPanes(socket: string): Promise<ReadonlyMap<string, PaneFacts>> {
  const printed = await askTmuxWithin(patienceMs, socket, ['list-panes', '-a', '-F', format]).catch(() => '')
  const rows = [...printed.matchAll(/^(%\d+) (\S+) (\S+) (.*)$/gm)]
  return new Map(
    rows.map(([, pane = '', tty = '', moved = '', title = '']) => [
      pane,
      { tty, moved, title, printedAt: Number.parseInt(moved, 10) },
    ]),
  )
}

/** The program has the pane for itself: what one that runs below it, or in its background, writes is another's. */
function isInFront(pid: number, { tty }: PaneFacts): boolean {
  const stat = readStat(pid)
  return stat !== undefined && stat.foreground === stat.group && terminalPath(stat.tty) === tty
}
