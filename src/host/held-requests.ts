/**
 * The hooks that are held open because their agent takes an answer there: which session asks what, and who answers first. A hook
 * is bound to its own request, so that an answer can never reach another dialog. docs/answer.md
 */
import { randomUUID } from 'node:crypto'
import type { HookRequest } from '../agents/kit/hook-request.ts'
import { agents } from '../agents/registry.ts'
import type { Clock } from '../core/clock.ts'
import type { News } from '../core/evidence/signal.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import type { HeldHook } from '../hooks/held-hook.ts'
import type { HookReport } from '../hooks/receiver.ts'
import type { AskedRequest, LiveSession, RequestPort, SessionSource } from '../sessions/session-source.ts'
import { parseInput } from '../track/raw-input.ts'

export type HeldRequests = RequestPort & {
  /** Takes a hook. @returns undefined where it asks nothing that can be answered there */
  hold(report: HookReport): HeldHook | undefined
  /** Ends all: their agents are answered at their keyboards. */
  close(): void
}

type Held = {
  readonly id: string
  readonly session: string
  readonly request: HookRequest
  /** What it made lull believe; undefined until the session was looked at. */
  claim: News | undefined
  isAnswered: boolean
  /** Answers the hook; with nothing where nobody asks any more. */
  give(line: string | undefined): void
  /** Its session as it was when it did not ask this any more; undefined where that is gone. */
  readonly left: Promise<LiveSession | undefined>
  leave(live: LiveSession | undefined): void
}

function newHeld(session: string, request: HookRequest) {
  const { promise: answer, resolve: give } = Promise.withResolvers<string | undefined>()
  const { promise: left, resolve: leave } = Promise.withResolvers<LiveSession | undefined>()
  const one: Held = {
    ...{ id: randomUUID(), session, request },
    ...{ claim: undefined, isAnswered: false },
    ...{ give, left, leave },
  }
  return { one, answer }
}

/** How long an agent may take to show which answer it took. ms */
const actsWithinMs = 10_000

const asksOf = ({ session: { lanes } }: LiveSession): readonly News[] =>
  Object.values(lanes).flatMap(({ news }) =>
    news.lane.startsWith('ask:') && news.state.kind === 'waiting' ? [news] : [],
  )

/** Whether it still asks this: its claim stands, and nothing shows that it goes on. */
const stillAsks = (live: LiveSession, { claim }: Held): boolean =>
  ['waiting', 'unknown'].includes(live.session.verdict.state.kind) &&
  asksOf(live).some(({ lane, at }) => lane === claim?.lane && at === claim.at)

function askedOf(one: Held | undefined): AskedRequest | undefined {
  if (!one) return undefined
  const { replies: _, takenBy: __, ...request } = one.request
  return { id: one.id, ...request }
}

/** The option that the agent's own hooks and transcript show to have been taken; undefined once there are no more of them. */
async function shownIn(
  later: AsyncIterable<TraceEvent>,
  { takenBy }: HookRequest,
): Promise<number | undefined> {
  for await (const event of later) {
    const input = parseInput(event)
    if (!input || !('type' in input) || (input.type !== 'hook' && input.type !== 'line')) continue
    const taken = takenBy(input)
    if (taken !== undefined) return taken
  }
  return undefined
}

type Given = { readonly option: number; readonly line: string; readonly onGiven: (() => void) | undefined }

/** What refuses a request has reached the transcript by then. ms */
const refusalShowsMs = 2000

async function outcomeOf(
  one: Held,
  { option, line, onGiven }: Given,
  later: AsyncIterable<TraceEvent>,
  clock: Clock,
): ReturnType<RequestPort['reply']> {
  const { promise: inTime, resolve } = Promise.withResolvers<number | undefined>()
  const timers = [clock.at(clock.now() + actsWithinMs, () => resolve(undefined))]
  // A long command shows no result yet. Its dialog is gone, and nobody has refused it: it was allowed.
  void one.left.then(live => {
    const state = live?.session.verdict.state
    const isRunning = state?.kind === 'working' && (state.doing ?? 'tool') === 'tool'
    if (isRunning && one.request.options[option]?.word === 'yes')
      timers.push(clock.at(clock.now() + refusalShowsMs, () => resolve(option)))
  })
  one.give(line)
  onGiven?.()
  const taken = await Promise.race([shownIn(later, one.request), inTime])
  for (const timer of timers) timer.cancel()
  if (taken === undefined) return 'unconfirmed'
  return taken === option ? 'confirmed' : 'gone'
}

