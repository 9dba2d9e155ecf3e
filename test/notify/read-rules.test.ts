/** notify.yaml: what it means, and what is said where it is wrong. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { notifyFields, notifySchema, sendsToPages } from '../../src/notify/rules/notify-fields.ts'
import { neededRules, readNotifyFile, readNotifyText } from '../../src/notify/rules/read-rules.ts'
import { initNotify, sampleRules } from '../../src/notify/rules/sample-rules.ts'
import { temporaryFolder } from '../support/lull.ts'
import { rulesOf } from '../support/notify.ts'

const mistakesIn = (yaml: string): readonly string[] => {
  const read = readNotifyText(yaml, 'notify.yaml', '/home/dev')
  return 'mistakes' in read ? read.mistakes : []
}

describe('a file', () => {
  test('with destinations alone has rules that all need', () => {
    expect(rulesOf('to: {desk: {desktop: true}, term: {terminal: bell}}')).toEqual({
      destinations: { desk: { by: 'desktop' }, term: { by: 'terminal', signal: 'bell' } },
      transitions: {},
      rules: [
        {
          when: ['waiting', 'stuck', 'failed', 'limited', 'done'],
          after: 10_000,
          to: ['desk', 'term'],
          isUrgent: false,
        },
      ],
      digest: { moreThan: 5, within: 30_000 },
    })
  })

  test('that says all', () => {
    const rules = rulesOf(`
to: {own: {command: [/bin/x, -n]}, slack: {webhook: "https://h/x", format: slack, token_file: ~/t}, ntfy: {ntfy: "http://127.0.0.1:8/a"}}
rules: [{when: [waiting, failed], for: plan, after: 90, lasted: 1m30s, folder: [~/a, /b], agent: claude, to: own, urgent: true}]
quiet: {from: "22:00", to: "7:30"}
digest: {more_than: 2, within: 1m}
`)
    expect(rules).toEqual({
      destinations: {
        own: { by: 'command', words: ['/bin/x', '-n'] },
        slack: { by: 'webhook', url: 'https://h/x', format: 'slack', tokenFile: '/home/dev/t' },
        ntfy: { by: 'ntfy', url: 'http://127.0.0.1:8/a' },
      },
      transitions: {},
      rules: [
        {
          when: ['waiting', 'failed'],
          for: ['plan'],
          after: 90_000,
          lasted: 90_000,
          folders: ['/home/dev/a', '/b'],
          agents: ['claude'],
          to: ['own'],
          isUrgent: true,
        },
      ],
      quiet: { from: 1320, to: 450 },
      digest: { moreThan: 2, within: 60_000 },
    })
  })

  test('with webhooks for every transition, beside the rules', () => {
    const hook = 'webhook: "https://h/x", format: transitions'
    expect(
      rulesOf(
        `to: {desk: {desktop: true}, a: {${hook}, secret_file: ~/s}, b: {${hook}, secret_env: LULL_SECRET, token_file: /t}}`,
      ),
    ).toMatchObject({
      destinations: { desk: { by: 'desktop' } },
      transitions: {
        a: { by: 'transitions', url: 'https://h/x', secret: { file: '/home/dev/s' } },
        b: { by: 'transitions', url: 'https://h/x', secret: { variable: 'LULL_SECRET' }, tokenFile: '/t' },
      },
      rules: [{ to: ['desk'] }],
    })
    expect(
      rulesOf(`to: {a: {webhook: "http://127.0.0.1:1", format: transitions, secret_env: X}}`),
    ).toMatchObject({
      destinations: {},
      rules: [],
    })
  })

  test('times of the day need no quotes', () => {
    expect(rulesOf('to: {a: {desktop: true}}\nquiet: {from: 22:00, to: 07:00}').quiet).toEqual({
      from: 1320,
      to: 420,
    })
  })
})

describe('a mistake', () => {
  const desk = 'to: {desk: {desktop: true}}'
  test.each([
    ['', 'notify.yaml: must be a mapping, like to: {desk: {desktop: true}}'],
    ['to: {a: [', /^notify\.yaml:1:\d+: not YAML: /],
    ['rules: []', 'notify.yaml: to is missing: it names destinations, like {desk: {desktop: true}}'],
    ['to: {}', 'notify.yaml:1:5: to must name a destination'],
    [`${desk}\nruels: []`, 'notify.yaml:2:8: ruels is no field that lull knows'],
    [
      'to:\n  a: {}',
      'notify.yaml:2:6: to.a must have one of desktop, ntfy, webhook, terminal, command, page',
    ],
    [
      'to:\n  a: {desktop: true, terminal: bell}',
      /2:6: to\.a must have one of .*, and has desktop and terminal/,
    ],
    ['to:\n  a: {terminal: beep}', 'notify.yaml:2:17: to.a.terminal must be one of bell, osc9, osc777'],
    ['to: {a: {desktop: true, format: slack}}', /1:33: to\.a\.format is of a webhook/],
    ['to: {a: {webhook: "ftp://x"}}', /1:19: to\.a\.webhook must be an address that begins with https:\/\//],
    ['to: {a: {webhook: "https://me:secret@x"}}', /without a password/],
    ['to: {a: {ntfy: "http://x.org/t", token_file: t}}', /must begin with https:\/\/ where a token is sent/],
    ['to: {a: {ntfy: "https://x.org/"}}', /must end in the name of a topic/],
    [
      'to: {a: {ntfy: "https://x.org/t", answer_at: "https://box/?x=1"}}',
      /must have no path, and no \? or #/,
    ],
    ['to: {a: {ntfy: "https://x.org/t", answer_at: "https://box/#"}}', /must have no path, and no \? or #/],
    ['to: {a: {ntfy: "https://x.org/t", answer_at: "https://box/a"}}', /must have no path, and no \? or #/],
    ['to: {a: {command: say it}}', /must be a list of words, the program first/],
    ['to: {a: {command: [./x]}}', /must begin with a name on PATH or a full path/],
    [
      'to:\n  a: {webhook: "https://x", format: transitions}',
      'notify.yaml:2:37: to.a.format transitions needs secret_file or secret_env: each request is signed',
    ],
    [
      'to: {a: {webhook: "https://x", format: transitions, secret_file: s, secret_env: S}}',
      /to\.a\.secret_env must be left out, or secret_file: one secret signs/,
    ],
    ['to: {a: {webhook: "https://x", secret_file: s}}', /to\.a\.secret_file is of format: transitions/],
    ['to: {a: {desktop: true, secret_env: S}}', /to\.a\.secret_env is of format: transitions/],
    [
      'to: {a: {webhook: "http://x.org", format: transitions, secret_env: S}}',
      /to\.a\.webhook must begin with https:\/\/ where transitions are sent to another machine/,
    ],
    [
      'to: {a: {webhook: "https://x", format: transitions, secret_env: my secret}}',
      /to\.a\.secret_env must be the name of an environment variable, like LULL_SECRET/,
    ],
    [
      `to: {a: {webhook: "https://x", format: transitions, secret_env: S}}\nrules: [{when: waiting, to: a}]`,
      /2:29: "a" gets every transition and no notifications: leave it out of rules/,
    ],
    ['to: {"a b": {desktop: true}}', /must be letters, digits, - and _/],
    [`${desk}\nrules: [{after: 3s}]`, /2:9: rules\.0\.when is missing/],
    [`${desk}\nrules:\n  - {when: idle}`, /3:12: rules\.0\.when must be one of waiting, stuck/],
    [`${desk}\nrules: [{when: done, for: plan}]`, /2:27: rules\.0\.for is of when: waiting/],
    [`${desk}\nrules: [{when: waiting, lasted: 1m}]`, /rules\.0\.lasted is of when: done, failed or limited/],
    [`${desk}\nrules: [{when: waiting, after: soon}]`, /2:32: rules\.0\.after "soon" must be a duration/],
    [
      `${desk}\nrules: [{when: waiting, to: dekk}]`,
      /2:29: "dekk" is no destination of this file: did you mean desk\?/,
    ],
    [`${desk}\nquiet: {from: 25:00, to: 07:00}`, /2:15: quiet\.from must be a time of the day/],
    [`${desk}\nquiet: {from: "07:00", to: "07:00"}`, /2:8: quiet must begin and end at different times/],
    [`${desk}\ndigest: {more_than: 0}`, /2:21: digest\.more_than must be 1 or more/],
    ['to: &a {b: *a}', /notify\.yaml/],
    [`${desk}\nquiet: {from: 1}\nquiet: {from: 2}`, 'notify.yaml:3:1: not YAML: map keys must be unique'],
    ['to: {1: {desktop: true}, "1": {desktop: true}}', 'notify.yaml:1:26: not YAML: map keys must be unique'],
  ])('%s', (yaml, expected) => {
    const [first] = mistakesIn(yaml)
    if (typeof expected === 'string') expect(first).toBe(expected)
    else expect(first).toMatch(expected)
  })

  test('all of them are told', () => {
    expect(mistakesIn('to: {a: {desktop: 1}, b: {terminal: x}}\nnonsense: 1')).toHaveLength(3)
  })

  test('whose brackets nobody closes is not read for long: the parser takes longer with each', () => {
    const wrong = "notify.yaml: it can't be read: it is nested too deeply"
    expect(mistakesIn(`to: ${'['.repeat(101)}`)).toEqual([wrong])
    expect(mistakesIn(`# ]]] }}}\nto: ${'{a: ['.repeat(3000)}`)).toEqual([wrong])
    expect(mistakesIn(`to: ${'['.repeat(100)}`)).not.toEqual([wrong])
    expect(mistakesIn('- '.repeat(5000))).toEqual([wrong])
    const words = Array.from({ length: 300 }, () => '"[x]"').join(', ')
    expect(mistakesIn(`to: {a: {command: [/bin/x, ${words}]}}`)).toEqual([])
  })
})

describe('the file itself', () => {
  const place = () => {
    const home = temporaryFolder()
    const env = { HOME: home }
    const file = path.join(home, '.config/lull/notify.yaml')
    return { env, file }
  }

  test('is written once, for this user alone, and is right as it is', () => {
    const { env, file } = place()
    expect(readNotifyFile(env)).toBeUndefined()
    expect(() => neededRules(env)).toThrow('is not there: lull notify init writes a sample')
    expect(initNotify(env)).toBe(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(neededRules(env).destinations).toEqual({ desk: { by: 'desktop' } })
    writeFileSync(file, 'mine')
    expect(() => initNotify(env)).toThrow('is there already')
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(() => neededRules(env)).toThrow(/notify\.yaml/)
  })

  test.each([
    [['tmux', process.platform === 'darwin' ? 'osascript' : 'notify-send'], ['desk']],
    [['tmux'], ['term']],
    [[], ['desk']],
  ])('tells by what this machine has: %j', (programs, names) => {
    const { env } = place()
    const folder = temporaryFolder()
    for (const name of programs) writeFileSync(path.join(folder, name), '', { mode: 0o755 })
    initNotify({ ...env, PATH: folder })
    const { destinations, rules } = neededRules(env)
    expect(Object.keys(destinations)).toEqual(names)
    expect(rules.length).toBeGreaterThan(0)
  })

  test('with each line of the sample that begins with # and a field is right too', () => {
    const all = sampleRules.replaceAll(/^( *)# (?=[a-z]+: |rules:| {2}- )/gm, '$1').replaceAll(/…/g, 'x')
    expect(Object.keys(rulesOf(all).destinations)).toEqual([
      'desk',
      'term',
      'phone',
      'team',
      'browser',
      'own',
    ])
    expect(Object.keys(rulesOf(all).transitions)).toEqual(['fleet'])
    expect(rulesOf(all).rules).toHaveLength(3)
  })

  test('that others may write is not read', () => {
    const { env, file } = place()
    initNotify(env)
    chmodSync(file, 0o666)
    expect(readNotifyFile(env)).toMatchObject({ mistakes: [expect.stringContaining('must be yours alone')] })
  })

  test('that is a folder, or larger than any rules, is not read', () => {
    const { env, file } = place()
    mkdirSync(file, { recursive: true })
    expect(readNotifyFile(env)).toMatchObject({ mistakes: [expect.stringContaining('is a folder')] })
    const other = place()
    mkdirSync(path.dirname(other.file), { recursive: true })
    writeFileSync(other.file, `#${'x'.repeat(70_000)}`)
    expect(readNotifyFile(other.env)).toMatchObject({
      mistakes: [expect.stringContaining('larger than 16 kB')],
    })
  })
})

describe('the published schema', () => {
  /** `LULL_KEEP_SCHEMA=1 npx vitest run test/notify/read-rules.test.ts && npm run fix` writes it. */
  test('is the one that files are checked against', () => {
    const file = new URL('../../docs/notify.schema.json', import.meta.url)
    if (process.env.LULL_KEEP_SCHEMA) writeFileSync(file, `${JSON.stringify(notifySchema(), null, 2)}\n`)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(notifySchema())))
  })

  test('names what the documentation has, whose example is right', () => {
    const text = readFileSync(new URL('../../docs/notify.md', import.meta.url), 'utf8')
    const example = /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
    expect(mistakesIn(example)).toEqual([])
    const rule = notifyFields.shape.rules.unwrap().element.shape
    for (const field of Object.keys(rule)) expect(text).toContain(`| \`${field}\``)
    for (const field of ['secret_file', 'secret_env', 'token_file']) expect(text).toContain(`\`${field}\``)
    for (const way of ['desktop', 'terminal', 'ntfy', 'webhook', 'command', 'page'])
      expect(text).toContain(`| \`${way}\``)
  })
})

test.each([
  ['to: {browser: {page: true}}', true],
  ['to: {phone: {terminal: bell}}', false],
  ['to: {phone: {terminal: bell}, browser: {page: true}}\nrules: [{when: waiting, to: phone}]', false],
])('%s: pages get notices: %s', (text, is) => {
  expect(sendsToPages(rulesOf(text))).toBe(is)
})
