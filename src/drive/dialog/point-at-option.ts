/** Moves the pointer of a dialog key by key; what the screen shows is read again before and after each. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Option } from '../../agents/screen/screen-rows.ts'
import type { LastLook } from '../press-keys.ts'
import { refusedToType } from '../refusal.ts'
import { type ShownDialog, standingRows } from './shown-dialog.ts'

export type DialogPorts = {
  read(): Promise<ShownDialog | undefined>
  /** One after the other, each if it may be after a last look. @throws {LullError} as the pane and the look refuse */
  press(keys: readonly string[], look: LastLook): Promise<void>
  /** Whether its agent is known to wait: a hook reports that before the dialog is drawn (default: never). */
  isAsked?(): Promise<boolean>
}

/** How long a key may take to show: ms. */
const showMs = 1000
const everyMs = 30
/** No dialog has more options. */
const mostSteps = 100

export const isSame = (a: Option, b: Option): boolean =>
  a.number === b.number && a.label === b.label && a.isSubmit === b.isSubmit

export const pointedIn = (dialog: ShownDialog | undefined): Option | undefined =>
  dialog?.options.find(({ isPointed }) => isPointed)

/**
 * @param dialog as it was read when it was decided to answer it
 * @returns the dialog with the pointer on that option
 * @throws {LullError} REFUSED_TO_TYPE where it has changed, or the pointer does not move as it should
 */
export async function pointAt(ports: DialogPorts, dialog: ShownDialog, target: Option): Promise<ShownDialog> {
  let now = dialog
  for (let steps = 0; steps < mostSteps; steps++) {
    const pointed = pointedIn(now)
    if (!pointed) throw unseenPointer()
    const isThere = isSame(pointed, target)
    const isProven = steps > 0 || !dialog.isByLetters
    if (isThere && isProven) return now
    // What only looks like a pointer does not move away and back.
    const isDown = isThere ? !isLast(target, now) : placeOf(target, now) > placeOf(pointed, now)
    const key = pointed.isBeside ? (isDown ? 'Right' : 'Left') : isDown ? 'Down' : 'Up'
    const next = await pressAndRead(ports, now, key)
    if (next === undefined || !isNeighbour(now, pointed, next, isDown))
      throw refusedToType('failed', 'its pointer does not move as it should: Enter was not pressed')
    now = next
  }
  throw refusedToType('failed', `its pointer never came to ${target.label}: Enter was not pressed`)
}

/**
 * Presses one key, right after it was seen that the dialog is still as it was.
 * @returns it with its pointer elsewhere; undefined where that stays
 */
export async function pressAndRead(
  ports: DialogPorts,
  before: ShownDialog,
  key: string,
): Promise<ShownDialog | undefined> {
  await pressSame(ports, before, key)
  const was = pointedIn(before)
  // What is drawn in several steps is another dialog for a moment: only one that stays so is.
  let now: ShownDialog | undefined
  const hasMoved = await until(async () => {
    now = await ports.read()
    if (now?.id !== before.id) now = await ports.read()
    if (now?.id !== before.id) throw changed(now)
    const is = pointedIn(now)
    return is !== undefined && was !== undefined && !isSame(is, was)
  }, showMs)
  return hasMoved ? now : undefined
}

/** Right before: it is still the same, ticks included, and points there. At that moment its words stand there. */
export const pressSame = (ports: DialogPorts, before: ShownDialog, key: string): Promise<void> =>
  ports.press([key], async () => {
    const now = await ports.read()
    if (now?.id !== before.id || looksOf(now) !== looksOf(before)) throw changed(now)
    return standingRows(now)
  })

const looksOf = ({ options }: ShownDialog): string =>
  JSON.stringify(options.map(({ label, isPointed, isChecked }) => [label, isPointed, isChecked]))

/** Numbers show that there are options beyond the edge; the option that submits is below them all. */
const placeOf = (option: Option, { options }: ShownDialog): number =>
  option.isSubmit ? mostSteps : (option.number ?? options.findIndex(one => isSame(one, option)))

const isLast = (option: Option, { options }: ShownDialog): boolean => isSame(options.at(-1) as Option, option)

function isNeighbour(before: ShownDialog, from: Option, after: ShownDialog, isDown: boolean): boolean {
  const to = pointedIn(after)
  if (!to) return false
  if (to.isSubmit || from.isSubmit) return true
  return placeOf(to, after) - placeOf(from, before) === (isDown ? 1 : -1)
}

const unseenPointer = () =>
  refusedToType('waitsForPerson', 'which option is chosen does not show: lull keys presses keys')

export const changed = (now: ShownDialog | undefined) =>
  refusedToType(
    'waitsForPerson',
    `what it shows has changed${now ? ` (it is dialog ${now.id} now)` : ''}: it was not answered; lull answer SESSION --list shows it`,
  )

export async function until(isSo: () => Promise<boolean>, patience: number): Promise<boolean> {
  for (const end = performance.now() + patience; ; ) {
    if (await isSo()) return true
    if (performance.now() > end) return false
    await pause(everyMs)
  }
}