type Follower = {
  isNeeded(): boolean
  ids(): readonly string[]
  /** A session as it is now; undefined where there is none any more. */
  take(id: string, live: LiveSession | undefined): void
  /** Nobody tells of sessions any more. */
  ended(): void
}

/** Reads the changes of sessions, but only as long as they are needed. @returns begins, where it has not */
function followWhile(
  changes: SessionSource['changes'],
  { isNeeded, ids, take, ended }: Follower,
): () => void {
  let isFollowing = false

  async function read(): Promise<'left' | 'ended'> {
    for await (const change of await changes()) {
      if (change.type === 'snapshot') {
        const found = new Map(change.sessions.map(live => [live.id, live]))
        for (const id of new Set(ids())) take(id, found.get(id))
      } else if (change.type === 'changed') take(change.session.id, change.session)
      else take(change.id, undefined)
      if (!isNeeded()) return 'left'
    }
    return 'ended'
  }

  async function follow(): Promise<void> {
    let how: 'left' | 'ended' = 'left'
    while (how === 'left' && isNeeded()) how = await read().catch(() => 'ended')
    isFollowing = false
    if (how === 'ended') ended()
  }

  return () => {
    if (isFollowing) return
    isFollowing = true
    void follow()
  }
}

/** @param receive files a hook. @returns its session */
export function heldRequests(
  { changes, events }: Pick<SessionSource, 'changes' | 'events'>,
  receive: (report: HookReport) => string | undefined,
  clock: Clock,
): HeldRequests {
  const held = new Map<string, Held>()
  const known = new Map<string, LiveSession>()
  let isClosed = false

  function end(one: Held, live?: LiveSession): void {
    held.delete(one.id)
    one.give(undefined)
    one.leave(live)
  }

  function take(id: string, live: LiveSession | undefined): void {
    const own = [...held.values()].filter(({ session }) => session === id)
    if (live && own.length > 0) known.set(id, live)
    else known.delete(id)
    for (const one of own) {
      one.claim ??= live && asksOf(live).toSorted((a, b) => b.at - a.at)[0]
      if (!live || !stillAsks(live, one)) end(one, live)
    }
  }

  function close(): void {
    isClosed = true
    for (const one of held.values()) end(one)
  }

  const follow = followWhile(changes, {
    isNeeded: () => held.size > 0,
    ids: () => [...held.values()].map(({ session }) => session),
    take,
    ended: close,
  })

  /** What asks several things at one time is answered at its screen, where it shows which is meant. */
  function onlyOf(session: string): Held | undefined {
    const [one, ...others] = [...held.values()].filter(
      other => other.session === session && !other.isAnswered,
    )
    const live = known.get(session)
    if (!one || others.length > 0 || !live || live.session.verdict.state.kind !== 'waiting') return undefined
    return asksOf(live).length === 1 ? one : undefined
  }

  return {
    hold(report) {
      const session = receive(report)
      const request = agents[report.agent].readRequest?.(report.event, report.payload)
      if (session === undefined || request === undefined || isClosed) return undefined
      const { one, answer } = newHeld(session, request)
      held.set(one.id, one)
      follow()
      return {
        answer,
        leave() {
          if (!one.isAnswered) end(one)
        },
      }
    },
    asked: async session => askedOf(onlyOf(session)),
    async reply(session, id, option, onGiven) {
      const one = onlyOf(session)
      const line = one?.id === id ? one.request.replies[option] : undefined
      if (!one || line === undefined) return 'gone'
      one.isAnswered = true
      // Registered before the answer is given: what shows that it was taken may follow at once.
      const later = await events(session, 0)
      const is = held.has(id) ? await outcomeOf(one, { option, line, onGiven }, later, clock) : 'gone'
      await later.return?.()
      held.delete(id)
      return is
    },
    close,
  }
}
