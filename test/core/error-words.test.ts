import { expect, test } from 'vitest'
import { errorWords } from '../../src/core/text/error-words.ts'

const inner = { error: { message: 'too long', type: 'invalid_request_error', code: 400 } }

test.each([
  ['words stay as they are', 'API Error: Overloaded', 'API Error: Overloaded'],
  ['an answer as JSON', JSON.stringify(inner), '400: too long'],
  ['JSON within JSON', JSON.stringify({ message: JSON.stringify(inner) }), '400: too long'],
  ['behind words', `[API Error: ${JSON.stringify(inner)}]`, 'API Error: 400: too long'],
  [
    'a code that is told once',
    'Please run /login · API Error: 401 {"message":"no key"}',
    'Please run /login · API Error: 401: no key',
  ],
  ['blanks about the colon of a code', '{ "code" : 400 , "message" : "too long" }', '400: too long'],
  ['cut off', JSON.stringify({ message: JSON.stringify(inner) }).slice(0, 46), 'too long'],
  ['JSON that says nothing', '{"oops":1}', '{"oops":1}'],
  ['braces that are none', 'unexpected { in line 3', 'unexpected { in line 3'],
])('%s', (_, error, words) => expect(errorWords(error)).toBe(words))

test('JSON without end ends', () => {
  const endless = '{"message":"{\\"message\\":\\"'.repeat(5000)
  expect(errorWords(endless).length).toBeLessThan(200_000)
})
