/** `lull answer SESSION yes`: chooses an option of the dialog that an agent shows, and prints the result. */
import { exitCode } from '../../core/exit-codes.ts'
import { LullError } from '../../core/lull-error.ts'
import { wordOf } from '../../drive/dialog/choose-option.ts'
import { dialogJson } from '../../drive/dialog/dialog-json.ts'
import { needsText } from '../../drive/dialog/own-text.ts'
import type { ShownDialog } from '../../drive/dialog/shown-dialog.ts'
import { lines, print } from '../ui/print.ts'
import { printEvent, type TerminalFlags, withTerminal } from '../with-terminal.ts'

type Flags = TerminalFlags & { readonly list?: boolean; readonly dialog?: string; readonly text?: string }

export async function answerCommand(
  address: string,
  choices: readonly string[],
  flags: Flags,
): Promise<void> {
  checkAsked(choices, flags)
  await withTerminal(
    address,
    flags,
    async terminal => {
      if (flags.list) return list(await terminal.dialog(), flags)
      const { dialog: expected, text } = flags
      const { dialog, chosen, isGone, next } = await terminal.answer(choices, {
        ...(expected === undefined ? {} : { dialog: expected }),
        ...(text === undefined ? {} : { text }),
      })
      process.exitCode = isGone ? exitCode.reached : exitCode.failed
      if (flags.json) {
        printEvent({
          event: 'answered',
          ...dialogJson(dialog),
          chosen,
          isGone,
          next: next ? dialogJson(next) : null,
        })
        return
      }
      const what = chosen.join(', ') || 'nothing ticked'
      if (!isGone && dialog.asked)
        print(
          lines(
            `chose ${what}; whether it took effect is not known: lull read ${address} --screen shows what ${address} does`,
          ),
        )
      else if (!isGone)
        print(lines(`chose ${what}, but the dialog is still open; lull read ${address} --screen shows it`))
      else if (next)
        print(
          lines(`answered: ${what}; it asks on (dialog ${next.id}): lull answer ${address} --list shows it`),
        )
      else print(lines(`answered: ${what}`))
    },
    { readOnly: flags.list === true },
  )
}

function checkAsked(choices: readonly string[], { list: isList, text }: Flags): void {
  if (isList && (choices.length > 0 || text !== undefined))
    throw new LullError('USAGE', '--list and a choice exclude each other; give one')
  if (!isList && choices.length === 0 && text === undefined)
    throw new LullError(
      'USAGE',
      'no choice given; use yes, no, always, a number or an option’s text (--list shows them)',
    )
  if (text !== undefined && choices.length > 0)
    throw new LullError('USAGE', '--text and a choice exclude each other; give one')
}

function list(dialog: ShownDialog | undefined, { json }: Flags): void {
  process.exitCode = dialog ? exitCode.waitsForPerson : exitCode.reached
  if (json) {
    printEvent({ event: 'dialog', ...(dialog ? dialogJson(dialog) : { dialog: null }) })
    return
  }
  if (!dialog) {
    print(lines('no dialog is shown'))
    return
  }
  const isMany = dialog.options.some(({ isChecked }) => isChecked !== undefined)
  const takes =
    dialog.options.length === 0
      ? 'lull cannot tell the options apart; use lull keys'
      : isMany
        ? 'lull answer takes one or several:'
        : 'lull answer takes:'
  const choices = dialog.options.map((option, place) => {
    const tick = option.isChecked === undefined ? '' : option.isChecked ? '[x] ' : '[ ] '
    const how = needsText(option, dialog.options) ? '  (a text of your own: --text)' : ''
    return `  ${wordOf(option, place)}  ${tick}${option.label}${how}`
  })
  const begins = dialog.whole === 'no' && dialog.options.length > 0 ? [cutAbove] : []
  print(
    lines(
      ...begins,
      ...dialog.rows,
      '',
      `asks for: ${dialog.for}; dialog ${dialog.id}; ${takes}`,
      ...choices,
    ),
  )
  if (dialog.isScrolled) print(lines('  and more beyond its edge'))
}

const cutAbove = '… its beginning is not on the screen'
