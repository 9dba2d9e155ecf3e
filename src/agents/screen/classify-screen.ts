/** What a screen that is given as text says, as one row: for programs in any language, and for people. Pure. */

import { readScreen, type ScreenReading } from './read-screen.ts'
import { choiceOf, type Option } from './screen-rows.ts'
import type { ScreenRules } from './screen-rule.ts'

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
  /** The id of the rule; null where none says anything. */
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

/** A bar tells of work that the screen itself does not show; what it does show counts for more. */
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
