/** Why a screen has its state: the rule, the near misses, and the parts that were found. Pure. */
import { describeState } from '../../core/explain/explain.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { Classified, ScreenRow } from './classify-screen.ts'
import { isShared, perhapsRules } from './common-rules.ts'
import type { Match, ScreenReading } from './read-screen.ts'
import type { ScreenLayout, ScreenPart } from './screen-layout.ts'

/** @param agent its name in sentences */
export function sentenceOf({ row, reading }: Classified, agent: string): string {
  const { state, confidence, rule } = row
  if (rule === null) return `Unknown: no rule matches (${agent}).`
  const menu = row.menu ? ', a menu is open' : ''
  return `${startOf(row, reading)}${menu} (${agent}: ${rule}, ${state === 'unknown' ? 0 : confidence}).`
}

const asked: Readonly<Record<string, string>> = {
  permission: 'a permission',
  question: 'the answer to a question',
  plan: 'a decision on its plan',
  trust: 'a word on whether the folder is trusted',
  login: 'a login',
  dialog: 'an answer to a dialog',
  password: 'a password',
  confirmation: 'a confirmation',
  keypress: 'a key',
  pager: 'a person who reads',
  editor: 'a person who edits',
  input: 'input',
}

const done: Readonly<Record<string, string>> = {
  thinking: 'it thinks',
  streaming: 'its answer streams',
  tool: 'a tool runs',
  compacting: 'it compacts its context',
  background: 'in the background',
  retrying: 'it tries again',
  command: 'a command runs',
}

const ended: Readonly<Record<string, string>> = {
  turn: 'its turn is over',
  interrupt: 'its turn was interrupted',
  error: 'its turn ended by an error',
  limit: 'its turn ended at the provider’s limit',
}

function startOf(row: ScreenRow, { state }: ScreenReading): string {
  switch (row.state) {
    case 'waiting':
      return `Waiting for ${asked[row.for ?? ''] ?? 'a person'}`
    case 'working':
      return row.doing ? `Working: ${done[row.doing] ?? row.doing}` : 'Working'
    case 'idle':
      return row.after ? `Idle: ${ended[row.after] ?? row.after}` : 'Idle'
    default:
      return describeState(state)
  }
}

/** `  1. Yes`, with a sign where Enter would choose it. */
export const optionLines = ({ options = [] }: ScreenRow): readonly string[] =>
  options.map(({ choice, label, key, pointed }) => {
    const named = key === undefined ? '' : ` [${key}]`
    return `${pointed ? '❯' : ' '} ${choice}. ${label}${named}`
  })

const longestRow = 120

/** @param rows of the screen, to tell in which one a rule matched */
export function explainScreen({ row, reading }: Classified, rows: readonly string[]): readonly string[] {
  const { match, nearMisses, layout } = reading
  const where = ({ rule, row: text }: Match): string =>
    `${rule.id}${isShared(rule) ? ' (of all agents)' : ''}, ${describeState(rule.state)}: ${rule.part} ${placeOf(rows, rule.part, text)}`
  return [
    ...(row.rule === 'progress' ? ['rule: progress, working: the terminal shows a progress bar'] : []),
    ...(match ? [`rule: ${where(match)}`] : row.rule === null ? ['rule: none'] : []),
    ...nearMisses.map(one => `near: ${where(one)}; ${whyNot(one, reading)}`),
    ...partLines(layout),
  ]
}

/** `row 12: › Yes`: the lowest row that holds the text, counted from 1. */
function placeOf(rows: readonly string[], part: string, text: string): string {
  const shown = oneLine(text.trim(), longestRow)
  if (part === 'title') return `"${shown}"`
  const at = rows.findLastIndex(one => one.includes(text.trim()))
  return `${at < 0 ? 'row' : `row ${at + 1}`}: ${shown}`
}

function whyNot({ rule, row }: Match, { match, layout, state }: ScreenReading): string {
  const rowsOfPart = rule.part === 'dialog' ? (layout.dialog?.rows ?? []) : partOf(layout, rule.part)
  const refuting = rule.unless && [...rowsOfPart, row].find(one => rule.unless?.test(one))
  if (refuting !== undefined)
    return `it does not count beside "${oneLine(refuting.trim(), longestRow)}" (unless)`
  if (rule.part === 'activity' && layout.dialog) return 'it is above a dialog, which stops the turn'
  if (match) return `${match.rule.id} comes before it`
  if (perhapsRules.includes(rule)) return 'a model or a person may have written it'
  return state.kind === 'unknown' ? 'it is further up and may be old' : 'it comes later'
}

function partOf(layout: ScreenLayout, part: ScreenPart): readonly string[] {
  if (part === 'composer') return layout.composer ?? []
  if (part === 'dialog' || part === 'last' || part === 'title') return []
  return layout[part]
}

function partLines({ composer, activity, footer, dialog, bottom }: ScreenLayout): readonly string[] {
  const rowsOf = (name: string, rows: readonly string[] | undefined): readonly string[] =>
    rows === undefined || rows.length === 0
      ? [`${name}: none`]
      : [
          `${name}:`,
          ...rows.map(one => `  | ${oneLine(one.trimEnd().replace(/^ {8,}/, '        '), longestRow)}`),
        ]
  return [
    ...rowsOf('activity', activity),
    ...rowsOf('composer', composer),
    ...rowsOf('footer', footer),
    ...rowsOf('dialog', dialog?.rows),
    ...(dialog ? [`options: ${dialog.options.length}`] : []),
    ...(composer || dialog ? [] : rowsOf('bottom', bottom)),
  ]
}
