/** Follows the files of one agent: its status file, its transcript, and files beside that. */
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { defined } from '../../core/defined.ts'
import { refusalOf } from '../../core/system-refusal.ts'
import { oneLine } from '../../core/text/printable.ts'
import { parseJson } from '../../core/trace/trace.ts'
import { hasCode } from '../../os/error-code.ts'
import type { ReadOptions } from '../../os/file/plain-file.ts'
import { type Tail, tailFile } from '../../os/file/tail-file.ts'
import { type FileWatch, watchFile } from '../../os/file/watch-file.ts'
import type { RawInput } from '../../track/raw-input.ts'
import {
  agentFilesOnly,
  besideTranscript,
  guessTranscript,
  isOwnStatus,
  namedTranscript,
  openTranscript,
  readStatusFile,
  statusPath,
} from '../discover/agent-file-search.ts'
import type { AgentProcess } from '../discover/agent-search.ts'
import type { Surroundings } from '../discover/surroundings.ts'
import type { WhoWrote } from '../discover/who-wrote.ts'
import type { SearchHints } from './agents-state.ts'
import type { TranscriptFinding } from './follow-step.ts'

/** More lines than a megabyte of any agent's log has; of a replaced file lull reads the last megabyte. */
const mostLines = 8192

function freshLines(): (lines: readonly string[], isAnew: boolean) => readonly string[] {
  const seen = new Set<string>()
  return (lines, isAnew) =>
    lines.filter(line => {
      const digest = createHash('sha1').update(line).digest('base64')
      const isFresh = !seen.delete(digest)
      seen.add(digest)
      if (seen.size > mostLines) seen.delete(seen.values().next().value as string)
      return isFresh || !isAnew
    })
}

export type AgentFollower = {
  /** The path of its status file. */
  readonly status: string | undefined
  /** The content of the status file; null if there is none. */
  readStatus(): string | null
  /** What of it can't be read now, and why: `transcript (is a pipe, not a file)`. */
  unread(): string | undefined
  /**
   * Reads what has come. To be called about once a second.
   * @param search called between the status, which may name the session, and its transcript
   */
  poll(search: () => void): void
  /**
   * Looks for its transcript.
   * @param session the agent's own id of its session
   */
  search(session: string | undefined, hints: SearchHints): TranscriptFinding
  follow(path: string): void
  leave(): void
  close(): void
}

/** Files that the kernel reports changes of are read at every fourth poll only, in case it missed one. */
const pollsPerFullRead = 4

/**
 * @param onInput called with what was read in one poll, in order
 */
export function followAgent(
  process: AgentProcess,
  surroundings: Surroundings,
  wrote: WhoWrote,
  onInput: (inputs: readonly RawInput[]) => void,
): AgentFollower {
  const { agent } = process
  const options = agentFilesOnly(agent, surroundings)
  const status = followStatus(process, surroundings, options, input => onInput([input]))
  const beside = new Map<string, Tail>()
  let transcript: Tail | undefined
  let polls = 0

  function tailOf(path: string): Tail {
    const fresh = freshLines()
    const onLines = (lines: readonly string[], isAnew: boolean) => {
      const inputs = fresh(lines, isAnew).map((line): RawInput => ({ type: 'line', path, line }))
      if (inputs.length > 0) onInput(inputs)
    }
    return tailFile(path, onLines, options)
  }

  function readBeside(): void {
    if (!transcript) return
    for (const file of besideTranscript(agent, transcript.path)) {
      const tail = beside.get(file) ?? tailOf(file)
      beside.set(file, tail)
      tail.readOn()
    }
  }

  function leave(): void {
    transcript?.close()
    for (const tail of beside.values()) tail.close()
    beside.clear()
    transcript = undefined
  }

  return {
    status: status?.path,
    readStatus: () => status?.read() ?? null,
    unread: () =>
      [
        ...[transcript, ...beside.values()].map(
          tail => tail && whyUnread('transcript', tail.path, tail.failure()),
        ),
        status && whyUnread('status file', status.path, status.failure()),
      ].find(why => why !== undefined),
    poll(search) {
      const isFull = polls++ % pollsPerFullRead === 0
      status?.poll(isFull)
      search()
      if (isFull || !transcript?.isWatched()) transcript?.readOn()
      if (isFull) readBeside()
    },
    search(session, hints) {
      const named = session === undefined ? undefined : namedTranscript(agent, session, surroundings)
      if (named !== undefined) return { how: 'named', path: named }
      return findTranscript(process, surroundings, hints, session !== undefined, wrote)
    },
    follow(path) {
      leave()
      transcript = tailOf(path)
      transcript.readOn()
    },
    leave,
    close() {
      status?.close()
      leave()
    },
  }
}

