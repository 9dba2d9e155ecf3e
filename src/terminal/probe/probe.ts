/** Probes a terminal once: some small files of /proc, and the terminal's own settings: 0.1 ms for a shell at its prompt. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Grid } from '../../core/text/grid.ts'
import { readArguments } from '../../os/proc/command-line.ts'
import { listFolder, readLink, readText, readWhole } from '../../os/proc/proc-file.ts'
import { endOfZombie, readStat, type Stat } from '../../os/proc/stat.ts'
import { ptsOf, readSettings } from '../../os/tty/tty.ts'
import { shellOf } from '../classify/shells.ts'
import { members } from './members.ts'
import {
  type Gone,
  type InnerTerminal,
  type Probe,
  readingOf,
  type StreamMarks,
  type TerminalProcess,
  type Termios,
} from './probed.ts'
import { promptPart, promptText } from './prompt-part.ts'
import { innerTerminal, type Relayed } from './relay.ts'
import { terminalCall } from './terminal-call.ts'
import { hasEditor } from './variables.ts'

/** What the caller knows besides. */
export type Given = {
  readonly screen?: Grid
  readonly stream?: StreamMarks
  /** ms since the last output, where somebody watched it. */
  readonly quiet?: number
  /** ms since the cursor's line last changed. */
  readonly still?: number
  /** What a relay shows, where it had to be asked for: see `innerTmux`. */
  readonly inner?: InnerTerminal
  /** The terminal is known to have ended (tmux: `pane_dead`). */
  readonly gone?: Gone
}

/** Relays in relays are followed so deep. */
const deepest = 8

/**
 * @param tty `/dev/pts/3`
 * @param leader the pid of its first process
 */
export function probeTerminal(tty: string, leader: number, given: Given = {}): Probe {
  const { value, refusal } = readWhole(() => probeAt(tty, leader, given, 0))
  if (refusal === undefined || given.gone) return value
  return { ...around(value.at, tty, leader, given), hasKernel: true, processes: [], unread: refusal }
}

const around = (at: number, tty: string, leader: number, { screen, stream, quiet, still }: Given) => ({
  at,
  tty,
  leader,
  ...(screen ? { screen } : {}),
  ...(stream ? { stream } : {}),
  ...(quiet === undefined ? {} : { quiet }),
  ...(still === undefined ? {} : { still }),
})

function probeAt(tty: string, leader: number, given: Given, depth: number): Probe {
  const at = performance.now()
  const { inner, gone } = given
  const known = around(at, tty, leader, given)
  const first = readStat(leader)
  const isOver = first === undefined || first.state === 'Z' || first.state === 'X'
  const isClosed = first !== undefined && !isOver && isHungUp(first, tty)
  if (gone || isClosed || (isOver && hasProc())) {
    const closed = isClosed ? { how: 'closed' as const } : {}
    // tmux may never notice (3.3a, one end in five), and reports no code then.
    return { ...known, hasKernel: true, processes: [], gone: { ...endOfZombie(leader), ...closed, ...gone } }
  }
  if (!first) return { ...known, hasKernel: false, processes: [] }

  const isTerminal = terminalLink(tty, first.tty)
  const owners = members(first, isTerminal)
  const processes = owners.map(one => withReading(processOf(one, isTerminal), isTerminal, depth > 0))
  // The settings after the calls: what reads now has set them before it began.
  const settings = readSettings(tty)
  const termios = settings && termiosOf(settings)
  const outer = { tty, leader: first, processes, termios, asked: inner }
  const relayed = depth < deepest ? innerTerminal(outer) : undefined
  return {
    ...known,
    hasKernel: true,
    ...(settings ? { termios: termiosOf(settings), queued: settings.queued } : {}),
    ...(settings?.isOutputStopped ? { isOutputStopped: true } : {}),
    foreground: first.foreground,
    processes,
    ...(relayed ? { relay: relayed.relay } : {}),
    ...(relayed?.terminal ? { inner: innerProbe(relayed.terminal, relayed.shows, given, depth) } : {}),
  }
}

/** What is known of the relay's own terminal may hold for the inner one, too. */
function innerProbe(terminal: InnerTerminal, shows: Relayed['shows'], given: Given, depth: number): Probe {
  const { quiet, still, screen: shown, stream } = given
  // Whether the inner one fills its screen is not known where all of it is drawn anew.
  const { alternate: _, ...drawn } = shown ?? { rows: [], columns: 0 }
  const same = shows === 'asIs' ? shown : shows === 'anew' && shown ? drawn : undefined
  const screen = terminal.screen ?? same
  const known = {
    ...(screen ? { screen } : {}),
    ...(shows === 'asIs' && stream ? { stream } : {}),
    ...(quiet === undefined ? {} : { quiet }),
    ...(still === undefined ? {} : { still }),
  }
  return probeAt(terminal.tty, terminal.leader, known, depth + 1)
}

const termiosOf = ({ canonical, echo, signals }: Termios): Termios => ({ canonical, echo, signals })

/** What it has consumed is read BEFORE what it is blocked in: the other way round, a stale probe passes as consumed. */
function processOf(one: Stat, isTerminal: (link: string) => boolean): TerminalProcess {
  const { pid, parent, name, state } = one
  const [, readChars, writtenChars] = /^rchar: (\d+)\nwchar: (\d+)/m.exec(readText(`/proc/${pid}/io`)) ?? []
  // Only where its count of bytes is hidden: the file takes longer than the rest.
  const hidden = readChars === undefined ? switchesOf(pid) : undefined
  const tids = one.threads > 1 ? listFolder(`/proc/${pid}/task`) : [String(pid)]
  const calls =
    'error' in tids
      ? [{ type: 'hidden' } as const]
      : tids.map(tid => terminalCall(pid, Number(tid), Number(one.stackStart), isTerminal))
  const switches = calls.some(({ type }) => type === 'writes') ? switchesOf(pid) : hidden
  return {
    pid,
    parent,
    name,
    ...programOf(one),
    state,
    ...(readChars === undefined ? {} : { readChars: Number(readChars) }),
    ...(writtenChars === undefined ? {} : { writtenChars: Number(writtenChars) }),
    ...(switches === undefined ? {} : { switches }),
    calls,
  }
}

/** How often its main thread has blocked so far. */
function switchesOf(pid: number): number | undefined {
  const count = /^voluntary_ctxt_switches:\s*(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1]
  return count === undefined ? undefined : Number(count)
}

function withReading(
  process: TerminalProcess,
  isTerminal: (link: string) => boolean,
  isRelayed: boolean,
): TerminalProcess {
  if (!readingOf(process)) return process
  const shows = promptPart(process)
  const prompt = shows && isRelayed ? promptText(process) : undefined
  if (shows) return { ...process, shows, ...(prompt === undefined ? {} : { prompt }) }
  if (shellOf(process)) return process
  const stdin = readLink(`/proc/${process.pid}/fd/0`)
  return {
    ...process,
    ...(hasEditor(process) ? { hasEditor: true } : {}),
    ...('link' in stdin && !isTerminal(stdin.link) ? { isFed: true } : {}),
  }
}

/** Seen from inside a container a terminal has another name; `/dev/tty` is each process' own. */
function terminalLink(tty: string, device: number): (link: string) => boolean {
  const own = ptsOf(device)
  return link => link === tty || link === '/dev/tty' || link === own
}

/** Nobody holds its other end any more: the kernel took it from its session, and its name is gone. */
const isHungUp = ({ tty }: Stat, name: string): boolean => tty === 0 && !existsSync(name)

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
