/** Reads the screen of an agent's terminal: a tmux pane or a lull terminal. */
import { placesOf } from '../../os/file/places.ts'
import { askTmuxWithin } from '../../os/tmux/ask-tmux.ts'
import { terminalRequests } from '../../owned/terminal-requests.ts'

/** Where an agent's screen is: a pane and the socket of its tmux server, or the name of a terminal of lull's own. */
export type ScreenPlace = { readonly tmux: string; readonly pane: string } | { readonly terminal: string }

/** It is looked at again soon: ms. */
const patienceMs = 500

/** Its rows; undefined where it can't be had in time. */
export async function paneScreen(place: ScreenPlace): Promise<readonly string[] | undefined> {
  if ('terminal' in place) {
    const asked = terminalRequests(placesOf().terminals).lines(place.terminal, 'screen', false, patienceMs)
    return asked.catch(() => undefined)
  }
  const asked = askTmuxWithin(patienceMs, place.tmux, ['capture-pane', '-p', '-t', place.pane])
  const printed = await asked.catch(() => undefined)
  return printed?.replace(/\n$/, '').split('\n')
}

/** Undefined where it is in none that lull can look at. */
export function screenPlaceOf({
  tmux,
  pane,
  terminal,
}: {
  readonly tmux?: string
  readonly pane?: string
  readonly terminal?: string
}): ScreenPlace | undefined {
  if (terminal !== undefined) return { terminal }
  return tmux === undefined || pane === undefined ? undefined : { tmux, pane }
}
