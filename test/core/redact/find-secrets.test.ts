import { describe, expect, test } from 'vitest'
import { redact } from '../../../src/core/redact/redact.ts'

const random = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2eF4hJ6kL8n'
const esc = '\u001b'

describe('a secret that its name tells, in text', () => {
  test.each([
    // Signs between a name and its value.
    ['password == hunter22', 'password == [redacted]'],
    ['password === hunter22', 'password === [redacted]'],
    ['password != hunter22', 'password != [redacted]'],
    ['password !== hunter22', 'password !== [redacted]'],
    ['password := hunter22', 'password := [redacted]'],
    ['password => hunter22', 'password => [redacted]'],
    ['x?password%3Dhunter22', 'x?password%3D[redacted]'],
    ['x password%3ahunter22', 'x password%3a[redacted]'],
    ['Password::hunter22', 'Password::hunter22'],
    ['password =\t hunter22', 'password =\t [redacted]'],
    // Words between them.
    ['password   hunter22', 'password   [redacted]'],
    ['password for ada:hunter22', 'password for ada:[redacted]'],
    ['password for ada:   hunter22', 'password for ada:   [redacted]'],
    ['password is hunter22', 'password is [redacted]'],
    ['password is: hunter22', 'password is: [redacted]'],
    ['password was   hunter22', 'password was   [redacted]'],
    ['a token hunter22hunter22', 'a token hunter22hunter22'],
    ['passphrase correct7horse', 'passphrase [redacted]'],
    ['--token hunter22 --x', '--token [redacted] --x'],
    // Where a value ends.
    ['password=a,b;c&d', 'password=[redacted]'],
    ['password=hunter22, and so on', 'password=[redacted], and so on'],
    ['password=hunter22; ls', 'password=[redacted]; ls'],
    ['password=hunter22&state=on', 'password=[redacted]&state=on'],
    ['password=hunter22;db.name=on', 'password=[redacted];db.name=on'],
    ['password=hunter22;', 'password=[redacted];'],
    ['password=hunter22,', 'password=[redacted],'],
    ['password=hunter\\22', 'password=[redacted]'],
    ['x "password=hunter22\\n" y', 'x "password=[redacted]\\n" y'],
    ['(password=hunter22)', '(password=[redacted])'],
    ['password=hunter22.', 'password=[redacted].'],
    // In quotes.
    ["password='hunter 22'", "password='[redacted]'"],
    ['password=`hunter 22`', 'password=`[redacted]`'],
    ['password="hunter \\" 22" x', 'password="[redacted]" x'],
    ['password="hunter22 and', 'password="[redacted] and'],
    ["password: ') + ask9('", "password: ') + ask9('"],
    ['ask("password:") || "x9x9x9"', 'ask("password:") || "x9x9x9"'],
    ["x 'password': 'hunter22'", "x 'password': '[redacted]'"],
    ["x 'password' : hunter22", "x 'password' : hunter22"],
    ["x 'password': 12345", "x 'password': 0"],
    ["x 'password': -12345.678 y", "x 'password': 0 y"],
    ["x 'password': 1234 y", "x 'password': 0 y"],
    ["x 'password': 123 y", "x 'password': 123 y"],
    ["x 'token': 12345678901 y", "x 'token': 12345678901 y"],
    ["x ['--password', 'hunter22']", "x ['--password', '[redacted]']"],
    ["x ['--password' , 'hunter22']", "x ['--password' , '[redacted]']"],
    ["x ['password', 'hunter22']", "x ['password', 'hunter22']"],
    // Headers and cookies.
    ['Authorization: token   abc123def', 'Authorization: token   [redacted]'],
    ['Authorization: abc123def', 'Authorization: [redacted]'],
    ['Authorization: Basic', 'Authorization: Basic'],
    [`Authorization: Bearer ${random}, x`, 'Authorization: Bearer [redacted], x'],
    ['Cookie: a=b; c=d', 'Cookie: [redacted]'],
    ['Cookie: a=b; c=d\nnext', 'Cookie: [redacted]\nnext'],
    ["curl -H 'Cookie: a=b; c=d' x", "curl -H 'Cookie: [redacted]' x"],
    // What is not a name: a file, a signature of no address, a name without an end.
    ['see /run/password.txt: hunter22', 'see /run/password.txt: hunter22'],
    ['see password.txt: hunter22', 'see password.txt: [redacted]'],
    ['see /password: hunter22', 'see /password: [redacted]'],
    [`x sig=${random}`, `x sig=${random}`],
    [`x?a=b&sig=${random}`, 'x?a=b&sig=[redacted]'],
    [`${'a'.repeat(72)}_password=hunter22`, `${'a'.repeat(72)}_password=hunter22`],
    [`${'a'.repeat(71)}_password=hunter22`, `${'a'.repeat(71)}_password=[redacted]`],
    // A value that is no secret may hold one.
    ['password: f(password=hunter22)', 'password: f(password=[redacted])'],
  ])('%s', (text, wanted) => {
    expect(redact(text)).toBe(wanted)
  })

  test('in a quote that is longer than any secret: its first word alone', () => {
    const words = 'ab cd '.repeat(700)
    expect(redact(`password="hunter22 ${words}" x`)).toBe(`password="[redacted] ${words}" x`)
    expect(redact(`password="${'ab7'.repeat(1000)}" x`)).toBe('password="[redacted]" x')
  })
})

