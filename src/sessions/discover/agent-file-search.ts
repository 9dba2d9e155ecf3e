/** Finds the files in which a running agent writes what it does. */
import {
  closeSync,
  existsSync,
  globSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Agent } from '../../agents/kit/agent.ts'
import { isBegunWith, matchesGlob, patternsIn } from '../../agents/kit/agent-files.ts'
import { attempt } from '../../os/attempt.ts'
import type { AgentProcess } from './agent-search.ts'
import type { Surroundings } from './surroundings.ts'

/** The status file of a process, as its agent names it; it need not exist yet. */
export function statusPath({ agent, pid }: AgentProcess, { env }: Surroundings): string | undefined {
  const { status } = agent.files
  return status === undefined ? undefined : patternsIn(agent, [status], env)[0]?.replace('*', String(pid))
}

/** A status file that an earlier process of this number left behind is recognised by its start. */
export function isOwnStatus({ agent, start }: AgentProcess, content: string): boolean {
  const noted = agent.statusOrigin?.(content).start
  return noted === undefined || noted === start
}

/**
 * True for a file that lies where this agent's transcripts lie: a path that a hook names is read only there, whatever
 * links lead to it.
 */
export function isTranscriptOf(agent: Agent, file: string, { env }: Surroundings): boolean {
  if (!path.isAbsolute(file) || path.normalize(file) !== file) return false
  const patterns = patternsIn(agent, agent.files.transcripts, env)
  const real = attempt(() => realpathSync(file)) ?? file
  const realPatterns = patternsIn(agent, agent.files.transcripts, env, folder =>
    attempt(() => realpathSync(folder)),
  )
  return (
    patterns.some(pattern => matchesGlob(pattern, file)) &&
    [...patterns, ...realPatterns].some(pattern => matchesGlob(pattern, real))
  )
}

/** The transcript that a process holds open: the surest sign of whose it is. */
export function openTranscript({ agent, pid }: AgentProcess, surroundings: Surroundings): string | undefined {
  const fds = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  const targets = fds.flatMap(fd => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [])
  return targets.find(target => isTranscriptOf(agent, target, surroundings))
}

/** The transcript of a session whose id is known, where the agent names its files by it. */
export function namedTranscript(agent: Agent, session: string, { env }: Surroundings): string | undefined {
  if (!/^[\w-]+$/.test(session)) return undefined
  for (const pattern of patternsIn(agent, agent.files.transcripts, env)) {
    const named = pattern.replace(/\*(?=\.jsonl$)/, session)
    const found = named === pattern ? undefined : attempt(() => globSync(named))?.[0]
    if (found !== undefined) return found
  }
  return undefined
}

/** `several`: more than one could be its own, and the wrong one would tell lies. */
export type Guess = { readonly file: string } | 'several' | undefined

/**
 * Else the only file of its very folder that was written to since it started, and not made for a process that started
 * later. Of two, the one that was made as the process started.
 * @param startedAt ms since the epoch
 */
export function guessTranscript(agent: Agent, surroundings: Surroundings, startedAt: number): Guess {
  const { cwd, env } = surroundings
  if (cwd === undefined) return undefined
  const files = patternsIn(agent, agent.files.transcripts, env).flatMap(listed)
  const own = files.filter(
    file =>
      modified(file) >= startedAt &&
      !isBegunAfter(agent, path.basename(file), startedAt) &&
      attempt(() => namesFolder(readStart(file), cwd)) === true,
  )
  const [first, ...others] = own
  if (first === undefined) return undefined
  if (others.length === 0) return { file: first }
  const [begun, ...more] = own.filter(file => isBegunWith(agent, path.basename(file), startedAt))
  return begun !== undefined && more.length === 0 ? { file: begun } : 'several'
}

/** The folder itself as a value of JSON, or of JSON in JSON: `/web` is not `/website`. */
function namesFolder(text: string, folder: string): boolean {
  const quoted = JSON.stringify(folder)
  return text.includes(quoted) || text.includes(JSON.stringify(quoted).slice(1, -1))
}

/** Many sessions of an agent that are looked for in one go look at the same folders: kept until that is done. */
let listings = new Map<string, readonly string[]>()

function listed(pattern: string): readonly string[] {
  const known = listings.get(pattern)
  if (known) return known
  const files = attempt(() => globSync(pattern)) ?? []
  if (listings.size === 0) {
    setImmediate(() => {
      listings = new Map()
    })
  }
  listings.set(pattern, files)
  return files
}

/** Made for another process, or by hand later on: whose it is can't be said. */
function isBegunAfter({ files: { sessionStart } }: Agent, name: string, startedAt: number): boolean {
  const begun = sessionStart?.read(name)
  return sessionStart !== undefined && begun !== undefined && begun >= startedAt + sessionStart.after
}

/** Transcripts of a session's subagents, which some agents keep in a folder beside its own. */
export function besideTranscript(agent: Agent, transcript: string): string[] {
  const { beside } = agent.files
  if (beside === undefined) return []
  const folder = path.join(transcript.replace(/\.jsonl$/, ''), path.dirname(beside))
  return existsSync(folder) ? (attempt(() => globSync(path.join(folder, path.basename(beside)))) ?? []) : []
}

/** The part of a transcript in which it names its folder. */
function readStart(file: string): string {
  const opened = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(64 * 1024)
    return buffer.subarray(0, readSync(opened, buffer)).toString('utf8')
  } finally {
    closeSync(opened)
  }
}

const modified = (file: string): number => attempt(() => statSync(file).mtimeMs) ?? 0

/** When the machine booted, ms since the epoch, by the wall clock of now; none where the kernel's ticks are not told. */
export const bootedAt = (): number | undefined =>
  process.platform === 'linux' ? Date.now() - os.uptime() * 1000 : undefined
