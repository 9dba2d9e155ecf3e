/** `lull replay --agent NAME --transcript FILE`: recordings judged from the files that the agents leave behind. */
import { describe, expect, test } from 'vitest'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { startOf, truthOf } from '../support/recordings.ts'
import { type Files, filesOf, judgeFiles, type Row, sessionOf, stateAt } from '../support/transcripts.ts'

const name = 'claude-bash20'
const files = filesOf(name)
const { transcript, hooks, growth } = files
const bash = [
  'unknown',
  'working/thinking',
  'working/streaming',
  'working/tool',
  'working/thinking',
  'idle/turn',
]

/** The recording's transcript as it is, alone and with its growth. */
const plain = judgeFiles(name, { transcript })
const grown = judgeFiles(name, { transcript, growth })

/** Which files are given besides the transcript. */
const sources = {
  'the transcript': {},
  'its hooks too': { hooks },
  'its growth too': { growth },
  'all three': { hooks, growth },
} as const

const given = (name: string, source: keyof typeof sources): Files => {
  const all = filesOf(name)
  const parts = Object.keys(sources[source]) as (keyof Files)[]
  return { transcript: all.transcript, ...Object.fromEntries(parts.map(part => [part, all[part]])) }
}

function wrongSamples(name: string, rows: readonly Row[]): string[] {
  const start = startOf(name)
  return truthOf(name).flatMap(({ t, state }) => {
    const said = stateAt(rows, start + t * 1000)
    return said === state ? [] : [`${t} s: ${said}, not ${state}`]
  })
}

/** The permission that Codex asks for is told by its hooks alone. */
const scenarios = [
  'claude-bash20',
  'claude-interrupt',
  'claude-bgbash',
  'copilot-permission',
  'codex-permdeny',
]
const told = scenarios.flatMap(name =>
  (Object.keys(sources) as (keyof typeof sources)[])
    .filter(source => name !== 'codex-permdeny' || 'hooks' in sources[source])
    .map(source => [name, source] as const),
)

describe('a recorded session', () => {
  test.each(told)('%s, given %s: work, dialogs and idleness as they really were', async (name, source) => {
    const { rows, code, stderr } = await judgeFiles(name, given(name, source))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(truthOf(name).length).toBeGreaterThan(20)
    expect(wrongSamples(name, rows)).toEqual([])
  })

  test('codex-permdeny without its hooks: a permission looks like the tool that it is asked for', async () => {
    const { states } = await judgeFiles('codex-permdeny', given('codex-permdeny', 'the transcript'))
    expect(states).toEqual([
      'unknown',
      'working/thinking',
      'working/tool',
      'working/thinking',
      'idle/interrupt',
    ])
  })

  test('times are ISO times, in order, from the first line on', async () => {
    const { rows } = await plain
    for (const row of rows) expect(row.t).toBe(new Date(row.t).toISOString())
    expect(rows.map(row => row.t)).toEqual(rows.map(row => row.t).toSorted())
    const stamps = transcript.flatMap(line => (JSON.parse(line) as { timestamp?: string }).timestamp ?? [])
    expect(rows[0]?.t).toBe(stamps[0])
  })

  test('--until is a time of the clock, or a duration from the first line', async () => {
    const { rows } = await plain
    const until = rows.findLast(row => row.state === 'working')?.t as string
    const upTo = rows.filter(row => row.t <= until)
    expect((await judgeFiles(name, { transcript }, ['--until', until])).rows).toEqual(upTo)
    const seconds = (Date.parse(until) - Date.parse(rows[0]?.t as string)) / 1000
    expect((await judgeFiles(name, { transcript }, ['--until', `${seconds}s`])).rows).toEqual(upTo)
  })
})

describe('growth', () => {
  test.each([2000, 60_000])('a transcript that reaches the disk %d ms late is judged late', async delay => {
    const soon = await grown
    const late = await judgeFiles(name, { transcript, growth: filesOf(name, delay).growth })
    expect(late.states.slice(1)).toEqual(soon.states.slice(1))
    const delays = late.rows.map((row, i) => Date.parse(row.t) - Date.parse(soon.rows[i]?.t as string))
    expect(new Set(delays.slice(1))).toEqual(new Set([delay]))
  })

  test('lines that never reached the disk are not seen', async () => {
    const short = growth.slice(0, transcript.findIndex(line => line.includes('"type":"tool_use"')) + 1)
    const { states, code } = await judgeFiles(name, { transcript, growth: short })
    expect({ code, states }).toEqual({ code: 0, states: bash.slice(0, 4) })
  })

  test('rows of another session in between tell nothing', async () => {
    const other = growth.map(row => JSON.stringify({ ...JSON.parse(row), session: 'other', bytes: 1e9 }))
    const alone = await grown
    const mixed = await judgeFiles(name, { transcript, growth: [...other, ...growth].toReversed() })
    expect(mixed.rows).toEqual(alone.rows)
  })

  test('rows that name no session of this file are taken for its own', async () => {
    const renamed = growth.map(row => JSON.stringify({ ...JSON.parse(row), session: 'mine' }))
    const { rows, code, stderr } = await judgeFiles(name, { transcript, growth: renamed })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(rows).toEqual((await grown).rows)
  })

  test('rows that are none are named, with their own file', async () => {
    const { rows, stderr } = await judgeFiles(name, { transcript, growth: ['{"t":1}', 'x', ...growth] })
    const reason = 'growth row is not {t, session, bytes}, passed over'
    expect(stderr).toBe(`lull: growth.jsonl:1: ${reason}\nlull: growth.jsonl:2: ${reason}\n`)
    expect(rows).toEqual((await grown).rows)
  })
})

