/** A tmux inside the probed terminal: its server is asked which pane it shows, and for the screen of that pane. */
import { readEnvironment } from '../../os/proc/command-line.ts'
import { askTmux } from '../../os/tmux/ask-tmux.ts'
import { defaultName, socketAround, socketNamed } from '../../os/tmux/socket-path.ts'
import type { InnerTerminal, Probe, TerminalProcess } from './probed.ts'

const format =
  '#{client_tty} #{pane_tty} #{pane_pid} #{pane_id} #{cursor_x} #{cursor_y} #{alternate_on} #{pane_width} #{pane_left} #{pane_top} #{status} #{status-position} #{window_bigger} #{pane_in_mode}'

/**
 * Undefined where the foreground is no tmux of this user's, its server may not be asked, or tmux asks something itself (its own
 * prompts, menus and popups).
 */
export async function innerTmux(probe: Probe): Promise<InnerTerminal | undefined> {
  const client = probe.processes.find(({ pid }) => pid === probe.relay?.pid)
  if (client?.name !== 'tmux: client' || client.uid !== process.getuid?.()) return undefined
  const socket = socketOf(client)
  try {
    const clients = await askTmux(socket, 'list-clients', '-F', format)
    const own = clients.split('\n').find(line => line.startsWith(`${probe.tty} `))
    const [, tty, pid, pane, column, row, alternate, width, left, top, status, place, bigger, mode] =
      own?.split(' ') ?? []
    if (tty === undefined || pane === undefined) return undefined
    const isInMode = mode !== '0' && mode !== ''
    const above = place === 'top' ? statusLines(status) : 0
    const cursor = { row: Number(top) + Number(row) + above, column: Number(left) + Number(column) }
    if (!isInMode && bigger !== '1' && isElsewhere(probe, cursor)) return undefined
    const shown = await askTmux(socket, 'capture-pane', '-p', '-t', pane)
    return {
      tty,
      leader: Number(pid),
      screen: {
        rows: shown.replace(/\n$/, '').split('\n'),
        columns: Number(width),
        cursor: { row: Number(row), column: Number(column) },
        alternate: alternate === '1',
      },
      ...(isInMode ? { isInMode } : {}),
    }
  } catch {
    return undefined
  }
}

const statusLines = (status: string | undefined): number =>
  status === 'off' ? 0 : status === 'on' ? 1 : Number(status)

/** The cursor is where the pane's is, unless tmux itself asks something (`:`, `kill-pane 1? (y/n)`), or shows a menu. */
function isElsewhere({ screen }: Probe, { row, column }: { row: number; column: number }): boolean {
  if (!screen?.cursor) return false
  // At the end of a full row it is still on the last column, or behind it already.
  const isSame =
    screen.cursor.column === column || Math.max(screen.cursor.column, column) >= screen.columns - 1
  return screen.cursor.row !== row || !isSame
}

/** As tmux itself finds it: -S, else -L in the folder of TMUX_TMPDIR, else the server that `TMUX` names. */
function socketOf({ pid, args, uid }: TerminalProcess): string {
  const option = (letter: string): string | undefined => {
    const index = args.findIndex((arg, at) => at > 0 && arg.startsWith(`-${letter}`))
    return index < 0 ? undefined : (args[index] as string).slice(2) || args[index + 1]
  }
  const env = readEnvironment(pid)
  const name = option('L')
  const around = name === undefined ? socketAround(env) : undefined
  return option('S') ?? around ?? socketNamed(name ?? defaultName, env, uid ?? 0)
}
