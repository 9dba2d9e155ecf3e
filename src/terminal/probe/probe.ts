/** Probes a terminal once: some small files of /proc, and the terminal's own settings: 0.1 ms for a shell at its prompt. */
import path from 'node:path'
import type { Grid } from '../../core/text/grid.ts'
import { readArguments } from '../../os/proc/command-line.ts'
import { listFolder, readLink, readText } from '../../os/proc/proc-file.ts'
import { readStat, type Stat } from '../../os/proc/stat.ts'
import { ptsOf, readSettings } from '../../os/tty/tty.ts'
import { members } from './members.ts'
import type { InnerTerminal, Probe, StreamMarks, TerminalProcess, Termios } from './probed.ts'
import { innerTerminal } from './relay.ts'
import { terminalCall } from './terminal-call.ts'

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
  return probeAt(tty, leader, given, 0)
}

function probeAt(tty: string, leader: number, given: Given, depth: number): Probe {
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
  const processes = owners.map(one => processOf(one, isTerminal))
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
          inner: probeAt(
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

/** What it has consumed is read BEFORE what it is blocked in: the other way round, a stale probe passes as consumed. */
function processOf(one: Stat, isTerminal: (link: string) => boolean): TerminalProcess {
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

type Program = Pick<TerminalProcess, 'program' | 'args' | 'uid'>

const longestArgs = 1000
const mostPrograms = 512

const programs = new Map<number, { readonly key: string; readonly program: Program }>()

/** Read once a program, since probes come every few milliseconds. */
function programOf({ pid, name, startTicks, codeStart, stackStart }: Stat): Program {
  // A new program in the same process has other addresses.
  const key = `${startTicks} ${codeStart} ${stackStart} ${name}`
  const known = programs.get(pid)
  if (known?.key === key) return known.program
  const program = readProgram(pid)
  if (programs.size >= mostPrograms) programs.clear()
  programs.set(pid, { key, program })
  return program
}

function readProgram(pid: number): Program {
  const link = readLink(`/proc/${pid}/exe`)
  const uid = /^Uid:\s*\d+\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1]
  return {
    ...('link' in link ? { program: path.basename(link.link.replace(/ \(deleted\)$/, '')) } : {}),
    args: readArguments(pid, longestArgs),
    ...(uid === undefined ? {} : { uid: Number(uid) }),
  }
}
