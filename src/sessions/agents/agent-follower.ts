/** One agent's process and its files: which they are, what is new in them. Told as events of a trace. */
import { readFileSync } from 'node:fs'
import type { Clock } from '../../core/clock.ts'
import type { Instant } from '../../core/state.ts'
import type { TraceCode } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { type Tail, tailFile } from '../../os/file/tail-file.ts'
import { type FileWatch, watchFile } from '../../os/file/watch-file.ts'
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
import type { History } from './restore-session.ts'

export type Watched = {
  readonly process: AgentProcess
  readonly surroundings: Surroundings
  readonly transcript: () => string | undefined
  readonly status: string | undefined
  /** What stood in its files when it was found; before the first look. */
  history(): History
  /** Reads what has come, and finds files that were missing. To be called about once a second. */
  look(): void
  /** A file has come, or was written to, where its transcripts lie. */
  stir(): void
  /** A hook told where the transcript is: that beats every guess, inside the agent's own folders. */
  nameTranscript(path: string): void
  /** Another session would read the same transcript: unless it is surely this one's, nobody can say whose it is. */
  giveUp(): void
  /** The session's id is known (by its status file or a hook), and with it perhaps the transcript. */
  nameSession(id: string): void
  close(): void
}

/** Told of what was read at one look, in order. */
export type Tell = (code: TraceCode, data: readonly object[]) => void

/** A transcript that is not found is looked for again when a file stirs, and after 2, 8, 32 s: a search costs a glob. */
const searchAgainMs = { first: 2000, factor: 4, most: 32_000 }
/** Files stir in crowds. */
const shortestSearchMs = 200
/** What the kernel tells of is looked at every fourth time only. */
const toldLooks = 4

/**
 * @param started when the process started, ms since the epoch
 * @param isTaken true for a file that another session reads already: a log that several share tells lies of each
 * @param lost told that what was read of a transcript may be another's
 */
export function watchAgent(
  process: AgentProcess,
  surroundings: Surroundings,
  {
    clock,
    started,
    isTaken,
    lost,
    tell,
  }: { clock: Clock; started: number; isTaken: (file: string) => boolean; lost: () => void; tell: Tell },
): Watched {
  const { agent } = process
  const isReadable = surroundings.note === undefined
  const status = isReadable ? statusPath(process, surroundings) : undefined
  const statusWatch: FileWatch | undefined = status === undefined ? undefined : watchFile(status, readStatus)
  const beside = new Map<string, Tail>()
  /** Guesses that two processes made: neither makes them again. */
  const doubted = new Set<string>()
  let tail: Tail | undefined
  let past: string[] | undefined = []
  let session: string | undefined
  /** A hook named it, or the process holds it open. */
  let isSure = false
  let statusText: string | null = null
  let nextSearch: Instant = 0
  let searched: Instant = -Infinity
  let looks = 0
  let searchEvery = searchAgainMs.first

  /** Undefined where it is another process'. */
  function ownStatus(): string | null | undefined {
    if (status === undefined) return null
    const content = attempt(() => readFileSync(status, 'utf8')) ?? null
    return content !== null && !isOwnStatus(process, content) ? undefined : content
  }

  function readStatus(): void {
    const content = ownStatus()
    if (content === undefined || content === statusText) return
    statusText = content
    tell('f', [{ path: status, content }])
  }

  function follow(path: string): void {
    if (tail?.path === path) return
    leave()
    tail = tailFile(path, lines => {
      // A link may have been put in its place since it was named.
      if (!isTranscriptOf(agent, path, surroundings)) return
      if (past) past.push(...lines)
      else
        tell(
          't',
          lines.map(line => ({ path, line })),
        )
    })
    tail.look()
  }

  function find(): string | 'several' | undefined {
    const named = session === undefined ? undefined : namedTranscript(agent, session, surroundings)
    const known = named ?? openTranscript(process, surroundings)
    if (known !== undefined) {
      isSure = named !== undefined
      return known
    }
    const guess = guessTranscript(agent, surroundings, started)
    if (guess === undefined || guess === 'several') return guess
    if (isTaken(guess.file)) doubted.add(guess.file)
    return doubted.has(guess.file) ? undefined : guess.file
  }

  function search(): void {
    const now = clock.now()
    if (!isReadable || isSure || now < nextSearch) return
    searched = now
    nextSearch = now + searchEvery
    searchEvery = Math.min(searchEvery * searchAgainMs.factor, searchAgainMs.most)
    const found = find()
    if (found === 'several') giveUp()
    else if (found !== undefined) follow(found)
  }

  /** What was followed may be another's: nothing of it counts any more. */
  function giveUp(): void {
    if (!tail || isSure) return
    doubted.add(tail.path)
    leave()
    lost()
  }

  function leave(): void {
    tail?.close()
    for (const other of beside.values()) other.close()
    beside.clear()
    tail = undefined
  }

  function lookBeside(): void {
    if (!tail) return
    for (const file of besideTranscript(agent, tail.path)) {
      if (!beside.has(file)) {
        beside.set(
          file,
          tailFile(file, lines => {
            tell(
              't',
              lines.map(line => ({ path: file, line })),
            )
          }),
        )
      }
      beside.get(file)?.look()
    }
  }

  return {
    process,
    surroundings,
    transcript: () => tail?.path,
    status,
    history() {
      statusText = ownStatus() ?? null
      session = statusText === null ? undefined : agent.statusOrigin?.(statusText).session
      search()
      const lines = past ?? []
      past = undefined
      return {
        ...(tail ? { transcript: { path: tail.path, lines } } : {}),
        ...(status !== undefined && statusText !== null
          ? { status: { path: status, content: statusText } }
          : {}),
      }
    },
    look() {
      const isFull = looks++ % toldLooks === 0
      if (isFull || !statusWatch?.isTold()) {
        if (isFull) statusWatch?.renew()
        readStatus()
      }
      search()
      if (isFull || !tail?.isTold()) tail?.look()
      if (isFull) lookBeside()
    },
    stir() {
      nextSearch = Math.min(nextSearch, Math.max(clock.now(), searched + shortestSearchMs))
      search()
    },
    nameTranscript(path) {
      if (!isReadable || !isTranscriptOf(agent, path, surroundings)) return
      isSure = true
      follow(path)
    },
    giveUp,
    nameSession(id) {
      if (id === session) return
      session = id
      isSure = false
      nextSearch = 0
      searchEvery = searchAgainMs.first
    },
    close() {
      statusWatch?.close()
      leave()
    },
  }
}
