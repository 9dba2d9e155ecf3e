/** Live sessions without a machine: a track on a virtual clock behind the interface that hosts and own tracks have. */

import { advance } from '../../src/core/advance.ts'
import type { News, Sign, Signal } from '../../src/core/evidence/signal.ts'
import type { Verdict } from '../../src/core/judge/verdict.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import type { LiveChange, LiveSession, SessionSource } from '../../src/sessions/session-source.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { createSubscribers, newest } from '../../src/track/subscribers.ts'
import { createTrack } from '../../src/track/track.ts'

export const thinking: State = { kind: 'working', doing: 'thinking' }
export const background: State = { kind: 'working', doing: 'background' }
export const permission: State = { kind: 'waiting', for: 'permission' }
export const finished: State = { kind: 'idle', after: 'turn' }
export const broken: State = { kind: 'idle', after: 'error' }
export const interrupted: State = { kind: 'idle', after: 'interrupt' }
export const limited: State = { kind: 'idle', after: 'limit' }

export const news = (at: number, says: State, more: Partial<News> = {}): News => ({
  type: 'news',
  source: 'hook',
  what: says.kind,
  lane: 'main',
  state: says,
  at,
  seen: at,
  ...more,
})

export const prompt = (at: number, more: Partial<News> = {}): News =>
  news(at, thinking, { what: 'prompt', starts: true, ...more })

export const status = (at: number, says: State, more: Partial<Sign> = {}): Sign => ({
  type: 'sign',
  source: 'status',
  what: says.kind,
  state: says,
  excludes: ['working', 'waiting'],
  tier: 'declared',
  lag: 0,
  since: at,
  seen: at,
  alive: true,
  ...more,
})

export const exit = (at: number): Signal => ({ type: 'exit', source: 'process', what: 'kill', at })

/** A session that heard these signals, each at the instant at which it was seen. */
export const sessionOf = (signals: readonly Signal[], from = 0): Session =>
  signals.reduce(
    (session, signal) => advance(session, 'seen' in signal ? signal.seen : signal.at, signal),
    newSession(from),
  )

/** A row of a table: everything about it but what it does. */
export const liveSession = (session: Session, more: Partial<LiveSession> = {}): LiveSession => ({
  id: 'abcd1234',
  agent: 'claude',
  pid: 100,
  cwd: '/home/dev/api',
  hooks: 'heard',
  isSeen: false,
  session: { ...session, instant: undefined },
  ...more,
})

export const withVerdict = (verdict: Partial<Verdict>, more: Partial<LiveSession> = {}): LiveSession => {
  const session = newSession(0)
  return liveSession({ ...session, verdict: { ...session.verdict, ...verdict } }, more)
}

/** Sessions that a test moves: what it files is told to whoever reads the changes. */
export function fakeLive(clock = virtualClock()) {
  const track = createTrack(clock)
  const subscribers = new Set<ReturnType<typeof createSubscribers<LiveChange>>>()
  const hidden = new Set<string>()
  const seen = new Set<string>()
  let isEnded = false
  let isMute = false
  let closed = 0
  const view = (id: string, session: Session): LiveSession =>
    liveSession(session, { id, pid: id.length, isSeen: seen.has(id) })
  const tell = (change: LiveChange) => {
    for (const subscriber of subscribers) subscriber.emit(change)
  }
  const views = (): LiveSession[] =>
    track.ids().flatMap(id => {
      const session = track.get(id)
      return session && !hidden.has(id) ? [view(id, session)] : []
    })
  void (async () => {
    for await (const { id, session } of track.changes()) tell({ type: 'changed', session: view(id, session) })
  })()
  const live: SessionSource = {
    via: 'host',
    list: async () => {
      if (isEnded || isMute) throw Object.assign(new Error('gone'), { code: 'HOST_GONE' })
      return views()
    },
    changes: async () => {
      const subscriber = createSubscribers<LiveChange>(newest)
      if (isEnded) subscriber.close()
      else subscribers.add(subscriber)
      return subscriber.subscribe({ type: 'snapshot', sessions: views() })
    },
    events: async () => createSubscribers<never>(newest).subscribe(),
    async markSeen(ids) {
      for (const id of ids) seen.add(id)
    },
    async close() {
      closed++
      for (const subscriber of subscribers) subscriber.close()
    },
  }
  return {
    live,
    clock,
    tell,
    file: (id: string, ...signals: readonly Signal[]) => track.file(id, signals),
    /** Its process is forgotten. */
    forget(id: string) {
      track.forget(id)
      tell({ type: 'gone', id })
    },
    hide: (id: string) => hidden.add(id),
    /** As a host that is killed. */
    end() {
      isEnded = true
      for (const subscriber of subscribers) subscriber.close()
    },
    /** It still tells, and does not answer any more. */
    mute() {
      isMute = true
    },
    closed: () => closed,
    readers: () => [...subscribers].reduce((sum, { size }) => sum + size, 0),
  }
}

/** Lets everything happen that waits for nothing but its turn. */
export const settle = (): Promise<void> => new Promise(resolve => setImmediate(() => setImmediate(resolve)))
