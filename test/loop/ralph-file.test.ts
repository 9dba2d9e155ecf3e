/** RALPH.md: what may stand in it, and the sentence where something else does. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { resetIn } from '../../src/loop/limit-reset.ts'
import { headless } from '../../src/loop/loop-agent.ts'
import { type Ralph, readRalph } from '../../src/loop/ralph/ralph.ts'
import { fields, jsonSchema } from '../../src/loop/ralph/ralph-fields.ts'
import { findRalph, initRalph } from '../../src/loop/ralph/ralph-file.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'

const read = (text: string): Ralph => readRalph(temporaryFile('RALPH.md', text), 'RALPH.md')
const withFields = (...lines: string[]): string => ['---', ...lines, '---', 'Do it.'].join('\n')
const withIdle = (...lines: string[]): string =>
  withFields('agent: claude -p', 'idle:', ...lines.map(line => `  ${line}`))

describe('idle:', () => {
  test.each([
    [[], 30_000, 2, 300_000, 21_600_000],
    [['delay: 30s', 'backoff: 2.0', 'max_delay: 5m', 'max: 6h'], 30_000, 2, 300_000, 21_600_000],
    [['delay: 10', 'max_delay: 90', 'max: 3600'], 10_000, 2, 90_000, 3_600_000],
    [['delay: 1m30s', 'max: 1h30m'], 90_000, 2, 300_000, 5_400_000],
    [['max: 1d'], 30_000, 2, 300_000, 86_400_000],
    [['max: "45"', 'delay: 0.5'], 500, 2, 300_000, 45_000],
    [['backoff: 1', 'delay:'], 30_000, 1, 300_000, 21_600_000],
    [['delay: 1 m'], 60_000, 2, 300_000, 21_600_000],
  ])('%j', (lines, delay, backoff, maxDelay, max) => {
    expect(read(withIdle(...lines)).idle).toEqual({ delay, backoff, maxDelay, max })
  })

  test('a delay over a limit that is not written raises it, with a sentence', () => {
    const { idle, warnings } = read(withIdle('delay: 10m'))
    expect(idle).toEqual({ delay: 600_000, backoff: 2, maxDelay: 600_000, max: 21_600_000 })
    expect(warnings).toEqual(['RALPH.md: idle.max_delay is raised to 10 min, as idle.delay is longer'])
    const day = read(withIdle('delay: 1d'))
    expect(day.idle).toMatchObject({ maxDelay: 86_400_000, max: 86_400_000 })
    expect(day.warnings).toHaveLength(2)
    expect(read(withIdle('delay: 5m')).warnings).toEqual([])
  })

  test('without it there is none', () => {
    expect(read(withFields('agent: claude -p'))).not.toHaveProperty('idle')
  })

  test('as a mapping of its own', () => {
    expect(read(withFields('agent: claude -p', 'idle: {delay: 1s}')).idle?.delay).toBe(1000)
  })
})

const duration = 'must be a duration above 0: seconds, or like 90s, 5m, 1h30m, 1d'

/** What; the file; the sentence. */
const bad: readonly (readonly [string, string, string])[] = [
  [
    'no frontmatter',
    'Do it.',
    'RALPH.md: has no frontmatter: begin it with the lines ---, agent: claude -p, --- (lull loop init writes one)',
  ],
  [
    'nothing at all',
    '',
    'RALPH.md: has no frontmatter: begin it with the lines ---, agent: claude -p, --- (lull loop init writes one)',
  ],
  [
    'a frontmatter that does not begin the file',
    '\n---\nagent: x\n---\nDo it.',
    'RALPH.md: has no frontmatter: begin it with the lines ---, agent: claude -p, --- (lull loop init writes one)',
  ],
  [
    'a frontmatter without an end',
    '---\nagent: x\nDo it.',
    'RALPH.md:1:1: the frontmatter does not end: close it with a line ---',
  ],
  [
    'an empty frontmatter',
    '---\n---\nDo it.',
    'RALPH.md: agent is missing: name the command to run, like agent: claude -p',
  ],
  [
    'no agent',
    withFields('credit: true'),
    'RALPH.md: agent is missing: name the command to run, like agent: claude -p',
  ],
  [
    'an agent without a value',
    withFields('agent:'),
    'RALPH.md: agent is missing: name the command to run, like agent: claude -p',
  ],
  ['an empty agent', withFields('agent: ""'), 'RALPH.md:2:8: agent must not be empty'],
  [
    'an agent that is no text',
    withFields('agent: [claude, -p]'),
    'RALPH.md:2:8: agent must be a command line',
  ],
  [
    'an agent with an open quotation',
    withFields(`agent: claude -p "x`),
    'RALPH.md:2:8: agent has a " at character 11 that is not closed',
  ],
  ['a list', withFields('- agent'), 'RALPH.md: the frontmatter must be fields, like agent: claude -p'],
  [
    'broken YAML',
    withFields('agent: claude -p', 'commands: [', 'args: []'),
    'RALPH.md:4:1: not YAML: flow sequence',
  ],
  ['a tab', withFields('agent: x', 'idle:', '\tdelay: 1s'), 'RALPH.md:4:1: not YAML: '],
  ['a field twice', withFields('agent: x', 'agent: y'), 'RALPH.md:3:1: not YAML: map keys must be unique'],
  [
    'an empty body',
    '---\nagent: x\n---\n\n',
    'RALPH.md: the prompt is missing: write it below the second ---',
  ],
  [
    'a body of comments',
    '---\nagent: x\n---\n<!-- later -->',
    'RALPH.md: the prompt is missing: write it below the second ---',
  ],
  ['a negative delay', withIdle('delay: -5s'), `RALPH.md:4:10: idle.delay "-5s" ${duration}`],
  ['a delay of nothing', withIdle('delay: 0'), `RALPH.md:4:10: idle.delay 0 ${duration}`],
  ['a negative max', withIdle('max: -1'), `RALPH.md:4:8: idle.max -1 ${duration}`],
  ['a delay without end', withIdle('delay: .inf'), 'RALPH.md:4:10: idle.delay '],
  ['a delay beyond numbers', withIdle('delay: 1e308'), `RALPH.md:4:10: idle.delay 1e+308 ${duration}`],
  ['a unit that is none', withIdle('delay: 5 parsecs'), `RALPH.md:4:10: idle.delay "5 parsecs" ${duration}`],
  [
    'a backoff below 1',
    withIdle('backoff: 0.5'),
    'RALPH.md:4:12: idle.backoff must be 1 or more: the waits grow by it',
  ],
  [
    'a backoff in words',
    withIdle('backoff: twice'),
    'RALPH.md:4:12: idle.backoff must be a number from 1 on',
  ],
  [
    'a max below the delay',
    withIdle('delay: 1m', 'max: 30s'),
    'RALPH.md:5:8: idle.max 30 s is less than idle.delay, which is 60 s: set max to 60 s or more',
  ],
  [
    'a max_delay below the delay',
    withIdle('delay: 10m', 'max_delay: 5m'),
    'RALPH.md:5:14: idle.max_delay 300 s is less than idle.delay, which is 600 s: set max_delay to 600 s or more',
  ],
  [
    'an idle that is no mapping',
    withFields('agent: x', 'idle: yes'),
    'RALPH.md:3:7: idle must be a mapping of delay, backoff, max_delay and max',
  ],
  [
    'a command without a name',
    withFields('agent: x', 'commands:', '  - run: ls'),
    'RALPH.md:4:5: commands[0].name is missing',
  ],
  [
    'a command without run',
    withFields('agent: x', 'commands:', '  - name: a'),
    'RALPH.md:4:5: commands[0].run is missing',
  ],
  [
    'a name with blanks',
    withFields('agent: x', 'commands:', '  - name: a b', '    run: ls'),
    'RALPH.md:4:11: commands[0].name must be letters, digits, - and _',
  ],
  [
    'a command twice',
    withFields('agent: x', 'commands:', '  - {name: a, run: ls}', '  - {name: a, run: ls}'),
    'RALPH.md:5:5: commands[1] a is here twice',
  ],
  [
    'a command’s timeout of nothing',
    withFields('agent: x', 'commands:', '  - {name: a, run: ls, timeout: 0}'),
    `RALPH.md:4:33: commands[0].timeout 0 ${duration}`,
  ],
  ['an argument twice', withFields('agent: x', 'args: [a, a]'), 'RALPH.md:3:11: args[1] a is here twice'],
  [
    'an argument that is no name',
    withFields('agent: x', 'args: ["a b"]'),
    'RALPH.md:3:8: args[0] must be letters, digits, - and _',
  ],
  [
    'a credit that is neither',
    withFields('agent: x', 'credit: maybe'),
    'RALPH.md:3:9: credit must be true or false',
  ],
]

