/** The status file and the transcript of a running agent. */
import {
  closeSync,
  globSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { matchesGlob } from '../../agents/files.ts'
import type { Agent } from '../../agents/shape.ts'
import { attempt } from '../attempt.ts'
import { readStat } from './stat.ts'

export type AgentFiles = { readonly cwd?: string; readonly status?: string; readonly transcript?: string }

export function locateFiles(pid: number, agent: Agent, home: string): AgentFiles {
  const cwd = attempt(() => readlinkSync(`/proc/${pid}/cwd`))
  const status = agent.files.status ? statusFile(agent.files.status, pid, home) : undefined
  const transcript = openTranscript(pid, agent) ?? guessTranscript(pid, agent, home, status?.session, cwd)
  return {
    ...(cwd ? { cwd } : {}),
    ...(status ? { status: status.file } : {}),
    ...(transcript ? { transcript } : {}),
  }
}

/** Status files are named by pid. One that an earlier process of this number left behind is recognised by its start. */
function statusFile(
  pattern: string,
  pid: number,
  home: string,
): { readonly file: string; readonly session: unknown } | undefined {
  const file = path.join(home, pattern.replace('*', String(pid)))
  const content = attempt(
    () => JSON.parse(readFileSync(file, 'utf8')) as { procStart?: unknown; sessionId?: unknown },
  )
  if (!content) return undefined
  const started = readStat(pid)?.startTicks
  return started === undefined || content.procStart === undefined || content.procStart === started
    ? { file, session: content.sessionId }
    : undefined
}

/** Linux counts 100 ticks a second for programs, on every machine. */
const tickMs = 10

/** When a process started, ms since the epoch; to the second, as the kernel tells its boot. */
function startedAt(pid: number): number | undefined {
  const boot = attempt(() => /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1])
  const ticks = readStat(pid)?.startTicks
  return boot === undefined || ticks === undefined ? undefined : Number(boot) * 1000 + Number(ticks) * tickMs
}

/** The transcript that the process holds open. */
function openTranscript(pid: number, agent: Agent): string | undefined {
  const fds = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  const targets = fds.flatMap(fd => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [])
  return targets.find(target => agent.files.transcripts.some(pattern => matchesGlob(pattern, target)))
}

/**
 * Else the one that its status file names, or the only one of its folder that was written to since it started. Of two,
 * one is another session's, and the wrong one would tell lies: then none, until a hook says which.
 */
function guessTranscript(
  pid: number,
  agent: Agent,
  home: string,
  session: unknown,
  cwd: string | undefined,
): string | undefined {
  const files = agent.files.transcripts
    .flatMap(pattern => globSync(pattern, { cwd: home }))
    .map(file => path.join(home, file))
  if (typeof session === 'string') return files.find(file => path.basename(file).includes(session))
  if (cwd === undefined) return undefined
  const started = startedAt(pid)
  if (started === undefined) return undefined
  const named = JSON.stringify(cwd).slice(1, -1)
  const own = files.filter(
    file => modified(file) >= started && attempt(() => readStart(file).includes(named)) === true,
  )
  return own.length === 1 ? own[0] : undefined
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
