/** Keys, one after the other, each once the last was read: a program takes several of one read for something else. */

import { setTimeout as pause } from 'node:timers/promises'

export { readKey } from '../os/tmux/key-names.ts'

import type { LiveSession } from '../sessions/session-source.ts'
import { hasConsumed } from '../terminal/consumption.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import { checkWanted, isAway, paneRefusal, refusedAway, refusedToType } from './refusal.ts'
import { checkOutput } from './stopped-output.ts'

/** A program that does not read is not waited for any longer: C-c is for such ones. ms */
const readMs = 300

/** Tries of a key while its screen moves. */
const mostTries = 3

/** For so long a program takes what follows Escape for a key that is pressed with Alt (OpenCode: two of them interrupt). ms */
const escapeMs = 150

/** A terminal with stopped output takes these at once: Ctrl-Q, and the signals. */
const goesOn: ReadonlySet<string> = new Set(['C-q', 'C-c', 'C-\\', 'C-z'])

/**
 * Called right before each key.
 * @returns rows that have to stand on the screen at the moment when it is pressed
 * @throws {LullError} where nothing may be pressed any more
 */
export type LastLook = () => Promise<readonly string[]>

export type KeyOptions = {
  /** The agent that they are for, where the pane is not. */
  readonly meant?: LiveSession
  /** No key more once it is aborted. */
  readonly signal?: AbortSignal
  readonly look?: LastLook
}

/**
 * @param keys as tmux calls them (`readKey`)
 * @throws {LullError} REFUSED_TO_TYPE, REFUSED, ENDED
 */
export async function pressKeys(
  terminal: DrivenTerminal,
  keys: readonly string[],
  { meant, signal, look }: KeyOptions = {},
): Promise<void> {
  const { id, receiveOutput } = terminal.holder
  await receiveOutput()
  const observation = await terminal.observe()
  const refused = paneRefusal(observation)
  if (refused) throw refused
  if (meant && isAway(observation, meant)) throw refusedAway(observation, meant)
  const { facts } = observation
  if (facts?.isInMode)
    throw refusedToType(
      'waitsForPerson',
      `somebody scrolls in the pane: keys would go there; tmux send-keys -t ${id} -X cancel ends that`,
    )
  if (facts?.isSynchronized)
    throw refusedToType('failed', 'the panes of its window are synchronized: keys would go to all of them')
  if (!goesOn.has(keys[0] ?? '')) await checkOutput(terminal)
  for (const [at, key] of keys.entries()) {
    checkWanted(signal)
    if (!(await press(terminal, key, look))) {
      const other = look ? 'shows something else' : 'or holds another program'
      const before = at > 0 ? `, what was to come before it was (${at} of ${keys.length} keys)` : ''
      throw refusedToType(
        'gone',
        `the pane ${id} has ended, scrolls, ${other} now: ${key} was not typed${before}`,
      )
    }
    if (key === 'Escape' && at < keys.length - 1) await pause(escapeMs)
  }
}

async function press({ holder, probe }: DrivenTerminal, key: string, look?: LastLook): Promise<boolean> {
  const before = probe()
  let shown = await look?.()
  holder.output.entered()
  // What moved right then is looked at once more: it may be the same still.
  for (let tries = 1; !(await holder.press(key, shown)); tries++) {
    if (!look || tries === mostTries) return false
    shown = await look()
  }
  const typed = { before, bytes: 1, at: performance.now(), isEntered: false }
  const end = typed.at + readMs
  while (performance.now() < end && !hasConsumed(typed, probe())) await holder.output.woken(2)
  return true
}