/** The status file of a process; none where its agent writes none, or it may not be read. */
function followStatus(
  process: AgentProcess,
  surroundings: Surroundings,
  options: ReadOptions,
  onInput: (input: RawInput) => void,
) {
  const path = surroundings.note === undefined ? statusPath(process, surroundings) : undefined
  if (path === undefined) return undefined
  let last: string | null = null
  let failure: unknown
  const watch: FileWatch = watchFile(path, emitChange)

  /** Undefined where it is another process'. */
  function ownContent(): string | null | undefined {
    const content = look()
    return content !== null && !isOwnStatus(process, content) ? undefined : content
  }

  function look(): string | null {
    try {
      // Most often it is just not there: an error thrown for each agent at each search would be what takes the time.
      if (!lstatSync(path as string, { throwIfNoEntry: false })) {
        failure = undefined
        return null
      }
      const content = readStatusFile(path as string, options)
      // Whoever writes it may be at it now: then it is whole at the next look.
      failure = parseJson(content) === undefined ? new Error('is torn, or no JSON') : undefined
      return content
    } catch (error) {
      failure = hasCode(error, 'ENOENT') ? undefined : error
      return null
    }
  }

  function emitChange(): void {
    const content = ownContent()
    if (content === undefined || content === last) return
    last = content
    onInput({ type: 'status', path: path as string, content })
  }

  return {
    path,
    failure: () => failure,
    read(): string | null {
      last = ownContent() ?? null
      return last
    },
    poll(isFull: boolean): void {
      if (!isFull && watch.isWatched()) return
      emitChange()
      // What has just come is watched from now on: a turn may be shorter than the time between two polls.
      if (isFull || last !== null) watch.renew()
    },
    close: () => watch.close(),
  }
}

function whyUnread(what: string, path: string, failure: unknown): string | undefined {
  if (failure === undefined) return undefined
  const why = refusalOf(failure) ?? (failure as Error).message.replace(`${path}: `, '')
  return `${what} (${oneLine(why, 120)})`
}

function findTranscript(
  process: AgentProcess,
  surroundings: Surroundings,
  { startedAt, beside, followed, aloneSince }: SearchHints,
  isNamed: boolean,
  wrote: WhoWrote,
): TranscriptFinding {
  const open = openTranscript(process, surroundings, startedAt)
  if (open !== undefined) return { how: 'open', path: open }
  // Only a log of all processes is not named by a session.
  if (isNamed && process.agent.files.writer === undefined) return { how: 'unwritten' }
  const others = {
    hasWritten: (at: number) => wrote.hasWritten(process.pid, beside, at),
    haveRested: (at: number) => wrote.haveRested(beside, at),
  }
  const guess = guessTranscript(process.agent, surroundings, {
    startedAt,
    ...defined({ followed, aloneSince, beside: beside.length === 0 ? undefined : others }),
  })
  if (guess === undefined) return { how: 'nothing' }
  if (guess === 'several' || guess === 'moved') return { how: guess }
  return { how: guess.isBegun ? 'begun' : 'guessed', path: guess.file }
}