describe('in JSON', () => {
  test.each([
    ['{"password":"hunter\\u0032\\u0032"}', '{"password":"[redacted]"}'],
    [`{"a":"\\u0067hp_${'a1'.repeat(18)}"}`, '{"a":"[redacted]"}'],
    ['{"a":"password=hunter22\\nthe next\\tone"}', '{"a":"password=[redacted]\\nthe next\\tone"}'],
    ['{"a":"password:\\thunter22\\rthe next"}', '{"a":"password:\\t[redacted]\\rthe next"}'],
    ['{"password" : "hunter22" , "b":"c"}', '{"password" : "[redacted]" , "b":"c"}'],
    ['{"password":\n  12345}', '{"password":\n  0}'],
    ['{"password":1234}', '{"password":0}'],
    ['{"password":123}', '{"password":123}'],
    ['{"password":-1.5e10,"a":1}', '{"password":0,"a":1}'],
    ['{"access_token":12345678}', '{"access_token":12345678}'],
    ['{"password":["hunter22"]}', '{"password":["hunter22"]}'],
    ['{"password":{"a":"hunter22"}}', '{"password":{"a":"hunter22"}}'],
    ['{"password":null,"a":"hunter22"}', '{"password":null,"a":"hunter22"}'],
    ['{"password":true,"a":"hunter22"}', '{"password":true,"a":"hunter22"}'],
    ['["password","hunter22"]', '["password","hunter22"]'],
    ['["--password","hunter22","b9b9b9"]', '["--password","[redacted]","b9b9b9"]'],
    ['["--verbose","hunter22"]', '["--verbose","hunter22"]'],
    ['"password=hunter22"', '"password=[redacted]"'],
    [' {"password":"hunter22"} ', ' {"password":"[redacted]"} '],
    ['{"a":"x\\\\","password":"hunter22"}', '{"a":"x\\\\","password":"[redacted]"}'],
    ['{"a":"x\\"","password":"hunter\\"22"}', '{"a":"x\\"","password":"[redacted]"}'],
    ['{"authorization":"Bearer abc123def"}', '{"authorization":"Bearer [redacted]"}'],
    // It only looks so: read as text.
    ['{password: "hunter22"}', '{password: "[redacted]"}'],
    ['{"password":"hunter22"', '{"password":"[redacted]"'],
    ['see {"password":12345678}', 'see {"password":0}'],
  ])('%s', (text, wanted) => {
    expect(redact(text)).toBe(wanted)
  })

  test('line by line, where a text has lines of it', () => {
    const lines = ['password=hunter22', '{"password":"hunter,22;x y"} \t', 'between hunter22', '["--pw","a"]']
    expect(redact([...lines, 'password=hunter23', '{"pass":"x", '].join('\n'))).toBe(
      [
        'password=[redacted]',
        '{"password":"[redacted]"} \t',
        'between hunter22',
        '["--pw","a"]',
        'password=[redacted]',
        '{"pass":"x", ',
      ].join('\n'),
    )
    expect(redact('{"a":1}\r\n{"password":12345}\r\nx password=hunter22')).toBe(
      '{"a":1}\r\n{"password":0}\r\nx password=[redacted]',
    )
    expect(redact('x {"password":"a"} y\n{"b":"password is here now"}')).toBe(
      'x {"password":"a"} y\n{"b":"password is here now"}',
    )
  })
})

