/** Finds the files in which a running agent writes what it does. */
import { existsSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Agent } from '../../agents/kit/agent.ts'
import { isBegunWith, matchesGlob, patternsIn } from '../../agents/kit/agent-files.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { findFiles } from '../../os/file/find-files.ts'
import { type ReadOptions, readPlainText, withPlain } from '../../os/file/plain-file.ts'
import { originOfStatus } from '../../track/decode.ts'
import type { AgentProcess } from './agent-search.ts'
import { begunTurn, lastBegunTurn } from './begun-turn.ts'
import type { Surroundings } from './surroundings.ts'
import { systemTable } from './system-table.ts'
import type { OwnWriting } from './who-wrote.ts'

/** The status file of a process, as its agent names it; it need not exist yet. */
export function statusPath({ agent, pid }: AgentProcess, { env }: Surroundings): string | undefined {
  const { status } = agent.files
  return status === undefined ? undefined : patternsIn(agent, [status], env)[0]?.replace('*', String(pid))
}

/** The largest status file that any agent writes has 1 kB. */
const mostStatus = 64 * 1024
/** And a list of all folders that an agent was ever started in, a line of 100 bytes each. */
const mostList = 4 * 1024 * 1024

/**
 * The content of a status file.
 * @throws where it can't be read
 */
export const readStatusFile = (file: string, options: ReadOptions): string =>
  readPlainText(file, { most: mostStatus, ...options })

/** A status file that an earlier process of this number left behind is recognised by its start. */
export function isOwnStatus({ agent, start }: AgentProcess, content: string): boolean {
  const noted = originOfStatus(agent, content).start
  return noted === undefined || noted === start
}

/**
 * True for a file that lies where this agent's transcripts lie: a path that a hook names is read only there, whatever
 * links lead to it.
 */
export function isTranscriptOf(agent: Agent, file: string, { env }: Surroundings): boolean {
  if (!path.isAbsolute(file) || path.normalize(file) !== file) return false
  const { transcripts } = agent.files
  const real = attempt(() => realpathSync(file)) ?? file
  return (
    patternsIn(agent, transcripts, env).some(pattern => matchesGlob(pattern, file)) &&
    liesAt(agent, transcripts, env, real)
  )
}

/** The home itself may be a link. */
function liesAt(agent: Agent, patterns: readonly string[], env: Surroundings['env'], real: string): boolean {
  const isAmong = (all: readonly string[]) => all.some(pattern => matchesGlob(pattern, real))
  const realFolder = (folder: string) => attempt(() => realpathSync(folder))
  return isAmong(patternsIn(agent, patterns, env)) || isAmong(patternsIn(agent, patterns, env, realFolder))
}

/**
 * For whoever opens an agent's files: a link may have been put in the place of one since it was found, and is not followed
 * to where none of them lies.
 */
export const agentFilesOnly = (agent: Agent, { env }: Surroundings): ReadOptions => ({
  mayLie: real => liesAt(agent, filePatterns(agent), env, real),
})

function filePatterns({ files: { transcripts, status, beside } }: Agent): readonly string[] {
  const folderOf = (pattern: string) => pattern.replace(/\.jsonl$/, '')
  return [
    ...transcripts,
    ...(status === undefined ? [] : [status]),
    ...(beside === undefined ? [] : transcripts.map(pattern => path.join(folderOf(pattern), beside))),
  ]
}

/**
 * The transcript that a process holds open for writing: the surest evidence of ownership. Of several, the one that it writes now.
 * @param startedAt of the process, ms since the epoch
 */
export function openTranscript(
  { agent, pid }: AgentProcess,
  surroundings: Surroundings,
  startedAt: number,
): string | undefined {
  const isTranscript = (file: string) => isTranscriptOf(agent, file, surroundings)
  const [first, ...others] = new Set(systemTable().writtenFiles(pid, isTranscript))
  if (first === undefined || others.length === 0) return first
  const options = agentFilesOnly(agent, surroundings)
  return lastBegunTurn(agent, [first, ...others], startedAt, options, readStart) ?? first
}

/** The transcript of a session with this id, if the agent names its files, or a folder for each, by id. */
export function namedTranscript(agent: Agent, session: string, { env }: Surroundings): string | undefined {
  if (!/^[\w-]+$/.test(session)) return undefined
  return patternsIn(agent, agent.files.transcripts, env)
    .flatMap(listed)
    .find(file => isNamedBy(file, session))
}

/** `ID.jsonl`, `2026-11-28T04-23-03_ID.jsonl` (pi), `rollout-2026-11-28T04-23-03-ID.jsonl` (Codex), `ID/events.jsonl` (Copilot). */
function isNamedBy(file: string, session: string): boolean {
  const { name, dir } = path.parse(file)
  return (
    name === session ||
    (/[-_]/.test(name.at(-session.length - 1) ?? '') && name.endsWith(session)) ||
    path.basename(dir) === session
  )
}

/** What is known of the agent itself. Times in ms since the epoch. */
export type SearchedAgent = {
  /** When its process started. */
  readonly startedAt: number
  /** The file that is taken for its own so far. */
  readonly followed?: string
  /** Other agents run in its folder; it is alone where not given. */
  readonly beside?: OtherAgents
  /** When the last one of these ended: what was written before may be that one's. */
  readonly aloneSince?: number
}

/**
 * `several`: more than one could be its own, and the wrong one would tell lies. `moved`: it may write a newer one now than the one
 * that is followed. `isBegun`: a turn has begun in it.
 */
export type Guess = { readonly file: string; readonly isBegun?: true } | 'several' | 'moved' | undefined

