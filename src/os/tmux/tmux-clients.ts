/** Who is attached to a tmux server, and which pane each of them has before them. Pure. */

/**
 * The focus that the client's terminal reports. `unreported`: it reports none, or tmux does not ask for it. `program`: a client in
 * control mode, which shows nothing by itself.
 */
export type Focus = 'here' | 'elsewhere' | 'unreported' | 'program'

export type TmuxClient = {
  /** The active pane of the window that it shows. */
  readonly pane: string
  /** Its last key, or a change of its focus; to attach is no key, but who has just come is a person who looks. ms since the epoch */
  readonly signAt: number
  readonly focus: Focus
}

/** No line of panes begins so. */
const mark = 'client'

/** To be asked of `list-clients`. */
export const clientFormat = [
  mark,
  '#{client_activity}',
  '#{client_created}',
  '#{client_control_mode}',
  '#{focus-events}',
  '#{client_flags}',
  '#{client_termfeatures}',
  '#{pane_id}',
].join('\t')

/** Of an answer in which there may be other lines. */
export const readClients = (printed: string): readonly TmuxClient[] =>
  printed.split('\n').flatMap(line => readClient(line.split('\t')) ?? [])

function readClient([begin, activity, created, control, events, flags, features, pane = '']: string[]):
  | TmuxClient
  | undefined {
  if (begin !== mark || !/^%\d+$/.test(pane)) return undefined
  const signAt = 1000 * Math.max(Number(activity), Number(created))
  if (!Number.isFinite(signAt)) return undefined
  return { pane, signAt, focus: focusOf(control === '1', events === '1', words(flags), words(features)) }
}

const words = (list = ''): ReadonlySet<string> => new Set(list.split(','))

/** A client that has just come is `focused` whatever its terminal reports (docs/research/terminal.md#focus). */
function focusOf(
  isControl: boolean,
  hasEvents: boolean,
  flags: ReadonlySet<string>,
  features: ReadonlySet<string>,
): Focus {
  if (isControl) return 'program'
  // The terminal is given to the shell around it, or locked.
  if (flags.has('suspended')) return 'elsewhere'
  if (!hasEvents || !features.has('focus')) return 'unreported'
  return flags.has('focused') ? 'here' : 'elsewhere'
}
