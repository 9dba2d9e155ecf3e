/**
 * Bytes into a pane, and into no other: they are put into a paste buffer of their own, and tmux pastes it only if the
 * pane still belongs to the same process. A paste goes to the program even while somebody scrolls, and never to other
 * panes, as keys of synchronized panes do.
 */

import { randomUUID } from 'node:crypto'
import type { OpenPane } from '../terminal/open-pane.ts'
import { refusedToType } from './refusal.ts'

/** Characters a command to tmux; one that is longer grows four times at most by its escapes. */
const longestPart = 16 * 1024

/**
 * @param isPaste line ends become Enter, and the program that asked for it is told that this is a paste (`?2004`)
 * @throws {LullError} REFUSED_TO_TYPE, REFUSED, ENDED
 */
export async function typeBytes(
  pane: OpenPane,
  bytes: Buffer,
  { isPaste }: { isPaste: boolean },
): Promise<void> {
  const client = pane.client()
  const name = `lull-${randomUUID()}`
  for (let at = 0; at < bytes.length; at += longestPart) {
    const part = bytes.subarray(at, at + longestPart)
    await client.run('set-buffer', '-a', '-b', name, '--', part)
  }
  const same = `#{&&:#{==:#{pane_pid},${pane.pid}},#{==:#{pane_dead},0}}`
  const paste = ['paste-buffer', '-d', ...(isPaste ? ['-p'] : []), '-b', name, '-t', pane.id]
  const isTyped = await client.runIf(pane.id, same, ...paste).catch(() => false)
  if (isTyped) return
  await client.run('delete-buffer', '-b', name).catch(() => undefined)
  throw refusedToType(
    'gone',
    `the pane ${pane.id} has ended, or holds another program now: nothing was typed`,
  )
}
