/** The text of a pane, as tmux renders it: the screen with its cursor, optionally with the last lines of the scrollback. */
import { isLullError } from '../../core/lull-error.ts'
import type { Grid } from '../../core/text/grid.ts'
import { textWidth } from '../tty/text-width.ts'
import { uniqueName } from '../unique-name.ts'
import { askTmux, askTmuxWithin } from './ask-tmux.ts'
import { type PaneFacts, paneFormat, readPaneFacts } from './pane-facts.ts'

/** How long a server waits between two captures of one question, s: the kernel passes on at once what it was given by then. */
const apart = 0

export type Captured = {
  readonly facts: PaneFacts
  readonly screen: Grid
  /** The last lines, what has scrolled away included. */
  readonly lines: readonly string[]
  /** It was captured twice, and was the same before tmux looked for more output. */
  readonly isRepeated: boolean
}

/**
 * A pane's facts, its screen and its last lines, of one moment: tmux takes both questions in one go.
 * @param isTwice in the same question once more, after tmux has read what the pane printed meanwhile
 * @returns undefined where it has no such pane
 * @throws {LullError} as `askTmux`
 */
export async function capturePane(
  socket: string,
  pane: string,
  lines: number,
  { patience = Infinity, isTwice = false } = {},
): Promise<Captured | undefined> {
  const once = [
    ...['display-message', '-p', '-t', pane, paneFormat],
    ...[';', 'capture-pane', '-p', '-S', `-${lines}`, '-t', pane],
  ]
  const between = uniqueName()
  const again = [';', 'run-shell', '-d', String(apart), ';', 'display-message', '-p', between, ';', ...once]
  const asked = askTmuxWithin(patience, socket, isTwice ? [...once, ...again] : once)
  const answer = await asked.then(linesOf, whenClosed)
  const at = answer.lastIndexOf(between)
  const [factsLine = '', ...printed] = answer.slice(at + 1)
  const facts = readPaneFacts(factsLine)
  if (!facts || facts.id !== pane) return undefined
  const screen = gridOf(facts, printed.slice(-facts.rows))
  const isRepeated = at > 0 && answer.slice(0, at).join('\n') === answer.slice(at + 1).join('\n')
  return { facts, screen, lines: lastLines(printed, lines), isRepeated }
}

const linesOf = (printed: string): string[] => printed.replace(/\n$/, '').split('\n')

const whenClosed = (error: unknown): string[] => {
  if (isLullError(error, 'REFUSED') && /can't find pane/.test(error.message)) return []
  throw error
}

/** Blanks that tmux cuts off belong to a prompt: the row of the cursor is filled up to it. */
function gridOf({ cursor, columns, isAlternate, isCursorHidden }: PaneFacts, lines: readonly string[]): Grid {
  const filled = (line: string) => line + ' '.repeat(Math.max(0, cursor.column - textWidth(line)))
  const rows = lines.map((line, row) => (row === cursor.row ? filled(line) : line))
  const hidden = isCursorHidden ? { isCursorHidden: true as const } : {}
  return { rows, columns, cursor, alternate: isAlternate, ...hidden }
}

/**
 * The last lines of a pane, its history included.
 * @param raw keeps colours and attributes as escape sequences
 * @throws {LullError} ENDED, or REFUSED where there is no such pane
 */
export async function captureLines(
  socket: string,
  pane: string,
  lines: number,
  { raw = false, screen = false } = {},
): Promise<readonly string[]> {
  const from = screen ? [] : ['-S', `-${lines}`]
  const printed = linesOf(
    await askTmux(socket, 'capture-pane', '-p', ...(raw ? ['-e'] : []), ...from, '-t', pane),
  )
  return screen ? printed : lastLines(printed, lines)
}

/** What tmux itself writes on a pane that it keeps although its program has ended. */
export const isDeadNotice = (line: string): boolean => /^Pane is dead(?: \(.*\))?$/.test(line.trim())

/** The last of them, without the blank ones below, which tmux leaves above its own word on a pane that is dead. */
function lastLines(printed: readonly string[], lines: number): readonly string[] {
  const filled = filledLines(printed)
  const notice = filled.at(-1) ?? ''
  const all = isDeadNotice(notice) ? [...filledLines(filled.slice(0, -1)), notice] : filled
  return all.slice(-lines)
}

const filledLines = (printed: readonly string[]): readonly string[] =>
  printed.slice(0, printed.findLastIndex(line => line.trim() !== '') + 1)