describe('a file that can’t be run', () => {
  test.each(bad)('%s', (_, text, sentence) => {
    expect(() => read(text)).toThrow(sentence)
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'BAD_RALPH' }))
  })
})

describe('what is passed over is said', () => {
  test.each([
    [
      'an unknown field',
      withFields('agent: x', 'modle: opus'),
      ['RALPH.md:3:8: modle is no field that lull knows, passed over'],
    ],
    [
      'an unknown field of idle',
      withIdle('max_dealy: 5m'),
      ['RALPH.md:4:14: idle.max_dealy is no field that lull knows, passed over'],
    ],
    [
      'an unknown field of a command',
      withFields('agent: x', 'commands:', '  - {name: a, run: ls, cwd: b}'),
      ['RALPH.md:4:29: commands[0].cwd is no field that lull knows, passed over'],
    ],
    [
      'a placeholder that names nothing',
      `${withFields('agent: x')} {{ commands.lgo }} {{ commands.lgo }} {{ args.x }}`,
      [
        'RALPH.md: {{ commands.lgo }} names nothing, it stays empty',
        'RALPH.md: {{ args.x }} names nothing, it stays empty',
      ],
    ],
    [
      'a pipe',
      withFields('agent: x', 'commands:', '  - name: a', '    run: git log | head'),
      ["RALPH.md:5:10: | is an argument here, as no shell is used: write sh -c '…' or a script"],
    ],
    ['nothing', `${withFields('agent: x', 'args: [a]')} {{ args.a }} {{ ralph.max_iterations }}`, []],
  ])('%s', (_, text, warnings) => {
    expect(read(text).warnings).toEqual(warnings)
  })
})

