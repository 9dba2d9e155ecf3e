import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact } from '../../../src/core/redact/redact.ts'
import { expectLinear } from '../../support/growth.ts'

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
    // Counts, prompts and prose.
    '{"input_tokens":1234567,"output_tokens":40}',
    '{"tokens":{"in":1234567890123}}',
    '{"max_token_count": 128000000}',
    'tokens: 1234',
    'the token is wrong, the password too',
    'the password is 8 characters long',
    'Enter your password: ',
    '[sudo] password for ada: ',
    'Bearer authentication is required',
    'Token: expired',
    // Code, and what stands in the place of a secret.
    'const secretary = "Anna Karenina"',
    'const password = prompt("Password: ")',
    'function login(user: string, password: string): Token {',
    'token = tokens[1]',
    'api_key=os.environ["OPENAI_API_KEY"]',
    'login(user=user, password=password)',
    'API_KEY=$API_KEY',
    '--token <token>',
    'PASSWORD_FILE=/run/secrets/pw1',
    '{"token_type":"bearer","secret":"/run/secrets/db1"}',
    // Addresses, paths and names of other things.
    'https://example.org/a:b@c',
    'http://localhost:8080/x@y',
    'ssh://git@github.com/ada/x.git',
    'ask-for-permission-before-you-write',
    '[12.5,"h","{}"]',
    '550e8400-e29b-41d4-a716-446655440000',
    'commit 3f2a9c1b7d8e4f5a6b7c8d9e0f1a2b3c4d5e6f70',
    'src/auth/password-reset.ts:12:5',
    'mysql -u root -p',
    'docker run -p 8080:80 nginx',
    'mkdir -p /tmp/x',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  ])('what is none stays: %s', text => {
    clean(text).toBe(text)
    const event = JSON.stringify([0, 't', JSON.stringify({ line: JSON.stringify({ text }) })])
    clean(event).toBe(event)
  })

  // Each in the forms in which it gets into a trace. What a kind is called is what its issuer calls it.
  const random = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2eF4hJ6kL8n'
  const hex = '0123456789abcdef0123456789abcdef'
  test.each([
    ['a password that begins with a digit', 'PASSWORD=12ab56', '12ab56'],
    ['of digits', '{"password": "12345678"}', '12345678'],
    ['a number', '{"pin_secret": 12345678}', '12345678'],
    ['with a blank', 'DB_PASSWORD="hunter 22!"', 'hunter 22'],
    ['with a comma', 'password: hunt,er22xyz', 'er22xyz'],
    ['with a semicolon', 'PASSWORD=abcdef;ghijkl', 'ghijkl'],
    ['of an object', '{"db":{"pass":"hunter22"}}', 'hunter22'],
    ['in an escaped object', 'x {\\"password\\":\\"hunter22\\"} y', 'hunter22'],
    ['of a list of arguments', '["--password","hunter22"]', 'hunter22'],
    ['of netrc', 'machine x login ada password hunter22', 'hunter22'],
    ['behind a tab', 'password\thunter22', 'hunter22'],
    ['in colours', 'password=\u001b[1mhunt\u001b[0mer22', 'er22'],
    ['behind a full-width colon', 'password：hunter22', 'hunter22'],
    ['at a prompt', 'Password for ada: hunter22', 'hunter22'],
    ['of a flag', "--password 'hunter22'", 'hunter22'],
    ['of mysql', 'mysql -u root -phunter22 db', 'hunter22'],
    ['of sshpass', 'sshpass -p hunter22 ssh x', 'hunter22'],
    ['of curl', 'curl -u ada:hunter22 https://x', 'hunter22'],
    ['of SQL', "CREATE USER ada IDENTIFIED BY 'hunter22'", 'hunter22'],
    ['of an address', 'postgres://ada:hun@ter22@db/x', 'ter22'],
    ['with a slash', 'redis://:p/ssw0rd@h', 'p/ssw0rd'],
    ['of a connection', 'Server=x;Password=P4ssw0rd;Database=y', 'P4ssw0rd'],
    ['a token of an address', `https://${random}@github.com/x.git`, random],
    ['of a query', `?access_token=${random}&x=1`, random],
    ['of .npmrc', `//registry.npmjs.org/:_authToken=${random}`, random],
    ['of S3', `?X-Amz-Signature=${hex.repeat(2)}&x=1`, hex],
    ['of Azure', `?sv=2020&sig=${random}%3D`, random],
    ['of an account', `AccountName=x;AccountKey=${random}==;EndpointSuffix=y`, random],
    ['of kubectl', `client-key-data: ${random}`, random],
    ['of docker', '{"auths":{"x":{"auth":"YWRhOmh1bnRlcjI="}}}', 'YWRhOmh1bnRlcjI'],
    ['of HTTP', "curl -H 'Authorization: Basic YWRhOmh1bnRlcjI='", 'YWRhOmh1bnRlcjI'],
    ['a cookie', 'Set-Cookie: sid=abc123; Path=/', 'abc123'],
    ['a key of Vault', `hvs.${random}`, random],
    ['of Discord', `MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${random.slice(0, 27)}`, random.slice(0, 27)],
    ['of Telegram', `bot123456789:AA${random.slice(0, 33)}`, random.slice(0, 33)],
    ['of Twilio', `SK${hex}`, hex],
    ['of Entra ID', `abc8Q~${random.slice(0, 34)}`, random.slice(0, 34)],
    ['a webhook of Slack', `https://hooks.slack.com/services/T0/B0/${random}`, random],
    ['a hash of a password', `root:$6$salt$${random}:1`, random],
    [
      'a key of PGP',
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${random}\n-----END PGP PRIVATE KEY BLOCK-----`,
      random,
    ],
    ['without its end', `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${random}\n`, random],
    ['a wrapped key', `│ ghp_${random.slice(0, 20)}\r\n│ ${random.slice(20, 36)}`, random.slice(20, 36)],
    ['a wrapped web token', `eyJhbGciOiJIUzI1NiJ9.\r\neyJzdWIiOiIxMjM0In0.${random}`, random],
    ['a phrase', `seed phrase: ${'abandon ability able about '.repeat(3)}`, 'ability able'],
  ])('secrets of every kind: %s: %s', (_, text, secret) => {
    clean(text).not.toContain(secret)
    const line = JSON.stringify({ type: 'user', message: { content: [{ content: `so: ${text}\nthe end` }] } })
    const event = redact(JSON.stringify([1.5, 't', JSON.stringify({ path: '/x', line })]))
    const [at, code, data] = JSON.parse(event) as [number, string, string]
    const whole = JSON.parse((JSON.parse(data) as { line: string }).line) as typeof line
    expect([at, code]).toEqual([1.5, 't'])
    expect(JSON.stringify(whole)).not.toContain(secret)
    expect(whole).toMatchObject({
      message: { content: [{ content: expect.stringMatching(/^so: [\s\S]*the end$/) }] },
    })
  })

  test.each([
    '-token',
    'token=$',
    'password="',
    'sk-',
    'eyJaaaaaaaa-',
    '\\',
    '"',
    '://a:',
    'mysql ',
    '{"a":1}\n',
    ')',
    '-----BEGIN RSA PRIVATE KEY-----',
  ])('in time that grows with the text, of %s too', piece => {
    expectLinear(size => void redact(piece.repeat(size / piece.length)), 16 * 1024)
    expectLinear(size => void redact(`password=${piece.repeat(size / piece.length)}x`), 16 * 1024)
  })

  test.each([
    ['', 'eyJ'],
    ['eyJ', 'a'],
    ['eyJaaaaaaaa.', 'a'],
    [`eyJ${'a'.repeat(4e6)}.eyJ`, 'b'],
    ['$6$', 'a'],
    ['https://hooks.slack.com/services/', 'a'],
    ['https://discord.com/api/webhooks/0123456789/', 'a'],
    ['https://x.webhook.office.com/webhookb2/', 'a'],
    ['password=', 'a'],
    ['password=', ','],
    ['-----BEGIN RSA PRIVATE KEY-----', '\n'],
    ['-----BEGIN RSA PRIVATE KEY-----', '\\n'],
    ['-----BEGIN RSA PRIVATE KEY-----', '\na'],
  ])('without an overflow, however long it is: %.40s and many of %j', (begin, piece) => {
    expect(() => redact(begin + piece.repeat(8e6 / piece.length))).not.toThrow()
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
