/** The agents of a machine that a test makes up: processes come and go, files and hooks tell of them, time passes. */
import type { AgentName } from '../../src/agents/agent-names.ts'
import { agents } from '../../src/agents/registry.ts'
import { defined } from '../../src/core/defined.ts'
import {
  type AgentsEffect,
  type AgentsEvent,
  type FoundAgent,
  keep,
  noAgents,
} from '../../src/sessions/agents/agents-state.ts'
import { stepAgents, undecided } from '../../src/sessions/agents/agents-step.ts'
import type { TranscriptFinding } from '../../src/sessions/agents/follow-step.ts'
import type { Surroundings } from '../../src/sessions/discover/surroundings.ts'
import { virtualClock } from '../../src/track/clock.ts'
import type { RawInput } from '../../src/track/raw-input.ts'
import { createTrack } from '../../src/track/track.ts'

export const epoch = 1_795_294_800_000

type Process = {
  readonly surroundings?: Partial<Surroundings>
  /** Its status file, as it stands when it is found. */
  readonly status?: string
  readonly startedAt?: number
  readonly isLauncher?: true
  readonly agent?: AgentName
  /** The processes above it. */
  readonly ancestors?: readonly string[]
}

export const row = (at: number, row: object): string =>
  JSON.stringify({ timestamp: new Date(epoch + at).toISOString(), ...row })
export const prompt = (at: number): string =>
  row(at, { type: 'user', message: { role: 'user', content: 'go' } })
export const answer = (at: number): string =>
  row(at, {
    type: 'assistant',
    message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] },
  })

/** Carries effects out as agent-provider.ts does, on files that are a table. */
export function machine() {
  const clock = virtualClock(epoch)
  const track = createTrack(clock)
  const running = new Map<string, Process>()
  const files = new Map<string, string[]>()
  const done: string[] = []
  const alone = new Map<string, boolean>()
  let leapt = 0
  let found: Record<string, TranscriptFinding> = {}
  let state = noAgents({ now: 0, wall: epoch })

  const wall = () => clock.wall() + leapt
  const agentOf = (id: string, { isLauncher, agent = 'claude', ancestors }: Process = {}) => {
    const process = {
      id,
      agent: agents[agent],
      pid: id.length,
      parent: 1,
      start: '7',
      ...defined({ ancestors }),
    }
    return isLauncher ? { ...process, isLauncher } : process
  }

  function feed(event: AgentsEvent): void {
    const step = stepAgents(state, event, { now: clock.now(), wall: wall() })
    state = keep(state, step)
    for (const effect of step.effects) carryOut(effect)
  }

  function carryOut(effect: AgentsEffect): void {
    const { id } = effect
    done.push(effect.do === 'follow' ? `${id}: follow ${effect.path}` : `${id}: ${effect.do}`)
    switch (effect.do) {
      case 'find': {
        const { surroundings, status, startedAt = wall() } = running.get(id) ?? {}
        const agent: FoundAgent = {
          id,
          process: effect.process,
          surroundings: { env: {}, cwd: '/p', ...surroundings },
          startedAt,
          branch: undefined,
          status: '/home/dev/.claude/sessions/7.json',
        }
        feed({ type: 'found', found: agent, content: status ?? null })
        feed({ type: 'read', id })
        break
      }
      case 'poll':
        feed({ type: 'due', id })
        break
      case 'search':
        alone.set(id, effect.beside.length === 0)
        feed({ type: 'searched', id, finding: found[effect.session ?? id] ?? { how: 'nothing' } })
        break
      case 'follow':
        lines(id, effect.path, ...(files.get(effect.path) ?? []))
        break
      case 'begin':
        track.begin(id, effect.session)
        break
      case 'file':
        track.file(id, effect.signals)
        break
      case 'forget':
        track.forget(id)
        break
      case 'leave':
      case 'record':
      case 'show':
      case 'stop':
        break
    }
  }

  function lines(id: string, path: string, ...texts: readonly string[]): void {
    const inputs = texts.map((line): RawInput => ({ type: 'line', path, line }))
    if (inputs.length > 0) feed({ type: 'input', id, inputs })
  }

  return {
    track,
    lines,
    feed,
    start: (id: string, process: Process = {}) => running.set(id, process),
    end: (id: string) => running.delete(id),
    file: (path: string, ...rows: readonly string[]) => files.set(path, [...rows]),
    /** What searches find from now on, by session. */
    finds(next: Record<string, TranscriptFinding>) {
      found = next
    },
    search(ms = 0) {
      clock.advance(ms)
      const processes = [...running].map(([id, process]) => [id, agentOf(id, process)] as const)
      feed({ type: 'running', processes: new Map(processes) })
    },
    hook: (id: string, event: string, payload: object = {}, transcript?: string) =>
      feed({ type: 'hook', id, input: { type: 'hook', agent: 'claude', event, payload }, transcript }),
    says: (id: string) => track.get(id)?.verdict.state.kind,
    /** As it was told at its last search. */
    isAlone: (id: string) => alone.get(id),
    /** Somebody sets the machine's clock. */
    leap(ms: number) {
      leapt += ms
    },
    /** Whose writing is to be observed. */
    undecided: () => undecided(state).map(({ id }) => id),
    strays: () => state.strayFiles.size,
    of: (id: string) => state.sessions.get(id),
    /** What was done since it was last asked. */
    done: () => done.splice(0),
  }
}