describe('which file', () => {
  const home = temporaryFolder()
  const cwd = temporaryFolder()
  for (const [root, name] of [
    [cwd, 'here'],
    [home, 'here'],
    [home, 'there'],
  ] as const) {
    mkdirSync(path.join(root, '.agents/ralphs', name), { recursive: true })
    writeFileSync(path.join(root, '.agents/ralphs', name, 'RALPH.md'), '')
  }
  mkdirSync(path.join(cwd, 'folder'))
  writeFileSync(path.join(cwd, 'folder/RALPH.md'), '')
  writeFileSync(path.join(cwd, 'RALPH.md'), '')

  test.each([
    [undefined, cwd, 'RALPH.md'],
    ['.', cwd, 'RALPH.md'],
    ['folder', cwd, 'folder/RALPH.md'],
    ['folder/RALPH.md', cwd, 'folder/RALPH.md'],
    ['here', cwd, '.agents/ralphs/here/RALPH.md'],
    ['there', home, '.agents/ralphs/there/RALPH.md'],
  ])('%s', (target, root, file) => {
    expect(findRalph(target, cwd, home)).toBe(path.join(root, file))
  })

  test.each(['nowhere', 'here/x', '../here'])('%s is none', target => {
    expect(() => findRalph(target, cwd, home)).toThrow(/^.*: there is no RALPH\.md at /)
  })

  test('of what is none each place is named once, the file itself first', () => {
    const said = (target: string, at: string): string => {
      try {
        return findRalph(target, at, home)
      } catch (error) {
        return (error as Error).message.replaceAll(home, '~')
      }
    }
    expect(said('nofile.md', home)).toBe(
      'nofile.md: there is no RALPH.md at ~/nofile.md: no such file or folder; nor is there one at ~/.agents/ralphs/nofile.md/RALPH.md',
    )
    mkdirSync(path.join(home, 'empty'))
    expect(said('empty', home)).toBe(
      'empty: there is no RALPH.md at ~/empty/RALPH.md, ~/.agents/ralphs/empty/RALPH.md',
    )
    expect(said('./no.md', home)).toBe('./no.md: there is no RALPH.md at ~/no.md: no such file or folder')
  })
})

describe('rows on stdout', () => {
  const rows = ['--output-format', 'stream-json']
  test.each([
    ['claude -p', ['claude', '-p', ...rows, '--verbose'], 'claude'],
    [
      '/opt/bin/claude -p --model opus',
      ['/opt/bin/claude', '-p', '--model', 'opus', ...rows, '--verbose'],
      'claude',
    ],
    ['claude -p --output-format stream-json', ['claude', '-p', ...rows, '--verbose'], 'claude'],
    [
      'claude -p --output-format=stream-json --verbose',
      ['claude', '-p', '--output-format=stream-json', '--verbose'],
      'claude',
    ],
    ['claude -p --output-format text', ['claude', '-p', '--output-format', 'text'], undefined],
    ['timeout 600 claude -p', ['timeout', '600', 'claude', '-p'], undefined],
    [
      'timeout 600 claude -p --output-format stream-json',
      ['timeout', '600', 'claude', '-p', ...rows, '--verbose'],
      'claude',
    ],
    ['codex exec --json -', ['codex', 'exec', '--json', '-'], 'codex'],
    ['codex exec -', ['codex', 'exec', '-'], undefined],
    ['env A=1 npx codex exec --json', ['env', 'A=1', 'npx', 'codex', 'exec', '--json'], 'codex'],
    ['opencode run --format json', ['opencode', 'run', '--format', 'json'], 'opencode'],
    ['gemini -o stream-json', ['gemini', '-o', 'stream-json'], 'gemini'],
    ['qwen --output-format=stream-json', ['qwen', '--output-format=stream-json'], 'qwen'],
    ['copilot --output-format json', ['copilot', '--output-format', 'json'], 'copilot'],
    ['pi --mode json -p', ['pi', '--mode', 'json', '-p'], 'pi'],
    ['cline --json', ['cline', '--json'], 'cline'],
    ['./agent.sh --json', ['./agent.sh', '--json'], undefined],
    [
      'npx @anthropic-ai/claude-code -p --output-format stream-json',
      ['npx', '@anthropic-ai/claude-code', '-p', ...rows, '--verbose'],
      'claude',
    ],
  ])('%s', (line, words, agent) => {
    const { idle: _, ...run } = { idle: 0, ...headless(line.split(' ')) }
    expect(run).toEqual(agent === undefined ? { words } : { words, rows: agent })
  })
})