/** What is known where other agents run in the folder. */
export type OtherAgents = {
  /** Whether it can have written what was written last at this time, ms since the epoch. */
  readonly hasWritten: (at: number) => OwnWriting
  /** Whether all others rested then. */
  readonly haveRested: (at: number) => boolean
}

/** Where the machine is busy, so many times as long passes until a session is made. */
const underLoad = 6

/**
 * Else the only file of its very folder that was written to since it started, and not made for a process that started
 * later; nor before it started, where another agent is in that folder, which may write it still; nor written while it
 * rested. Of two, the one that was made as the process started; or, where no other agent is in that folder, the one in which
 * turns have begun since: a daemon that keeps writing a session without a terminal begins none.
 */
export function guessTranscript(
  agent: Agent,
  surroundings: Surroundings,
  { startedAt, followed, beside, aloneSince = startedAt }: SearchedAgent,
): Guess {
  const { cwd, env } = surroundings
  if (cwd === undefined) return undefined
  const since = beside ? startedAt : aloneSince
  const near = patternsIn(agent, agent.files.transcripts, env)
    .flatMap(listed)
    .filter(file => modified(file) >= since)
    .filter(file => !beside || file === followed || !isBornBefore(file, startedAt))
    .filter(file => isOfFolder(agent, file, surroundings, cwd))
  // The name of its next file tells nothing: it is made long after its process.
  if (beside && hasMoved(near, followed, beside)) return 'moved'
  const written = near.filter(file => !isBegunAfter(agent, file, startedAt, underLoad))
  const all = written.filter(file => !isBegunAfter(agent, file, startedAt))
  const own = all.filter(file => beside?.hasWritten(modified(file)) !== 'no')
  const [first, ...others] = own
  if (first === undefined) {
    if (beside) return all.length > 0 ? 'several' : undefined
    return written.length === 1 ? { file: written[0] as string } : undefined
  }
  if (others.length === 0) {
    const isOnly = all.length === 1 || beside?.hasWritten(modified(first)) === 'perhaps'
    return isOnly ? { file: first } : 'several'
  }
  const [made, ...more] = own.filter(file => isBegunWith(agent, path.basename(file), startedAt))
  if (made !== undefined && more.length === 0) return { file: made }
  const canTell = !beside && agent.files.sessionStart !== undefined
  const begun = canTell ? begunTurn(agent, own, since, agentFilesOnly(agent, surroundings)) : undefined
  if (begun !== undefined) return { file: begun, isBegun: true }
  return !beside && hasMoved(own, followed) ? 'moved' : 'several'
}

/** Beside others only where none of them can have written the newer file. */
function hasMoved(files: readonly string[], followed?: string, beside?: OtherAgents): boolean {
  if (followed === undefined) return false
  const since = modified(followed)
  const isOwn = (at: number) => !beside || (beside.hasWritten(at) === 'perhaps' && beside.haveRested(at))
  return files.some(file => file !== followed && modified(file) > since && isOwn(modified(file)))
}

/** The transcript names the folder, or a file beside it does (Gemini CLI). */
function isOfFolder({ files }: Agent, file: string, { env }: Surroundings, folder: string): boolean {
  if (attempt(() => namesFolder(readStart(file), folder))) return true
  const { note, list } = files.project ?? {}
  if (note === undefined || list === undefined) return false
  const noted = attempt(() => readPlainText(path.join(path.dirname(file), note), { most: mostStatus }))
  if (noted !== undefined) return noted.trim() === folder
  const listed = attempt(() => parseJson(readPlainText(path.join(env.HOME ?? '', list), { most: mostList })))
  const named = isRecord(listed) && isRecord(listed.projects) ? listed.projects[folder] : undefined
  return named === path.basename(path.resolve(path.dirname(file), path.dirname(note)))
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
  const files = findFiles(pattern)
  if (listings.size === 0) {
    setImmediate(() => {
      listings = new Map()
    })
  }
  listings.set(pattern, files)
  return files
}

/** Made for another process, or by hand later: its owner is not known. */
function isBegunAfter(
  { files: { sessionStart } }: Agent,
  file: string,
  startedAt: number,
  times = 1,
): boolean {
  const begun = sessionStart?.read(path.basename(file))
  return sessionStart !== undefined && begun !== undefined && begun >= startedAt + times * sessionStart.after
}

/** Transcripts of a session's subagents, which some agents keep in a folder beside its own. */
export function besideTranscript(agent: Agent, transcript: string): string[] {
  const { beside } = agent.files
  if (beside === undefined) return []
  const folder = path.join(transcript.replace(/\.jsonl$/, ''), path.dirname(beside))
  return existsSync(folder) ? findFiles(path.join(folder, path.basename(beside))) : []
}

/** The part of a transcript in which it names its folder. */
function readStart(file: string): string {
  const buffer = Buffer.alloc(64 * 1024)
  return buffer
    .subarray(
      0,
      withPlain(file, fd => readSync(fd, buffer)),
    )
    .toString('utf8')
}

const modified = (file: string): number => attempt(() => statSync(file).mtimeMs) ?? 0

/** The clock of files and that of processes differ a little, and are corrected: ms. */
const clocksMs = 1000

/** False where the file system keeps no times of birth: Node tells 0 then, or the last change. */
function isBornBefore(file: string, startedAt: number): boolean {
  const born = attempt(() => statSync(file).birthtimeMs) ?? 0
  return born > 0 && born < startedAt - clocksMs
}

/** When a process started, ms since the epoch; never later than now. */
export function startOf({ start }: AgentProcess, wall: number, table = systemTable()): number {
  const startedAt = table.startedAt(start)
  return Number.isNaN(startedAt) ? wall : Math.min(startedAt, wall)
}
