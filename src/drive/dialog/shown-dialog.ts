/** The dialog on an agent's screen, as it can be answered. */
import type { Whole } from '../../agents/screen/dialog-top.ts'
import type { RowAbove } from '../../agents/screen/find-dialog.ts'
import type { ScreenReading } from '../../agents/screen/read-screen.ts'
import { isRowOf, type Option } from '../../agents/screen/screen-rows.ts'
import type { WaitingFor } from '../../core/state.ts'
import { moves } from '../../core/text/row-pattern.ts'
import type { KeptRules } from '../../sessions/screens/rules-now.ts'
import type { AskedRequest, LiveSession } from '../../sessions/session-source.ts'

/** The ticks of a row of tabs, as answers are given. */
const ticks = /[☐☑☒✔]/gu

/** A clock runs in a column of its own, beside the program's text. */
const clock = /\s\s\s(?:\d{1,4}(?:\.\d)?(?:ms|[smh]) ?){1,3}$/u

/** The only thing that moves above the options in the recorded dialogs. */
const spinner = /^\s*[\u2800-\u28ff](?=\s)/u

/** Where a list goes on beyond its edge. */
const isArrow = (row: string): boolean => /^\s*[▲▼↑↓]\s*$/u.test(row)

/** Eight characters of a hash: another text has another one. */
export const idOfRows = (rows: readonly string[]): string =>
  process.getBuiltinModule('node:crypto').hash('sha256', rows.join('\n')).slice(0, 8)

/**
 * The dialog among those of its session: one that reads the same and stood there before has another id. What ended before it was
 * drawn tells them apart, and so nothing that comes while it stands changes the id, not even a late word that it waits. Where no
 * host hears the agent's hooks, the text alone is its name: processes that follow a transcript by themselves time it each for
 * itself.
 */
export function dialogOf(dialog: ShownDialog, live: LiveSession | undefined): ShownDialog {
  const waitedUntil = live?.hooks === 'heard' ? live.session.kindByNews.waitedUntil : undefined
  return waitedUntil === undefined ? dialog : { ...dialog, id: idOfRows([dialog.id, String(waitedUntil)]) }
}

/**
 * In a row of what is asked about each sign, each blank and each duration counts.
 * @param hasTabs its questions stand beside each other
 */
function stillRow({ text, isOwn }: RowAbove, hasTabs: boolean): string {
  const still = hasTabs && /^\s*←.*→\s*$/u.test(text) ? text.replace(ticks, '') : text
  return isOwn ? still.replace(clock, '').replace(spinner, '').trimEnd() : still
}

export type ShownDialog = {
  readonly for: WaitingFor
  /** What it shows, options included, without its frame. */
  readonly rows: readonly string[]
  /** Empty where the options can't be distinguished. */
  readonly options: readonly Option[]
  /** Some options stand beyond its edge. */
  readonly isScrolled?: true
  /** Only the colour of its letters shows which option is chosen: that has to be seen to move before Enter. */
  readonly isByLetters?: true
  /**
   * Whether these are all its rows. `no`: its beginning is not on the screen. `perhaps`: what is asked about may have drawn what
   * looks like its border.
   */
  readonly whole: Whole
  /** Names what is shown: another text or other options, another id (`dialogOf`). Where it points, and what is ticked, does not count. */
  readonly id: string
  /** The row above its options. */
  readonly question: string
  /** What its agent reports of it through a hook that takes the answer: then its rows are of that report, and whole. */
  readonly asked?: AskedRequest
}

let kept: KeptRules | undefined

/**
 * Reads a screen, with the user's own rules too. All rules are loaded at the first call.
 * @param agent its name; one that is not known is read by what all agents share
 */
export async function readAgentScreen(
  rows: readonly string[],
  agent: string | undefined,
): Promise<ScreenReading> {
  const [{ readScreen }, { keepRules }] = await Promise.all([
    import('../../agents/screen/read-screen.ts'),
    import('../../sessions/screens/rules-now.ts'),
  ])
  kept ??= keepRules()
  const { rules } = await kept.of(agent)
  return readScreen(rules, { grid: { rows } })
}

