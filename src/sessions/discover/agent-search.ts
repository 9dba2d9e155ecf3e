/** Which agents run on this machine: a search a second costs next to nothing, because only what is new is read. */
import type { Agent } from '../../agents/kit/agent.ts'
import { isOf, recognise, scriptOf } from '../../agents/recognise-agent.ts'
import { agents } from '../../agents/registry.ts'
import { LullError } from '../../core/lull-error.ts'
import { identify } from '../../os/proc/alive.ts'
import { probeVariable } from '../../os/proc/command-line.ts'
import { readWhole } from '../../os/proc/proc-file.ts'
import { ancestorIds } from './ancestor-ids.ts'
import type { ProcessRow, ProcessTable } from './process-table.ts'
import { systemTable } from './system-table.ts'

/** An agent's process. `start` guards against a reused pid: the kernel's start time, or what `ps` reports. */
export type AgentProcess = {
  /** Made of its pid and start: no other process has the same (os/proc/alive.ts). */
  readonly id: string
  readonly agent: Agent
  readonly pid: number
  readonly parent: number
  readonly start: string
  /** The ids of the processes above it, nearest first: as they were when it was first seen as an agent. */
  readonly ancestors?: readonly string[]
  /** It only started the program that works, and waits for it: no session of its own. */
  readonly isLauncher?: true
}

/** The agents that run now. @throws {LullError} REFUSED_FILE where nothing at all of them may be opened */
export type AgentSearch = () => AgentProcess[]

type Known = {
  /** Only of an agent. */
  readonly id: string
  readonly ancestors?: readonly string[]
  readonly start: string
  readonly parent: number
  readonly agent: Agent | undefined
  /** What its command line gives the agent, after the program's or the script's name. */
  readonly words: string
  readonly isScript: boolean
  /** Its process group. */
  readonly group: number
  /** A copy of its parent that has not become a program of its own. */
  readonly isCopy: boolean
  readonly image: string | undefined
  readonly seenAt: number
  readonly readAt: number
  /** When its state was read: what is not there any more has no entry in /proc, unless nobody has noticed its end. */
  readonly metAt: number
}

/** A shell becomes the agent by exec a moment after it was started. */
const youngMs = 5000
/** And may do so at any later time. */
const readAgainMs = 15_000
/** The end of an agent that its parent has not noticed, and so stays in the list of processes, is seen by then. */
const unreapedMs = 3000
/** By then it has given itself the name that it keeps, where it does so (`process.title`). */
const namedMs = 10_000

/**
 * @param now a monotonic clock, ms
 * @param ownNow the agents that a person has rules for, and lull does not know
 */
export function createSearch(
  now: () => number,
  ownNow: () => readonly Agent[] = () => [],
  table: ProcessTable = systemTable(),
): AgentSearch {
  const starters = newStarters(now)
  const known = new Map<number, Known>()
  let own: readonly Agent[] = []
  /** When a person's rules were seen to change: they may mean what runs already. */
  let ownAt = -Infinity
  function inspect(pid: number, before: Known | undefined): Known | undefined {
    const at = now()
    const isDue = !before || at < before.seenAt + youngMs || at > before.readAt + readAgainMs
    if (before && !isDue && (!before.agent || at < before.metAt + unreapedMs)) return before
    const row = table.row(pid)
    if (!row) return undefined
    if (row.hasEnded) return ended(row, at)
    const { start, parent, group, isCopy, image } = row
    const isSame = before?.start === start
    if (isSame && before.agent && !isDue) return { ...before, metAt: at }
    const isRead = isSame && before.readAt > Math.max(before.seenAt + namedMs, ownAt)
    if (isRead && image !== undefined && image === before.image) return { ...before, readAt: at, metAt: at }
    const words = table.argv(pid)
    const named = agentOf(words, own)
    // A program that lull started to ask for its version. Its name alone does not tell: pi's command line becomes `pi`.
    const isProbe = named !== undefined && table.environment(pid)[probeVariable] !== undefined
    const agent = isProbe ? undefined : named
    const seenAt = isSame ? before.seenAt : at
    return {
      ...(agent ? identityOf(row, known, table) : { id: '' }),
      start,
      parent,
      agent,
      ...commandOf(words),
      group,
      isCopy,
      image,
      seenAt,
      readAt: at,
      metAt: at,
    }
  }

  function takeOwn(): void {
    const before = own
    own = ownNow()
    if (own.length !== before.length || own.some((agent, i) => agent !== before[i])) ownAt = now()
  }

  function readAll(): AgentProcess[] {
    const there = new Set<number>()
    let unread: string | undefined
    for (const pid of table.pids()) {
      const before = known.get(pid)
      const { value, refusal } = readWhole(() => inspect(pid, before))
      // What could not be opened has not ended.
      const found = refusal === undefined ? value : before
      unread ??= refusal
      if (!found) continue
      there.add(pid)
      if (found !== before) known.set(pid, found)
    }
    if (unread !== undefined && there.size === 0)
      throw new LullError('REFUSED_FILE', `processes can't be read: ${unread}`)
    for (const pid of known.keys()) if (!there.has(pid)) known.delete(pid)
    return sessionsOf(rowsOf(known), starters)
  }

  const readAgents = (): AgentProcess[] | undefined =>
    areAllThere(known, inspect) ? sessionsOf(rowsOf(known), starters) : undefined

  const isYoung = (at: number) => [...known.values()].some(({ seenAt }) => at < seenAt + youngMs)
  const isOpen = (at: number): boolean => isYoung(at) || at < ownAt + youngMs
  const search = whereChanged(now, table.lastProcess, { readAll, readAgents, isOpen })
  return () => {
    takeOwn()
    return search()
  }
}

