/** An event of a respawn as the history kept it. Pure. */
import { fields, type JsonShape, number, optional, text } from '../core/shape.ts'
import { isDate } from '../core/text/last-date.ts'
import { isRecord } from '../core/trace/trace.ts'
import type { StoredEntry } from '../history/entry.ts'
import type { RespawnEvent, TimedRespawnEvent } from './respawn-events.ts'

const [step, cycle] = [{ step: number }, { cycle: number }]
const isTime: JsonShape = value => typeof value === 'number' && isDate(value)

/** What each tells besides. */
const shapes = {
  started: { steps: number },
  phase: { phase: text },
  sending: { ...step, ...cycle },
  sent: { ...step, ...cycle },
  passed: { ...step, ...cycle },
  skipped: { ...step, ...cycle },
  refused: step,
  failed: step,
  turn_ended: { ...step, after: text },
  no_turn: step,
  blocked: { for: text },
  accepted: { text },
  limited: { until: isTime },
  stuck: {},
  recover: {},
  relaunch: {},
  judging: {},
  judged: { says: text },
  paused: { by: text },
  resumed: {},
  stopped: { outcome: text },
  would_send: { ...step, text },
  left: {},
  warning: {},
} satisfies Readonly<Record<RespawnEvent['type'], Readonly<Record<string, JsonShape>>>>

const isKnown = (type: string): type is RespawnEvent['type'] => Object.hasOwn(shapes, type)

/** `event`: where it has the shape of what lull writes; one of another version may be of a type that is not known. */
export type PastRespawnEvent = {
  readonly type: string
  readonly why: string
  readonly isDry: boolean
  readonly event?: TimedRespawnEvent
}

/** @returns undefined where it is no event of a respawn */
export function readPastEvent({ at, kind, data }: StoredEntry): PastRespawnEvent | undefined {
  const [, type] = /^respawn\.(.+)$/s.exec(kind) ?? []
  if (type === undefined) return undefined
  const kept = isRecord(data) ? data : {}
  const why = typeof kept.why === 'string' ? kept.why : ''
  const told = { type, why, isDry: kept.isDry === true }
  if (!isKnown(type) || !fields({ text: optional(text), ...shapes[type] })(kept)) return told
  return { ...told, event: { ...kept, type, why, time: at } as TimedRespawnEvent }
}
