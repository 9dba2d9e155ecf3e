/**
 * Answers a dialog on purpose: the option is pointed at key by key, what the screen shows is read again before each, and Enter
 * is pressed only where it shows the same dialog with the pointer on that option. Then it has to go.
 */
import { isRefusal, type Option } from '../../agents/screen/screen-rows.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { withoutBlanks } from '../../core/text/grid.ts'
import { refusedToType } from '../refusal.ts'
import { chooseOption, listOf } from './choose-option.ts'
import { drawnDialog } from './drawn-dialog.ts'
import { needsText, ownTextOption } from './own-text.ts'
import {
  changed,
  type DialogPorts,
  isSame,
  pointAt,
  pointedIn,
  pressAndRead,
  pressSame,
  until,
} from './point-at-option.ts'
import { isReview, submits } from './review-page.ts'
import { isAlike, type ShownDialog, standingBeside, stillAsks } from './shown-dialog.ts'

export type DialogAnswer = {
  /** Each as `chooseOption` reads it: one, or several where the dialog takes several. */
  readonly choices: readonly string[]
  /** Instead of them: a text of one's own, where an option takes one. */
  readonly text?: string
  /** The id of the dialog that was asked for, where that matters. */
  readonly expected?: string
  /** How long it may still stand there once it is answered: 10 s, as a CLI may start itself again for it (Gemini's trust). ms */
  readonly goesWithin?: number
  /** Called once the key that chooses was pressed. */
  readonly onGiven?: () => void
}

export type Answered = {
  readonly dialog: ShownDialog
  /** The labels of what was chosen, or the text. */
  readonly chosen: readonly string[]
  /** The dialog is gone, or another one has replaced it. Otherwise it was answered and is still shown. */
  readonly isGone: boolean
  /** What it asks instead: the next question of several. */
  readonly next?: ShownDialog
}

/** How long a key may take to have an effect, and what comes after it has to stand: ms. */
const effectMs = 3000
const nextMs = 150

const longestText = 2000

/** @throws {LullError} REFUSED_TO_TYPE, NO_OPTION, USAGE */
export async function answerDialog(ports: DialogPorts, answer: DialogAnswer): Promise<Answered> {
  const { choices, text, expected, goesWithin = 10_000, onGiven } = answer
  const dialog = await drawnDialog(ports.read, async () => (await ports.isAsked?.()) === true)
  if (!dialog || dialog.options.length === 0)
    throw refusedToType('failed', 'no dialog with options is shown: nothing was pressed')
  if (expected !== undefined && expected !== dialog.id) throw changed(dialog)
  const isMany = dialog.options.some(({ isChecked }) => isChecked !== undefined)
  if (!isMany && choices.length > 1)
    throw new LullError(
      'USAGE',
      `it takes one choice: nothing was pressed; there are: ${listOf(dialog.options)}`,
    )
  const { chosen, last } =
    text !== undefined
      ? await giveText(ports, dialog, text, isMany)
      : isMany
        ? await chooseMany(ports, dialog, choices)
        : await chooseOne(ports, dialog, choices[0] ?? '')
  onGiven?.()
  const { isGone, next } = await outcome(ports, last, chosen, goesWithin)
  return { dialog, chosen, isGone, ...(next ? { next } : {}) }
}

/** `last`: the dialog as it stood when the key was pressed that ends it. */
type Given = { readonly chosen: readonly string[]; readonly last: ShownDialog }

async function chooseOne(ports: DialogPorts, dialog: ShownDialog, word: string): Promise<Given> {
  const option = chosenIn(dialog.options, word)
  const key = option.key ?? (dialog.for === 'permission' && isByEscape(option) ? 'Escape' : undefined)
  if (key === undefined) await pressSame(ports, await pointAt(ports, dialog, option), 'Enter')
  else await pressSame(ports, dialog, key)
  return { chosen: [option.label], last: dialog }
}

