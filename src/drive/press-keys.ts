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

/** For so long a program takes what follows Escape for a key that is pressed with Alt (OpenCode: two of them interrupt). ms */
const escapeMs = 150

/** A terminal whose output is stopped takes these at once: Ctrl-Q, and the signals. */
const goesOn: ReadonlySet<string> = new Set(['C-q', 'C-c', 'C-\\', 'C-z'])

/**
 * @param keys as tmux calls them (`readKey`)
 * @param meant the agent that they are for, where the pane is not
 * @param signal no key more once it is aborted
 * @throws {LullError} REFUSED_TO_TYPE, REFUSED, ENDED
 */
export async function pressKeys(
  terminal: DrivenTerminal,
  keys: readonly string[],
  meant?: LiveSession,
  signal?: AbortSignal,
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
    await press(terminal, key)
    if (key === 'Escape' && at < keys.length - 1) await pause(escapeMs)
  }
}

async function press({ holder, probe }: DrivenTerminal, key: string): Promise<void> {
  const before = probe()
  if (!(await holder.press(key)))
    throw refusedToType(
      'gone',
      `the pane ${holder.id} has ended, scrolls, or holds another program now: ${key} was not typed`,
    )
  const typed = { before, bytes: 1, at: performance.now(), isEntered: false }
  const end = typed.at + readMs
  while (performance.now() < end && !hasConsumed(typed, probe())) await holder.output.woken(2)
}
