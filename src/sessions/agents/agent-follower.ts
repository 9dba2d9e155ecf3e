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
import type { Finding } from './follow-step.ts'

export type AgentFollower = {
  /** The path of its status file. */
  readonly status: string | undefined
  /** What stands there now; null where there is none. */
  readStatus(): string | null
  /**
   * Reads what has come. To be called about once a second.
   * @param search called between the status, which may name the session, and its transcript
   */
  look(search: () => void): void
  /** Looks for its transcript. @param session the agent's own id of its session */
  search(session: string | undefined): Finding
  follow(path: string): void
  leave(): void
  close(): void
}

/** What the kernel tells of is looked at every fourth time only. */
const toldLooks = 4

/**
 * @param startedAt when the process started, ms since the epoch
 * @param onInput called with what was read at one look, in order
 */
export function followAgent(
  process: AgentProcess,
  surroundings: Surroundings,
  startedAt: number,
  onInput: (inputs: readonly RawInput[]) => void,
): AgentFollower {
  const { agent } = process
  const status = surroundings.note === undefined ? statusPath(process, surroundings) : undefined
  const statusWatch: FileWatch | undefined =
    status === undefined ? undefined : watchFile(status, lookAtStatus)
  const beside = new Map<string, Tail>()
  let transcript: Tail | undefined
  let statusText: string | null = null
  let looks = 0

  /** Undefined where it is another process'. */
  function ownStatus(): string | null | undefined {
    if (status === undefined) return null
    const content = attempt(() => readFileSync(status, 'utf8')) ?? null
    return content !== null && !isOwnStatus(process, content) ? undefined : content
  }

  function lookAtStatus(): void {
    const content = ownStatus()
    if (status === undefined || content === undefined || content === statusText) return
    statusText = content
    onInput([{ type: 'status', path: status, content }])
  }

  const tailOf = (path: string): Tail =>
    tailFile(path, lines => {
      // A link may have been put in the transcript's place since it was named.
      if (path === transcript?.path && !isTranscriptOf(agent, path, surroundings)) return
      onInput(lines.map(line => ({ type: 'line', path, line })))
    })

  function lookBeside(): void {
    if (!transcript) return
    for (const file of besideTranscript(agent, transcript.path)) {
      const tail = beside.get(file) ?? tailOf(file)
      beside.set(file, tail)
      tail.look()
    }
  }

  function leave(): void {
    transcript?.close()
    for (const tail of beside.values()) tail.close()
    beside.clear()
    transcript = undefined
  }

  return {
    status,
    readStatus() {
      statusText = ownStatus() ?? null
      return statusText
    },
    look(search) {
      const isFull = looks++ % toldLooks === 0
      if (isFull || !statusWatch?.isTold()) {
        if (isFull) statusWatch?.renew()
        lookAtStatus()
      }
      search()
      if (isFull || !transcript?.isTold()) transcript?.look()
      if (isFull) lookBeside()
    },
    search: session => findTranscript(process, surroundings, startedAt, session),
    follow(path) {
      leave()
      transcript = tailOf(path)
      transcript.look()
    },
    leave,
    close() {
      statusWatch?.close()
      leave()
    },
  }
}

function findTranscript(
  process: AgentProcess,
  surroundings: Surroundings,
  startedAt: number,
  session: string | undefined,
): Finding {
  const named = session === undefined ? undefined : namedTranscript(process.agent, session, surroundings)
  if (named !== undefined) return { how: 'named', path: named }
  const open = openTranscript(process, surroundings)
  if (open !== undefined) return { how: 'open', path: open }
  const guess = guessTranscript(process.agent, surroundings, startedAt)
  if (guess === undefined) return { how: 'nothing' }
  return guess === 'several' ? { how: 'several' } : { how: 'guessed', path: guess.file }
}
