import { describe, expect, test } from 'vitest'
import { isSecret, kindOf } from '../../../src/core/redact/telling-names.ts'

describe('what a name promises of its value', () => {
  test.each([
    ['password', 'PASSWORD passwords db.password MYSQL_PASSWORD PGPASSWORD password1 passwordConfirm passwd'],
    ['password', 'passcode Passwort Kennwort pass db_pass pass2 pwd psk wifi-psk pass_old'],
    ['password', 'secret clientSecret AWS_SECRET_ACCESS_KEY secrets secret2 credential credentials'],
    ['password', 'apikey api_key api-key apiKey x-api-key API_KEYS api_key2 OPENAI_API_KEY'],
    [
      'token',
      'access_key accountKey master-key signing_key privateKey sshPrivateKey write_key_id3 shared_key1',
    ],
    ['token', 'token GITHUB_TOKEN accessToken token2 token_old jwt id_jwt bearer pat AZURE_PAT'],
    ['phrase', 'passphrase pass_phrase seedPhrase recovery-phrase backupPhrase secret_phrase mnemonic'],
    ['header', 'Authorization authorization Proxy-Authorization'],
    ['cookie', 'Cookie Set-Cookie set_cookie'],
    ['encoded', 'auth sig X-Amz-Signature x-amz-security-token amz_signature amzSecurityToken'],
  ] as const)('%s: %s', (kind, names) => {
    for (const name of names.split(' ')) expect([name, kindOf(name)]).toEqual([name, kind])
  })

  test.each([
    'name key keys monkey keyboard secretary passenger compass tokenizer author authors authorizations',
    'cookies cookie_jar reset_cookie design authority signature mnemonics phrase catchphrase spatial patch',
    'compass_2 bypassed passage pwdx pskov tokens jwtx apatite my_sig',
    // They tell something about a secret: where it lies, how long it is.
    'password_file token_type secret-name apiKeyPath TOKEN_COUNT passwordLength secret_arn_index token_limit',
    'password_hint credential_manager token_expires cookie_ttl secret-version password.policy.max',
    '',
    '-',
  ])('no secret: %s', names => {
    for (const name of names.split(' ')) expect([name, kindOf(name)]).toEqual([name, undefined])
  })
})

