/** What a terminal shows, computed by a terminal emulator without a window (@xterm/headless). */
import { SerializeAddon } from '@xterm/addon-serialize'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import headless, { type Terminal } from '@xterm/headless'
import { statusAnswer } from '../../agents/kit/status-protocol.ts'
import type { Grid } from '../../core/text/grid.ts'
import type { TerminalSize } from '../../os/tty/tty.ts'
import { keptRows } from '../terminal-messages.ts'
import { colouredRow } from './coloured-row.ts'

/** Light grey on black: what most terminals have, and what agents choose their colours for. */
const colours: ReadonlyMap<number, string> = new Map([
  [10, 'rgb:d0d0/d0d0/d0d0'],
  [11, 'rgb:0000/0000/0000'],
  [12, 'rgb:d0d0/d0d0/d0d0'],
])

function answerQuestions({ parser }: Terminal, onReply: (text: string) => void): void {
  for (const [number, colour] of colours)
    parser.registerOscHandler(number, text => {
      if (text === '?') onReply(`\u001b]${number};${colour}\u001b\\`)
      return true
    })
  parser.registerOscHandler(7501, text => {
    if (text === '?') onReply(statusAnswer)
    return true
  })
}

/** How keys and pastes are to be written for the program that reads them now. */
export type InputModes = { readonly isApplicationCursor: boolean; readonly isBracketedPaste: boolean }

export type Emulator = {
  /** Resolves once it is on the screen. */
  write(piece: Buffer): Promise<void>
  resize(size: TerminalSize): void
  grid(): Grid
  /** The last rows, what has scrolled away included; blanks at their ends cut. */
  lines(most: number): readonly string[]
  /** The rows of the screen, or the last ones, with colours and attributes as escape sequences. */
  colouredLines(most: number | 'screen'): readonly string[]
  /** Rows that have scrolled away and are kept. */
  historySize(): number
  /** So many line feeds after a row nothing is kept of it, wherever the cursor stood. */
  reach(): number
  /** Line feeds that were taken as such, since its beginning. */
  lineFeeds(): number
  /** A line feed in the last row moves all of them into what is kept. */
  isScrolling(): boolean
  title(): string
  modes(): InputModes
  /** The sequences that bring another terminal to this screen. */
  snapshot(): string
  dispose(): void
}

/** @param onReply called with what the program has to read as the terminal's answer */
export function createEmulator({ columns, rows }: TerminalSize, onReply: (text: string) => void): Emulator {
  const options = {
    cols: columns,
    rows,
    scrollback: keptRows,
    allowProposedApi: true,
    // Else it writes a page to stderr for each sequence that is none, which is the log.
    logLevel: 'off' as const,
  }
  const terminal = new headless.Terminal(options)
  const serializer = new SerializeAddon()
  terminal.loadAddon(serializer as never)
  terminal.loadAddon(new Unicode11Addon() as never)
  terminal.unicode.activeVersion = '11'
  let title = ''
  terminal.onTitleChange(text => {
    title = text
  })
  terminal.onData(onReply)
  answerQuestions(terminal, onReply)
  const isCursorHidden = followCursor(terminal)
  const hasRegion = followRegion(terminal)
  let lineFeeds = 0
  terminal.onLineFeed(() => {
    lineFeeds++
  })
  return {
    write: piece => new Promise(resolve => terminal.write(piece, resolve)),
    resize: size => terminal.resize(size.columns, size.rows),
    grid: () => gridOf(terminal, isCursorHidden()),
    lines: most => lastLines(terminal, most),
    colouredLines: most => colouredLines(terminal, most),
    historySize: () => terminal.buffer.normal.baseY,
    reach: () => keptRows + 2 * terminal.rows,
    lineFeeds: () => lineFeeds,
    isScrolling: () => terminal.buffer.active.type === 'normal' && !hasRegion(),
    title: () => title,
    modes: () => ({
      isApplicationCursor: terminal.modes.applicationCursorKeysMode,
      isBracketedPaste: terminal.modes.bracketedPasteMode,
    }),
    snapshot: () =>
      `${serializer.serialize({ scrollback: 0 })}${isCursorHidden() ? '\u001b[?25l' : '\u001b[?25h'}`,
    dispose: () => terminal.dispose(),
  }
}

/** The emulator does not tell whether its cursor is shown. */
function followCursor({ parser }: Terminal): () => boolean {
  let isHidden = false
  const sets = (isShown: boolean) => (params: readonly (number | number[])[]) => {
    if (params.includes(25)) isHidden = !isShown
    return false
  }
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, sets(true))
  parser.registerCsiHandler({ prefix: '?', final: 'l' }, sets(false))
  const reset = () => {
    isHidden = false
    return false
  }
  parser.registerEscHandler({ final: 'c' }, reset)
  parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset)
  return () => isHidden
}

/** Nor whether a part of its rows scrolls by itself. One that is set counts until all rows are named by none. */
function followRegion({ parser }: Terminal): () => boolean {
  let isSet = false
  const end = () => {
    isSet = false
    return false
  }
  parser.registerCsiHandler({ final: 'r' }, params => {
    isSet = params.some(param => param !== 0)
    return false
  })
  parser.registerEscHandler({ final: 'c' }, end)
  parser.registerCsiHandler({ intermediates: '!', final: 'p' }, end)
  return () => isSet
}

function screenRows({ buffer: { active }, rows }: Terminal): string[] {
  return Array.from(
    { length: rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
  )
}

function gridOf(terminal: Terminal, isCursorHidden: boolean): Grid {
  const { baseY, cursorX, cursorY, type } = terminal.buffer.active
  const rows = screenRows(terminal)
  // Blanks up to the cursor belong to a prompt.
  const upTo = terminal.buffer.active.getLine(baseY + cursorY)?.translateToString(false, 0, cursorX) ?? ''
  if ((rows[cursorY] ?? '').length < upTo.length) rows[cursorY] = upTo
  return {
    rows,
    columns: terminal.cols,
    cursor: { row: cursorY, column: Math.min(cursorX, terminal.cols - 1) },
    alternate: type === 'alternate',
    ...(isCursorHidden ? { isCursorHidden: true as const } : {}),
  }
}

/** Blank rows below are none. */
const filled = (rows: readonly string[]): readonly string[] =>
  rows.slice(0, rows.findLastIndex(row => row.trim() !== '') + 1)

function lastLines(terminal: Terminal, most: number): readonly string[] {
  const { normal } = terminal.buffer
  const kept = Math.min(most, normal.baseY)
  const history = Array.from(
    { length: kept },
    (_, n) => normal.getLine(normal.baseY - kept + n)?.translateToString(true) ?? '',
  )
  return filled([...history, ...screenRows(terminal)]).slice(-most)
}

function colouredLines(terminal: Terminal, most: number | 'screen'): readonly string[] {
  const { active } = terminal.buffer
  const kept = most === 'screen' ? 0 : Math.min(most, active.baseY)
  const from = active.baseY - kept
  const all = Array.from({ length: terminal.rows + kept }, (_, n) => colouredRow(active.getLine(from + n)))
  return most === 'screen' ? all : filled(all).slice(-most)
}
