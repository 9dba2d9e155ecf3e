/** Carries out the effects of the notifications' step, and feeds it what came of them. */
import type { Clock, Timer } from '../core/clock.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import type { Delivery } from './deliver/delivery.ts'
import { notifySighting } from './occasion.ts'
import type { Destination, NotifyRules } from './rules/notify-rules.ts'
import { compose, type Outgoing } from './step/compose-step.ts'
import type { NotifyEffect, NotifyInput, NotifyMessage, NotifySighting } from './step/notify-state.ts'
import { newNotify, notifyStep } from './step/notify-step.ts'

export type NotifyRunnerPorts = {
  readonly clock: Clock
  readonly home: string
  /** Makes the ids of its messages its own. */
  readonly run: string
  /** What was told before. */
  readonly told: readonly NotifyMessage[]
  /** Local time: minutes since midnight. */
  minute(): number
  deliver(to: Destination, message: Outgoing, around: DeliveryAround): Promise<Delivery>
  /** When a person last pressed a key at its terminal, ms since the epoch. */
  personAt(session: LiveSession): Promise<number | undefined>
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

/** Who has pressed a key there so recently sees it without a word: as long as respawn leaves a person alone (docs/respawn.md#timers). ms */
const personMs = 60_000
/** tmux tells whole seconds. */
const secondMs = 1000

type Happened = NotifyInput extends infer Each
  ? Each extends NotifyInput
    ? Omit<Each, 'now' | 'minute'>
    : never
  : never

export function runNotify(rules: NotifyRules, ports: NotifyRunnerPorts): NotifyRunner {
  const { clock, home } = ports
  const live = new Map<string, LiveSession>()
  /** As it was told to the step: most of what changes in a session is nothing to it. */
  const seen = new Map<string, string>()
  const hand = new AbortController()
  const running = new Set<Promise<void>>()
  const queue: NotifyInput[] = []
  let state = newNotify(rules, ports.run, ports.told)
  let timer: Timer | undefined
  let isBusy = false

  /** One after the other: what is done may come back at once. */
  function feed(what: Happened): void {
    if (hand.signal.aborted) return
    queue.push({ ...what, now: clock.now(), minute: ports.minute() } as NotifyInput)
    if (isBusy) return
    isBusy = true
    try {
      for (let input = queue.shift(); input; input = queue.shift()) {
        const next = notifyStep(state, input)
        state = next.state
        timer?.cancel()
        for (const effect of next.effects) carryOut(effect)
      }
    } finally {
      isBusy = false
    }
  }

  function carryOut(effect: NotifyEffect): void {
    switch (effect.do) {
      case 'look':
        work(() => look(effect.session, effect.key))
        break
      case 'deliver':
        work(() => send(effect.message))
        break
      case 'note': {
        const { do: _, ...note } = effect
        ports.note({ ...note, title: compose(note.message, clock.now()).title })
        break
      }
      case 'timer':
        timer = clock.at(effect.at, () => feed({ type: 'time' }))
    }
  }

  function work(act: () => Promise<void>): void {
    const promise = act().finally(() => running.delete(promise))
    running.add(promise)
  }

  async function look(session: string, key: string): Promise<void> {
    const one = live.get(session)
    const at = one && (await ports.personAt(one).catch(() => undefined))
    const ago = at === undefined ? Infinity : clock.wall() - at
    // A key of the future was pressed before somebody set the clock back: when, nobody knows.
    const isNear = ago > -secondMs && ago < personMs
    feed({ type: 'looked', session, key, ...(isNear ? { until: clock.now() + personMs - ago } : {}) })
  }

  async function carried(message: NotifyMessage): Promise<Delivery> {
    const to = state.rules.destinations[message.to]
    if (!to) return { is: 'nothing' }
    const sockets = [...new Set([...live.values()].flatMap(({ tmux }) => tmux ?? []))]
    const outgoing = compose(message, clock.now())
    try {
      return await ports.deliver(to, outgoing, { ref: message.ref, sockets, signal: hand.signal })
    } catch (error) {
      return { is: 'failed', why: (error as Error).message }
    }
  }

  async function send(message: NotifyMessage): Promise<void> {
    const { id } = message
    const came = await carried(message)
    if (came.is === 'nothing') feed({ type: 'kept', message: id })
    else if (came.is === 'failed') feed({ type: 'failed', message: id, why: came.why })
    else feed({ type: 'delivered', message: id, ...(came.ref === undefined ? {} : { ref: came.ref }) })
  }

  function sightingOf(session: LiveSession): NotifySighting {
    live.set(session.id, session)
    const sighting = notifySighting(session, home)
    seen.set(session.id, JSON.stringify(sighting))
    return sighting
  }

  return {
    change(change) {
      switch (change.type) {
        case 'snapshot': {
          live.clear()
          seen.clear()
          const all = change.sessions.map(session => [session.id, sightingOf(session)] as const)
          feed({ type: 'snapshot', sessions: Object.fromEntries(all) })
          break
        }
        case 'changed': {
          const { id } = change.session
          const before = seen.get(id)
          const sighting = sightingOf(change.session)
          if (seen.get(id) !== before) feed({ type: 'seen', session: id, sighting })
          break
        }
        case 'gone':
          live.delete(change.id)
          seen.delete(change.id)
          feed({ type: 'gone', session: change.id })
      }
    },
    rules: next => feed({ type: 'rules', rules: next }),
    async close() {
      hand.abort()
      timer?.cancel()
      while (running.size > 0) await Promise.all(running)
    },
  }
}
