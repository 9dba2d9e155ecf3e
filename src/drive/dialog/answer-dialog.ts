/**
 * Answers a dialog on purpose: the option is pointed at key by key, what the screen shows is read again after each, and Enter
 * is pressed only where it shows the same dialog with the pointer on that option. Then it has to go.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Option } from '../../agents/screen/screen-rows.ts'
import { refusedToType } from '../refusal.ts'
import { chooseOption } from './choose-option.ts'
import type { ShownDialog } from './shown-dialog.ts'

export type Answered = {
  readonly dialog: ShownDialog
  readonly option: Option
  /** The dialog is gone, or another one stands in its place. Else it was answered, and still stands there. */
  readonly isGone: boolean
}

export type DialogPorts = {
  read(): Promise<ShownDialog | undefined>
  /** @throws {LullError} as the pane refuses */
  press(key: string): Promise<void>
}

/** How long a key may take to show, and an answer to take effect: ms. */
const showMs = 1000
const effectMs = 3000
const everyMs = 30

/**
 * @param word as `chooseOption` reads it
 * @param expected the id of the dialog that was asked for, where that matters
 * @throws {LullError} REFUSED_TO_TYPE, NO_OPTION
 */
export async function answerDialog(
  { read, press }: DialogPorts,
  word: string,
  expected?: string,
): Promise<Answered> {
  const dialog = await read()
  if (!dialog) throw refusedToType('failed', 'no dialog with options is shown: nothing was pressed')
  if (expected !== undefined && expected !== dialog.id) throw changed(dialog)
  if (dialog.options.some(({ isChecked }) => isChecked !== undefined))
    throw refusedToType('waitsForPerson', 'several options may be chosen together: lull keys presses them')
  const at = chooseOption(dialog.options, word)
  const option = dialog.options[at] as Option
  await (option.key === undefined ? choose(dialog, at) : pressSame(dialog, option.key))
  const isGone = await until(async () => (await read())?.id !== dialog.id, effectMs)
  return { dialog, option, isGone }

  async function choose(dialog: ShownDialog, at: number): Promise<void> {
    let pointed = pointedIn(dialog)
    if (pointed < 0)
      throw refusedToType(
        'waitsForPerson',
        'which option is chosen shows by its colour alone: lull keys presses keys',
      )
    while (pointed !== at) {
      const next = pointed + Math.sign(at - pointed)
      await pressSame(dialog, at > pointed ? 'Down' : 'Up', pointed)
      const hasMoved = await until(async () => {
        const now = await read()
        return now?.id !== dialog.id || pointedIn(now) === next
      }, showMs)
      if (!hasMoved)
        throw refusedToType('failed', 'its pointer does not move as it should: Enter was not pressed')
      pointed = next
    }
    await pressSame(dialog, 'Enter', at)
  }

  /** Right before: it is still the same, and points there. */
  async function pressSame(dialog: ShownDialog, key: string, pointed?: number): Promise<void> {
    const now = await read()
    if (now?.id !== dialog.id) throw changed(now)
    if (pointed !== undefined && pointedIn(now) !== pointed) throw changed(now)
    await press(key)
  }
}

const pointedIn = ({ options }: ShownDialog): number => options.findIndex(({ isPointed }) => isPointed)

const changed = (now: ShownDialog | undefined) =>
  refusedToType(
    'waitsForPerson',
    `what it shows has changed${now ? ` (it is dialog ${now.id} now)` : ''}: it was not answered; lull answer SESSION --list shows it`,
  )

async function until(isSo: () => Promise<boolean>, patience: number): Promise<boolean> {
  for (const end = performance.now() + patience; ; ) {
    if (await isSo()) return true
    if (performance.now() > end) return false
    await pause(everyMs)
  }
}
