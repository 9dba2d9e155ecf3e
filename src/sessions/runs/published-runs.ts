/**
 * Runs of agents that lull itself started (`lull loop`), as their own track judges them: each a file that its owner
 * writes at every change. What reads an agent's rows knows more than anyone who finds its process.
 */

import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { AgentName } from '../../agents/agent-names.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { readJsonFile, writeJsonFile } from '../../os/file/json-file.ts'
import { hasOwnFolder, makeOwnFolder } from '../../os/file/places.ts'
import { isAlive, markOf, type ProcessMark } from '../../os/proc/alive.ts'
import { identify } from '../../os/proc/process-id.ts'
import type { Track } from '../../track/track.ts'
import type { LiveSession } from '../session-source.ts'

export type PublishedRun = {
  readonly pid: number
  readonly agent?: AgentName
  readonly cwd: string
  /** What people read of it: `loop docs, iteration 3`. */
  readonly note: string
  /** The session's id in `track`, which is closed when the run is over. */
  readonly id: string
  readonly track: Track
}

type Published = {
  readonly owner: ProcessMark
  readonly process: ProcessMark
  readonly session: LiveSession
}

/** Publishes a run until it is over. A folder that can't be written keeps it from being shown, nothing else. */
export async function publishRun(folder: string, run: PublishedRun): Promise<void> {
  const { pid, track } = run
  const [own, owner] = [markOf(pid), markOf(process.pid)]
  const id = identify(pid, own.start ?? '')
  const file = path.join(folder, `${id}.json`)
  const write = () =>
    attempt(() => {
      const session = viewOf(run, id)
      if (!session) return
      makeOwnFolder(folder)
      const published: Published = { owner, process: own, session }
      writeJsonFile(file, published)
    })
  const changes = track.changes()
  write()
  for await (const _ of changes) write()
  rmSync(file, { force: true })
}

function viewOf({ pid, agent, cwd, note, id, track }: PublishedRun, name: string): LiveSession | undefined {
  const session = track.get(id)
  if (!session) return undefined
  return {
    id: name,
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

/**
 * The runs that are published, of owners that live. What a killed owner left behind is removed. None are believed in a
 * folder that others could write: commands say so when they start (`checkRuntime`).
 */
export function readRuns(folder: string): LiveSession[] {
  const names = attempt(() => (hasOwnFolder(folder) ? readdirSync(folder) : [])) ?? []
  return names
    .filter(name => name.endsWith('.json'))
    .flatMap(name => {
      const file = path.join(folder, name)
      const published = readPublished(file)
      if (published && [published.owner, published.process].every(one => isAlive(one) === true))
        return [published.session]
      if (published) attempt(() => rmSync(file, { force: true }))
      return []
    })
}

/** Written by a lull of this user, in a folder that is closed to others: its shape is trusted. */
function readPublished(file: string): Published | undefined {
  const read = readJsonFile(file)
  return isRecord(read.session) && isRecord(read.owner) && isRecord(read.process)
    ? (read as unknown as Published)
    : undefined
}
