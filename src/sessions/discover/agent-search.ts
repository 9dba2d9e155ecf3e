/** Which agents run on this machine: a look a second costs next to nothing, because only what is new is read. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import type { Agent } from '../../agents/kit/agent.ts'
import { agents } from '../../agents/registry.ts'
import { attempt } from '../../os/attempt.ts'
import { readArguments } from '../../os/proc/command-line.ts'
import { hasEnded, readStat, type Stat } from '../../os/proc/stat.ts'
import { recognise } from './recognise-agent.ts'

/** An agent's process. `start` guards against a reused pid: the kernel's start time, or what `ps` says of it. */
export type AgentProcess = {
  readonly agent: Agent
  readonly pid: number
  readonly parent: number
  readonly start: string
}

export type AgentSearch = {
  /** The agents that run now. */
  look(): AgentProcess[]
}

type Known = {
  readonly start: string
  readonly parent: number
  readonly agent: Agent | undefined
  readonly isScript: boolean
  readonly seenAt: number
  readonly readAt: number
}

/** A shell becomes the agent by exec a moment after it was started. */
const youngMs = 5000
/** And may do so at any later time. */
const readAgainMs = 15_000

/**
 * @param now a monotonic clock, ms
 */
export function createSearch(now: () => number): AgentSearch {
  return process.platform === 'linux' ? linuxSearch(now) : { look: () => innermost(psProcesses()) }
}

function linuxSearch(now: () => number): AgentSearch {
  const known = new Map<number, Known>()

  function inspect(pid: number, before: Known | undefined): Known | undefined {
    const at = now()
    const isDue = !before || at < before.seenAt + youngMs || at > before.readAt + readAgainMs
    if (before && !before.agent && !isDue) return before
    const stat = readStat(pid)
    if (!stat) return undefined
    if (hasEnded(stat)) return ended(stat, at)
    const isSame = before?.start === stat.startTicks
    if (isSame && before.agent && !isDue) return before
    const words = readArguments(pid)
    const agent = agentOf(words)
    const seenAt = isSame ? before.seenAt : at
    const isScript = /^\S*\b(node|bun)$/.test(words[0] ?? '')
    return { start: stat.startTicks, parent: stat.parent, agent, isScript, seenAt, readAt: at }
  }

  return {
    look() {
      const there = new Set<number>()
      const running = new Map<number, Row>()
      for (const name of readdirSync('/proc')) {
        const pid = Number(name)
        if (!Number.isInteger(pid)) continue
        const before = known.get(pid)
        const found = inspect(pid, before)
        if (!found) continue
        there.add(pid)
        if (found !== before) known.set(pid, found)
        const { agent, parent, start, isScript } = found
        if (agent) running.set(pid, { agent, pid, parent, start, isScript })
      }
      for (const pid of known.keys()) if (!there.has(pid)) known.delete(pid)
      return innermost(running)
    },
  }
}

function agentOf(words: readonly string[]): Agent | undefined {
  const name = recognise(words)
  return name && agents[name]
}

/** What has ended stays so: it is not read each second until its parent notices. */
const ended = ({ startTicks, parent }: Stat, at: number): Known => ({
  start: startTicks,
  parent,
  agent: undefined,
  isScript: false,
  seenAt: -Infinity,
  readAt: at,
})

type Row = AgentProcess & { readonly isScript: boolean }

/**
 * Some CLIs begin as a script that starts the program itself, or the script once more with other flags: the child is the
 * one that works. A native program that has a child of its name is the session all the same.
 */
function innermost(running: ReadonlyMap<number, Row>): AgentProcess[] {
  const outer = new Set<number>()
  for (const { parent, agent } of running.values()) {
    const above = running.get(parent)
    if (above?.agent === agent && above.isScript) outer.add(parent)
  }
  return [...running.values()]
    .filter(({ pid }) => !outer.has(pid))
    .map(({ agent, pid, parent, start }) => ({ agent, pid, parent, start }))
}

/** Where there is no /proc. `lstart` is five words, as in `Sun Nov 22 02:08:11 2026`. */
function psProcesses(): Map<number, Row> {
  const printed =
    attempt(() =>
      execFileSync('ps', ['-axo', 'pid=,ppid=,lstart=,command='], { encoding: 'utf8', timeout: 2000 }),
    ) ?? ''
  const running = new Map<number, Row>()
  for (const row of printed.split('\n')) {
    const [, pid, parent, start = '', command = ''] =
      /^\s*(\d+)\s+(\d+)\s+((?:\S+\s+){5})(.*)$/.exec(row) ?? []
    const agent = agentOf(command.split(' '))
    if (agent)
      running.set(Number(pid), {
        agent,
        pid: Number(pid),
        parent: Number(parent),
        start: start.trim(),
        isScript: /^\S*\b(node|bun) /.test(command),
      })
  }
  return running
}
