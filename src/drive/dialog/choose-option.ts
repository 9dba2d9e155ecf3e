/** Which option of a dialog a word means. Pure. A word that fits several means none: nobody is guessed for. */
import { choiceOf, type Option } from '../../agents/screen/screen-rows.ts'
import { LullError } from '../../core/lull-error.ts'

export { choiceOf }

/** It accepts this once. */
const accepts = /^(?:yes|allow|approve|accept|proceed|confirm|run|save|ok|continue|trust|i trust)\b/i
/** It accepts what is not shown here, too. */
const lasts =
  /\b(?:always|(?:don['’]t|never|stop) (?:ask|prompt)(?:ing)?|session|conversation|every(?:thing)?|any(?:thing)?|all|globally|parent|hours?|days?|permanent(?:ly)?|remember|auto(?:pilot|matic(?:ally)?)?|from now on|bypass|yolo|mode|(?:for|in) th(?:is|e) (?:workspace|project|folder|directory|repo(?:sitory)?))\b|:\*/i
/** What begins with it and goes on is something else: `No review needed`, `Don't ask again`. */
const refuses =
  /^(?:no(?=\s*(?:$|[,.;:(–—]|-\s))|(?:deny|reject|cancel|decline|exit|quit)\b(?!.*\band\b)|(?:never|don['’]t)\b(?!\s+(?:ask|prompt|mind)))/i

/** By its words it grants more than what is asked for now. */
export const grantsMore = (label: string): boolean => lasts.test(label)
/** By its words it allows nothing. */
export const allowsNothing = (label: string): boolean => refuses.test(label)

const meanings: Readonly<Record<string, (label: string) => boolean>> = {
  yes: label => accepts.test(label) && !grantsMore(label),
  always: label => accepts.test(label) && /\b(?:always|don['’]t ask)\b/i.test(label),
  no: allowsNothing,
}

/**
 * @param word `yes`, `no`, `always`, a number as it is shown (or from 1 on), or a text: the whole label, or a part that one alone has
 * @returns its place among the options
 * @throws {LullError} NO_OPTION
 */
export function chooseOption(options: readonly Option[], word: string): number {
  const wanted = word.trim()
  const found = matching(options, wanted)
  if (found.length === 1) return found[0] as number
  const what =
    found.length === 0
      ? `no option is called ${JSON.stringify(wanted)}`
      : `several options fit ${JSON.stringify(wanted)}`
  throw new LullError('NO_OPTION', `${what}: nothing was pressed; there are: ${listOf(options)}`)
}

/** The options as a message lists them, with the word that chooses each. */
export const wordOf = (option: Option, place: number): string =>
  option.isSubmit ? 'submit' : (option.word ?? String(choiceOf(option, place)))

export const listOf = (options: readonly Option[]): string =>
  options.map((option, place) => `${wordOf(option, place)} ${option.label}`).join('; ')

function matching(options: readonly Option[], wanted: string): readonly number[] {
  const where = (fits: (option: Option, n: number) => boolean): readonly number[] =>
    options.flatMap((option, n) => (fits(option, n) ? [n] : []))
  if (wanted === '') return []
  if (/^\d+$/.test(wanted)) {
    const numbered = where((option, place) => wordOf(option, place) === String(Number(wanted)))
    // A longer one may be a label: a year.
    if (numbered.length > 0 || wanted.length <= 2) return numbered
  }
  const lower = wanted.toLowerCase()
  if (options.some(({ word }) => word === lower)) return where(({ word }) => word === lower)
  if (lower === 'submit' && options.some(({ isSubmit }) => isSubmit))
    return where(({ isSubmit }) => isSubmit === true)
  const exact = where(({ label }) => label.toLowerCase() === lower)
  if (exact.length > 0) return exact
  const means = Object.hasOwn(meanings, lower) ? meanings[lower] : undefined
  if (means) {
    const fitting = where(({ label }) => means(label))
    const plain = lower === 'no' ? fitting.filter(place => isPlainest(options, place, fitting)) : []
    return plain.length === 1 ? plain : fitting
  }
  return where(({ label }) => label.toLowerCase().includes(lower))
}

/** `Reject` beside `Reject with feedback`: of refusals, none of which grants anything, it is the one the others begin with. */
function isPlainest(options: readonly Option[], place: number, fitting: readonly number[]): boolean {
  const label = (options[place] as Option).label.toLowerCase()
  return fitting.every(other => (options[other] as Option).label.toLowerCase().startsWith(label))
}
