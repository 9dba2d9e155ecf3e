/** `lull read SESSION`: prints the text of a terminal, and with `--json` its state. */
import { exitCode } from '../../../core/exit-codes.ts'
import { terminalWord } from '../../../drive/terminal-word.ts'
import { endOf } from '../../../drive/wait/wait-answer.ts'
import { countOf } from '../../flags/terminal-flags.ts'
import { ranThere } from '../../run-there.ts'
import { asItIs, lines, print } from '../../ui/print.ts'
import { printEvent, type TerminalFlags, withTerminal } from '../../with-terminal.ts'

export type ReadFlags = TerminalFlags & {
  readonly lines?: string
  readonly screen?: boolean
  readonly raw?: boolean
}

export async function readCommand(address: string | undefined, flags: ReadFlags): Promise<void> {
  const what = {
    lines: countOf('--lines', flags.lines ?? '100'),
    screen: flags.screen === true,
    raw: flags.raw === true,
  }
  if (flags.json && (await ranThere(address, flags))) return
  await withTerminal(
    address,
    flags,
    async terminal => {
      const look = flags.json ? await terminal.settle() : undefined
      const text = (await terminal.read(what)).map(line => `${line}\n`).join('')
      process.exitCode = exitCode.reached
      if (!look) {
        print(flags.raw ? asItIs(text) : lines(...text.split('\n').slice(0, -1)))
        return
      }
      const { verdict, screen } = look
      printEvent({
        event: 'read',
        pane: terminal.pane.id,
        pid: verdict.reader ?? terminal.pane.pid,
        state: terminalWord(verdict),
        kind: verdict.state.kind,
        confidence: verdict.confidence,
        evidence: [verdict.why],
        ...(verdict.prompt === undefined ? {} : { promptLine: verdict.prompt }),
        ...endOf(verdict),
        ...(screen?.cursor ? { cursor: screen.cursor, alternate: screen.alternate === true } : {}),
        screen: text,
      })
    },
    { readOnly: true },
  )
}
