/** Looks at a terminal once. Some small files of /proc, and the terminal's own settings: 0.1 ms for a shell at its prompt. */
import type { Grid } from '../../core/text/grid.ts'
import { listFolder, readText } from '../../os/proc/proc-file.ts'
import { readStat, type Stat } from '../../os/proc/stat.ts'
import { ptsOf, readSettings } from '../../os/tty/tty.ts'
import { members } from './members.ts'
import type { Probe, StreamMarks, TerminalProcess, Termios } from './probed.ts'
import { innerTerminal } from './relay.ts'
import { programOf } from './running-program.ts'
import { terminalCall } from './terminal-call.ts'

/** A terminal that another program on this machine draws into the one that is looked at (an inner tmux's pane). */
export type InnerTerminal = { readonly tty: string; readonly leader: number; readonly screen?: Grid }

/** What the caller knows besides. */
export type Given = {
  readonly screen?: Grid
  readonly stream?: StreamMarks
  /** ms since the last output, where somebody watched it. */
  readonly quiet?: number
  /** What a relay shows, where it had to be asked for: see `innerTmux`. */
  readonly inner?: InnerTerminal
  /** The terminal is known to have ended (tmux: `pane_dead`). */
  readonly gone?: Probe['gone']
}

/** Relays in relays are followed so deep. */
const deepest = 8

/**
 * @param tty `/dev/pts/3`
 * @param leader the pid of its first process
 */
export function probeTerminal(tty: string, leader: number, given: Given = {}): Probe {
  return look(tty, leader, given, 0)
}

function look(tty: string, leader: number, given: Given, depth: number): Probe {
  const at = performance.now()
  const { screen, stream, quiet, inner, gone } = given
  const around = {
    at,
    tty,
    leader,
    ...(screen ? { screen } : {}),
    ...(stream ? { stream } : {}),
    ...(quiet === undefined ? {} : { quiet }),
  }
  const first = readStat(leader)
  const isOver = first === undefined || first.state === 'Z' || first.state === 'X'
  if (gone || (isOver && hasProc())) {
    return { ...around, hasKernel: true, processes: [], gone: gone ?? {} }
  }
  if (!first) return { ...around, hasKernel: false, processes: [] }

  const isTerminal = terminalLink(tty, first.tty)
  const owners = members(first, isTerminal)
  const processes = owners.map(one => lookAt(one, isTerminal))
  // The settings after the calls: what reads now has set them before it began.
  const settings = readSettings(tty)
  const relayed = depth < deepest ? innerTerminal(first, owners, inner) : undefined
  return {
    ...around,
    hasKernel: true,
    ...(settings ? { termios: termiosOf(settings), queued: settings.queued } : {}),
    foreground: first.foreground,
    processes,
    ...(relayed ? { relay: relayed.relay } : {}),
    ...(relayed?.terminal
      ? {
          inner: look(
            relayed.terminal.tty,
            relayed.terminal.leader,
            {
              ...(relayed.isWhole && screen ? { screen } : {}),
              ...(relayed.terminal.screen ? { screen: relayed.terminal.screen } : {}),
              ...(relayed.isWhole && stream ? { stream } : {}),
              ...(quiet === undefined ? {} : { quiet }),
            },
            depth + 1,
          ),
        }
      : {}),
  }
}

const termiosOf = ({ canonical, echo, signals }: Termios): Termios => ({ canonical, echo, signals })

/** What it has consumed is read BEFORE what it is blocked in: the other way round, a stale look passes as consumed. */
function lookAt(one: Stat, isTerminal: (link: string) => boolean): TerminalProcess {
  const { pid, parent, name, state } = one
  const readChars = /^rchar: (\d+)/m.exec(readText(`/proc/${pid}/io`))?.[1]
  const switches = /^voluntary_ctxt_switches:\s*(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1]
  const tids = one.threads > 1 ? listFolder(`/proc/${pid}/task`) : [String(pid)]
  const calls =
    'error' in tids
      ? [{ type: 'hidden' } as const]
      : tids.map(tid => terminalCall(pid, Number(tid), Number(one.stackStart), isTerminal))
  return {
    pid,
    parent,
    name,
    ...programOf(one),
    state,
    ...(readChars === undefined ? {} : { readChars: Number(readChars) }),
    ...(switches === undefined ? {} : { switches: Number(switches) }),
    calls,
  }
}

/** Seen from inside a container a terminal has another name; `/dev/tty` is each process' own. */
function terminalLink(tty: string, device: number): (link: string) => boolean {
  const own = ptsOf(device)
  return link => link === tty || link === '/dev/tty' || link === own
}

const hasProc = (): boolean => readStat(process.pid) !== undefined
