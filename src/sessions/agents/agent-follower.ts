/** Reads one agent's files as they grow. Which transcript that is, is decided in follow-step.ts. */
import { readFileSync } from 'node:fs'
import { attempt } from '../../os/attempt.ts'
import { type Tail, tailFile } from '../../os/file/tail-file.ts'
import { type FileWatch, watchFile } from '../../os/file/watch-file.ts'
import type { RawInput } from '../../track/raw-input.ts'
import {
  besideTranscript,
  guessTranscript,
  isOwnStatus,
  isTranscriptOf,
  namedTranscript,
  openTranscript,
  statusPath,
} from '../discover/agent-file-search.ts'
import type { AgentProcess } from '../discover/agent-search.ts'
import type { Surroundings } from '../discover/surroundings.ts'
import type { TranscriptFinding } from './follow-step.ts'

export type AgentFollower = {
  /** The path of its status file. */
  readonly status: string | undefined
  /** What stands there now; null where there is none. */
  readStatus(): string | null
  /**
   * Reads what has come. To be called about once a second.
   * @param search called between the status, which may name the session, and its transcript
   */
  poll(search: () => void): void
  /** Looks for its transcript. @param session the agent's own id of its session */
  search(session: string | undefined): TranscriptFinding
  follow(path: string): void
  leave(): void
  close(): void
}

/** Files that the kernel reports changes of are read at every fourth poll only, in case it missed one. */
const pollsPerFullRead = 4

/**
 * @param startedAt when the process started, ms since the epoch
 * @param onInput called with what was read in one poll, in order
 */
export function followAgent(
  process: AgentProcess,
  surroundings: Surroundings,
  startedAt: number,
  onInput: (inputs: readonly RawInput[]) => void,
): AgentFollower {
  const { agent } = process
  const status = followStatus(process, surroundings, input => onInput([input]))
  const beside = new Map<string, Tail>()
  let transcript: Tail | undefined
  let polls = 0

  const tailOf = (path: string): Tail =>
    tailFile(path, lines => {
      // A link may have been put in the transcript's place since it was named.
      if (path === transcript?.path && !isTranscriptOf(agent, path, surroundings)) return
      onInput(lines.map(line => ({ type: 'line', path, line })))
    })

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
    poll(search) {
      const isFull = polls++ % pollsPerFullRead === 0
      status?.poll(isFull)
      search()
      if (isFull || !transcript?.isWatched()) transcript?.readOn()
      if (isFull) readBeside()
    },
    search: session => findTranscript(process, surroundings, startedAt, session),
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
function followStatus(process: AgentProcess, surroundings: Surroundings, onInput: (input: RawInput) => void) {
  const path = surroundings.note === undefined ? statusPath(process, surroundings) : undefined
  if (path === undefined) return undefined
  let last: string | null = null
  const watch: FileWatch = watchFile(path, emitChange)

  /** Undefined where it is another process'. */
  function ownContent(): string | null | undefined {
    const content = attempt(() => readFileSync(path as string, 'utf8')) ?? null
    return content !== null && !isOwnStatus(process, content) ? undefined : content
  }

  function emitChange(): void {
    const content = ownContent()
    if (content === undefined || content === last) return
    last = content
    onInput({ type: 'status', path: path as string, content })
  }

  return {
    path,
    read(): string | null {
      last = ownContent() ?? null
      return last
    },
    poll(isFull: boolean): void {
      if (!isFull && watch.isWatched()) return
      if (isFull) watch.renew()
      emitChange()
    },
    close: () => watch.close(),
  }
}

function findTranscript(
  process: AgentProcess,
  surroundings: Surroundings,
  startedAt: number,
  session: string | undefined,
): TranscriptFinding {
  const named = session === undefined ? undefined : namedTranscript(process.agent, session, surroundings)
  if (named !== undefined) return { how: 'named', path: named }
  const open = openTranscript(process, surroundings)
  if (open !== undefined) return { how: 'open', path: open }
  const guess = guessTranscript(process.agent, surroundings, startedAt)
  if (guess === undefined) return { how: 'nothing' }
  return guess === 'several' ? { how: 'several' } : { how: 'guessed', path: guess.file }
}
