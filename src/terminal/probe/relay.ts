/** Programs that only pass a terminal on: to another terminal on this machine, which is then judged, or to another machine. */

import { readStat, type Stat } from '../../os/proc/stat.ts'
import { ptsOf } from '../../os/tty/tty.ts'
import { children } from './members.ts'
import type { InnerTerminal, Probe } from './probed.ts'

/** Their child has a pseudo terminal of its own, and what it draws is what is seen. */
const passers: ReadonlySet<string> = new Set([
  'script',
  'sudo',
  'su',
  'runuser',
  'doas',
  'pkexec',
  'expect',
  'unbuffer',
  'asciinema',
  'ttyrec',
  'luit',
  'systemd-run',
])

/** What they show is elsewhere: the kernel says the same of a prompt, a running command and a question. */
const remotes: ReadonlySet<string> = new Set([
  'ssh',
  'mosh-client',
  'telnet',
  'docker',
  'podman',
  'kubectl',
  'nerdctl',
  'oc',
  'lxc',
  'incus',
  'machinectl',
  'minicom',
  'picocom',
  'screen',
  'tmux: client',
  'dtach',
  'abduco',
  'zellij',
])

export type Relayed = {
  readonly relay: NonNullable<Probe['relay']>
  readonly terminal?: InnerTerminal
  /** The relay shows the inner terminal as it is: one screen and one stream for both. */
  readonly isWhole: boolean
}

/** @param asked the inner terminal of a relay that has to be asked (tmux), where somebody did */
export function innerTerminal(
  leader: Stat,
  owners: readonly Stat[],
  asked: InnerTerminal | undefined,
): Relayed | undefined {
  for (const one of owners) {
    if (passers.has(one.name)) {
      const inner = sessionBelow(one, leader.tty)
      const tty = inner && ptsOf(inner.tty)
      if (tty) {
        return {
          relay: { pid: one.pid, name: one.name },
          terminal: { tty, leader: inner.pid },
          isWhole: true,
        }
      }
    }
    if (remotes.has(one.name)) {
      return {
        relay: { pid: one.pid, name: one.name },
        ...(asked ? { terminal: asked } : {}),
        isWhole: false,
      }
    }
  }
  return undefined
}

/** The first process below that leads a session on another terminal. */
function sessionBelow(from: Stat, tty: number): Stat | undefined {
  const queue = [...children(from)]
  for (let index = 0; index < queue.length && index < 64; index++) {
    const one = readStat(queue[index] as number)
    if (!one) continue
    if (one.tty !== 0 && one.tty !== tty && one.session === one.pid && one.state !== 'Z') return one
    queue.push(...children(one))
  }
  return undefined
}
