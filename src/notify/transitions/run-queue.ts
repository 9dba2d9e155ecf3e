/** Runs the queue of one webhook: reads the history, has the transitions sent, and keeps how far it has come. */

import { createHash } from 'node:crypto'
import type { Clock, Timer } from '../../core/clock.ts'
import { defined } from '../../core/defined.ts'
import { isLullError } from '../../core/lull-error.ts'
import { oneByOne } from '../../core/one-by-one.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { StoredEntry } from '../../history/entry.ts'
import type { Outbox } from '../../history/outbox.ts'
import { retention } from '../../history/prune.ts'
import { stateKind } from '../../sessions/history/session-past.ts'
import type { Delivery } from '../deliver/delivery.ts'
import type { TransitionsHook } from '../rules/destination-fields.ts'
import { newQueue, type QueueEffect, type QueueInput, queueStep } from './queue-step.ts'
import { type SessionTransition, transitionOf } from './transition.ts'

type DistributiveOmit<T, Keys extends PropertyKey> = T extends unknown ? Omit<T, Keys> : never
type Happened = DistributiveOmit<QueueInput, 'now' | 'oldest'>

export type QueueNote = {
  readonly what: 'sent' | 'failed'
  readonly to: string
  readonly why?: string
  /** ms; given up where it failed and this is not given. */
  readonly again?: number
  readonly attempt: number
  /** The one that it is about; none where the history could not be read. */
  readonly transition?: SessionTransition
}

export type QueuePorts = {
  readonly clock: Clock
  /** @throws {LullError} where there is no history now */
  outbox(): Outbox
  send(
    to: TransitionsHook,
    transition: SessionTransition,
    around: { readonly attempt: number; readonly signal: AbortSignal },
  ): Promise<Delivery>
  note(note: QueueNote): void
  /** Called with a sentence. */
  complain(sentence: string): void
}

export type Queue = {
  /** The history has more. */
  kept(): void
  /** Calls off what is on its way: it is sent again by who goes on. */
  close(): Promise<void>
}

/** @param name its place in the history: under another one it begins anew */
export function runQueue(name: string, to: TransitionsHook, ports: QueuePorts): Queue {
  const { clock } = ports
  const reader = readerOf(name, to, ports)
  const hand = new AbortController()
  let state = newQueue
  let timer: Timer | undefined
  let sending: Promise<void> | undefined

  const take = oneByOne<Happened>(happened => {
    const next = queueStep(state, { ...happened, now: clock.now(), oldest: clock.wall() - retention.ageMs })
    state = next.state
    for (const effect of next.effects) carryOut(effect)
  })

  function feed(happened: Happened): void {
    if (!hand.signal.aborted) take(happened)
  }

  function carryOut(effect: QueueEffect): void {
    switch (effect.do) {
      case 'read':
        feed(reader.next())
        break
      case 'move':
        feed(reader.move(effect.to))
        break
      case 'stop':
        reader.stop()
        break
      case 'send':
        sending = send(ports, to, reader.transition() as SessionTransition, {
          attempt: effect.attempt,
          signal: hand.signal,
        }).then(feed)
        break
      case 'note': {
        const { do: _, ...note } = effect
        ports.note({
          ...note,
          to: name,
          attempt: state.failures,
          ...defined({ transition: reader.transition() }),
        })
        break
      }
      case 'complain':
        ports.complain(
          `${effect.givenUp} transitions were not sent to ${name}: the history keeps them no more`,
        )
        break
      case 'timer':
        timer = clock.at(effect.at, () => feed({ type: 'time' }))
    }
  }

  feed({ type: 'kept' })
  return {
    kept: () => feed({ type: 'kept' }),
    async close() {
      hand.abort()
      timer?.cancel()
      await sending
    },
  }
}

async function send(ports: QueuePorts, ...what: Parameters<QueuePorts['send']>): Promise<Happened> {
  const came = await ports
    .send(...what)
    .catch((error: Error): Delivery => ({ is: 'failed', why: error.message }))
  if (came.is !== 'failed') return { type: 'delivered' }
  const { why, status } = came
  return status === 410 ? { type: 'unwanted', why: wantsNoMore(why) } : { type: 'failed', why }
}

const wantsNoMore = (why: string): string =>
  `${why}: it wants no more; another address in notify.yaml continues`

/** A store that was begun anew gives no cursor back: all that is in it is new. */
function readerOf(name: string, { url }: TransitionsHook, { outbox }: Pick<QueuePorts, 'outbox'>) {
  let isBegun = false
  let transition: SessionTransition | undefined

  function cursorNow(from: Outbox) {
    const found = from.cursor(name)
    if (!found) from.begin(name, isBegun ? 'oldest' : 'newest')
    isBegun = true
    return found ?? from.cursor(name) ?? { entry: 0 }
  }

  function happenedTo(entry: StoredEntry, from: Outbox): Happened {
    transition = transitionOf(entry, from.previous(entry))
    return { type: 'next', entry: entry.id, at: entry.at, isPassed: transition === undefined }
  }

  return {
    /** Of the entry that was read last. */
    transition: () => transition,
    next: (): Happened =>
      safely(() => {
        const from = outbox()
        const { entry: after, stopped } = cursorNow(from)
        if (stopped === markOf(url)) return { type: 'unwanted', why: '', isKnown: true }
        const entry = from.next(stateKind, after)
        return entry ? happenedTo(entry, from) : { type: 'none' }
      }),
    move: (to: number): Happened =>
      safely(() => {
        outbox().move(name, { entry: to })
        return { type: 'moved' }
      }),
    /** If it can't be kept, the receiver says so once more after a restart. */
    stop(): void {
      safely(() => {
        const from = outbox()
        from.move(name, { entry: cursorNow(from).entry, stopped: markOf(url) })
        return { type: 'none' }
      })
    },
  }
}

/** Also of an error that nobody foresaw: one entry must not end the host. */
function safely(act: () => Happened): Happened {
  try {
    return act()
  } catch (error) {
    return { type: 'refused', why: isLullError(error) ? error.message : oneLine(String(error), 200) }
  }
}

/** The address that wants no more: as a whole it is a secret, as of Slack's. */
export const markOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16)
