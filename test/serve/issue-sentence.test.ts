/** The sentence for a mistake in a request: its place, and what would be right. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { issueSentence } from '../../src/serve/issue-sentence.ts'

const word = z.enum(['idle', 'settled'])
const shape = z.strictObject({
  for: z.union([word, z.array(word)]).optional(),
  flag: z.enum(['true', 'false']).optional(),
  held: z.coerce.number().min(0).max(3600).optional(),
  text: z.string().max(3).optional(),
  size: z.strictObject({ rows: z.number() }).optional(),
  choice: z.union([z.string(), z.number()]).optional(),
})

test.each([
  [{ for: 'idel' }, 'for: must be idle, settled, or a list'],
  [{ flag: '1' }, 'flag: must be true, false'],
  [{ held: 'x' }, 'held: must be a number'],
  [{ held: 4000 }, 'held: must be at most 3600'],
  [{ text: 'long' }, 'text: must be at most 3 characters long'],
  [{ size: {} }, 'size.rows: must be a number'],
  [{ size: 'big' }, 'size: must be an object'],
  [{ choice: true }, 'choice: must be a text, or a number'],
  [{ colour: 'red' }, 'unknown: colour; /openapi.json lists what is known'],
])('%j', (input, sentence) => {
  expect(issueSentence(shape.safeParse(input).error?.issues ?? [])).toBe(sentence)
})
