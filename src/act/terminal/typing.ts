/**
 * Bytes into a pane, and into no other: they are put into a paste buffer of their own, and tmux pastes it only if the
 * pane still belongs to the same process. A paste goes to the program even while somebody scrolls, and never to other
 * panes, as keys of synchronized panes do.
 */
import { randomUUID } from 'node:crypto'
import { askTmux, pasteIf } from '../../sense/terminal/tmux.ts'
import type { OpenPane } from './open-pane.ts'
import { RefusedError } from './refusal.ts'

/**
 * @param isPaste line ends become Enter, and the program that asked for it is told that this is a paste (`?2004`)
 * @throws {RefusedError | AskError}
 */
export async function typeBytes(
  pane: OpenPane,
  bytes: Buffer,
  { isPaste }: { isPaste: boolean },
): Promise<void> {
  const buffer = `lull-${randomUUID()}`
  const same = `#{&&:#{==:#{pane_pid},${pane.pid}},#{==:#{pane_dead},0}}`
  const paste = { buffer, bytes, isPaste }
  const isTyped = await pasteIf(pane.socket, pane.id, same, paste).catch(() => false)
  if (isTyped) return
  await askTmux(pane.socket, 'delete-buffer', '-b', buffer).catch(() => undefined)
  throw new RefusedError(
    'gone',
    `the pane ${pane.id} has ended, or holds another program now: nothing was typed`,
  )
}
