/** What tmux knows of its panes, asked for as one line a pane. */
import { signalName } from '../proc/stat.ts'

export type PaneFacts = {
  readonly id: string
  /** Of the program that the pane was opened with. */
  readonly pid: number
  readonly tty: string
  /** Kept on the screen after its program has ended; how that ended, where tmux reports it. */
  readonly dead?: { readonly code?: number; readonly signal?: string }
  /** Somebody scrolls in it: keys go to the scroller. */
  readonly isInMode: boolean
  /** What is typed into it goes to the other panes of its window as well. */
  readonly isSynchronized: boolean
  /** tmux drops what is typed into it (`select-pane -d`). */
  readonly isInputOff: boolean
  /** Something hears its output already (`pipe-pane`): tmux passes it on to one only. */
  readonly isPiped: boolean
  readonly isAlternate: boolean
  readonly cursor: { readonly column: number; readonly row: number }
  readonly isCursorHidden: boolean
  readonly columns: number
  readonly rows: number
  /** Lines that have scrolled away and are kept. */
  readonly historySize: number
  /** How many of them are kept; tmux drops a tenth of them at once. */
  readonly historyLimit: number
  /** `$1`, and its name. */
  readonly session: string
  readonly sessionName: string
  /** `@1`, its number and its name. */
  readonly window: {
    readonly id: string
    readonly index: string
    readonly name: string
    readonly isActive: boolean
  }
  readonly index: string
  /** Of its window's panes. */
  readonly isActive: boolean
  /** Of the tmux server, like `3.3a`. */
  readonly version: string
  readonly command: string
}

/** A tab between fields: tmux writes one in a name as `\011`. Names come last all the same. */
const fields = [
  'pane_id',
  'pane_pid',
  'pane_tty',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_in_mode',
  'pane_synchronized',
  'pane_input_off',
  'pane_pipe',
  'alternate_on',
  'cursor_flag',
  'cursor_x',
  'cursor_y',
  'pane_width',
  'pane_height',
  'history_size',
  'history_limit',
  'session_id',
  'window_id',
  'window_index',
  'pane_index',
  'window_active',
  'pane_active',
  'version',
  'session_name',
  'window_name',
  'pane_current_command',
] as const

export const paneFormat = fields.map(field => `#{${field}}`).join('\t')

/** @returns undefined for the blanks that tmux writes of a pane that is not there */
export function readPaneFacts(line: string): PaneFacts | undefined {
  const values = line.split('\t')
  const of = (field: (typeof fields)[number]): string => values[fields.indexOf(field)] ?? ''
  const id = of('pane_id')
  if (!/^%\d+$/.test(id)) return undefined
  const isOn = (field: (typeof fields)[number]): boolean => Number(of(field)) > 0
  return {
    id,
    pid: Number(of('pane_pid')),
    tty: of('pane_tty'),
    ...(isOn('pane_dead') ? { dead: endOf(of('pane_dead_status'), of('pane_dead_signal')) } : {}),
    isInMode: isOn('pane_in_mode'),
    isSynchronized: isOn('pane_synchronized'),
    isInputOff: isOn('pane_input_off'),
    isPiped: isOn('pane_pipe'),
    historySize: Number(of('history_size')),
    historyLimit: Number(of('history_limit')),
    isAlternate: isOn('alternate_on'),
    cursor: { column: Number(of('cursor_x')), row: Number(of('cursor_y')) },
    isCursorHidden: of('cursor_flag') === '0',
    columns: Number(of('pane_width')),
    rows: Number(of('pane_height')),
    session: of('session_id'),
    sessionName: of('session_name'),
    window: {
      id: of('window_id'),
      index: of('window_index'),
      name: of('window_name'),
      isActive: isOn('window_active'),
    },
    index: of('pane_index'),
    isActive: isOn('pane_active'),
    version: of('version'),
    command: of('pane_current_command'),
  }
}

/** A pane, and the socket of its server. */
export type PaneTarget = { readonly socket: string; readonly facts: PaneFacts }

/** `name:window.pane`, as tmux and lull read it. */
export const placeOf = ({ sessionName, window, index }: PaneFacts): string =>
  `${sessionName}:${window.index}.${index}`

function endOf(status: string, signal: string): NonNullable<PaneFacts['dead']> {
  return {
    ...(/^\d+$/.test(status) ? { code: Number(status) } : {}),
    ...(signal === '' ? {} : { signal: signalName(signal) }),
  }
}
