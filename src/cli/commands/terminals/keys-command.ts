/** `lull keys SESSION C-c Up Enter`: presses keys. What a person decides on purpose goes this way, so nothing is refused. */
import { exitCode } from '../../../core/exit-codes.ts'
import { readKey } from '../../../drive/press-keys.ts'
import { printEvent, type TerminalFlags, withTerminal } from '../../with-terminal.ts'

export async function keysCommand(
  address: string,
  keys: readonly string[],
  flags: TerminalFlags,
): Promise<void> {
  const names = keys.map(readKey)
  await withTerminal(address, flags, async terminal => {
    await terminal.keys(names)
    process.exitCode = exitCode.reached
    if (flags.json) printEvent({ event: 'pressed', pane: terminal.pane.id, keys: names })
  })
}
