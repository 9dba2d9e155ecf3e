/**
 * What a program that only passes a terminal on passes it to: another terminal on this machine, which is then judged, or another
 * machine. Such a program is known by what it does: it waits for its own terminal and for the other end of another one.
 */
import { statSync } from 'node:fs'
import { attempt } from '../../os/attempt.ts'
import { readStat, type Stat } from '../../os/proc/stat.ts'
import { ptsOf, readSize, type TerminalSize } from '../../os/tty/tty.ts'
import { nameOf } from '../classify/shells.ts'
import { children } from './members.ts'
import type { InnerTerminal, Passes, Relay, TerminalProcess, Termios } from './probed.ts'
import { readingOf } from './probed.ts'
import { isOwnRun, passers, remotes } from './relays.ts'
import { heldBy } from './terminal-call.ts'
import { serverOf } from './terminal-server.ts'

export type Relayed = {
  readonly relay: Relay
  readonly terminal?: InnerTerminal
  /** `asIs`: one screen and one stream for both; `anew`: one screen; `part`: what of the screen is its own has to be asked. */
  readonly shows: 'asIs' | 'anew' | 'part'
}

/** What is known of the terminal that the relay reads. */
type Outer = {
  readonly tty: string
  readonly leader: Stat
  readonly processes: readonly TerminalProcess[]
  readonly termios: Termios | undefined
  /** The inner terminal of a relay that has to be asked (tmux), where somebody did. */
  readonly asked: InnerTerminal | undefined
}

export const innerTerminal = (outer: Outer): Relayed | undefined =>
  byCalls(outer) ?? byServer(outer) ?? byName(outer)

/** Several processes may share the work: one reads the keys, one what is shown. */
function byCalls({ tty, processes }: Outer): Relayed | undefined {
  const reader = processes.findLast(readingOf)
  const passes = new Set(processes.flatMap(({ calls }) => calls.flatMap(passesOf)))
  if (!reader || passes.size === 0) return undefined
  const owners = processes.map(({ pid }) => pid)
  return seen(reader, tty, shownBy(owners, [...passes]), 'asIs')
}

const passesOf = (call: TerminalProcess['calls'][number]): Passes =>
  (call.type === 'reads' || call.type === 'blocked') && call.passes ? call.passes : []

/** What is in the foreground is the client of a program elsewhere on this machine, which holds the terminals that it shows. */
function byServer({ tty, processes, termios }: Outer): Relayed | undefined {
  const client = processes.at(-1)
  if (!client || !termios || termios.canonical || termios.echo || client.name === 'tmux: client')
    return undefined
  const server = serverOf(client, tty)
  if (server === undefined) return undefined
  return seen(client, tty, shownBy([server], heldBy(server)), 'anew')
}

function seen(
  process: TerminalProcess,
  tty: string,
  shown: readonly InnerTerminal[],
  shows: Relayed['shows'],
): Relayed {
  const [terminal, another] = shown
  const isSure = terminal && !another && isSameSize(tty, terminal.tty)
  const { pid, args } = process
  const isOwn = isOwnRun(args)
  const isKnown = isOwn || passers.has(process.name)
  const relay = { pid, name: isOwn ? 'lull' : nameOf(process), ...(isKnown ? {} : { isSeen: true as const }) }
  return { relay, ...(isSure ? { terminal } : {}), shows }
}

/** Those of them that a living program below has as its terminal. */
const shownBy = (pids: readonly number[], passes: Passes): readonly InnerTerminal[] =>
  passes.flatMap(index => {
    const tty = `/dev/pts/${index}`
    const first = firstBelow(pids, stat => ptsOf(stat.tty) === tty && isSameFile(stat.pid, tty))
    return first ? [{ tty, leader: first.pid }] : []
  })

/** In a container a terminal of that name is another one. */
function isSameFile(pid: number, tty: string): boolean {
  const here = attempt(() => statSync(tty))
  const files = [0, 1, 2].flatMap(fd => attempt(() => statSync(`/proc/${pid}/fd/${fd}`)) ?? [])
  const terminals = files.filter(({ rdev }) => rdev === here?.rdev)
  return here !== undefined && terminals.some(({ dev, ino }) => dev === here.dev && ino === here.ino)
}

/** What is drawn into a part of the screen is not all that is seen, and keys may go elsewhere; a status line may stand below. */
function isSameSize(outer: string, inner: string): boolean {
  const [all, part] = [readSize(outer), readSize(inner)]
  const isUnset = ({ rows, columns }: TerminalSize) => rows === 0 && columns === 0
  if (!all || !part || isUnset(part)) return true
  return all.columns === part.columns && all.rows - part.rows >= 0 && all.rows - part.rows <= statusLines
}

/** screen's hardstatus and caption. */
const statusLines = 2

/** By their names, where the kernel hides what they wait for, or they have to be asked, or show another machine. */
function byName({ leader, processes, asked }: Outer): Relayed | undefined {
  for (const { pid, name } of processes) {
    if (passers.has(name)) {
      const inner = firstBelow(
        [pid],
        one => one.tty !== 0 && one.tty !== leader.tty && one.session === one.pid,
      )
      const tty = inner && ptsOf(inner.tty)
      if (tty) return { relay: { pid, name }, terminal: { tty, leader: inner.pid }, shows: 'asIs' }
    }
    if (remotes.has(name))
      return {
        relay: { pid, name, ...(asked?.isInMode ? { isInMode: true } : {}) },
        ...(asked ? { terminal: asked } : {}),
        shows: 'part',
      }
  }
  return undefined
}

/** A relay starts one program, perhaps through others. */
const mostVisited = 64

function firstBelow(pids: readonly number[], isIt: (stat: Stat) => boolean): Stat | undefined {
  const queue = pids.flatMap(pid => {
    const stat = readStat(pid)
    return stat ? children(stat) : []
  })
  for (let index = 0; index < queue.length && index < mostVisited; index++) {
    const one = readStat(queue[index] as number)
    if (!one) continue
    if (one.state !== 'Z' && isIt(one)) return one
    queue.push(...children(one))
  }
  return undefined
}
