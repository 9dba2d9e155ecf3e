/**
 * Runs of agents that lull itself started (`lull loop`), as their own track judges them: each a file that its owner
 * writes at every change. What reads an agent's rows knows more than anyone who finds its process.
 */

import { lstatSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { AgentName } from '../../agents/agent-names.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { readJsonFile, writeJsonFile } from '../../os/file/json-file.ts'
import { hasOwnFolder, makeOwnFolder } from '../../os/file/places.ts'
import { identify, isAlive, markOf, type ProcessMark } from '../../os/proc/alive.ts'
import { readEnvironment } from '../../os/proc/command-line.ts'
import { readStat } from '../../os/proc/stat.ts'
import { membersOf } from '../../os/spawn/process-group.ts'
import { isShaped } from '../../shapes/wire.ts'
import type { Track } from '../../track/track.ts'
import { ancestorIds } from '../discover/ancestor-ids.ts'
import type { LiveSession } from '../session-source.ts'

export type PublishedRun = {
  readonly pid: number
  readonly agent?: AgentName
  readonly cwd: string
  /** What people read of it: `run make test`. */
  readonly note: string
  /** The session's id in `track`, which is closed when the run is over. */
  readonly id: string
  readonly track: Track
}

export type Published = {
  readonly owner: ProcessMark
  readonly process: ProcessMark
  /** Of a loop's run: what its environment names it by (`LULL_LOOP`). */
  readonly loop?: string
  readonly session: LiveSession
}

export const writePublished = (file: string, published: Published): void => writeJsonFile(file, published)

const endedFile = (folder: string, id: string): string => path.join(folder, `${id}.ended`)
/** A host looks each second. What nobody has taken by then nobody asks for: ms */
const endedKeptMs = 60_000

const isOver = ({ session }: LiveSession): boolean => session.verdict.state.kind === 'exited'

/** A run is over: how it ended is left for a host that follows it. */
export function unpublish(file: string, last: Published | undefined): void {
  if (last && isOver(last.session))
    attempt(() => writeJsonFile(endedFile(path.dirname(file), last.session.id), last))
  rmSync(file, { force: true })
}

/** How a run ended that is not published any more, for the one who asks first. */
export function takeEnded(folder: string, id: string): LiveSession | undefined {
  const file = endedFile(folder, id)
  const published = hasOwnFolder(folder) ? readPublished(file) : undefined
  attempt(() => rmSync(file, { force: true }))
  return published?.session
}

/** Publishes a run until it is over. A folder that can't be written keeps it from being shown, nothing else. */
export async function publishRun(folder: string, run: PublishedRun): Promise<void> {
  const { pid, track } = run
  const [own, owner] = [markOf(pid), markOf(process.pid)]
  const id = identify(pid, own.start ?? '')
  const ancestors = ancestorIds(pid)
  const file = path.join(folder, `${id}.json`)
  const view = () => viewOf(run, { id, ancestors })
  const write = () =>
    attempt(() => {
      const session = view()
      if (!session) return
      makeOwnFolder(folder)
      writePublished(file, { owner, process: own, session })
    })
  const changes = track.changes()
  write()
  for await (const _ of changes) write()
  const session = view()
  unpublish(file, session && { owner, process: own, session })
}

function viewOf(
  { pid, agent, cwd, note, id, track }: PublishedRun,
  shown: Pick<LiveSession, 'id' | 'ancestors'>,
): LiveSession | undefined {
  const session = track.get(id)
  if (!session) return undefined
  return {
    ...shown,
    agent: agent ?? 'command',
    pid,
    cwd,
    note,
    hooks: 'unknown',
    // Whoever started it waits for its end already.
    isSeen: true,
    session: { ...session, instant: undefined },
  }
}

/** The runs that are published, of owners that live. What a killed owner left behind is removed, but for a loop's agent. */
export function readRuns(folder: string): LiveSession[] {
  const names = namesIn(folder)
  for (const name of names) if (name.endsWith('.ended')) removeOld(path.join(folder, name))
  return publishedIn(folder, names).flatMap(({ file, published }) => {
    const isOwned = isAlive(published.owner)
    // A run without its process is about to publish how it ended.
    if (isOwned === true) return [published.session]
    if (isOwned === false && !isLeftBehind(published)) attempt(() => rmSync(file, { force: true }))
    return []
  })
}

const removeOld = (file: string): void =>
  void attempt(() => {
    if (Math.abs(Date.now() - lstatSync(file).mtimeMs) > endedKeptMs) rmSync(file, { force: true })
  })

/**
 * The run that a process belongs to, by its ancestors; undefined where it belongs to none, where its owner is dead, and to
 * whoever asks from within it.
 */
export function runAround(
  folder: string,
  pid: number,
): { readonly supervisor: number; readonly command: number } | undefined {
  const runs = publishedIn(folder).map(({ published }) => published)
  const above = ancestorsOf(pid)
  const found = runs.find(run => run.owner.pid === pid || above.includes(run.process.pid))
  if (!found || ![found.owner, found.process].every(one => isAlive(one) === true)) return undefined
  const [supervisor, command] = [found.owner.pid, found.process.pid]
  return ancestorsOf(process.pid).includes(command) ? undefined : { supervisor, command }
}

/** The process itself first. */
function ancestorsOf(pid: number): readonly number[] {
  const found: number[] = []
  for (let next: number | undefined = pid; next !== undefined && next > 0 && !found.includes(next); ) {
    found.push(next)
    next = readStat(next)?.parent
  }
  return found
}

export const publishedIn = (
  folder: string,
  names = namesIn(folder),
): { readonly file: string; readonly published: Published }[] =>
  names
    .filter(name => name.endsWith('.json'))
    .flatMap(name => {
      const file = path.join(folder, name)
      const published = readPublished(file)
      return published ? [{ file, published }] : []
    })

/** None in a folder that others can write: commands complain about it when they start (`checkRuntime`). */
const namesIn = (folder: string): readonly string[] =>
  attempt(() => (hasOwnFolder(folder) ? readdirSync(folder) : [])) ?? []

/**
 * Whether a loop was killed and its agent, or what that had started, goes on. Its start identifies its first process, the
 * others by the name of the run in their environment: a group's number may be another's by now.
 */
export function isLeftBehind({ owner, process, loop }: Published): boolean {
  if (loop === undefined || isAlive(owner) !== false) return false
  if (isAlive(process) === true) return true
  return membersOf(process.pid)?.some(pid => readEnvironment(pid).LULL_LOOP === loop) === true
}

/** The folder is closed to other users, but another version of lull may have written the file. */
function readPublished(file: string): Published | undefined {
  const read: unknown = readJsonFile(file)
  if (isShaped('published', read)) return read
  const renamed = withStates(read)
  return isShaped('published', renamed) ? renamed : undefined
}

/** A run that lull 0.1 supervises, and goes on after an upgrade, calls the state of a claim `says`. */
function withStates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withStates)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name === 'says' ? 'state' : name, withStates(one)]),
  )
}
