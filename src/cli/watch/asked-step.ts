/**
 * A dialog as a person answers it in `lull watch`. Nothing is picked until the person picks, and nothing is given before
 * Enter is pressed on that: two keys, so that none that was meant for something else answers.
 */
import { choiceOf, wordOf } from '../../drive/dialog/choose-option.ts'
import { ownTextOption } from '../../drive/dialog/own-text.ts'
import type { ShownDialog } from '../../drive/dialog/shown-dialog.ts'

export type WatchedDialog = {
  /** Of the session. */
  readonly id: string
  readonly dialog: ShownDialog
  /** The place of the option that was picked. */
  readonly at?: number
  /** The places of those that are ticked, where several may be. */
  readonly ticked: readonly number[]
  /** A text of one's own, while it is written. */
  readonly text?: string
  /** It is being given. */
  readonly isGiven: boolean
}

/** As `lull answer` takes it: the id of the session and of the dialog that the person saw, and what was chosen. */
export type Choice = {
  readonly id: string
  readonly dialog: string
  readonly choices: readonly string[]
  readonly text?: string
}

export type Chosen =
  | { readonly type: 'asked'; readonly asked: WatchedDialog; readonly choice?: Choice }
  | { readonly type: 'closed' }
  /** It can't be answered here. */
  | { readonly type: 'go' }

export const askedOf = (id: string, dialog: ShownDialog): WatchedDialog => ({
  id,
  dialog,
  ticked: dialog.options.flatMap(({ isChecked }, place) => (isChecked === true ? [place] : [])),
  isGiven: false,
})

export const takesSeveral = ({ dialog }: WatchedDialog): boolean =>
  dialog.options.some(({ isChecked }) => isChecked !== undefined)

export function pick(asked: WatchedDialog, place: number): WatchedDialog {
  const { options } = asked.dialog
  if (asked.isGiven || asked.text !== undefined || options.length === 0) return asked
  return { ...asked, at: Math.min(Math.max(place, 0), options.length - 1) }
}

export function chooseBy(asked: WatchedDialog, key: string): Chosen {
  if (asked.text !== undefined) return { type: 'asked', ...written(asked, asked.text, key) }
  const { at = -1, dialog } = asked
  const { options } = dialog
  const isNone = asked.at === undefined
  switch (key) {
    case 'escape':
    case 'q':
      return { type: 'closed' }
    case 'up':
    case 'k':
      return { type: 'asked', asked: pick(asked, isNone ? options.length - 1 : at - 1) }
    case 'down':
    case 'j':
      return { type: 'asked', asked: pick(asked, isNone ? 0 : at + 1) }
    case 'home':
      return { type: 'asked', asked: pick(asked, 0) }
    case 'end':
      return { type: 'asked', asked: pick(asked, options.length - 1) }
    case 'space':
      return { type: 'asked', asked: ticked(asked) }
    case 'enter':
      return options.length === 0 ? { type: 'go' } : { type: 'asked', ...entered(asked) }
    default: {
      const place = options.findIndex(
        (option, n) => !option.isSubmit && (option.word?.[0] ?? String(choiceOf(option, n))) === key,
      )
      return { type: 'asked', asked: place < 0 ? asked : pick(asked, place) }
    }
  }
}

function ticked(asked: WatchedDialog): WatchedDialog {
  const { at, dialog, isGiven } = asked
  if (at === undefined || isGiven || dialog.options[at]?.isChecked === undefined) return asked
  const without = asked.ticked.filter(place => place !== at)
  return {
    ...asked,
    ticked: without.length < asked.ticked.length ? without : [...without, at].sort((a, b) => a - b),
  }
}

type Given = { readonly asked: WatchedDialog; readonly choice?: Choice }

function entered(asked: WatchedDialog): Given {
  const { at, dialog, isGiven } = asked
  const option = at === undefined ? undefined : dialog.options[at]
  if (!option || at === undefined || isGiven) return { asked }
  if (ownTextOption(dialog.options)?.option === option) return { asked: { ...asked, text: '' } }
  if (!takesSeveral(asked)) return give(asked, [wordOf(option, at)])
  // What is ticked is handed in; with nothing ticked there is nothing to hand in.
  const words = asked.ticked.flatMap(place => {
    const one = dialog.options[place]
    return one ? [wordOf(one, place)] : []
  })
  return words.length === 0 ? { asked } : give(asked, words)
}

function give(asked: WatchedDialog, choices: readonly string[], text?: string): Given {
  const { id, dialog } = asked
  const choice = { id, dialog: dialog.id, choices, ...(text === undefined ? {} : { text }) }
  return { asked: { ...asked, isGiven: true }, choice }
}

/** As much as `lull answer --text` takes. */
const longestText = 2000

function written(asked: WatchedDialog, text: string, key: string): Given {
  if (asked.isGiven) return { asked }
  switch (key) {
    case 'escape': {
      const { text: _, ...back } = asked
      return { asked: back }
    }
    case 'enter':
      return text.trim() === '' ? { asked } : give(asked, [], text)
    case 'backspace':
      return { asked: { ...asked, text: [...text].slice(0, -1).join('') } }
    case 'space':
      return { asked: write(asked, ' ') }
    default:
      return { asked: [...key].length === 1 ? write(asked, key) : asked }
  }
}

/** Where a text is written: it is one line. */
export function write(asked: WatchedDialog, more: string): WatchedDialog {
  if (asked.text === undefined || asked.isGiven) return asked
  const text = asked.text + more.replace(/\p{Cc}+/gu, ' ')
  return text.length > longestText ? asked : { ...asked, text }
}
