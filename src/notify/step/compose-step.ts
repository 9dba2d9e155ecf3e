/** A message in words: who, what, which question, how to get there. */
import type { Instant } from '../../core/state.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { OccasionKind } from '../rules/notify-fields.ts'
import type { NotifyItem, NotifyMessage } from './notify-state.ts'

/** What a destination is sent; as JSON it is what webhooks and commands get. */
export type Outgoing = {
  readonly id: string
  readonly withdrawn: boolean
  readonly urgent: boolean
  /** One line. */
  readonly title: string
  /** Lines. */
  readonly text: string
  readonly count: number
  readonly sessions: readonly OutgoingSession[]
}

type OutgoingSession = {
  readonly id: string
  readonly agent: string
  readonly name?: string
  readonly folder?: string
  readonly is: OccasionKind
  readonly for?: string
  readonly what: string
  readonly quote?: string
  /** s */
  readonly held: number
  readonly go: string
}

/** Of a digest so many are named: a screen of a telephone. */
const mostNamed = 8

const counted: Readonly<Record<OccasionKind, readonly [one: string, more: string]>> = {
  waiting: ['waits for you', 'wait for you'],
  stuck: ['is stuck', 'are stuck'],
  failed: ['failed', 'failed'],
  limited: ['is limited', 'are limited'],
  done: ['is done', 'are done'],
  exited: ['has exited', 'have exited'],
}

export function compose({ id, items, isOver }: NotifyMessage, now: Instant): Outgoing {
  const [first, second] = items
  const title = first && !second ? titleOf(first) : digestTitle(items)
  return {
    id,
    withdrawn: isOver === true,
    urgent: items.some(({ isUrgent }) => isUrgent),
    title: isOver ? `over: ${title}` : title,
    text: (first && !second ? linesOf(first, now) : digestLines(items)).join('\n'),
    count: items.length,
    sessions: items.map(item => sessionOf(item, now)),
  }
}

const titleOf = ({ subject: { who, what } }: NotifyItem): string => oneLine(`${who}: ${what}`, 200)

function linesOf({ subject, occasion }: NotifyItem, now: Instant): readonly string[] {
  const { quote, place, go } = subject
  const held = `for ${formatDuration(Math.max(0, now - occasion.since))}`
  const lasted = occasion.lasted === undefined ? '' : `, after ${formatDuration(occasion.lasted)}`
  return [
    ...(quote === undefined ? [] : [`“${quote}”`]),
    place === undefined ? `${held}${lasted}` : `${place}, ${held}${lasted}`,
    go,
  ]
}

function digestTitle(items: readonly NotifyItem[]): string {
  const kinds = (Object.keys(counted) as OccasionKind[]).flatMap(kind => {
    const count = items.filter(({ occasion }) => occasion.is === kind).length
    return count === 0 ? [] : [`${count} ${counted[kind][count === 1 ? 0 : 1]}`]
  })
  return `${items.length} sessions: ${kinds.join(', ')}`
}

const digestLines = (items: readonly NotifyItem[]): readonly string[] => [
  ...items
    .slice(0, mostNamed)
    .map(item => oneLine(`${titleOf(item)} (${item.subject.place ?? item.session})`, 200)),
  ...(items.length > mostNamed ? [`… and ${items.length - mostNamed} more`] : []),
  'lull ps --needs-me',
]

const sessionOf = ({ session, occasion, subject }: NotifyItem, now: Instant): OutgoingSession => {
  const { agent, name, place, what, quote, go } = subject
  return {
    id: session,
    agent,
    ...(name === undefined ? {} : { name }),
    ...(place === undefined ? {} : { folder: place }),
    is: occasion.is,
    ...(occasion.for === undefined ? {} : { for: occasion.for }),
    what,
    ...(quote === undefined ? {} : { quote }),
    held: Math.round(Math.max(0, now - occasion.since)) / 1000,
    go,
  }
}
