/**
 * The segment of the status line as the host holds it: pushed to the tmux servers of this user that ask for it in their tmux.conf,
 * when it changes. Nothing is run for that, neither by tmux nor by lull.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Timer } from '../core/clock.ts'
import type { Instant } from '../core/state.ts'
import { attempt } from '../os/attempt.ts'
import type { Env } from '../os/file/places.ts'
import { tmuxLine } from '../os/tmux/control-words.ts'
import { defaultName, socketNamed } from '../os/tmux/socket-path.ts'
import { tmuxCommand } from '../os/tmux/tmux-command.ts'
import type { LiveChange, LiveSession, SessionSource } from '../sessions/session-source.ts'
import { type Conditional, cleared, pushed } from './step/push-step.ts'
import { segmentText, tallyOf } from './step/tally-step.ts'

export type PushedSegment = { close(): Promise<void> }

/** Changes within this time are sent together. ms */
const gatherMs = 200
/** A status line that changes more often is read by nobody. ms */
const apartMs = 1000
/** Whoever reads tmux.conf again, or starts a server, has it so soon. ms */
const againMs = 5000
/** A server that is gone, or another user's, is asked again no sooner: for one that is gone tmux itself has to be asked. ms */
const restMs = 60_000
const patienceMs = 500

export type PushOptions = { readonly env: Env; readonly sessions: SessionSource; readonly clock: Clock }

export async function pushSegment({ env, sessions, clock }: PushOptions): Promise<PushedSegment> {
  const live = new Map<string, LiveSession>()
  const servers = knownServers(env)
  const run = randomUUID().slice(0, 8)
  let [text, count, pushedAt]: [string, number, Instant] = ['', 0, -Infinity]
  let timer: Timer | undefined
  let looking: Timer | undefined
  let last = Promise.resolve()
  let isNewServer = false
  let isClosed = false

  function push(): void {
    pushedAt = clock.now()
    const wanted = pushed({ text, run, count }, Math.floor(clock.wall() / 1000))
    last = last.then(() => tellAll(servers.due(clock.now()), wanted)).catch(() => undefined)
    pushIn(againMs)
  }

  function pushIn(ms: number): void {
    timer?.cancel()
    if (!isClosed) timer = clock.at(clock.now() + ms, push)
  }

  async function tellAll(sockets: readonly string[], { condition, commands }: Conditional): Promise<void> {
    const words = ['if-shell', '-F', condition, commands.map(tmuxLine).join(' ; ')]
    await Promise.all(
      sockets.map(async socket => {
        const { isAnswered } = await tmuxCommand(socket, words, { timeout: patienceMs })
        if (!isAnswered) servers.rest(socket, clock.now() + restMs)
      }),
    )
  }

  function take(change: LiveChange): void {
    if (change.type === 'gone') live.delete(change.id)
    else if (change.type === 'changed') live.set(change.session.id, change.session)
    else {
      live.clear()
      for (const session of change.sessions) live.set(session.id, session)
    }
    if (servers.learn(change)) isNewServer = true
    // A look that is due stays due: changes that never stop must not put it off for ever.
    looking ??= clock.at(clock.now() + Math.max(gatherMs, pushedAt + apartMs - clock.now()), look)
  }

  function look(): void {
    looking = undefined
    const next = segmentText(tallyOf([...live.values()]), true)
    if (next === text && !isNewServer) return
    if (next !== text) count++
    text = next
    isNewServer = false
    push()
  }

  const changes = await sessions.changes()
  const read = (async () => {
    for await (const change of changes) take(change)
  })().catch(() => undefined)
  push()

  return {
    async close() {
      isClosed = true
      timer?.cancel()
      looking?.cancel()
      await changes.return?.()
      await Promise.all([read, last])
      // One that did not answer the last push may still show a text. A server that hangs does not keep the host.
      await Promise.race([tellAll(servers.present(), cleared(run)), sleep(patienceMs)])
    },
  }
}

/** tmux servers in which sessions run or ran, and the one that `tmux` alone starts. */
function knownServers(env: Env) {
  const restUntil = new Map<string, Instant>([[socketNamed(defaultName, env), 0]])
  const present = (): readonly string[] => [...restUntil.keys()].filter(socket => existsSync(socket))
  return {
    /** @returns whether there is one that was not known */
    learn(change: LiveChange): boolean {
      const before = restUntil.size
      const sessions =
        change.type === 'snapshot' ? change.sessions : change.type === 'changed' ? [change.session] : []
      for (const { tmux, owner } of sessions) {
        const socket = tmux === undefined || owner !== undefined ? undefined : realOf(tmux)
        if (socket !== undefined && !restUntil.has(socket)) restUntil.set(socket, 0)
      }
      return restUntil.size > before
    },
    present,
    due: (now: Instant): readonly string[] => present().filter(socket => (restUntil.get(socket) ?? 0) <= now),
    rest: (socket: string, until: Instant) => void restUntil.set(socket, until),
  }
}

const realOf = (socket: string): string => attempt(() => realpathSync(socket)) ?? socket