/** It refuses, and names the key for that: on the option itself Enter may want a reason first (Copilot). */
const isByEscape = ({ label }: Option): boolean =>
  isRefusal(label) && /\(esc\b/i.test(label) && label.endsWith(')')

function chosenIn(options: readonly Option[], word: string): Option {
  const option = options[chooseOption(options, word)] as Option
  if (needsText(option, options))
    throw new LullError('USAGE', `“${option.label}” takes a text of your own (--text): nothing was pressed`)
  if (options.filter(one => isSame(one, option)).length > 1)
    throw new LullError(
      'NO_OPTION',
      `several options read “${option.label}”: nothing was pressed; lull keys presses keys`,
    )
  return option
}

/** What is named is ticked in the end, and nothing else. `submit` alone hands in what is ticked. */
async function chooseMany(ports: DialogPorts, dialog: ShownDialog, words: readonly string[]): Promise<Given> {
  const { options, seen } = await allOptions(ports, dialog)
  const wanted = words.map(word => chosenIn(options, word))
  let now = seen
  if (!wanted.some(({ isSubmit }) => isSubmit))
    for (const option of options) {
      const isWanted = wanted.some(one => isSame(one, option))
      if (option.isChecked === undefined || option.isChecked === isWanted) continue
      now = await pointAt(ports, now, option)
      now = await tick(ports, now, option)
    }
  await handIn(ports, now)
  return { chosen: wanted.filter(({ isSubmit }) => !isSubmit).map(({ label }) => label), last: now }
}

/** Those beyond the edge are found by walking down to the end. */
async function allOptions(ports: DialogPorts, dialog: ShownDialog) {
  const options = [...dialog.options]
  let seen = dialog
  while (dialog.isScrolled) {
    const last = seen.options.at(-1) as Option
    if (last.isSubmit && last.isPointed) break
    const next = await pressAndRead(ports, seen, 'Down')
    // At its end, or back at its beginning.
    if (!next || isSame(pointedIn(next) as Option, dialog.options[0] as Option)) break
    seen = next
    for (const option of next.options) if (!options.some(one => isSame(one, option))) options.push(option)
  }
  return { options, seen }
}

async function tick(ports: DialogPorts, before: ShownDialog, option: Option): Promise<ShownDialog> {
  const takesSpace = before.rows.some(row => /\bspace\b[^a-z]*(?:to )?(?:select|toggle)/i.test(row))
  await pressSame(ports, before, takesSpace ? 'Space' : 'Enter')
  let now: ShownDialog | undefined
  const isTicked = await until(async () => {
    now = await ports.read()
    if (now?.id !== before.id) now = await ports.read()
    if (now?.id !== before.id) throw changed(now)
    const is = now.options.find(one => isSame(one, option))
    return is?.isChecked !== undefined && is.isChecked !== option.isChecked
  }, effectMs)
  if (!isTicked || !now)
    throw refusedToType('failed', `${option.label} could not be ticked: nothing was handed in`)
  return now
}

/** On the row that does so; else on the tab behind the question. */
async function handIn(ports: DialogPorts, dialog: ShownDialog): Promise<void> {
  const submit: Option = dialog.options.find(({ isSubmit }) => isSubmit) ?? {
    label: 'Done',
    isPointed: false,
    isSubmit: true,
  }
  const hasTab = dialog.rows.some(row => /^\s*←.*→\s*$/u.test(row) || /\btab\b/i.test(row))
  if (dialog.options.some(({ isSubmit }) => isSubmit) || dialog.isScrolled)
    await pressSame(ports, await pointAt(ports, dialog, submit), 'Enter')
  else if (hasTab) await pressSame(ports, dialog, 'Tab')
  else throw refusedToType('failed', 'what hands it in does not show: lull keys presses keys')
}

async function giveText(
  ports: DialogPorts,
  dialog: ShownDialog,
  text: string,
  isMany: boolean,
): Promise<Given> {
  if (text.trim() === '' || /\p{Cc}/u.test(text) || text.length > longestText)
    throw new LullError('USAGE', `a text is one line of up to ${longestText} characters: nothing was pressed`)
  const { options, seen } = await allOptions(ports, dialog)
  const own = ownTextOption(options)
  if (!own)
    throw new LullError(
      'NO_OPTION',
      `no option takes a text: nothing was pressed; there are: ${listOf(options)}`,
    )
  const pointed = await pointAt(ports, seen, own.option)
  if (own.opens) {
    await pressSame(ports, pointed, own.opens)
    await until(async () => (await ports.read())?.id !== dialog.id, nextMs)
  }
  const now = await ports.read()
  if (!stillAsks(now, dialog)) throw changed(now)
  const shown = standingBeside(dialog, now, own.option)
  // A program that takes what comes at once for one key loses the rest.
  const keys = [...text].map(character => (character === ' ' ? 'Space' : character))
  await ports.press(keys, async () => shown)
  const timesIn = (one: ShownDialog | undefined) =>
    withoutBlanks(one?.rows.join('') ?? '').split(withoutBlanks(text)).length
  const before = timesIn(now)
  // The question may hold the same words.
  const isShown = await until(async () => timesIn(await ports.read()) > before, effectMs)
  if (!isShown) throw refusedToType('failed', 'what was typed does not show there: Enter was not pressed')
  const typed = await ports.read()
  if (!stillAsks(typed, dialog)) throw changed(typed)
  const isTicked = typed.options.some(({ label, isChecked }) => isChecked === true && text.startsWith(label))
  if (isMany && isTicked) await handIn(ports, typed)
  else
    await ports.press(['Enter'], async () => {
      const last = await ports.read()
      if (!stillAsks(last, dialog)) throw changed(last)
      return shown
    })
  if (isMany && own.opens) {
    const again = await ports.read()
    if (stillAsks(again, dialog)) await handIn(ports, again)
  }
  return { chosen: [text], last: typed }
}

/** It has to go. A page that repeats what was chosen, and asks whether to hand it in, is part of it. */
async function outcome(
  ports: DialogPorts,
  last: ShownDialog,
  chosen: readonly string[],
  goesWithin: number,
): Promise<Pick<Answered, 'isGone' | 'next'>> {
  let after: ShownDialog | undefined
  const isGone = await until(async () => {
    after = await nextDialog(ports)
    return !isAlike(after, last)
  }, goesWithin).catch(unreadable)
  if (!isGone) return { isGone }
  const review = after
  if (!review) return { isGone }
  if (last.for === 'permission' || !isReview(review, chosen)) return { isGone, next: review }
  const submit = review.options.find(({ label }) => submits.test(label))
  await pressSame(ports, submit ? await pointAt(ports, review, submit) : review, 'Enter')
  return { isGone: await until(async () => (await ports.read())?.id !== review.id, goesWithin) }
}

/** The key was pressed. That its agent has ended since, or started itself anew (Gemini CLI, once a folder is trusted), refuses nothing. */
function unreadable(error: unknown): false {
  if (isLullError(error, 'REFUSED_TO_TYPE')) return false
  throw error
}

/** The dialog that is left in the end: one that closes is drawn in several steps. A machine that stalls proves nothing. */
async function nextDialog({ read }: DialogPorts): Promise<ShownDialog | undefined> {
  let now = await read()
  let same = 0
  const end = performance.now() + effectMs
  const isLeft = (since: number) => same >= leastSame && performance.now() - since >= nextMs
  for (let since = performance.now(); !isLeft(since) && performance.now() < end; ) {
    const next = await read()
    same = next?.id === now?.id ? same + 1 : 0
    if (same === 0) since = performance.now()
    now = next
  }
  return now
}

/** So many looks in a row show the same. */
const leastSame = 3