describe('which values are secret', () => {
  const long = 'correct-horse-battery'
  test.each([
    // A password in quotes may be anything but a sentence or a name.
    ['hunter', 'password', 'quoted', true],
    ['abc', 'password', 'quoted', true],
    ['ab', 'password', 'quoted', false],
    ['correct horse', 'password', 'quoted', true],
    ['correct horse battery', 'password', 'quoted', false],
    ['Enter your password:', 'password', 'quoted', false],
    ['Enter your password: ', 'password', 'quoted', false],
    ['Too short.', 'password', 'quoted', false],
    ['Wrong…', 'password', 'quoted', false],
    ['A', 'password', 'quoted', false],
    ['Why?', 'password', 'quoted', false],
    ['db_password', 'password', 'quoted', false],
    ['my api-key', 'password', 'quoted', false],
    ['the apikey', 'password', 'quoted', false],
    ['db_password7', 'password', 'quoted', true],
    ['7 secrets of cooking well', 'password', 'quoted', true],
    ['!token of mine is here', 'password', 'quoted', true],
    ['getToken()', 'password', 'quoted', true],
    ['123', 'password', 'quoted', false],
    ['1234', 'password', 'quoted', true],
    ['1x', 'password', 'quoted', false],
    // Assigned, as in a file of settings or a shell.
    ['hunter', 'password', 'assigned', true],
    ['db_password', 'password', 'assigned', false],
    ['db_password7', 'password', 'assigned', true],
    ['getPassword()', 'password', 'assigned', false],
    ['settings[1]', 'password', 'assigned', false],
    ['config.db.password2()', 'password', 'assigned', false],
    ['process.env', 'password', 'assigned', false],
    ['user?.secret', 'password', 'assigned', false],
    ['x=>y9', 'password', 'assigned', false],
    ['await ask9', 'password', 'assigned', false],
    ['awaiting9', 'password', 'assigned', true],
    ['12', 'password', 'assigned', false],
    // Loose, as any word of prose.
    ['hunter', 'password', 'loose', false],
    ['hunter2', 'password', 'loose', true],
    ['hun!ter', 'password', 'loose', true],
    ['hunter!', 'password', 'loose', true],
    ['!hunter', 'password', 'loose', false],
    ['hu2', 'password', 'loose', false],
    ['hu22', 'password', 'loose', true],
    // A token has no meaning, and no blank.
    [long, 'token', 'loose', true],
    ['correcthorsebattery', 'token', 'loose', false],
    ['correcthorsebattery', 'token', 'assigned', true],
    ['correcthorsebattery', 'token', 'quoted', true],
    ['correct-horse', 'token', 'assigned', false],
    ['correcthorseba16', 'token', 'loose', true],
    ['correcthorsebat_', 'token', 'loose', true],
    ['abc123', 'token', 'assigned', true],
    ['abc12', 'token', 'assigned', false],
    ['aBcDeF', 'token', 'assigned', true],
    ['abcdef', 'token', 'assigned', false],
    ['Abcdef', 'token', 'assigned', false],
    ['getTokenFor', 'token', 'assigned', true],
    ['get_the_next_token(7)', 'token', 'loose', false],
    ['get_the_next_token(7)', 'token', 'assigned', true],
    ['1234567', 'token', 'assigned', false],
    ['12345678', 'token', 'assigned', true],
    ['12345678', 'token', 'loose', false],
    ['12345678', 'token', 'quoted', true],
    ['correct-horse battery', 'token', 'quoted', false],
    // The others.
    ['abandon ability able', 'phrase', 'quoted', true],
    ['abandon ability able', 'phrase', 'assigned', false],
    ['abandon7ability', 'phrase', 'assigned', true],
    ['abc123', 'header', 'loose', true],
    ['ab123', 'header', 'loose', false],
    ['abcdefgh', 'header', 'loose', false],
    ['abcdefg=', 'header', 'loose', true],
    ['aBcDefgh', 'header', 'loose', true],
    ['YWRhOmh1bnRlcg==', 'encoded', 'quoted', true],
    ['YWRhOmh1bnRlcg', 'encoded', 'quoted', true],
    ['YWRhOmhbnRlcg%3D', 'encoded', 'quoted', true],
    ['YWRhOmhbnRlcgab', 'encoded', 'quoted', false],
    ['YWRhOmhbnRlcg=', 'encoded', 'quoted', true],
    ['YWRh=OmhbnRlcg', 'encoded', 'quoted', false],
    ['ywrhomhbnrl7cg', 'encoded', 'quoted', false],
    ['YWRhOmh1bnR', 'encoded', 'quoted', false],
    ['YWRhOmh1bnRl', 'encoded', 'quoted', true],
    ['YWRhOmh1bnRl cg', 'encoded', 'quoted', false],
    ['x YWRhOmh1bnRl', 'encoded', 'quoted', false],
    ['0a1f'.repeat(16), 'encoded', 'loose', true],
    ['0a1f'.repeat(10), 'encoded', 'loose', false],
    [`${'0a1f'.repeat(16)}0`, 'encoded', 'loose', false],
    ['0a1g'.repeat(16), 'encoded', 'loose', false],
    ['sid=abc', 'cookie', 'loose', true],
    ['chocolate', 'cookie', 'loose', false],
  ] as const)('%s, of a %s, %s: %s', (value, kind, standing, wanted) => {
    expect(isSecret(value, kind, standing)).toBe(wanted)
  })

  test.each([
    // They stand for one.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text
    '$PASSWORD $(pass) ${PW} %PASSWORD% %PW %(pw)s %{pw} <password> {{pw}} [pw] (pw) @{pw} @(pw) *** ••• … ...',
    'xxxx XXXXXXXX [redacted] redacted your-token your_key my-secret some_token the-key change_me enter-here',
    'insert_token replace-me',
    // Words of programs.
    'true False NULL none nil undefined yes off str string number int boolean byte bytes any unknown optional required',
    'missing invalid expired wrong changed secret secrets token tokens pass password passwd passphrases passwords key',
    'value default example prompt auto oauth oauth2 bearer basic integer bool',
    // Places.
    '/run/secrets/db1 ~/.pw1 ./a/b1 ../up1 /a1/ vault://kv/db1 https+x://h1',
  ])('neither of a password nor of a token: %s', values => {
    for (const value of values.split(' ')) {
      expect([value, isSecret(value, 'password', 'quoted')]).toEqual([value, false])
      expect([value, isSecret(value, 'token', 'assigned')]).toEqual([value, false])
    }
  })

  test.each([
    'xxx7 xxxx7 **7a .7ab %%7a 7true true7 nullable7 stringy7 tokens7 integer8 your7token changeme7 a$PASSWORD7',
    '/very/long/but/abcdefghijklmnopqrstuvwxyz0123/x p/ssw0rd a/b/c7 /p@ss!w0rd 7://x @7ab',
  ])('a password that only looks so: %s', values => {
    for (const value of values.split(' '))
      expect([value, isSecret(value, 'password', 'quoted')]).toEqual([value, true])
  })
})
