/** A line of `lull classify --jsonl`: a screen, and what its terminal tells besides. Pure. */
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import type { ScreenText } from './classify-screen.ts'

export type ScreenLine = ScreenText & { readonly agent?: string }

/** @returns the line, or what is wrong with it */
export function readScreenLine(text: string): ScreenLine | { readonly wrong: string } {
  if (text.trim() === '') return { wrong: 'is empty: it must be {"agent": …, "screen": …}' }
  const row = parseJson(text)
  if (!isRecord(row)) return { wrong: 'is no JSON object: it must be {"agent": …, "screen": …}' }
  const { agent, screen, title } = row
  if (typeof screen !== 'string')
    return { wrong: screen === undefined ? 'has no screen: it must be a text' : 'screen must be a text' }
  if (!isTextOrNone(agent)) return { wrong: 'agent must be a name' }
  if (!isTextOrNone(title)) return { wrong: 'title must be a text' }
  const hasProgress = progressIn(row.progress)
  if (hasProgress === undefined)
    return { wrong: 'progress must be a number from 0 to 100, true, false, or {"state": 0 to 4, "value": …}' }
  return {
    screen,
    hasProgress,
    ...(agent ? { agent } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  }
}

const isTextOrNone = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string'

/** Of OSC 9;4: a bar at some place, and one that only moves. An error (2) and a pause (4) are no work. */
const working: readonly unknown[] = [1, 3]
const resting: readonly unknown[] = [0, 2, 4]

/** Whether something goes on; undefined where it can't be read. */
function progressIn(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value >= 0 && value <= 100 ? true : undefined
  if (!isRecord(value)) return undefined
  if (value.state === undefined) return value.value === undefined ? undefined : progressIn(value.value)
  if (working.includes(value.state)) return true
  return resting.includes(value.state) ? false : undefined
}
