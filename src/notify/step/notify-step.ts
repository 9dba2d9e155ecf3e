/**
 * Notifications as a pure step: sessions and results of deliveries in, messages out. One waiting is
 * reported once, nothing that is over is reported, and many occasions at once become one message.
 */
import type { Instant } from '../../core/state.ts'
import type { NotifyRules } from '../rules/notify-fields.ts'
import { delivered, failed, kept, retryDue, withdrawOver } from './delivery-step.ts'
import { bucketAt, continues, flush, nextDue, openDues, putInto } from './gather-step.ts'
import type {
  Followed,
  NotifyInput,
  NotifyMessage,
  NotifySighting,
  NotifyState,
  NotifyStep,
  Occasion,
} from './notify-state.ts'

/**
 * @param run makes the ids of its messages its own
 * @param sent messages of an earlier host, from the history
 */
export const newNotify = (
  rules: NotifyRules,
  run: string,
  sent: readonly NotifyMessage[] = [],
): NotifyState => ({ rules, run, count: 0, sessions: {}, buckets: {}, messages: sent, sentAt: {} })

export function notifyStep(before: NotifyState, input: NotifyInput): NotifyStep {
  const parts = [filed, enqueueDue, withdrawOver, retryDue, flush] as const
  let state = before
  const effects: NotifyStep['effects'][number][] = []
  for (const part of parts) {
    const next = part(state, input)
    state = next.state
    effects.push(...next.effects)
  }
  const at = nextInstant(state, input)
  return { state, effects: at < Infinity ? [...effects, { do: 'timer', at }] : effects }
}

/** What is known before anything is done about it. */
function filed(state: NotifyState, input: NotifyInput): NotifyStep {
  switch (input.type) {
    case 'snapshot': {
      const sessions = Object.fromEntries(
        Object.entries(input.sessions).map(([id, sighting]) => [id, followed(state, id, sighting)]),
      )
      return { state: { ...state, sessions }, effects: [] }
    }
    case 'seen': {
      const { session, sighting } = input
      const sessions = { ...state.sessions, [session]: followed(state, session, sighting) }
      return { state: { ...state, sessions }, effects: [] }
    }
    case 'gone': {
      const { [input.session]: _, ...sessions } = state.sessions
      return { state: { ...state, sessions }, effects: [] }
    }
    case 'looked':
      return { state: looked(state, input), effects: [] }
    case 'delivered':
      return delivered(state, input)
    case 'kept':
      return kept(state, input)
    case 'failed':
      return failed(state, input)
    case 'rules':
      return { state: withRules(state, input.rules), effects: [] }
    case 'time':
      return { state, effects: [] }
  }
}

function followed(state: NotifyState, id: string, sighting: NotifySighting): Followed {
  const before = state.sessions[id] ?? sentBefore(state, id)
  const { occasion, isUnclear } = sighting
  if (!occasion) return isUnclear && before ? { ...before, sighting } : { sighting, to: [] }
  if (before && isSame(before, occasion, sighting.isSinceLook)) return { ...before, occasion, sighting }
  return { sighting, occasion, key: [id, occasion.is, occasion.since, state.run].join(' '), to: [] }
}

/** An earlier host may have had more sources: after its message only a later start is another occasion. */
const isSame = ({ occasion, sentAt }: Followed, now: Occasion, isSinceLook = false): boolean =>
  continues(occasion, now) ||
  (sentAt !== undefined && occasion?.is === now.is && (isSinceLook || now.since <= sentAt))

/** A session that is new here, as an earlier host reported it. */
function sentBefore({ messages }: NotifyState, id: string): Followed | undefined {
  const sent = messages.flatMap(({ to, at, items, isOver }) =>
    isOver ? [] : items.filter(item => item.session === id).map(item => ({ to, at, item })),
  )
  const last = sent.at(-1)
  if (!last) return undefined
  const { key, occasion, subject } = last.item
  const to = sent.filter(({ item }) => item.key === key).map(one => one.to)
  return { sighting: { subject }, occasion, key, to, sentAt: last.at }
}

/** Destinations that are gone get nothing more. */
function withRules(state: NotifyState, rules: NotifyRules): NotifyState {
  const isThere = (name: string): boolean => Object.hasOwn(rules.destinations, name)
  return {
    ...state,
    rules,
    buckets: Object.fromEntries(Object.entries(state.buckets).filter(([name]) => isThere(name))),
    messages: state.messages.filter(({ to }) => isThere(to)),
  }
}

/** Asks whether a person is there before anything is sent. */
function enqueueDue(state: NotifyState, { now }: NotifyInput): NotifyStep {
  const effects: NotifyStep['effects'][number][] = []
  const sessions = { ...state.sessions }
  for (const [session, one] of Object.entries(state.sessions)) {
    if (one.key === undefined || nextDue(state, one) > now) continue
    sessions[session] = { ...one, look: 'asked' }
    effects.push({ do: 'look', session, key: one.key })
  }
  return effects.length > 0 ? { state: { ...state, sessions }, effects } : { state, effects }
}

function looked(
  state: NotifyState,
  { session, key, until, now }: Extract<NotifyInput, { readonly type: 'looked' }>,
): NotifyState {
  const one = state.sessions[session]
  if (one?.key !== key || one.look !== 'asked') return state
  const { look: _, ...rest } = one
  if (until !== undefined && until > now)
    return { ...state, sessions: { ...state.sessions, [session]: { ...rest, look: until } } }
  const { occasion, subject } = one.sighting
  const dues = openDues(state, one).filter(({ at }) => at <= now)
  const to = [...new Set([...one.to, ...dues.map(due => due.to)])]
  const next = { ...state, sessions: { ...state.sessions, [session]: { ...rest, to } } }
  if (!occasion) return next
  return dues.reduce(
    (into, due) => putInto(into, due.to, { key, session, occasion, subject, isUrgent: due.isUrgent }, now),
    next,
  )
}

function nextInstant(state: NotifyState, input: NotifyInput): Instant {
  return Math.min(
    ...Object.values(state.sessions).map(one => (one.key === undefined ? Infinity : nextDue(state, one))),
    ...Object.keys(state.buckets).map(name => bucketAt(state, name, input)),
    ...state.messages.map(({ is, at }) => (is === 'waiting' ? at : Infinity)),
  )
}
