/** Runs the notifications' step: takes what sessions do, has its effects carried out, and feeds it what came of them. */

import type { Clock, Timer } from '../core/clock.ts'
import { oneByOne } from '../core/one-by-one.ts'
import type { PersonNear } from '../sessions/person-near.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import type { Delivery } from './deliver/delivery.ts'
import { notifySighting } from './occasion.ts'
import type { Destination } from './rules/destination-fields.ts'
import type { NotifyRules } from './rules/notify-fields.ts'
import { compose, type Outgoing } from './step/compose-step.ts'
import type {
  NotifyEffect,
  NotifyHappened,
  NotifyInput,
  NotifyMessage,
  NotifySighting,
} from './step/notify-state.ts'
import { newNotify, notifyStep } from './step/notify-step.ts'

export type NotifyRunnerPorts = {
  readonly clock: Clock
  readonly home: string
  /** Makes the ids of its messages its own. */
  readonly run: string
  /** Messages of an earlier host. */
  readonly sent: readonly NotifyMessage[]
  /** Local time: minutes since midnight. */
  minute(): number
  deliver(to: Destination, message: Outgoing, around: DeliveryAround): Promise<Delivery>
  /** Who is at its terminal. */
  personNear(session: LiveSession, wall: number): Promise<PersonNear | undefined>
  note(what: NotifyNote): void
}

type DeliveryAround = {
  readonly ref?: string | undefined
  /** tmux servers in which sessions run. */
  readonly sockets: readonly string[]
  readonly signal: AbortSignal
}

/** What came of a message, for whoever looks back. */
export type NotifyNote = {
  readonly what: 'sent' | 'failed' | 'withdrawn'
  readonly message: NotifyMessage
  readonly title: string
  readonly why?: string
  /** ms until it is tried again; given up where it failed and this is not given. */
  readonly again?: number
}

export type NotifyRunner = {
  change(change: LiveChange): void
  rules(rules: NotifyRules): void
  /** Calls off what is on its way. Resolves once nothing of it runs any more. */
  close(): Promise<void>
}

export function runNotify(rules: NotifyRules, ports: NotifyRunnerPorts): NotifyRunner {
  const { clock, home } = ports
  const seen = sightings(home)
  const hand = new AbortController()
  const running = new Set<Promise<void>>()
  let state = newNotify(rules, ports.run, ports.sent)
  let timer: Timer | undefined

  const take = oneByOne<NotifyInput>(input => {
    const next = notifyStep(state, input)
    state = next.state
    timer?.cancel()
    for (const effect of next.effects) carryOut(effect)
  })

  function feed(what: NotifyHappened): void {
    if (!hand.signal.aborted) take({ ...what, now: clock.now(), minute: ports.minute() })
  }

  function carryOut(effect: NotifyEffect): void {
    switch (effect.do) {
      case 'look':
        work(look(ports, seen.get(effect.session), effect))
        break
      case 'deliver': {
        const around = { sockets: seen.sockets(), signal: hand.signal }
        work(send(ports, state.rules.destinations[effect.message.to], effect.message, around))
        break
      }
      case 'note': {
        const { do: _, ...note } = effect
        ports.note({ ...note, title: compose(note.message, clock.now()).title })
        break
      }
      case 'timer':
        timer = clock.at(effect.at, () => feed({ type: 'time' }))
    }
  }

  function work(coming: Promise<NotifyHappened>): void {
    const promise = coming.then(feed).finally(() => running.delete(promise))
    running.add(promise)
  }

  return {
    change(change) {
      const what = seen.take(change)
      if (what) feed(what)
    },
    rules: next => feed({ type: 'rules', rules: next }),
    async close() {
      hand.abort()
      timer?.cancel()
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Asks who is there. */
async function look(
  { clock, personNear }: NotifyRunnerPorts,
  live: LiveSession | undefined,
  { session, key }: { readonly session: string; readonly key: string },
): Promise<NotifyHappened> {
  const near = live && (await personNear(live, clock.wall()).catch(() => undefined))
  const left = (near?.until ?? -Infinity) - clock.wall()
  return { type: 'looked', session, key, ...(left > 0 ? { until: clock.now() + left } : {}) }
}

/** @param to none where the rules have it no more */
async function send(
  { clock, deliver }: NotifyRunnerPorts,
  to: Destination | undefined,
  message: NotifyMessage,
  around: Omit<DeliveryAround, 'ref'>,
): Promise<NotifyHappened> {
  const { id, ref } = message
  const came = await delivery().catch((error: Error): Delivery => ({ is: 'failed', why: error.message }))
  if (came.is === 'nothing') return { type: 'kept', message: id }
  if (came.is === 'failed') return { type: 'failed', message: id, why: came.why }
  return { type: 'delivered', message: id, ...(came.ref === undefined ? {} : { ref: came.ref }) }

  async function delivery(): Promise<Delivery> {
    return to ? deliver(to, compose(message, clock.now()), { ...around, ref }) : { is: 'nothing' }
  }
}

type Sightings = {
  get(id: string): LiveSession | undefined
  /** tmux servers in which sessions run. */
  sockets(): readonly string[]
  /** @returns what the step has to hear of it */
  take(change: LiveChange): NotifyHappened | undefined
}

function sightings(home: string): Sightings {
  const live = new Map<string, LiveSession>()
  const last = new Map<string, string>()

  function sightingOf(session: LiveSession): NotifySighting {
    live.set(session.id, session)
    const sighting = notifySighting(session, home)
    last.set(session.id, JSON.stringify(sighting))
    return sighting
  }

  return {
    get: id => live.get(id),
    sockets: () => [...new Set([...live.values()].flatMap(({ tmux }) => tmux ?? []))],
    take(change) {
      switch (change.type) {
        case 'snapshot': {
          live.clear()
          last.clear()
          const all = change.sessions.map(session => [session.id, sightingOf(session)] as const)
          return { type: 'snapshot', sessions: Object.fromEntries(all) }
        }
        case 'changed': {
          const { id } = change.session
          const before = last.get(id)
          const sighting = sightingOf(change.session)
          return last.get(id) === before ? undefined : { type: 'seen', session: id, sighting }
        }
        case 'gone':
          live.delete(change.id)
          last.delete(change.id)
          return { type: 'gone', session: change.id }
      }
    },
  }
}
