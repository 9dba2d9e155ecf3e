/** Results of deliveries: retried, given up, and withdrawn once every occasion in them is over. */

import type { Instant } from '../../core/state.ts'
import type { QuietHours } from '../rules/notify-fields.ts'
import type { NotifyInput, NotifyItem, NotifyMessage, NotifyState, NotifyStep } from './notify-state.ts'

/** @param minute since midnight, local time */
export function isQuiet(quiet: QuietHours | undefined, minute: number): boolean {
  if (!quiet) return false
  const { from, to } = quiet
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/** After each attempt that failed; then it is given up: a laptop that wakes, and a server that restarts, are there again by then. */
export const retryMs = [1000, 5000, 30_000, 300_000] as const

/** Nothing has come in between: nobody has answered, looked or gone on. What has exited is forgotten, and news all the same. */
export const isOpen = (state: NotifyState, item: NotifyItem): boolean =>
  item.occasion.is === 'exited' || canEnd(state, item)

const canEnd = ({ sessions }: NotifyState, { occasion, session, key }: NotifyItem): boolean =>
  occasion.is !== 'exited' && sessions[session]?.key === key

type Of<Type extends NotifyInput['type']> = Extract<NotifyInput, { readonly type: Type }>

export function delivered(state: NotifyState, { message: id, ref, now }: Of<'delivered'>): NotifyStep {
  const before = sending(state, id)
  if (!before) return { state, effects: [] }
  if (before.isOver)
    return { state: without(state, before), effects: [{ do: 'note', what: 'withdrawn', message: before }] }
  const message: NotifyMessage = {
    ...before,
    is: 'delivered',
    at: now,
    ...(ref === undefined ? {} : { ref }),
  }
  return { state: replaced(state, message), effects: [{ do: 'note', what: 'sent', message }] }
}

export function failed(state: NotifyState, { message: id, why, now }: Of<'failed'>): NotifyStep {
  const before = sending(state, id)
  if (!before) return { state, effects: [] }
  const again = retryMs[before.attempt - 1]
  if (again === undefined)
    return {
      state: without(state, before),
      effects: [{ do: 'note', what: 'failed', message: before, why }],
    }
  const message: NotifyMessage = { ...before, is: 'waiting', at: now + again }
  return { state: replaced(state, message), effects: [{ do: 'note', what: 'failed', message, why, again }] }
}

/** The message stays as it was sent. */
export function kept(state: NotifyState, { message: id }: Of<'kept'>): NotifyStep {
  const before = sending(state, id)
  return { state: before ? without(state, before) : state, effects: [] }
}

const without = (state: NotifyState, message: NotifyMessage): NotifyState => ({
  ...state,
  messages: state.messages.filter(one => one !== message),
})

const sending = ({ messages }: NotifyState, id: string): NotifyMessage | undefined =>
  messages.find(one => one.id === id && one.is === 'sending')

const replaced = (state: NotifyState, message: NotifyMessage): NotifyState => ({
  ...state,
  messages: state.messages.map(one => (one.id === message.id ? message : one)),
})

/** Drops messages that are over before delivery, and withdraws delivered ones. */
export function withdrawOver(state: NotifyState, { now }: NotifyInput): NotifyStep {
  const effects: NotifyStep['effects'][number][] = []
  const messages = state.messages.flatMap((message): readonly NotifyMessage[] => {
    const { is, items, isOver } = message
    const isCurrent = items.some(item => (is === 'delivered' ? canEnd : isOpen)(state, item))
    if (is === 'sending' || isOver || isCurrent) return [message]
    // Nobody answers what has exited.
    if (is === 'waiting' || items.every(({ occasion }) => occasion.is === 'exited')) return []
    const over: NotifyMessage = { ...message, isOver: true, is: 'sending', attempt: 1, at: now }
    effects.push({ do: 'deliver', message: over })
    return [over]
  })
  return { state: { ...state, messages }, effects }
}

/** A retried message leaves out what is over. One that quiet hours hold back waits for their end. */
export function retryDue(state: NotifyState, { now, minute }: NotifyInput): NotifyStep {
  const quiet = isQuiet(state.rules.quiet, minute)
  const effects: NotifyStep['effects'][number][] = []
  const messages = state.messages.map((message): NotifyMessage => {
    if (message.is !== 'waiting' || message.at > now) return message
    const { isOver } = message
    const items = isOver ? message.items : message.items.filter(item => isOpen(state, item))
    // That something is over makes no noise.
    if (quiet && !isOver && !items.some(({ isUrgent }) => isUrgent))
      return { ...message, items, at: quietAgain(now) }
    const next: NotifyMessage = { ...message, items, is: 'sending', attempt: message.attempt + 1, at: now }
    effects.push({ do: 'deliver', message: next })
    return next
  })
  return effects.length > 0 || messages.some((one, n) => one !== state.messages[n])
    ? { state: { ...state, messages }, effects }
    : { state, effects }
}

const quietAgain = (now: Instant): Instant => now + 30_000
