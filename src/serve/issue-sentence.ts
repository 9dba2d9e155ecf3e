/** What is wrong with the input of a request, and what would be right, from what zod found. Pure. */
import type { z } from 'zod'
import { oneLine } from '../core/text/printable.ts'

type Issue = z.core.$ZodIssue

/** Of the first mistake: its place in the input, and a sentence. */
export function issueSentence([issue]: readonly Issue[]): string {
  if (!issue) return 'not allowed'
  if (issue.code === 'unrecognized_keys')
    return `${placeOf(issue)}unknown: ${oneLine(issue.keys.join(', '), 200)}; /openapi.json lists what is known`
  return `${placeOf(issue)}${wantedBy(issue)}`
}

const placeOf = ({ path }: Issue): string => (path.length === 0 ? '' : `${oneLine(path.join('.'), 100)}: `)

function wantedBy(issue: Issue): string {
  const ways = waysIn(issue)
  return ways.length === 0 ? issue.message : `must be ${ways.join(', or ')}`
}

/** What would be right, each as the end of "must be …"; none where the message says it. */
function waysIn(issue: Issue): readonly string[] {
  switch (issue.code) {
    case 'invalid_value':
      return [oneLine(issue.values.join(', '), 500)]
    case 'invalid_type':
      return [nouns[issue.expected] ?? `of the type ${issue.expected}`]
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap(all => all.flatMap(waysIn)))]
    case 'too_small':
      return [`at least ${issue.minimum}${unitOf(issue.origin)}`]
    case 'too_big':
      return [`at most ${issue.maximum}${unitOf(issue.origin)}`]
    default:
      return []
  }
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

/** Of what is counted, where it is no number itself. */
const unitOf = (origin: string): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : ''
