/**
 * What comes over the host's socket, read: whatever listens there, nothing is believed before it has the shape that the
 * rest of lull relies on. Fields that are not known are passed over.
 */
import { weight } from '../core/state.ts'
import { isRecord, type TraceEvent } from '../core/trace/trace.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import type { HostStatus } from './host-app.ts'

/**
 * Raised where an older lull could not read what this one sends, or would miss what it relies on: since 2 the changes come
 * with beats, since 3 facts may be lists. A host that does not tell it speaks 1.
 */
export const protocol = 3

/** What each protocol begins with, whatever else it changes. */
export type Greeting = { readonly pid: number; readonly version: string; readonly protocol: number }

type Shape = (value: unknown) => boolean

const text: Shape = value => typeof value === 'string'
const whole: Shape = value => Number.isSafeInteger(value)
const number: Shape = value => typeof value === 'number'
const flag: Shape = value => typeof value === 'boolean'
const optional =
  (shape: Shape): Shape =>
  value =>
    value === undefined || value === null || shape(value)
const list =
  (shape: Shape): Shape =>
  value =>
    Array.isArray(value) && value.every(shape)
const table =
  (shape: Shape): Shape =>
  value =>
    isRecord(value) && Object.values(value).every(shape)
const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  value =>
    isRecord(value) && Object.entries(shapes).every(([name, shape]) => shape(value[name]))

const state = fields({
  kind: value => typeof value === 'string' && Object.hasOwn(weight, value),
  ...{ doing: optional(text), for: optional(text), after: optional(text), at: optional(text) },
  ...{ code: optional(number), signal: optional(text) },
})
const health = fields({ level: text, certainty: text, cause: optional(text) })
const healthBy = fields({
  owner: text,
  what: text,
  advice: optional(text),
  health,
  since: number,
  seen: number,
})
const claim = { source: text, what: text }
const news = fields({ ...claim, type: text, lane: text, says: state, at: number, seen: number })
const sign = fields({
  ...claim,
  says: state,
  tier: text,
  lag: number,
  since: number,
  seen: number,
  alive: flag,
})
const exit = fields({ ...claim, type: text, at: number })
const evidence: Shape = value =>
  isRecord(value) && (value.type === 'news' ? news : value.type === 'sign' ? sign : exit)(value)
const beside = list(table(text))
const verdict = fields({
  ...{ state, health, healthBy: optional(healthBy), confidence: number, turn: number, turnOver: flag },
  ...{ asks: optional(flag), limit: optional(isRecord), since: number, rule: text },
  ...{ because: list(evidence), recheckAt: optional(number) },
})
const session = fields({
  now: number,
  turns: fields({
    count: number,
    closed: list(text),
    lastStart: number,
    lastEnd: number,
    open: optional(isRecord),
  }),
  lanes: table(fields({ news, by: list(text) })),
  signs: table(fields({ sign, stepsOwed: number, onProbation: flag })),
  healthByOwner: table(healthBy),
  kindByNews: fields({ kind: text, since: number }),
  facts: table(value => typeof value === 'string' || typeof value === 'number' || beside(value)),
  tokensAt: optional(number),
  ...{ toolAt: optional(number), promptAt: optional(number) },
  exit: optional(exit),
  verdict,
})
const live = fields({
  ...{ id: text, agent: text, name: optional(text), pid: whole, cwd: optional(text), branch: optional(text) },
  ...{
    pane: optional(text),
    tmux: optional(text),
    place: optional(text),
    window: optional(text),
    title: optional(text),
    terminal: optional(text),
    transcript: optional(text),
    status: optional(text),
  },
  ...{ hooks: text, note: optional(text), owner: optional(text), isSeen: flag, session },
})
const sessions = list(live)
const counts = fields({ received: number, refused: number, unauthorised: number, unplaced: number })
const status = fields({ startedAt: number, sessions: number, hooks: counts, port: optional(number) })
const event = fields({ line: number, at: number, code: text, data: text })

export function readGreeting(value: unknown): Greeting | undefined {
  if (!isRecord(value) || !whole(value.pid) || !text(value.version)) return undefined
  return {
    pid: Number(value.pid),
    version: String(value.version).slice(0, 40),
    protocol: Number(value.protocol ?? 1),
  }
}

/** Of a host that speaks this protocol. */
export const readStatus = (value: unknown): HostStatus | undefined =>
  status(value) ? (value as HostStatus) : undefined

export const readSessions = (value: unknown): readonly LiveSession[] | undefined =>
  sessions(value) ? (value as LiveSession[]) : undefined

export function readChange(value: unknown): LiveChange | undefined {
  if (!isRecord(value)) return undefined
  const isChange =
    (value.type === 'snapshot' && sessions(value.sessions)) ||
    (value.type === 'changed' && live(value.session)) ||
    (value.type === 'gone' && text(value.id))
  return isChange ? (value as LiveChange) : undefined
}

export const readEvent = (value: unknown): TraceEvent | undefined =>
  event(value) ? (value as TraceEvent) : undefined
