/** Sent notifications in the history: a restarted host sends none of them twice, and `lull notify log` lists them. */
import { z } from 'zod'
import { defined } from '../core/defined.ts'
import type { JsonValue, StoredEntry } from '../history/entry.ts'
import type { History } from '../history/open-history.ts'
import type { NotifyNote } from './notify-runner.ts'
import { occasionKinds } from './rules/notify-fields.ts'
import type { NotifyItem, NotifyMessage } from './step/notify-state.ts'
import type { QueueNote } from './transitions/run-queue.ts'
import { titleOf } from './transitions/transition.ts'

export const noteKinds = ['notify.sent', 'notify.failed', 'notify.withdrawn'] as const

/** A session that has waited for longer is asked about once more, where the host is started again. ms */
const lookBackMs = 7 * 24 * 60 * 60 * 1000

/** @returns why it is not kept */
export function keepNote(
  history: History,
  { what, message, title, why, again }: NotifyNote,
  wall: number,
): string | undefined {
  const { id, to, items, ref, at, attempt } = message
  const [first, second] = items
  const { agent, cwd } = first?.subject ?? {}
  return history.tryAdd({
    at: wall,
    kind: `notify.${what}`,
    run: id,
    ...(first && !second
      ? { session: first.session, agent: agent ?? '', ...(cwd === undefined ? {} : { cwd }) }
      : {}),
    data: {
      to,
      title,
      count: items.length,
      ...(why === undefined ? {} : { why }),
      ...(what === 'failed' ? { attempt, ...(again === undefined ? { givenUp: true } : { again }) } : {}),
      ...(what === 'sent' ? { at, ...(ref === undefined ? {} : { ref }), items: items.map(itemJson) } : {}),
    },
  })
}

/** A webhook's transitions fail, or arrive again: of each of them there is no entry, since they are entries themselves. */
export const keepQueueNote = (
  history: History,
  { what, to, transition, why, again, attempt }: QueueNote,
  wall: number,
): string | undefined =>
  history.tryAdd({
    at: wall,
    kind: `notify.${what}`,
    ...(transition ? { run: transition.id } : {}),
    data: {
      to,
      title: transition ? titleOf(transition) : 'transitions',
      count: 1,
      ...defined({ why }),
      ...(what === 'failed' ? { attempt, ...(again === undefined ? { givenUp: true } : { again }) } : {}),
    },
  })

const itemJson = ({ key, session, occasion, subject: { agent, who, what, go } }: NotifyItem): JsonValue => ({
  key,
  session,
  occasion: { ...occasion },
  subject: { agent, who, what, go },
})

const item = z
  .object({
    key: z.string(),
    session: z.string(),
    occasion: z.object({ is: z.enum(occasionKinds), since: z.number() }),
    subject: z.object({ agent: z.string(), who: z.string(), what: z.string(), go: z.string() }),
  })
  .transform((fields): NotifyItem => ({ ...fields, isUrgent: false }))

/** Of a list that was cut, the last is a sign of that. */
const sent = z.object({
  to: z.string(),
  at: z.number(),
  ref: z.string().optional(),
  items: z.array(item.or(z.string().transform(() => undefined))),
})

/** Messages that still hold. @param now the machine's monotonic clock, which begins anew with each boot */
export function sentBefore(history: History, wall: number, now: number): readonly NotifyMessage[] {
  const entries = history.entries({
    kinds: ['notify.sent', 'notify.withdrawn'],
    since: wall - lookBackMs,
  })
  const over = new Set(entries.filter(({ kind }) => kind === 'notify.withdrawn').map(({ run }) => run))
  return entries.flatMap((entry): NotifyMessage[] => {
    const read = entry.kind === 'notify.sent' && !over.has(entry.run) ? sent.safeParse(entry.data) : undefined
    if (!read?.success || entry.run === undefined || read.data.at > now) return []
    const { to, at, ref, items } = read.data
    const known = items.filter(one => one !== undefined)
    return [
      {
        id: entry.run,
        to,
        items: known,
        is: 'delivered',
        attempt: 1,
        at,
        ...(ref === undefined ? {} : { ref }),
      },
    ]
  })
}

const noteData = z.object({
  to: z.string(),
  title: z.string().default(''),
  count: z.number().default(1),
  why: z.string().optional(),
  again: z.number().optional(),
  givenUp: z.boolean().default(false),
})

/** An entry of the history, read for people. */
export type PastNote = z.output<typeof noteData> & {
  readonly at: number
  readonly what: NotifyNote['what']
  readonly message: string
  readonly session?: string
}

export function readNote({ at, kind, run = '', session, data }: StoredEntry): PastNote | undefined {
  const what = (['sent', 'failed', 'withdrawn'] as const).find(one => kind === `notify.${one}`)
  const read = noteData.safeParse(data)
  if (what === undefined || !read.success) return undefined
  return { ...read.data, at, what, message: run, ...(session === undefined ? {} : { session }) }
}

/** The newest delivery of each destination, where it failed. */
export function lastFailures(history: History, wall: number): readonly PastNote[] {
  const newest = new Map<string, PastNote>()
  for (const entry of history.entries({
    kinds: ['notify.sent', 'notify.failed'],
    since: wall - lookBackMs,
  })) {
    const note = readNote(entry)
    if (note) newest.set(note.to, note)
  }
  return [...newest.values()].filter(({ what }) => what === 'failed')
}
