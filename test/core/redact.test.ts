import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact } from '../../src/core/trace/redact.ts'

const clean = (text: string) => expect(redact(text))

describe('secrets are taken out of text', () => {
  test.each([
    ['an Anthropic key', 'sk-ant-api03-AbCdEf0123456789_AbCdEf0123456789'],
    ['an OpenAI key', 'sk-proj-AbCdEf0123456789AbCdEf'],
    ['a Stripe key', 'sk_live_51AbCdEf0123456789'],
    ['a GitHub token', `ghp_${'a1'.repeat(18)}`],
    ['a fine-grained GitHub token', `github_pat_${'a1'.repeat(20)}`],
    ['a GitLab token', 'glpat-AbCdEf0123456789_-Ab'],
    ['an npm token', `npm_${'a'.repeat(36)}`],
    ['a Slack token', 'xoxb-123456789012-abcdefghij'],
    ['a Google key', `AIza${'a'.repeat(35)}`],
    ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE'],
    ['a web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklm'],
  ])('%s', (_, secret) => {
    clean(`before ${secret} after`).toBe('before [redacted] after')
    clean(JSON.stringify({ text: `x=${secret}` })).not.toContain(secret)
  })

  test.each([
    ['export API_KEY=abcdef123456', 'export API_KEY=[redacted]'],
    ['DB_PASSWORD="hunter2hunter2"', 'DB_PASSWORD="[redacted]"'],
    ['{"apiKey":"abcdef123456"}', '{"apiKey":"[redacted]"}'],
    ['{\\"client_secret\\": \\"abcdef123456\\"}', '{\\"client_secret\\": \\"[redacted]\\"}'],
    ['authorization: Bearer abc.def-123456', 'authorization: Bearer [redacted]'],
    ['curl -H "X-Api-Key: abcdef123456" x', 'curl -H "X-Api-Key: [redacted]" x'],
    ['postgres://me:hunter2@db/x', 'postgres://me:[redacted]@db/x'],
    ['gh --token abcdef123456 x', 'gh --token [redacted] x'],
    ['a -----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY----- b', 'a [redacted] b'],
  ])('%s', (text, wanted) => {
    clean(text).toBe(wanted)
  })

  test.each([
    ['{"input_tokens":1234567,"output_tokens":40}'],
    ['{"tokens":{"in":1234567890123}}'],
    ['{"max_token_count": 128000000}'],
    ['the token is wrong, the password too'],
    ['const secretary = "Anna Karenina"'],
    ['https://example.org/a:b@c'],
    ['ask-for-permission-before-you-write'],
    ['[12.5,"h","{}"]'],
    ['550e8400-e29b-41d4-a716-446655440000'],
  ])('what is none stays: %s', text => {
    clean(text).toBe(text)
  })

  test('JSON stays JSON, whatever its keys and values are', () => {
    const key = fc.oneof(
      fc.constantFrom('api_key', 'token', 'password', 'authorization', 'cookie'),
      fc.string(),
    )
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(key, value), record => {
        const once = redact(JSON.stringify(record))
        expect(() => JSON.parse(once)).not.toThrow()
        const twice = redact(JSON.stringify([0, 't', JSON.stringify(record)]))
        expect(() => JSON.parse((JSON.parse(twice) as [number, string, string])[2])).not.toThrow()
      }),
      { numRuns: 2000 },
    )
  })
})
