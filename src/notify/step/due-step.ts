/** Which rules want a session told of, where and when. */
import type { Instant } from '../../core/state.ts'
import { type NotifyRule, usualLasted } from '../rules/notify-rules.ts'
import type { Followed, NotifyItem, NotifySighting, NotifyState, Occasion } from './notify-state.ts'

/** A destination that is to be told of an occasion. */
type Due = { readonly to: string; readonly at: Instant; readonly isUrgent: boolean }

/** Each destination once, by the first rule that falls due; and once more where a later one is urgent, and so passes quiet hours. */
export function duesOf({ occasion, subject }: NotifySighting, rules: readonly NotifyRule[]): readonly Due[] {
  if (!occasion) return []
  const dues = rules
    .filter(rule => fits(rule, occasion, subject))
    .flatMap(({ to, after, isUrgent }) =>
      to.map(name => ({ to: name, at: occasion.since + after, isUrgent })),
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

/** Those that are not told yet, nor on their way. */
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

/** Whether it is the same waiting as before, as far as the next look tells. */
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
