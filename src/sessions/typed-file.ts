/**
 * When lull last typed into each pane: one small file, which every lull of this user reads and writes. What was true of an
 * agent before may be over, though no source has reported it yet.
 */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Instant } from '../core/state.ts'
import { attempt } from '../os/attempt.ts'
import { changeJsonFile, readJsonFile } from '../os/file/json-file.ts'
import { placesOf } from '../os/file/places.ts'
import type { LiveSession } from './session-source.ts'

/** Ended panes are not removed one by one; beyond this many the oldest are dropped. */
const mostKept = 100

/** Beside the locks of those who type. */
const fileOf = (): string => path.join(placesOf().runtime, 'panes', 'typed.json')

const keyOf = (socket: string, pane: string): string =>
  `${attempt(() => realpathSync(socket)) ?? socket} ${pane}`

/** That it can't be noted keeps nothing from being typed: a wait that follows is as good as if somebody else had typed. */
export async function noteTyped(socket: string, pane: string, at: Instant): Promise<void> {
  const note = changeJsonFile(fileOf(), before => {
    const all = { ...before, [keyOf(socket, pane)]: Math.round(at) }
    const times = Object.entries(all).filter((entry): entry is [string, number] => Number.isFinite(entry[1]))
    return Object.fromEntries(times.sort(([, a], [, b]) => b - a).slice(0, mostKept))
  })
  await note.catch(() => undefined)
}

/** Of each session's pane; undefined where lull has typed nothing there. */
export function typedInto(): (session: LiveSession) => Instant | undefined {
  const times = readJsonFile(fileOf())
  const { terminals } = placesOf()
  return ({ tmux, pane, terminal }) => {
    const [socket, id] = terminal === undefined ? [tmux, pane] : [terminals, terminal]
    const at = socket === undefined || id === undefined ? undefined : times[keyOf(socket, id)]
    return typeof at === 'number' ? at : undefined
  }
}