/** @param agent its name, where one is known */
export async function readDialog(
  rows: readonly string[],
  agent: string | undefined,
): Promise<ShownDialog | undefined> {
  const { state, isMenu, options = [], layout } = await readAgentScreen(rows, agent)
  if (state.kind !== 'waiting' || isMenu) return undefined
  // Notes to an answer are written in what looks like a composer.
  const written = layout.composer ? [...layout.recent, ...layout.composer, ...layout.footer] : layout.bottom
  const shown = layout.dialog?.rows ?? written
  const isScrolled = shown.some(isArrow)
  const above = rowsAbove(shown, options)
  const labels = isScrolled ? [] : labelsOf(options)
  const { dialog } = layout
  const hasTabs = state.for === 'question' || state.for === 'dialog'
  const still = dialog?.above.map(row => stillRow(row, hasTabs)).filter(isText) ?? above
  const whole = dialog?.whole ?? 'no'
  const id = idOfRows([...(dialog && whole === 'no' ? ['…'] : []), ...still, ...labels])
  return {
    for: state.for,
    rows: shown,
    options,
    whole,
    id,
    question: above.at(-1) ?? '',
    ...(isScrolled ? { isScrolled } : {}),
  }
}

/** A pointer or a spinner at the start of a row moves while a dialog is shown; inside a row it is part of the text. */
const moving = /^\s*[\u2800-\u28ff❯›>●◉▸▶→➤»](?=\s)/u

const isText = (row: string): boolean => row.trim() !== '' && !isArrow(row)

const labelsOf = (options: readonly Option[]): readonly string[] =>
  options.map(({ number, label }) => `${number ?? ''} ${label}`)

const plainOf = (drawn: string): string => stillOf(drawn, '').replace(/\s+/g, ' ').trim()

/** @param instead what takes the place of what moves by itself */
function stillOf(drawn: string, instead: string): string {
  const row = drawn.replace(clock, ` ${instead}`)
  return row.trimStart().startsWith('←') ? row.replace(ticks, instead) : row.replace(moving, '')
}

/** What it asks about: all rows above its options. */
export function rowsOfBody({ rows, options }: Pick<ShownDialog, 'rows' | 'options'>): readonly string[] {
  const [first] = options
  const at = first ? rows.findLastIndex(row => isRowOf(first, row)) : -1
  return at < 0 ? rows : rows.slice(0, at)
}

/** What explains an option, and the hints below them all, change with the one that is pointed at. */
const rowsAbove = (rows: readonly string[], options: readonly Option[]): readonly string[] =>
  rowsOfBody({ rows, options }).map(plainOf).filter(isText)

/** More of them are no safer, and tmux takes a command of so many. */
const mostStanding = 30

/** The rows that stay the same until it is answered: the question with all above it, and the options. */
export function standingRows({ rows, options }: ShownDialog): readonly string[] {
  const above = rowsOfBody({ rows, options }).filter(row => isText(plainOf(row)))
  const own = rows.filter(row => options.some(option => isRowOf(option, row)))
  const hasButtons = options.some(({ isBeside }) => isBeside)
  return (
    [...above, ...own]
      // Blanks of other kinds stay as they are.
      .map(row => stillOf(row, moves).replace(duration, moves).trim())
      .map(row => (hasButtons ? row.replace(/[❯›▸▶➤] ?/gu, moves) : row))
      .slice(-mostStanding)
  )
}

/** The rows that stay while a text is typed into one of its options: a long text scrolls rows further up away. */
export function standingBeside(dialog: ShownDialog, now: ShownDialog, written: Option): readonly string[] {
  const rows = dialog.rows.filter(row => !isRowOf(written, row))
  const seen = new Set(now.rows.map(plainOf))
  const near = standingRows({ ...dialog, rows: rows.filter(row => seen.has(plainOf(row))) })
  return [dialog.question, ...near.slice(-nearRows)]
}

const duration = /\b\d+(?:\.\d+)?(?:ms|[smh])\b/gu

/**
 * Whether it is, or may be, the one that was answered: a clock anywhere in it may have moved its id on. Rows further up may
 * move as well.
 */
export function isAlike(now: ShownDialog | undefined, then: ShownDialog): boolean {
  const seen = ({ rows, options }: ShownDialog): string =>
    [...rowsAbove(rows, options).slice(-nearRows), ...labelsOf(options)].join('\n').replace(duration, '')
  return now !== undefined && (now.id === then.id || seen(now) === seen(then))
}

/** A question is at most this many rows above the options. */
const nearRows = 4

/** Whether the same is still asked, whatever else has changed around it. */
export const stillAsks = (now: ShownDialog | undefined, { question }: ShownDialog): now is ShownDialog =>
  now?.rows.some(row => plainOf(row) === question) === true
