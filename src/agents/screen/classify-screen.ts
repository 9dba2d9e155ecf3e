/** Classifies a screen given as text into one row, for programs in any language and for people. Pure. */
import { isRecord, parseJson } from '../../core/trace/trace.ts'
/** Classifies a screen given as text into one row, for programs in any language and for people. Pure. */

import { readScreen, type ScreenReading } from './read-screen.ts'
import { choiceOf, type Option } from './screen-rows.ts'
import type { ScreenRules } from './screen-rule.ts'

/** A line of `lull classify --jsonl`: a screen, with the title and progress of its terminal. */
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

export type ScreenText = {
  readonly screen: string
  readonly title?: string
  /** The terminal shows that something goes on (OSC 9;4). */
  readonly hasProgress?: boolean
}

/** A word for each thing, as `lull ps --json` has it. */
export type ScreenRow = {
  readonly state: string
  readonly for?: string
  readonly doing?: string
  /** How the turn before the idleness ended. */
  readonly after?: string
  readonly menu?: true
  readonly options?: readonly OptionRow[]
  readonly confidence: number
  /** The id of the rule; null where none matches. */
  readonly rule: string | null
}

type OptionRow = {
  readonly choice: number
  readonly label: string
  readonly key?: string
  /** Enter would choose it. */
  readonly pointed?: true
  readonly checked?: boolean
}

export type Classified = { readonly row: ScreenRow; readonly reading: ScreenReading }

/** Rows further up, and columns further right, than any terminal shows. */
const mostRows = 1000
const mostColumns = 2000

/** Colours and moves of `tmux capture-pane -e`, which a reader of text does not see. */
const sequences = /\u001b(?:\[[0-9:;<=>?]{0,64}[@-~]|[()][0-9A-B])/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** A carriage return goes with the line end. */
export const rowsOfText = (screen: string): readonly string[] =>
  screen
    .split('\n')
    .slice(-mostRows)
    .map(row =>
      row
        .slice(0, 4 * mostColumns)
        .replace(sequences, '')
        .replace(controls, '')
        .slice(0, mostColumns),
    )

/** A progress bar means work that the screen does not show. The screen itself counts for more. */
const confidenceOfProgress = 0.8

export function classifyScreen(
  rules: ScreenRules,
  { screen, title, hasProgress = false }: ScreenText,
): Classified {
  const view = { grid: { rows: rowsOfText(screen) } }
  const reading = readScreen(rules, title === undefined ? view : { ...view, title })
  const { kind } = reading.state
  const isByProgress = hasProgress && (kind === 'unknown' || kind === 'idle')
  const seen = {
    ...(reading.isMenu ? { menu: true as const } : {}),
    ...(reading.options && reading.options.length > 0 ? { options: reading.options.map(optionRow) } : {}),
  }
  const row: ScreenRow = isByProgress
    ? { state: 'working', ...seen, confidence: confidenceOfProgress, rule: 'progress' }
    : {
        ...wordsOf(reading),
        ...seen,
        confidence: reading.confidence,
        rule: reading.match?.rule.id ?? null,
      }
  return { row, reading }
}

function wordsOf({ state }: ScreenReading): Pick<ScreenRow, 'state' | 'for' | 'doing' | 'after'> {
  switch (state.kind) {
    case 'waiting':
      return { state: state.kind, for: state.for }
    case 'working':
      return { state: state.kind, ...(state.doing ? { doing: state.doing } : {}) }
    case 'idle':
      return { state: state.kind, ...(state.after ? { after: state.after } : {}) }
    default:
      return { state: state.kind }
  }
}

const optionRow = (option: Option, place: number): OptionRow => {
  const { label, key, isPointed, isChecked } = option
  return {
    choice: choiceOf(option, place),
    label,
    ...(key === undefined ? {} : { key }),
    ...(isPointed ? { pointed: true } : {}),
    ...(isChecked === undefined ? {} : { checked: isChecked }),
  }
}
