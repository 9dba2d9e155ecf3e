/** Keys, one after the other, each once the last was read: a program takes several of one read for something else. */
import { actIf } from '../../sense/terminal/tmux.ts'
import { hasConsumed } from './consumption.ts'
import type { OpenPane } from './open-pane.ts'
import { RefusedError } from './refusal.ts'

/** A program that does not read is not waited for any longer: C-c is for such ones. ms */
const readMs = 300

/**
 * @param keys as tmux calls them (`readKey`)
 * @throws {RefusedError | AskError}
 */
export async function pressKeys(pane: OpenPane, keys: readonly string[]): Promise<void> {
  await pane.hear()
  const { facts, verdict } = await pane.look()
  if (!facts || facts.dead) throw new RefusedError('gone', `the pane has ended: ${verdict.why}`)
  if (facts.isInMode)
    throw new RefusedError(
      'waitsForPerson',
      `somebody scrolls in the pane: keys would go there; tmux send-keys -t ${pane.id} -X cancel ends that`,
    )
  if (facts.isSynchronized)
    throw new RefusedError('failed', 'the panes of its window are synchronized: keys would go to all of them')
  if (facts.isInputOff)
    throw new RefusedError(
      'failed',
      'tmux drops what is typed into this pane (select-pane -e takes it again)',
    )
  for (const key of keys) await press(pane, key)
}

async function press(pane: OpenPane, key: string): Promise<void> {
  const before = pane.glance()
  const same = `#{&&:#{==:#{pane_pid},${pane.pid}},#{==:#{pane_in_mode}#{pane_synchronized},00}}`
  if (!(await actIf(pane.socket, pane.id, same, 'send-keys', '-t', pane.id, key)))
    throw new RefusedError(
      'gone',
      `the pane ${pane.id} has ended, scrolls, or holds another program now: ${key} was not typed`,
    )
  const typed = { before, bytes: 1, at: performance.now(), isEntered: false }
  const end = typed.at + readMs
  while (performance.now() < end && !hasConsumed(typed, pane.glance())) await pane.woken(2)
}
