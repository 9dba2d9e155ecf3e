/**
 * The dialog that an agent reports through a hook that takes the answer. It is shown whole, as the agent gave it. Where the screen
 * shows the same, its options are those of the screen, of which some are answered by keys alone: what grants for longer.
 */
import type { Option } from '../../agents/screen/screen-rows.ts'
import { isLullError } from '../../core/lull-error.ts'
import { withoutBlanks } from '../../core/text/grid.ts'
import type { AskedRequest } from '../../sessions/session-source.ts'
import { chooseOption } from './choose-option.ts'
import { idOfRows, type ShownDialog } from './shown-dialog.ts'

const labelled = ({ number, label }: Option): string => `${number ? `${number}. ` : ''}${label}`

/** By its report alone. */
export function heldDialog(asked: AskedRequest): ShownDialog {
  const options = asked.options.map((option): Option => ({ isPointed: false, ...option }))
  const rows = [...asked.rows, '', ...options.map(labelled)]
  return {
    for: asked.for,
    ...{ rows, options, asked },
    whole: 'yes',
    id: idOfRows([asked.id, ...rows]),
    question: asked.rows.at(-1) ?? '',
  }
}

/** The options that the hook answers, among those of the screen: the place there of each of the report. */
export type Joined = { readonly dialog: ShownDialog; readonly places: readonly number[] }

/** @returns undefined where the screen does not clearly show the same */
export function joinedDialog(asked: AskedRequest, shown: ShownDialog | undefined): Joined | undefined {
  if (!shown || shown.for !== asked.for || shown.isScrolled || !isAbout(asked, shown)) return undefined
  const places = asked.options.map(option => placeOf(shown.options, option))
  if (places.includes(-1) || new Set(places).size < places.length) return undefined
  const held = heldDialog(asked)
  const { options } = shown
  const labels = options.map(labelled)
  const rows = [...asked.rows, '', ...labels]
  // Nothing points on its rows: they are the report's.
  const plain = options.map(({ isPointed: _, ...option }): Option => ({ ...option, isPointed: false }))
  return {
    dialog: { ...held, rows, options: plain, id: idOfRows([held.id, ...labels]) },
    places,
  }
}

function placeOf(
  options: readonly Option[],
  { word, label, number }: AskedRequest['options'][number],
): number {
  if (word === undefined) return options.findIndex(one => one.label === label && one.number === number)
  try {
    return chooseOption(options, word)
  } catch (error) {
    if (isLullError(error, 'NO_OPTION')) return -1
    throw error
  }
}

/** All of it: one that only begins alike may be another one. */
const isAbout = ({ about }: AskedRequest, { rows }: ShownDialog): boolean =>
  withoutBlanks(rows.join('')).includes(withoutBlanks(about))
