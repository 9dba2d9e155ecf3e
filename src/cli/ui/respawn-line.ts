/** An event of a respawn as a row for people. */
import { oneLine } from '../../core/text/printable.ts'
import type { PastRespawnEvent } from '../../respawn/past-event.ts'
import type { TimedRespawnEvent } from '../../respawn/respawn-events.ts'
import { type Column, eventRows } from './cells.ts'
import { clockOf } from './clock-words.ts'

/** `sending "go on with the next one of …"` is among the longest. */
const wordWidth = 30

/** @param who the session, where several are shown */
export const respawnLines = (event: TimedRespawnEvent, width: number, who?: string): readonly string[] =>
  rowOf(event.time, respawnWord(event), event.why, width, who)

/** The same of one that the history kept. @param at ms since the epoch */
export const pastRespawnLines = (at: number, past: PastRespawnEvent, width: number, who: string) =>
  rowOf(at, pastRespawnWord(past), past.why, width, who)

/** Its type alone where the rest can't be read. */
export const pastRespawnWord = ({ event, type }: PastRespawnEvent): string =>
  event ? respawnWord(event) : type

function rowOf(at: number, word: string, why: string, width: number, who?: string): readonly string[] {
  const columns: readonly Column[] = [
    [clockOf(at), 0],
    ...(who === undefined ? [] : [[oneLine(who, 60), 24] as const]),
    [oneLine(word, 80), wordWidth],
  ]
  return eventRows(columns, oneLine(why, 200), width)
}

function respawnWord(event: TimedRespawnEvent): string {
  switch (event.type) {
    case 'started':
      return `started, ${event.steps} step${event.steps === 1 ? '' : 's'}`
    case 'phase':
      return `→ ${event.phase}`
    case 'sending':
      return `sending ${JSON.stringify(oneLine(event.text ?? '', 40))}`
    case 'sent':
    case 'passed':
      return `${event.type}${event.text === undefined ? '' : ` ${JSON.stringify(oneLine(event.text, 40))}`} step ${event.step + 1}, cycle ${event.cycle}`
    case 'refused':
    case 'failed':
      return `${event.type} step ${event.step + 1}`
    case 'turn_ended':
      return `step ${event.step + 1} is over (${event.after})`
    case 'no_turn':
      return `step ${event.step + 1} began no turn`
    case 'would_send':
      return `would send ${JSON.stringify(oneLine(event.text, 60))}`
    case 'blocked':
      return `asks: ${event.for}`
    case 'limited':
      return `limited until ${new Date(event.until).toTimeString().slice(0, 5)}`
    case 'judged':
      return `judge: ${event.says}`
    case 'paused':
      return `paused (${event.by})`
    case 'stopped':
      return `stopped: ${event.outcome}`
    case 'skipped':
      return `skipped step ${event.step + 1}, cycle ${event.cycle}`
    case 'left':
      return 'left to you'
    default:
      return event.type
  }
}
