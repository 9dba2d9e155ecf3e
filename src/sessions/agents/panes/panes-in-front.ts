/**
 * The terminals in which agents are in front, tmux' panes and lull's own, asked for in one question to each server: nothing has
 * to be switched on for that.
 */
import { defined } from '../../../core/defined.ts'
import { placesOf } from '../../../os/file/places.ts'
import { readArguments } from '../../../os/proc/command-line.ts'
import { ancestors, readStat, type Stat } from '../../../os/proc/stat.ts'
import { askTmuxWithin } from '../../../os/tmux/ask-tmux.ts'
import { clientFormat, readClients } from '../../../os/tmux/tmux-clients.ts'
import { terminalPath } from '../../../os/tty/tty.ts'
import { listOwned } from '../../../owned/find-owned.ts'
import { isOwnRun, passers } from '../../../terminal/probe/relays.ts'
import { mostAbove } from '../../discover/terminal-around.ts'
import { nearIn, nearOwned, type PersonNear } from '../../person-near.ts'
import type { FoundAgent } from '../agents-state.ts'
import { type ScreenPlace, screenPlaceOf } from '../pane-screen.ts'

type PaneFacts = {
  readonly tty: string
  /** Its first process. */
  readonly pid: number
  readonly moved: string
  readonly title: string
  readonly printedAt: number
  readonly stand?: string
  readonly window?: string
  readonly near?: PersonNear
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
  /** Place of a tmux pane (`main:2.1`), and the window's name if a person gave it one. */
  readonly stand?: string
  readonly window?: string
  /** Who has it before them. */
  readonly near?: PersonNear
}

/** It is looked at again soon: ms. */
const patienceMs = 500

/** @param wall ms since the epoch */
export async function panesInFront(
  agents: readonly FoundAgent[],
  wall: number,
): Promise<readonly PaneInFront[]> {
  const sockets = [...new Set(agents.flatMap(({ surroundings }) => surroundings.tmux ?? []))]
  const isInOwned = agents.some(({ surroundings }) => surroundings.terminal !== undefined)
  const [panes, owned] = await Promise.all([
    Promise.all(sockets.map(async socket => [socket, await readPanes(socket, wall)] as const)).then(
      all => new Map(all),
    ),
    isInOwned ? readOwned(wall) : new Map<string, PaneFacts>(),
  ])
  return agents.flatMap(({ id, process: { pid }, surroundings }) => {
    const place = screenPlaceOf(surroundings) ?? paneBelow(pid, surroundings.tmux, panes)
    if (!place) return []
    const found = 'terminal' in place ? owned.get(place.terminal) : panes.get(place.tmux)?.get(place.pane)
    if (!found || !isInFront(pid, found.tty)) return []
    const { title, moved, printedAt, stand, window, near } = found
    return [{ id, place, title, moved, printedAt, ...defined({ stand, window, near }) }]
  })
}

type Panes = ReadonlyMap<string, ReadonlyMap<string, PaneFacts>>

/** The pane below which a process runs that knows of none: its environment was emptied, or may not be read. */
function paneBelow(pid: number, tmux: string | undefined, panes: Panes): ScreenPlace | undefined {
  const all = tmux === undefined ? undefined : panes.get(tmux)
  if (tmux === undefined || !all) return undefined
  const above = new Set(ancestors(pid, mostAbove))
  const [pane] = [...all].find(([, facts]) => above.has(facts.pid)) ?? []
  return pane === undefined ? undefined : { tmux, pane }
}

/** By their names. */
async function readOwned(wall: number): Promise<ReadonlyMap<string, PaneFacts>> {
  const all = (await listOwned(placesOf())) ?? []
  return new Map(
    all.map(({ name, tty, pid, title, count, outputAt, viewedAt }) => {
      const near = nearOwned(viewedAt, wall)
      return [name, { tty, pid, title, moved: `${count}`, printedAt: outputAt / 1000, ...defined({ near }) }]
    }),
  )
}

/** A tab between fields: tmux writes one in a name as `\011`. */
const format = [
  '#{pane_id}',
  '#{pane_tty}',
  '#{pane_pid}',
  '#{window_activity},#{cursor_x},#{cursor_y},#{history_size},#{pane_width},#{pane_height}',
  '#{session_name}:#{window_index}.#{pane_index}',
  // An automatic name is the program's, which does not identify the window.
  '#{?automatic-rename,,#{window_name}}',
  '#{pane_title}',
].join('\t')

/** By the panes' ids; none where the server does not answer. */
async function readPanes(socket: string, wall: number): Promise<ReadonlyMap<string, PaneFacts>> {
  const asked = ['list-panes', '-a', '-F', format, ';', 'list-clients', '-F', clientFormat]
  const printed = await askTmuxWithin(patienceMs, socket, asked).catch(() => '')
  const clients = readClients(printed)
  const rows = printed.split('\n').map(row => row.split('\t'))
  return new Map(
    rows.map(([pane = '', tty = '', pid = '', moved = '', stand = '', window = '', title = '']) => [
      pane,
      {
        tty,
        pid: Number(pid),
        moved,
        title,
        printedAt: Number.parseInt(moved, 10),
        stand,
        ...(window === '' ? {} : { window }),
        ...defined({ near: nearIn(clients, pane, wall) }),
      },
    ]),
  )
}

/**
 * The program has the pane for itself: what one that runs below it, or in its background, writes is another's. Programs that only
 * pass a terminal on (sudo, script) may stand between the two: each has its own terminal for itself.
 */
function isInFront(pid: number, tty: string): boolean {
  let from: Stat | undefined
  for (const above of ancestors(pid, mostAbove)) {
    const stat = readStat(above)
    if (!stat) return false
    if (from !== undefined && stat.tty === from.tty) continue
    const passesOn = from === undefined || isPasser(stat)
    if (!passesOn || stat.foreground !== stat.group) return false
    if (terminalPath(stat.tty) === tty) return true
    from = stat
  }
  return false
}

const isPasser = ({ pid, name }: Stat): boolean => passers.has(name) || isOwnRun(readArguments(pid))
