/** `lull answer SESSION yes`: chooses an option of the dialog that an agent shows, and says what came of it. */
import { exitCode, LullError } from '../../core.ts'
import { choiceOf } from '../../drive/dialog/choose-option.ts'
import type { ShownDialog } from '../../drive/dialog/shown-dialog.ts'
import { lines, print } from '../ui/print.ts'
import { printEvent, type TerminalFlags, withTerminal } from '../with-terminal.ts'

type Flags = TerminalFlags & { readonly list?: boolean; readonly dialog?: string }

export async function answerCommand(
  address: string,
  choice: string | undefined,
  flags: Flags,
): Promise<void> {
  if (choice === undefined && !flags.list)
    throw new LullError(
      'USAGE',
      'say what to choose: yes, no, always, a number or an option’s text; --list shows them',
    )
  if (choice !== undefined && flags.list)
    throw new LullError('USAGE', '--list only lists: give no choice with it')
  await withTerminal(
    address,
    flags,
    async terminal => {
      if (choice === undefined) return list(await terminal.dialog(), flags)
      const { dialog, option, isGone } = await terminal.answer(
        choice,
        flags.dialog === undefined ? {} : { dialog: flags.dialog },
      )
      process.exitCode = isGone ? exitCode.reached : exitCode.failed
      if (flags.json) printEvent({ event: 'answered', ...asJson(dialog), chosen: option.label, isGone })
      else if (isGone) print(lines(`answered: ${option.label}`))
      else
        print(
          lines(`chose ${option.label}, and it still stands there: lull read ${address} --screen shows it`),
        )
    },
    { readOnly: flags.list === true },
  )
}

function list(dialog: ShownDialog | undefined, { json }: Flags): void {
  process.exitCode = dialog ? exitCode.waitsForPerson : exitCode.reached
  if (json) {
    printEvent({ event: 'dialog', ...(dialog ? asJson(dialog) : { dialog: null }) })
    return
  }
  if (!dialog) {
    print(lines('no dialog with options is shown'))
    return
  }
  const choices = dialog.options.map((option, place) => `  ${choiceOf(option, place)}  ${option.label}`)
  print(
    lines(...dialog.rows, '', `asks for: ${dialog.for}; dialog ${dialog.id}; lull answer takes:`, ...choices),
  )
}

const asJson = ({ id, for: reason, rows, options }: ShownDialog) => ({
  dialog: id,
  for: reason,
  shows: rows,
  options: options.map((option, place) => ({ choice: choiceOf(option, place), label: option.label })),
})
