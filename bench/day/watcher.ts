/** `lull watch --json` beside the day: what it said of whom, and when. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Kind } from '../../src/core/state.ts'
import { now } from '../lab/truth.ts'
import type { Said } from './compare.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

/** What is read of a session in JSON. */
export type SessionRow = {
  readonly id: string
  readonly agent: string
  readonly pid: number
  readonly tmux?: string
  readonly pane?: string
  readonly state: Kind
  readonly doing?: string
  readonly for?: string
  readonly after?: string
  readonly rule: string
  readonly because: readonly { readonly source: string; readonly what: string }[]
}

type ChangeRow =
  | { readonly event: 'snapshot'; readonly sessions: readonly SessionRow[] }
  | { readonly event: 'changed'; readonly session: SessionRow }
  | { readonly event: 'gone'; readonly id: string }

/** A line of it, and when it was read, ms since the epoch by the lab's `now`. */
export type Row = { readonly at: number; readonly change: ChangeRow }

export type Watcher = {
  readonly rows: readonly Row[]
  close(): Promise<void>
}

/** @param see each session that is told of, whosever it is */
export async function watch(env: NodeJS.ProcessEnv, see: (session: SessionRow) => void): Promise<Watcher> {
  const child: ChildProcess = spawn(process.execPath, [bin, 'watch', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const rows: Row[] = []
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const first = once(lines, 'line')
  lines.on('line', line => {
    const change = JSON.parse(line) as ChangeRow
    rows.push({ at: now(), change })
    if (change.event === 'changed') see(change.session)
    if (change.event === 'snapshot') for (const session of change.sessions) see(session)
  })
  const ended = once(child, 'exit')
  await Promise.race([
    first,
    ended.then(([code]) => Promise.reject(new Error(`lull watch ended with ${code}`))),
  ])
  return {
    rows,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A pane of tmux; or the processes of a run without one. */
export type Whereabouts =
  | { readonly socket: string; readonly pane: string }
  | { readonly pids: ReadonlySet<number> }

/** One terminal of the day, from its start to its end. */
export type Stay = { readonly from: number; readonly to: number } & Whereabouts

const none = (at: number, kind: 'unknown' | 'exited'): Said => ({ at, kind, state: kind, by: 'not listed' })

/** What was said of an agent over all its terminals; where several sessions stand in one, the busiest is meant. */
export function saidOf(rows: readonly Row[], stays: readonly Stay[]): Said[] {
  const said: Said[] = []
  for (const stay of stays) {
    const live = new Map<string, SessionRow>()
    said.push(none(stay.from, 'unknown'))
    for (const { at, change } of rows) {
      if (at < stay.from || at > stay.to) continue
      if (!take(live, change, stay)) continue
      const next = best(live, at)
      const last = said.at(-1) as Said
      if (next.state !== last.state || next.by !== last.by) said.push(next)
    }
  }
  return said
}

/** Returns whether it was news of this terminal. */
function take(live: Map<string, SessionRow>, change: ChangeRow, stay: Stay): boolean {
  const isHere = ({ tmux, pane, pid }: SessionRow): boolean =>
    'pids' in stay ? stay.pids.has(pid) : tmux === stay.socket && pane === stay.pane
  if (change.event === 'gone') return live.delete(change.id)
  if (change.event === 'changed') {
    if (!isHere(change.session)) return false
    live.set(change.session.id, change.session)
    return true
  }
  live.clear()
  for (const session of change.sessions) if (isHere(session)) live.set(session.id, session)
  return true
}

const order = ['exited', 'unknown', 'starting', 'idle', 'working', 'waiting']

function best(live: ReadonlyMap<string, SessionRow>, at: number): Said {
  const rank = ({ state }: SessionRow) => order.indexOf(state)
  const [first] = [...live.values()].sort((a, b) => rank(b) - rank(a))
  if (!first) return none(at, 'exited')
  const { state, doing, for: what, after, rule, because } = first
  const by = because.map(evidence => `${evidence.source} ${evidence.what}`).join(', ')
  const words = [state, doing ?? what ?? after].filter(word => word !== undefined)
  return { at, kind: state, state: words.join('/'), by: `${rule}: ${by || '-'}` }
}
