/**
 * When lull last typed into each pane, and into an agent's what: one small file, which every lull of this user reads and writes.
 * What was true of an agent before may be over, though no source has reported it yet.
 */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Instant } from '../core/state.ts'
import { withoutBlanks } from '../core/text/grid.ts'
import { isRecord } from '../core/trace/trace.ts'
import { attempt } from '../os/attempt.ts'
import { changeJsonFile, readJsonFile } from '../os/file/json-file.ts'
import { placesOf } from '../os/file/places.ts'
import type { LiveSession } from './session-source.ts'

/** Ended panes are not removed one by one; beyond this many the oldest are dropped. */
const mostKept = 100

/** Beside the locks of those who type. */
const fileOf = (): string => path.join(placesOf().runtime, 'panes', 'typed.json')

/** Names a pane in files: two paths may lead to one socket. */
export const keyOfPane = (socket: string, pane: string): string =>
  `${attempt(() => realpathSync(socket)) ?? socket} ${pane}`

export type TypedPrompt = {
  readonly at: Instant
  /** The prompt's beginning, without blanks: it is broken into rows in another way where it is shown. */
  readonly prompt?: string
}

/** Enough to find it on a screen again. */
const promptLength = 200
/** How long what was typed may take to be sent and shown: ms. After that nobody needs its words. */
export const promptMs = 15_000

/**
 * Called right before the first key. That it can't be noted keeps nothing from being typed: a wait that follows is as good as if
 * somebody else had typed.
 * @param prompt what an agent gets; what goes to a shell may be a secret
 */
export async function noteTyped(socket: string, pane: string, at: Instant, prompt?: string): Promise<void> {
  const text = prompt === undefined ? {} : { prompt: withoutBlanks(prompt).slice(0, promptLength) }
  const note = changeJsonFile(fileOf(), before => {
    const all = { ...before, [keyOfPane(socket, pane)]: { at: Math.round(at), ...text } }
    const entries = Object.entries(all).flatMap(([key, entry]) => {
      const typed = readTyped(entry)
      if (!typed) return []
      return [[key, typed.at + promptMs < at ? { at: typed.at } : typed] as const]
    })
    return Object.fromEntries(entries.sort(([, a], [, b]) => b.at - a.at).slice(0, mostKept))
  })
  await note.catch(() => undefined)
}

const readTyped = (entry: unknown): TypedPrompt | undefined =>
  isRecord(entry) && typeof entry.at === 'number'
    ? { at: entry.at, ...(typeof entry.prompt === 'string' ? { prompt: entry.prompt } : {}) }
    : undefined

/** Into one pane. */
export const typedIntoPane = (socket: string, pane: string): TypedPrompt | undefined =>
  readTyped(readJsonFile(fileOf())[keyOfPane(socket, pane)])

type Place = Pick<LiveSession, 'tmux' | 'pane' | 'terminal'>

/** Of each session's pane; undefined where lull has typed nothing there. */
export function typedInto(): (session: Place) => TypedPrompt | undefined {
  const all = readJsonFile(fileOf())
  const { terminals } = placesOf()
  return ({ tmux, pane, terminal }) => {
    const [socket, id] = terminal === undefined ? [tmux, pane] : [terminals, terminal]
    return socket === undefined || id === undefined ? undefined : readTyped(all[keyOfPane(socket, id)])
  }
}