describe('as a terminal shows it', () => {
  test.each([
    [`pass${esc}[1;31mword${esc}[0m=hunter22`, `pass${esc}[1;31mword${esc}[0m=[redacted]`],
    [`password${esc}[4Chunter22`, `password${esc}[4C[redacted]`],
    [`password=${esc}[2Khunter22`, `password=${esc}[2K[redacted]`],
    [`password=${esc}[2Ghunter22`, `password=${esc}[2Ghunter22`],
    [`password=hunter22${esc}[5;1Hnext`, `password=[redacted]${esc}[5;1Hnext`],
    [`password=hunter22${esc}[2dnext7`, `password=[redacted]${esc}[2dnext7`],
    [`password=hunter${esc}[0m22${esc}[0mb7`, 'password=[redacted]'],
    ['password=\\u001b[1mhunter22\\u001b[0m', 'password=\\u001b[1m[redacted]\\u001b[0m'],
    ['password=\\x1b[1mhunter22', 'password=\\x1b[1m[redacted]'],
    ['password=\\033[1mhunter22', 'password=\\033[1m[redacted]'],
    ['password=\\\\e[1mhunter22', 'password=\\\\e[1m[redacted]'],
    ['pass\u200bword=hunter22', 'pass\u200bword=[redacted]'],
    ['pass\u00adword=hun\u2060ter22', 'pass\u00adword=[redacted]'],
    ['password＝hunter22', 'password＝[redacted]'],
    ['passwordＣhunter22', 'passwordＣhunter22'],
    // A key that the edge of a terminal breaks.
    [`ghp_${random.slice(0, 20)}\n${random.slice(20, 40)}`, '[redacted]'],
    [`│ ghp_${random.slice(0, 20)} \n`, `│ ghp_${random.slice(0, 20)} \n`],
    [`| ghp_${random.slice(0, 20)}\n| ${random.slice(20, 40)}\n| words`, '| [redacted]\n| words'],
    [`ghp_${random.slice(0, 36)}\nwords`, '[redacted]\nwords'],
    [`ghp_${random.slice(0, 20)}\n${random.slice(20)}\nwords\n7`, '[redacted]\nwords\n7'],
  ])('%j', (text, wanted) => {
    expect(redact(text)).toBe(wanted)
  })
})