describe('hooks', () => {
  const hook = (t: string | number, event: string, payload: object = {}) =>
    JSON.stringify({ t, event, payload })

  test.each([
    ['backwards', hooks.toReversed()],
    ['shuffled', hooks.toSorted((a, b) => (a.slice(-9) < b.slice(-9) ? -1 : 1))],
    ['each twice', hooks.flatMap(row => [row, row])],
    ['all of them twice', [...hooks, ...hooks]],
  ])('%s: the same verdicts', async (_, disturbed) => {
    const { states, code } = await judgeFiles(name, { transcript, hooks: disturbed })
    expect({ code, states }).toEqual({ code: 0, states: (await judgeFiles(name, files)).states })
  })

  test('of a session that never began: the transcript’s turn goes its way', async () => {
    const [first] = (await plain).rows
    const stray = ['PostToolUse', 'Stop', 'SubagentStop', 'PermissionDenied', 'NoSuchHook'].map(event =>
      hook(first?.t as string, event, { session_id: 'other', prompt_id: 'other-prompt' }),
    )
    const { states, code, stderr } = await judgeFiles(name, { transcript, hooks: stray })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(states.slice(-4)).toEqual(bash.slice(-4))
  })

  test('small numbers count seconds from the transcript’s first line', async () => {
    const { rows } = await judgeFiles(name, { transcript, hooks: [hook(10, 'PermissionRequest')] })
    const waits = rows.find(row => row.state === 'waiting')
    expect(Date.parse(waits?.t as string) - Date.parse(rows[0]?.t as string)).toBe(10_000)
  })

  test('rows that are none, and payloads that lie, are named with their own file', async () => {
    const bad = [
      '{"event":"Stop"}',
      '{"t":"noon","event":"Stop"}',
      '[1]',
      '{"t":1',
      hook(1, 'Stop', { cwd: 5 }),
    ]
    const { states, stderr, code } = await judgeFiles(name, { transcript, hooks: bad })
    expect({ code, states }).toEqual({ code: 0, states: bash })
    const said = stderr.trimEnd().split('\n')
    expect(
      said.slice(0, 4).every(line => line.endsWith('hook row is not {t, event, payload?}, passed over')),
    ).toBe(true)
    expect(said.map(line => line.slice(0, 21))).toEqual([1, 2, 3, 4, 5].map(n => `lull: hooks.jsonl:${n}: `))
    expect(said[4]).toContain('hook Stop: cwd: ')
  })
})

describe('a damaged transcript', () => {
  const place = transcript.findIndex(line => line.includes('"tool_use"'))
  const said = (line: number, reason: string) => `lull: ${sessionOf(name)}.jsonl:${line}: ${reason}\n`
  const torn = 'transcript line: torn or not a JSON object'
  const withLine = (line: string) => transcript.toSpliced(place, 0, line)

  // biome-ignore format: a damage a line
  test.each([
    ['a line that is not JSON', withLine('Killed'), said(place + 1, torn)],
    ['an array', withLine('[1]'), said(place + 1, torn)],
    ['a torn last line', [...transcript, '{"type":"assistant","mess'], said(transcript.length + 1, torn)],
    ['a line of 50 MB', withLine(`{"type":"user","x":"${'a'.repeat(5e7)}"}`), said(place + 1, 'longer than 8 MB, passed over')],
    ['a line without a stamp', withLine('{"type":"summary","summary":"Stop"}'), ''],
    ['a first line without a stamp', ['{"type":"mode"}', ...transcript], ''],
    ['blank lines', transcript.flatMap(line => [line, '']), ''],
    ['a stamp that no calendar knows', [...transcript, '{"type":"mode","timestamp":1e300}'], ''],
  ])('%s: the rest is judged', async (_, lines, stderr) => {
    const judged = await judgeFiles(name, { transcript: lines }, [], ['--max-old-space-size=64'])
    expect(judged).toMatchObject({ code: 0, states: bash, stderr })
  })
})

describe('what can not be judged is one sentence', () => {
  const file = (content: string) => temporaryFile('session.jsonl', content)
  const good = () => ['--transcript', file(transcript.join('\n'))]
  const bare = (content: string) => ['--agent', 'claude', '--transcript', file(content)]

  // biome-ignore format: a case a line
  test.each([
    ['no agent', () => good(), /^a bare transcript needs both: --agent NAME --transcript FILE$/],
    ['an unknown agent', () => ['--agent', 'eve', ...good()], /^--agent eve: unknown agent/],
    ['an agent alone', () => ['--agent', 'claude'], /^no input; give a trace/],
    ['an empty file', () => bare(''), /^[^:]+session\.jsonl: no line carries a time$/],
    ['no stamp at all', () => bare('{}\nx\n'), /^[^:]+session\.jsonl: no line carries a time$/],
    ['a folder', () => ['--agent', 'claude', '--transcript', temporaryFolder()], /: is a folder, not a file$/],
    ['no such hooks', () => ['--agent', 'claude', ...good(), '--hooks', '/no.jsonl'], /^\/no\.jsonl: no such file$/],
    ['no such growth', () => ['--agent', 'claude', ...good(), '--growth', '/no.jsonl'], /^\/no\.jsonl: no such file$/],
    ['a bad --until', () => ['--agent', 'claude', ...good(), '--until', 'noon'], /^--until: "noon" is not a duration/],
  ])('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await lullHere(['replay', ...args()])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(/^lull: (.*)\n$/.exec(stderr)?.[1]).toMatch(sentence)
  })
})
