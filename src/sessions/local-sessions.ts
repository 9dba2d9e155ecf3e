/** The sessions of this machine, as this process itself finds them: one source over all providers. */
import { mapped } from '../core/async-queue.ts'
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import type { Instant } from '../core/state.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import type { HookReport } from '../hooks/receiver.ts'
import { createSubscribers, newest } from '../track/subscribers.ts'
import { type AgentProviderOptions, agentProvider } from './agents/agent-provider.ts'
import { keptProvider } from './runs/kept-sessions.ts'
import { runProvider } from './runs/run-provider.ts'
import { type SessionIndex, sessionIndex } from './session-index.ts'
import type { LiveChange, LiveSession, SessionProvider, SessionSource } from './session-source.ts'
import { idsAbove, settledOf, withSettled } from './settled.ts'
import { hides, shownInPlaceOf } from './shown-as.ts'
import { terminalProvider } from './terminals/terminal-provider.ts'

export type LocalSessions = SessionSource & {
  /**
   * Takes a hook.
   * @returns the session that it was filed for; none where no running agent can have sent it
   */
  receive(report: HookReport): string | undefined
}

export type LocalSessionsOptions = AgentProviderOptions & {
  /** Where runs are published; without it there are none. */
  readonly runsFolder?: string
  /** Where respawns are found; without it none keeps a session going. */
  readonly respawnsFolder?: string
  /** Follows the terminals that somebody named, too. */
  readonly followsTerminals?: boolean
}

/** Finds the sessions of this machine and follows them, until it is closed. */
export function localSessions(clock: Clock, options: LocalSessionsOptions): LocalSessions {
  const { runsFolder, respawnsFolder, followsTerminals = false, stateFolder } = options
  const agents = agentProvider(clock, options)
  // A run's owner knows more of it than who finds its process: it comes first.
  const source = mergedSource([
    ...(runsFolder === undefined ? [] : [runProvider(runsFolder, clock)]),
    agents,
    ...(followsTerminals ? [terminalProvider(stateFolder, clock)] : []),
    ...(respawnsFolder === undefined ? [] : [keptProvider(respawnsFolder, clock)]),
  ])
  return { ...source, receive: agents.receive }
}

/** @param providers of two with the same session id, the first wins */
export function mergedSource(providers: readonly SessionProvider[]): SessionSource {
  /** A reader that was too slow begins anew. */
  const changes = createSubscribers<LiveChange>(() => [{ type: 'snapshot', sessions: shownOf(all()) }])
  /** Of a session that leaves no raw input: a reader of it waits for nothing. */
  const noEvents = createSubscribers<TraceEvent>(newest)
  noEvents.close()

  function find(id: string): { owner: SessionProvider; session: LiveSession } | undefined {
    for (const owner of providers) {
      const session = owner.get(id)
      if (session) return { owner, session: asShown(session) }
    }
    return undefined
  }

  function asShown(session: LiveSession): LiveSession {
    const isKept = providers.some(({ keeps }) => keeps?.(session.id))
    return isKept ? { ...named(session), isKept } : named(session)
  }

  /** An agent in a pane that was named is called so: it is shown in the pane's place. */
  function named(session: LiveSession): LiveSession {
    const { name, pane, tmux, terminal, session: judged } = session
    if (name === undefined && terminal !== undefined && judged.verdict.state.kind !== 'exited')
      return { ...session, name: terminal }
    if (name !== undefined || pane === undefined || tmux === undefined) return session
    if (judged.verdict.state.kind === 'exited') return session
    for (const { nameOfPane } of providers) {
      const given = nameOfPane?.(pane, tmux)
      if (given !== undefined) return { ...session, name: given }
    }
    return session
  }

  const shown = shownOnly(change => changes.emit(change))

  for (const provider of providers) {
    provider.start((id, what, why) => {
      if (changes.size === 0) return
      const found = find(id)
      // What one has no more may still be another's; what another has is not this one's to tell.
      const isTold = what === 'gone' || found?.owner === provider || provider.keeps !== undefined
      shown.take(id, found?.session, { isTold, ...defined({ why }) })
    })
  }

  function all(): SessionIndex {
    const index = sessionIndex()
    for (const provider of providers)
      for (const session of provider.list()) if (!index.all.has(session.id)) index.set(asShown(session))
    return index
  }

  const shownOf = (index: SessionIndex): LiveSession[] =>
    settledOf(index).filter(one => !shownInPlaceOf(one, index))

  const ready = async (): Promise<void> => {
    await Promise.all(providers.map(provider => provider.ready?.()))
  }

  return {
    via: 'own',
    async list() {
      await ready()
      return shownOf(all())
    },
    async changes() {
      await ready()
      const known = all()
      const sessions = shownOf(known)
      if (changes.size === 0) shown.begin(known)
      shown.list(sessions)
      return changes.subscribe({ type: 'snapshot', sessions })
    },
    async events(id, from) {
      const found = providers.map(provider => provider.events?.(id)).find(events => events !== undefined)
      return mapped(found ?? noEvents.subscribe(), event => ({ ...event, at: Math.max(0, event.at - from) }))
    },
    async markSeen(ids) {
      for (const provider of providers) await provider.markSeen?.(ids)
    },
    async close() {
      for (const provider of providers) await provider.close()
      changes.close()
    },
  }
}

