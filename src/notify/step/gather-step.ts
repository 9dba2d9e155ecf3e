/** Which rules want which session reported, and occasions on their way: one message for several at once; quiet hours. */
import type { Instant } from '../../core/state.ts'
import { passingWaitMs } from '../../sessions/passing-wait.ts'
import { type NotifyRule, usualLasted } from '../rules/notify-fields.ts'
import { isOpen, isQuiet } from './delivery-step.ts'
import type {
  Bucket,
  Followed,
  NotifyInput,
  NotifyItem,
  NotifyMessage,
  NotifySighting,
  NotifyState,
  NotifyStep,
  Occasion,
} from './notify-state.ts'

/** A destination for an occasion. */
type Due = { readonly to: string; readonly at: Instant; readonly isUrgent: boolean }

/** Each destination once, by the first rule that falls due; and once more where a later one is urgent, and so passes quiet hours. */
export function duesOf({ occasion, subject }: NotifySighting, rules: readonly NotifyRule[]): readonly Due[] {
  if (!occasion) return []
  const least = occasion.mayPass ? passingWaitMs : 0
  const dues = rules
    .filter(rule => fits(rule, occasion, subject))
    .flatMap(({ to, after, isUrgent }) =>
      to.map(name => ({ to: name, at: occasion.since + Math.max(after, least), isUrgent })),
    )
    .sort((a, b) => a.at - b.at || Number(b.isUrgent) - Number(a.isUrgent))
  const isFirst = ({ to, isUrgent }: Due, n: number): boolean =>
    !dues.slice(0, n).some(before => before.to === to && (before.isUrgent || !isUrgent))
  return dues.filter(isFirst)
}

function fits(
  { when, for: kinds, agents, folders, lasted }: NotifyRule,
  occasion: Occasion,
  { agent, cwd }: NotifySighting['subject'],
): boolean {
  const least = lasted ?? (occasion.is === 'done' ? usualLasted : 0)
  return (
    when.includes(occasion.is) &&
    (kinds === undefined || occasion.is !== 'waiting' || kinds.some(kind => kind === occasion.for)) &&
    (agents === undefined || agents.includes(agent)) &&
    (folders === undefined || folders.some(folder => isBelow(cwd, folder))) &&
    (occasion.turn === undefined || (occasion.lasted ?? 0) >= least)
  )
}

const isBelow = (cwd: string | undefined, folder: string): boolean =>
  cwd !== undefined && (cwd === folder || cwd.startsWith(folder.endsWith('/') ? folder : `${folder}/`))

/** Dues that are neither sent nor on their way. */
export function openDues(state: NotifyState, followed: Followed): readonly Due[] {
  const { key, to, sighting } = followed
  return duesOf(sighting, state.rules.rules).filter(
    due =>
      !to.includes(due.to) ||
      // Quiet hours keep it back, and this rule does not want that.
      (due.isUrgent && isHeldBack(state.buckets[due.to]?.items, key)),
  )
}

const isHeldBack = (items: readonly NotifyItem[] = [], key: string | undefined): boolean =>
  items.some(item => item.key === key && !item.isUrgent)

/** When something is to be done about it next; Infinity where nothing is. */
export function nextDue(state: NotifyState, followed: Followed): Instant {
  if (followed.look === 'asked') return Infinity
  const first = Math.min(...openDues(state, followed).map(({ at }) => at))
  return Math.max(first, followed.look ?? first)
}

/** Whether it is the same occasion as before. */
export function continues(before: Occasion | undefined, now: Occasion): boolean {
  if (before?.is !== now.is) return false
  switch (now.is) {
    case 'waiting':
      // A source that knows more gives the dialog its name.
      return (
        before.since === now.since || (before.for !== now.for && [before.for, now.for].includes('dialog'))
      )
    case 'stuck':
    case 'exited':
      return true
    case 'failed':
    case 'limited':
    case 'done':
      return before.turn === now.turn
  }
}

/** Changes become one message: after this long without another one, at the latest after the longer time. ms */
const [calmMs, longestMs] = [300, 1000] as const

