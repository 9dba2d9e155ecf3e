/** What the API refuses, as the LullError that the same call on the host's machine rejects with. Pure. */
import {
  type ErrorCode,
  errorTable,
  type FactsByCode,
  LullError,
  type RefusedOutcome,
} from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isShaped } from '../../shapes/wire.ts'

type Facts = Readonly<Record<string, unknown>>

const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isMaybe = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value)

const outcomes: readonly RefusedOutcome[] = ['waitsForPerson', 'stuck', 'gone', 'failed']

/** A program reads facts without a check of its own. */
const checks: { readonly [Code in keyof FactsByCode]: (facts: Facts) => boolean } = {
  BAD_DURATION: ({ text }) => isText(text),
  BAD_PATTERN: ({ pattern, position }) => isText(pattern) && isNumber(position),
  BAD_ADDRESS: ({ address }) => isText(address),
  NO_SESSION: ({ address, closedAt }) => isText(address) && isMaybe(closedAt, isNumber),
  AMBIGUOUS_SESSION: ({ address, candidates }) => isText(address) && isList(candidates),
  AMBIGUOUS_PANE: ({ candidates }) => isList(candidates),
  LOCKED: ({ file, pid }) => isText(file) && isNumber(pid),
  REFUSED_TO_TYPE: ({ outcome, typed, line }) =>
    outcomes.some(one => one === outcome) && isNumber(typed) && isMaybe(line, isText),
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code)
const hasFacts = (code: string): code is keyof FactsByCode => Object.hasOwn(checks, code)

/** @returns undefined where it is no refusal of the API */
export function errorOf(answer: unknown): LullError | undefined {
  if (!isShaped('apiError', answer)) return undefined
  const { code, message, facts = {} } = answer.error
  const sentence = oneLine(message, 2000)
  if (!isCode(code) || (hasFacts(code) && !checks[code](facts)))
    return new LullError('FAILED', `${oneLine(code, 40)}: ${sentence}`)
  const make = LullError as new (code: ErrorCode, message: string, facts: Facts) => LullError
  return new make(code, sentence, facts)
}