/** Tells of those that are shown as themselves, and withdraws who is shown as another one from now on. */
function shownOnly(emit: (change: LiveChange) => void) {
  /** All as they are, those that are shown as another one included. */
  let known = sessionIndex()
  /** Of these, which the listeners know of, and from when each is settled. */
  let told = new Map<string, Instant | undefined>()

  const settledNow = (one: LiveSession): LiveSession => withSettled(one, known)

  function tell(one: LiveSession): void {
    const session = settledNow(one)
    told.set(session.id, session.settledFrom)
    emit({ type: 'changed', session })
  }

  /** A session that started this one may be settled because of it, or no longer. */
  function tellAbove(changed: LiveSession): void {
    for (const id of idsAbove(changed, known.all)) {
      const one = told.has(id) ? known.all.get(id) : undefined
      if (one && settledNow(one).settledFrom !== told.get(id)) tell(one)
    }
  }

  /** An agent whose run is over is not told of anew: it has just ended, and its own next change says so. */
  function bringBack(): void {
    for (const one of known.all.values())
      if (one.agent === 'terminal' && !told.has(one.id) && !shownInPlaceOf(one, known)) tell(one)
  }

  function settle(one: LiveSession, isTold: boolean): void {
    const other = shownInPlaceOf(one, known)
    if (!other && isTold) tell(one)
    if (other && told.delete(one.id)) emit({ type: 'gone', id: one.id, shownAs: other.id })
  }

  return {
    /** The first listener has come. */
    begin(index: SessionIndex): void {
      known = index
      told = new Map()
    },
    list(sessions: readonly LiveSession[]): void {
      for (const { id, settledFrom } of sessions) told.set(id, settledFrom)
    },
    /**
     * Who waits for a terminal goes over to its agent, and back: the one that is shown next is told of first.
     * @param now undefined where nobody has it any more
     */
    take(id: string, now: LiveSession | undefined, how: { readonly isTold: boolean; readonly why?: string }) {
      const before = known.all.get(id)
      const isOther = hides(before) !== hides(now)
      if (now) known.set(now)
      else known.delete(id)
      if (isOther) bringBack()
      if (!now && told.delete(id)) emit({ type: 'gone', id, ...defined({ why: how.why }) })
      if (now) settle(now, how.isTold)
      if (isOther) for (const one of known.all.values()) settle(one, false)
      const changed = now ?? before
      if (changed) tellAbove(changed)
    },
  }
}
