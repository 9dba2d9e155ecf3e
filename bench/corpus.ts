/** The recorded sessions of `corpus/` with what was really so, read once. How they were made: corpus/README.md. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isAgentName } from '../src/agents/agent-names.ts'
import type { Agent } from '../src/agents/kit/agent.ts'
import { agents } from '../src/agents/registry.ts'
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

/** Neighbouring intervals that differ in their detail alone, as one. */
export type Episode = {
  readonly from: number
  readonly to: number
  readonly state: string
  readonly for: string | undefined
  /** s after `from` in which the state before still counts as right. */
  readonly grace: number
}

export type Recording = {
  /** `AGENT/SCENARIO` */
  readonly name: string
  readonly agent: Agent
  readonly startedAt: number | undefined
  readonly events: readonly TraceEvent[]
  readonly seconds: number
  readonly truth: readonly TruthInterval[]
  readonly episodes: readonly Episode[]
  /** Where nothing is scored: the truth can't tell, or a start-up dialog, which the logs do not show, is open. */
  readonly unsure: readonly { readonly from: number; readonly to: number }[]
}

export const corpusFolder = path.resolve(import.meta.dirname, '../corpus')

/** All recordings of a folder. Exits with 2 and a sentence where there is no such folder. */
export function loadCorpus(folder: string): Recording[] {
  if (!existsSync(folder)) {
    process.stderr.write(`there are no recorded sessions at ${folder}\n`)
    process.exit(2)
  }
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && packed.test(entry.name))
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort()
    .map(file => load(folder, file))
}

const packed = /\.cast(\.gz)?$/

function load(folder: string, file: string): Recording {
  const lines = [...readLines(file)].map(line => line.text)
  const header = readHeader(lines[0] ?? '')
  const name = path.relative(folder, file).replace(packed, '')
  if (!isAgentName(header.agent ?? '')) throw new Error(`${name} names no known agent`)
  const { seconds, intervals, unsure } = JSON.parse(readFileSync(file.replace(packed, '.truth.json'), 'utf8'))
  const episodes = episodesOf(intervals, seconds)
  return {
    name,
    agent: agents[header.agent as keyof typeof agents],
    startedAt: header.startedAt,
    events: [...eventsOf(lines.slice(1)[Symbol.iterator](), undefined)],
    seconds,
    truth: intervals,
    episodes,
    unsure: [...unsure, ...episodes.filter(isStartUpDialog)],
  }
}

export const isStartUpDialog = (episode: Episode): boolean => episode.for === 'dialog'

export function episodesOf(intervals: readonly TruthInterval[], seconds: number): Episode[] {
  const episodes: Episode[] = []
  for (const { from, to, state, for: kind, grace = 0 } of intervals) {
    const last = episodes.at(-1)
    const isSame = last?.state === state && last.for === kind
    const episode = { from, to: to ?? seconds, state, for: kind, grace }
    if (isSame) episodes.splice(-1, 1, { ...last, to: episode.to })
    else episodes.push(episode)
  }
  return episodes
}