describe('private keys', () => {
  const begin = '-----BEGIN PRIVATE KEY-----'
  const end = '-----END PRIVATE KEY-----'
  const line = 'MIIEpAIBAAKCAQEA7bq'
  test.each([
    [`${begin}\n${line}\n${end} x`, '[redacted] x'],
    [`${begin}\\n${line}\\n${end}\\nx`, '[redacted]\\nx'],
    [`${begin}\\r\\n${line}\\r\\n${end} x`, '[redacted] x'],
    [`${begin}\n${line}\n${end}\n${begin}\n${line}\n${end}\nx`, '[redacted]\n[redacted]\nx'],
    [`-----END X-----\n${begin}\n${line}\n${end}\nx`, '-----END X-----\n[redacted]\nx'],
    // Without its end, the lines that look like one.
    [`${begin}\n${line}\n${line}\nthe end`, '[redacted]\nthe end'],
    [`${begin}\nProc-Type: 4,ENCRYPTED\n${line}\nthe end`, '[redacted]\nthe end'],
    [`${begin}\n${line}\n-----END`, '[redacted]\n-----END'],
    [`'${begin}\\n${line}' "${end}"`, `'[redacted]' "${end}"`],
    [`${begin} is how it begins`, '[redacted] is how it begins'],
    [
      '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
      '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    ],
  ])('%j', (text, wanted) => {
    expect(redact(text)).toBe(wanted)
  })

  test('an end that is too far away is of something else', () => {
    const far = `words and more words\n`.repeat(1000)
    expect(redact(`${begin}\n${line}\n${far}${end}`)).toBe(`[redacted]\n${far}${end}`)
  })
})

describe('in addresses', () => {
  test.each([
    ['postgres://ada:hunter@db/x', 'postgres://ada:[redacted]@db/x'],
    ['redis://:hunter@h', 'redis://:[redacted]@h'],
    ['see https://ada:a/b/c@h/x and', 'see https://ada:[redacted]@h/x and'],
    ['see https://ada:8080/b/c@h/x and', 'see https://ada:8080/b/c@h/x and'],
    ['https://ada:@h/x', 'https://ada:@h/x'],
    ['https://ada:$PASS@h/x', 'https://ada:$PASS@h/x'],
    ['https://ada:$(pass)@h/x', 'https://ada:$(pass)@h/x'],
    ['https://ada:$9pass@h/x', 'https://ada:$9pass@h/x'],
    ['https://ada:$-pass@h/x', 'https://ada:[redacted]@h/x'],
    ['https://ada:<pw>@h/x', 'https://ada:<pw>@h/x'],
    ['https://ada:{pw}@h/x', 'https://ada:{pw}@h/x'],
    ['https://ada:***@h/x', 'https://ada:***@h/x'],
    ['https://ada:**x@h/x', 'https://ada:[redacted]@h/x'],
    ['https://ada:x<pw@h/x', 'https://ada:x<pw@h/x'],
    ['https://ada:x{pw}@h/x', 'https://ada:[redacted]@h/x'],
    ['https://abcdefgh7jklmnop@h/x', 'https://[redacted]@h/x'],
    ['https://abcdefgh7jklmno@h/x', 'https://abcdefgh7jklmno@h/x'],
    ['https://abcdefghijklmnopq@h/x', 'https://abcdefghijklmnopq@h/x'],
    ['https://h/x?a=b@c:d', 'https://h/x?a=b@c:d'],
    ['x ://a:b@c', 'x ://a:b@c'],
  ])('%s', (text, wanted) => {
    expect(redact(text)).toBe(wanted)
  })
})

describe('in commands', () => {
  test.each([
    ['mysql -pabc db', 'mysql -p[redacted] db'],
    ['mysql -pab db', 'mysql -pab db'],
    ['mysqldump -u root -phunter db', 'mysqldump -u root -p[redacted] db'],
    ['mariadb -phunter', 'mariadb -p[redacted]'],
    ['mysql x | less -phunter', 'mysql x | less -phunter'],
    ['mysql x\nless -phunter', 'mysql x\nless -phunter'],
    ['sshpass -phunter ssh', 'sshpass -p[redacted] ssh'],
    ["sshpass -p 'hunter' ssh", "sshpass -p '[redacted]' ssh"],
    ['sshpass -p h ssh', 'sshpass -p [redacted] ssh'],
    ['curl -u ada:hunter x', 'curl -u ada:[redacted] x'],
    ['curl -uada:hunter x', 'curl -uada:[redacted] x'],
    ['curl --user=ada:hunter x', 'curl --user=ada:[redacted] x'],
    ["curl --proxy-user 'ada:hunter' x", "curl --proxy-user 'ada:[redacted]' x"],
    ['wget --user ada:hunter x', 'wget --user ada:[redacted] x'],
    ['http -u ada:hunter x', 'http -u ada:[redacted] x'],
    ['https -u ada:hunter x', 'https -u ada:[redacted] x'],
    ['curl -u ada:$PASS x', 'curl -u ada:$PASS x'],
    ['redis-cli -a hunter get', 'redis-cli -a [redacted] get'],
    ['redis-cli -a "hunter" get', 'redis-cli -a "[redacted]" get'],
    ['redis-cli x-a hunter get', 'redis-cli x-a hunter get'],
    ['docker login -u ada -p hunter x', 'docker login -u ada -p [redacted] x'],
    ["helm registry login -p 'hunter' x", "helm registry login -p '[redacted]' x"],
    ['docker run -p 8080:80 x', 'docker run -p 8080:80 x'],
    ['docker x-p hunter x', 'docker x-p hunter x'],
    ['docker run -p abc x', 'docker run -p abc x'],
    ['docker run -p -hunter x', 'docker run -p -hunter x'],
    ["identified by 'h' x", "identified by '[redacted]' x"],
    ["IDENTIFIED AS PASSWORD 'hunter' x", "IDENTIFIED AS PASSWORD '[redacted]' x"],
    ["identified by \\\\'hunter\\\\' x", "identified by \\\\'[redacted]\\\\' x"],
    [`recovery: ${'able about '.repeat(6)}`, 'recovery: [redacted] '],
    [`mnemonic="${'able about '.repeat(6).trim()}"`, 'mnemonic="[redacted]"'],
    [`seed is ${'able about '.repeat(5).trim()} x`, `seed is ${'able about '.repeat(5).trim()} x`],
    ['bearer abcdefghijk7', 'bearer [redacted]'],
    ['bearer abcdefghij7', 'bearer abcdefghij7'],
    ['bearer abcdefghijkl=', 'bearer [redacted]'],
    ['bearer abcdefghijklm', 'bearer abcdefghijklm'],
    ['bearer  abcdefghijk7', 'bearer  abcdefghijk7'],
    ['bearer of abcdefghijk7', 'bearer of abcdefghijk7'],
  ])('%s', (text, wanted) => {
    expect(redact(text)).toBe(wanted)
  })
})

test('secrets that lie within each other are one, those that touch are two', () => {
  expect(redact(`password="x9 sk-${random} y" x`)).toBe('password="[redacted]" x')
  expect(redact(`https://ada:sk-${random}@h`)).toBe('https://ada:[redacted]@h')
  expect(redact(`Authorization: Bearer x password=hunter22 sk-${random}`)).toBe(
    'Authorization: Bearer x password=[redacted] [redacted]',
  )
})