/** The end of quiet hours is looked for so often: the clock of the wall may be set, and time asleep is none to a timer. ms */
const quietLookMs = 30_000

/** Replaces an earlier item of the same occasion. */
export function putInto(state: NotifyState, to: string, item: NotifyItem, now: Instant): NotifyState {
  const before = state.buckets[to]
  const items = [...(before?.items ?? []).filter(({ key }) => key !== item.key), item]
  const bucket: Bucket = {
    items,
    first: before && before.items.length > 0 && !before.isHeld ? before.first : now,
    last: now,
    isHeld: before?.isHeld ?? false,
  }
  return { ...state, buckets: { ...state.buckets, [to]: bucket } }
}

/** Makes messages of what has waited long enough. */
export function flush(state: NotifyState, input: NotifyInput): NotifyStep {
  const effects: NotifyStep['effects'][number][] = []
  let next = state
  for (const to of Object.keys(state.buckets)) {
    const done = flushOne(next, to, input)
    next = done.state
    effects.push(...done.effects)
  }
  return { state: next, effects }
}

function flushOne(state: NotifyState, to: string, input: NotifyInput): NotifyStep {
  const { now, minute } = input
  const { moreThan } = state.rules.digest
  const whole = state.buckets[to] as Bucket
  const items = whole.items.filter(item => isOpen(state, item)).map(item => inNewestWords(state, item))
  const { [to]: _, ...others } = state.buckets
  if (items.length === 0) return { state: { ...state, buckets: others }, effects: [] }
  const quiet = isQuiet(state.rules.quiet, minute)
  const bucket = { ...whole, items, isHeld: whole.isHeld || (quiet && items.some(item => !item.isUrgent)) }
  const kept: NotifyState = { ...state, buckets: { ...others, [to]: bucket } }
  if (bucketAt(kept, to, input) > now) return { state: kept, effects: [] }
  const wanted = items.filter(({ isUrgent }) => isUrgent || !quiet)
  const left = items.filter(item => !wanted.includes(item))
  const room = moreThan - recent(state, to, now).length
  const isOne = wanted.length > room || (bucket.isHeld && !quiet)
  const groups = isOne ? [wanted] : wanted.map(item => [item])
  const messages = groups.map(
    (group, n): NotifyMessage => ({
      id: `${state.run}-${state.count + n}`,
      to,
      items: group,
      is: 'sending',
      attempt: 1,
      at: now,
    }),
  )
  return {
    state: {
      ...state,
      count: state.count + messages.length,
      buckets: left.length > 0 ? { ...others, [to]: { ...bucket, items: left } } : others,
      messages: [...state.messages, ...messages],
      sentAt: { ...state.sentAt, [to]: [...recent(state, to, now), ...messages.map(() => now)] },
    },
    effects: messages.map(message => ({ do: 'deliver', message })),
  }
}

/** What is asked may be known a moment later than that something is. */
function inNewestWords({ sessions }: NotifyState, item: NotifyItem): NotifyItem {
  const followed = sessions[item.session]
  return followed?.key === item.key ? { ...item, subject: followed.sighting.subject } : item
}

const recent = ({ sentAt, rules }: NotifyState, to: string, now: Instant): readonly Instant[] =>
  (sentAt[to] ?? []).filter(at => at > now - rules.digest.within)

/** When its bucket is to be looked into next. */
export function bucketAt(state: NotifyState, to: string, { now, minute }: NotifyInput): Instant {
  const bucket = state.buckets[to]
  if (!bucket) return Infinity
  if (isQuiet(state.rules.quiet, minute) && !bucket.items.some(({ isUrgent }) => isUrgent))
    return now + quietLookMs
  const gathered = Math.min(bucket.last + calmMs, bucket.first + longestMs)
  const { moreThan, within } = state.rules.digest
  const before = recent(state, to, now)
  const roomAt = before.length < moreThan ? now : (before[before.length - moreThan] as Instant) + within
  return Math.max(gathered, roomAt)
}