describe('when a limit ends', () => {
  const now = 1_795_000_000_000
  test.each([
    ["You've hit your usage limit. Upgrade to Pro, or try again in 3 days 4 hours 9 minutes.", 274_140_000],
    ['Rate limit reached for gpt-5. Please try again in 1.242s. Visit', 1242],
    ['Rate limit reached. Please try again in 6m0s.', 360_000],
    ['try again in 20 ms', 20],
    ['{"error":{"code":429,"details":[{"retryDelay": "34s"}]}}', 34_000],
    ['Quota exceeded. Please retry in 34.5s.', 34_500],
    ['Claude AI usage limit reached|1795003600', 3_600_000],
    ['Claude AI usage limit reached|1794003600', undefined],
    ['try again in 300 days', undefined],
    ['try again in a moment', undefined],
    ['429 slow down', undefined],
    ['', undefined],
  ])('%s', (error, ms) => {
    expect(resetIn(error, now, 0)).toBe(ms)
  })

  test.each([
    ['You’ve hit your usage limit. Upgrade to Pro, or try again at 2:25 AM.', [25, 2, 26]],
    ['You’ve hit your usage limit. Try again at Nov 27th, 2026 11:05 PM.', [27, 23, 6]],
    ["You've hit your session limit · resets 3:45pm (UTC)", [25, 15, 46]],
    ["You've hit your weekly limit · resets Nov 28, 3pm (Europe/Berlin)", [28, 15, 1]],
    ['You’ve hit your usage limit, resets 2am', [26, 2, 1]],
    // Its seconds are cut off: it is within this minute.
    ['try again at 2:22 AM', [25, 2, 23]],
    ['resets 12am', [26, 0, 1]],
    ['resets Dec 2, 12pm (UTC)', [32, 12, 1]],
    ['resets 0pm', undefined],
  ] as const)('by the clock: %s', (error, at) => {
    const zone = -5 * 3_600_000
    const time = (day: number, hour: number, minute: number, second = 0) =>
      Date.UTC(2026, 10, day, hour, minute, second) - zone
    const said = time(25, 2, 22, 30)
    const end = at && time(at[0], at[1], at[2])
    expect(resetIn(error, said, zone)).toBe(end && end - said)
  })
})

describe('what lull loop init writes', () => {
  test('is a file that can be run as it is, and is never overwritten', () => {
    const folder = path.join(temporaryFolder(), 'new')
    const ralph = readRalph(initRalph(folder), 'RALPH.md')
    expect(ralph.warnings).toEqual([])
    expect(ralph.idle).toEqual({ delay: 30_000, backoff: 2, maxDelay: 300_000, max: 21_600_000 })
    expect(ralph.body).toContain('\n<!-- ralph:state idle -->')
    expect(ralph.body).not.toContain('for you')
    writeFileSync(path.join(folder, 'RALPH.md'), 'mine')
    expect(() => initRalph(folder)).toThrow('is there already')
    expect(readFileSync(path.join(folder, 'RALPH.md'), 'utf8')).toBe('mine')
  })
})

describe('the published schema', () => {
  test('is the one that files are checked against', () => {
    const file = new URL('../../docs/ralph.schema.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(jsonSchema())))
  })

  test('names every field of the documentation', () => {
    const text = readFileSync(new URL('../../docs/loop.md', import.meta.url), 'utf8')
    const example = /```yaml\n---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? ''
    expect(Object.keys(parse(example)).sort()).toEqual(Object.keys(fields.shape).sort())
  })
})
