/** The panes of tmux in which agents are in front, asked for in one question to each server: nothing has to be switched on for that. */
import { readStat } from '../../os/proc/stat.ts'
import { askTmuxWithin } from '../../os/tmux/ask-tmux.ts'
import { terminalPath } from '../../os/tty/tty.ts'
import type { FoundAgent } from './agents-state.ts'

type PaneFacts = { readonly tty: string; readonly moved: string; readonly title: string }

export type PaneInFront = {
  /** The session's. */
  readonly id: string
  readonly socket: string
  readonly pane: string
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
  const panes = new Map(
    await Promise.all(sockets.map(async socket => [socket, await readPanes(socket)] as const)),
  )
  return agents.flatMap(({ id, process: { pid }, surroundings: { tmux = '', pane = '' } }) => {
    const found = panes.get(tmux)?.get(pane)
    if (!found || !isInFront(pid, found)) return []
    return [
      {
        id,
        socket: tmux,
        pane,
        title: found.title,
        moved: found.moved,
        printedAt: Number.parseInt(found.moved, 10),
      },
    ]
  })
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
  return new Map(rows.map(([, pane = '', tty = '', moved = '', title = '']) => [pane, { tty, moved, title }]))
}

/** The program has the pane for itself: what one that runs below it, or in its background, writes is another's. */
function isInFront(pid: number, { tty }: PaneFacts): boolean {
  const stat = readStat(pid)
  return stat !== undefined && stat.foreground === stat.group && terminalPath(stat.tty) === tty
}
