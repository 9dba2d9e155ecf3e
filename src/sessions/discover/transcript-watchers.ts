/** Where transcripts appear: watched once for all sessions of an agent, and passed on to those that may have changed theirs. */

import type { Agent } from '../../agents/kit/agent.ts'
import { patternsIn } from '../../agents/kit/agent-files.ts'
import type { Watched } from '../agents/agent-follower.ts'
import type { AgentProcess } from './agent-search.ts'
import type { Surroundings } from './surroundings.ts'
import { type Stirs, watchTranscripts } from './transcript-watcher.ts'

export type Stirring = {
  /** Watches the folders of an agent's transcripts, as its process sees them. */
  watch(process: AgentProcess, surroundings: Surroundings): void
  /** Looks for folders that were not there yet. */
  renew(): void
  close(): void
}

/** Files that stirred and were nobody's, so many at the most. */
const mostKnown = 1000

/** @param living the sessions that run now */
export function createStirring(living: () => readonly Watched[]): Stirring {
  const watching = new Map<string, Stirs>()

  const known = new Set<string>()

  function stir(agent: Agent, file: string): void {
    const own = living().filter(({ process }) => process.agent === agent)
    if (own.some(watched => watched.transcript() === file)) return
    if (known.size > mostKnown) known.clear()
    const isNew = !known.has(file)
    known.add(file)
    // A new one concerns also those that have one: after `/new` the old one tells nothing any more.
    for (const watched of own) if (isNew || watched.transcript() === undefined) watched.stir()
  }

  return {
    watch({ agent }, { env, note }) {
      if (note !== undefined) return
      for (const pattern of patternsIn(agent, agent.files.transcripts, env)) {
        if (!watching.has(pattern))
          watching.set(
            pattern,
            watchTranscripts(pattern, file => stir(agent, file)),
          )
      }
    },
    renew() {
      for (const stirs of watching.values()) stirs.renew()
    },
    close() {
      for (const stirs of watching.values()) stirs.close()
      watching.clear()
    },
  }
}