/** An agent keeps the ancestors that it was first seen with: a process whose parent ends gets another one. */
function identityOf(
  row: ProcessRow,
  known: ReadonlyMap<number, Known>,
  table: ProcessTable,
): Pick<Known, 'id' | 'ancestors'> {
  const keptOf = ({ pid, start }: ProcessRow): readonly string[] | undefined =>
    known.get(pid)?.start === start ? known.get(pid)?.ancestors : undefined
  return {
    id: identify(row.pid, row.start),
    ancestors: keptOf(row) ?? ancestorIds(row.pid, table.row, keptOf),
  }
}

/** Whether all agents that are known run on; those that do are looked at anew. */
function areAllThere(
  known: Map<number, Known>,
  inspect: (pid: number, before: Known) => Known | undefined,
): boolean {
  for (const [pid, before] of known) {
    if (!before.agent) continue
    const { value, refusal } = readWhole(() => inspect(pid, before))
    if (refusal !== undefined) continue
    if (value?.start !== before.start || value.agent !== before.agent) return false
    known.set(pid, value)
  }
  return true
}

function rowsOf(known: ReadonlyMap<number, Known>): Map<number, Row> {
  const rows = new Map<number, Row>()
  for (const [pid, { id, agent, ancestors = [], parent, start, words, isScript, group, isCopy }] of known)
    if (agent) rows.set(pid, { id, agent, ancestors, pid, parent, start, words, isScript, group, isCopy })
  return rows
}

type ChangingSearch = {
  readonly readAll: AgentSearch
  /** What is found without the list of all processes; undefined where an agent that was found last has ended. */
  readonly readAgents: () => AgentProcess[] | undefined
  /** Something may change all the same at that instant. */
  readonly isOpen: (at: number) => boolean
}

/**
 * What was found last, while no process has begun or ended since: the list of all processes is most of what a search costs.
 * Two things change without that: an agent ends and its parent does not notice, and a program becomes an agent by exec.
 */
function whereChanged(
  now: () => number,
  lastProcess: ProcessTable['lastProcess'],
  { readAll, readAgents, isOpen }: ChangingSearch,
): AgentSearch {
  let before: { readonly newest: string; readonly readAt: number } | undefined
  let found: AgentProcess[] = []
  let metAt = 0
  return () => {
    const [at, newest] = [now(), lastProcess()]
    const isBefore = before && newest === before.newest && at <= before.readAt + readAgainMs && !isOpen(at)
    if (isBefore && at < metAt + unreapedMs) return found
    const met = isBefore ? readAgents() : undefined
    found = met ?? readAll()
    metAt = now()
    if (!met) before = newest === undefined || isOpen(at) ? undefined : { newest, readAt: metAt }
    return found
  }
}

function commandOf(words: readonly string[]): Pick<Row, 'words' | 'isScript'> {
  const script = scriptOf(words)
  return { words: words.slice((script ?? 0) + 1).join('\0'), isScript: script !== undefined }
}

function agentOf(words: readonly string[], own: readonly Agent[]): Agent | undefined {
  const name = recognise(words)
  return name ? agents[name] : own.find(agent => isOf(agent.process, words))
}

/** What has ended stays so: it is not read each second until its parent notices. */
const ended = ({ start, parent }: ProcessRow, at: number): Known => ({
  id: '',
  start,
  parent,
  agent: undefined,
  words: '',
  isScript: false,
  group: 0,
  isCopy: false,
  image: undefined,
  seenAt: -Infinity,
  readAt: at,
  metAt: at,
})

type Row = Omit<AgentProcess, 'isLauncher'> & Pick<Known, 'words' | 'isScript' | 'group' | 'isCopy'>

/**
 * Some CLIs begin as a script that starts the program itself, or the script once more with other flags for node: the child
 * that was given the same words, in the same process group, is the one that works. Whatever else an agent starts, another agent too, is not the agent;
 * and what is between a fork and its exec, or is used like a thread, is a part of the process that it was copied from.
 */
function sessionsOf(running: ReadonlyMap<number, Row>, starters: Starters): AgentProcess[] {
  const isPart = ({ isCopy, parent, agent }: Row) => isCopy && running.get(parent)?.agent === agent
  const own = [...running.values()].filter(row => !isPart(row))
  const launchers = new Set<number>()
  for (const { parent, agent, words, group } of own) {
    const above = running.get(parent)
    if (above?.agent === agent && above.isScript && above.words === words && above.group === group)
      launchers.add(parent)
  }
  return own.map(row => {
    const { id, agent, ancestors = [], pid, parent, start } = row
    const isLauncher = starters.isOne(row, launchers.has(pid))
    return { id, agent, ancestors, pid, parent, start, ...(isLauncher ? { isLauncher } : {}) }
  })
}

type Starters = { isOne(process: Row, hasProgram: boolean): boolean }

/** A launcher ends some time after its program (Gemini CLI: 1 s), or starts it anew: it does not become the session then. */
function newStarters(now: () => number): Starters {
  const known = new Map<number, { readonly start: string; readonly from: number; readonly last: number }>()
  return {
    isOne({ pid, start }, hasProgram) {
      const before = known.get(pid)?.start === start ? known.get(pid) : undefined
      const at = now()
      if (hasProgram) known.set(pid, { start, from: before?.from ?? at, last: at })
      // A program that stood below it for a moment only may have been a tool.
      const wasOne =
        before !== undefined && before.last - before.from >= youngMs && at - before.last < youngMs
      return hasProgram || wasOne
    },
  }
}
