/** The recorded sessions of ../shared, read once. The benchmarks need them; the project does not. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Agent } from '../src/agents/kit/agent.ts'
import { agents, isAgentName } from '../src/agents/registry.ts'
import { readHeader, type TraceEvent } from '../src/core/trace/trace.ts'
import { readLines } from '../src/os/file/lines.ts'
import { eventsOf } from '../src/track/replay.ts'

type TruthInterval = {
  readonly from: number
  readonly to: number | null
  readonly state: string
  readonly for?: string
  readonly detail?: string
  readonly grace?: number
}

export type Recording = {
  readonly name: string
  readonly agent: Agent
  readonly startedAt: number | undefined
  readonly events: readonly TraceEvent[]
  readonly seconds: number
  readonly truth: readonly TruthInterval[]
  readonly unsure: readonly { readonly from: number; readonly to: number }[]
}

export const sharedFolder = path.resolve(import.meta.dirname, '../../shared/corpus')
export const devFolder = path.join(sharedFolder, 'agents/dev')

/** All recordings of a folder. Exits with 2 and a sentence where the corpus is not there. */
export function loadCorpus(folder: string): Recording[] {
  if (!existsSync(folder)) {
    process.stderr.write(
      `the recorded sessions are not at ${folder}: this benchmark needs them beside the repository\n`,
    )
    process.exit(2)
  }
  return casts(folder).map(file => load(folder, file))
}

function casts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.cast(\.gz)?$/.test(entry.name))
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort()
}

function load(folder: string, file: string): Recording {
  const lines = [...readLines(file)].map(line => line.text)
  const header = readHeader(lines[0] ?? '')
  const name = path.relative(folder, file).replace(/\.cast(\.gz)?$/, '')
  const truth = JSON.parse(readFileSync(file.replace(/\.cast(\.gz)?$/, '.truth.json'), 'utf8'))
  if (!isAgentName(header.agent ?? '')) throw new Error(`${name} names no known agent`)
  return {
    name,
    agent: agents[header.agent as keyof typeof agents],
    startedAt: header.startedAt,
    events: [...eventsOf(lines.slice(1)[Symbol.iterator](), undefined)],
    seconds: truth.seconds,
    truth: truth.intervals,
    unsure: truth.unsure,
  }
}
