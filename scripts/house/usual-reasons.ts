/** Why a kind of mutant survives everywhere. A mutant of no kind here needs a review. */
import type { Survivor } from './survivors.ts'

type Kind = {
  readonly reason: string
  readonly is: (fault: Pick<Survivor, 'original' | 'replacement'>) => boolean
}

const withoutTies = (code: string): string => code.replaceAll(/([<>])=/g, '$1')
const withoutGuards = (code: string): string => code.replaceAll('?.', '.')
const withoutAnchors = (code: string): string => code.replaceAll(/\^|\$(?!\{)/g, '')
const isText = (code: string): boolean => /^(['"`]).*\1$/s.test(code)
const isEmptied = (code: string): boolean => code === '""' || code === '``'

/** In this order: the first that fits. */
const kinds: readonly Kind[] = [
  {
    reason: 'Both differ only at a tie, where either is right',
    is: ({ original, replacement }) =>
      original !== replacement && withoutTies(original) === withoutTies(replacement),
  },
  {
    reason: 'The compiler requires the guard; the value is always present at run time',
    is: ({ original, replacement }) =>
      (replacement === 'true' && /^[\w.?[\]]+ !== undefined$/.test(original)) ||
      (replacement === 'false' && /^[\w.?[\]]+ === undefined$/.test(original)) ||
      (original !== replacement && withoutGuards(original) === withoutGuards(replacement)),
  },
  {
    reason: 'A default for a missing value that nothing reads',
    is: ({ original, replacement }) =>
      (original === '[]' && replacement.startsWith('["Stryker')) ||
      (original === "''" && replacement.startsWith('"Stryker')),
  },
  {
    reason: 'A pattern over whole names: nothing precedes or follows them',
    is: ({ original, replacement }) =>
      original.startsWith('/') &&
      original !== replacement &&
      withoutAnchors(original) === withoutAnchors(replacement),
  },
  {
    reason: 'Text for people, which the tests of the room do not quote',
    is: ({ original, replacement }) =>
      isText(original) && isEmptied(replacement) && /[^\w]/.test(original.slice(1, -1)),
  },
]

/** Undefined where the fault is of no such kind. */
export const usualReason = (fault: Pick<Survivor, 'original' | 'replacement'>): string | undefined =>
  kinds.find(({ is }) => is(fault))?.reason
