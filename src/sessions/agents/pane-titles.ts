/** The titles of tmux' panes, asked for in one question to each server: nothing has to be switched on for that. */
import { readStat } from '../../os/proc/stat.ts'
import { askTmuxWithin } from '../../os/tmux/ask-tmux.ts'
import { terminalPath } from '../../os/tty/tty.ts'
import type { FoundAgent } from './agents-state.ts'

type PaneTitle = { readonly tty: string; readonly title: string }

/** It is looked at again soon: ms. */
const patienceMs = 500

/** The titles of the panes in which these agents are in front. */
export async function titlesInFront(
  agents: readonly FoundAgent[],
): Promise<readonly { readonly id: string; readonly title: string }[]> {
  const sockets = [...new Set(agents.flatMap(({ surroundings }) => surroundings.tmux ?? []))]
  const panes = new Map(
    await Promise.all(sockets.map(async socket => [socket, await readTitles(socket)] as const)),
  )
  return agents.flatMap(({ id, process: { pid }, surroundings: { tmux = '', pane = '' } }) => {
    const found = panes.get(tmux)?.get(pane)
    return found && isInFront(pid, found) ? [{ id, title: found.title }] : []
  })
}

/** By the panes' ids; none where the server does not answer. */
async function readTitles(socket: string): Promise<ReadonlyMap<string, PaneTitle>> {
  const format = '#{pane_id} #{pane_tty} #{pane_title}'
  const printed = await askTmuxWithin(patienceMs, socket, ['list-panes', '-a', '-F', format]).catch(() => '')
  const rows = [...printed.matchAll(/^(%\d+) (\S+) (.*)$/gm)]
  return new Map(rows.map(([, pane = '', tty = '', title = '']) => [pane, { tty, title }]))
}

/** The program has the pane for itself: what one that runs below it, or in its background, writes is another's. */
function isInFront(pid: number, { tty }: PaneTitle): boolean {
  const stat = readStat(pid)
  return stat !== undefined && stat.foreground === stat.group && terminalPath(stat.tty) === tty
}
