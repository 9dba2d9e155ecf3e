/** The fields that files of a person have in common, as schemas; each mistake of theirs is the end of a sentence. Pure. */
import { z } from 'zod'
import { isLullError } from '../../core/lull-error.ts'
import { parseDuration } from '../../core/text/duration.ts'

/** The sentence for a value of another kind. */
export const must = (be: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? `is missing: it must be ${be}` : `must be ${be}`,
})

export const textField = z.string(must('a text')).refine(value => value.trim() !== '', 'must not be empty')

/** ms. A number counts seconds. @param least ms */
export function durationField(least: 0 | 1) {
  const be = `a duration${least > 0 ? ' above 0' : ''}: seconds, or like 90s, 5m, 1h30m`
  return z.union([z.number(), z.string()], must(be)).transform((value, context) => {
    const ms = durationOf(value)
    if (ms >= least && ms < Infinity) return ms
    context.addIssue({ code: 'custom', message: `${JSON.stringify(value)} must be ${be}` })
    return z.NEVER
  })
}

/** NaN where it is none. */
function durationOf(value: number | string): number {
  if (typeof value === 'number') return Math.round(value * 1000)
  try {
    return Math.round(parseDuration(value))
  } catch (error) {
    if (isLullError(error, 'BAD_DURATION')) return Number.NaN
    throw error
  }
}
