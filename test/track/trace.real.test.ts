/** Traces that are damaged are judged as far as they go; what is no trace at all is one sentence. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { lull, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { judged, linesOf, recordingFile } from '../support/recordings.ts'

const name = 'claude-bash20'
const lines = linesOf(name)
const intact = judged(lines)
const intactFile = fileURLToPath(recordingFile(name))
/** The line by which the tool begins, counted from 0. */
const place = lines.findIndex(line => line.includes('PreToolUse'))
const megabyte = 1024 * 1024
const intactOutput = lullHere(['replay', '--json', intactFile]).then(run => run.stdout)

const joined = (all: readonly string[]): Buffer => Buffer.from(`${all.join('\n')}\n`)
/** The time at which a line is put in: `[T,` stands for it. */
const now = (JSON.parse(lines[place] as string) as [number])[0]
const withLine = (line: string): Buffer => joined(lines.toSpliced(place, 0, line.replace('[T,', `[${now},`)))
const output = (text: string): string => `[T,"o","${text}"]`

/** The recording with the bytes of its tool's name torn. */
function tornUtf8(): Buffer {
  const bytes = joined(lines)
  const at = bytes.indexOf('PreToolUse')
  const inPrompt = bytes.lastIndexOf('command', at)
  return Buffer.concat([
    bytes.subarray(0, inPrompt),
    Buffer.from([0xe2, 0x82, 0xff]),
    bytes.subarray(inPrompt),
  ])
}

const header = (change: object): string => JSON.stringify({ ...JSON.parse(lines[0] as string), ...change })
const withHeader = (change: object): Buffer => joined([header(change), ...lines.slice(1)])

/** What is in the middle of the trace; the trace; what is said of that line. */
const damages: readonly (readonly [string, () => Buffer, string | undefined])[] = [
  ['an unknown code', () => withLine('[T,"z","x"]'), 'unknown code "z", passed over'],
  ['a code that is no text', () => withLine('[T,7,"x"]'), 'unknown code 7, passed over'],
  ['a negative time', () => withLine('[-1,"i","\\r"]'), 'not [seconds, code, string], passed over'],
  ['no time', () => withLine('[null,"i","\\r"]'), 'not [seconds, code, string], passed over'],
  ['a time that is no number', () => withLine('[NaN,"i","\\r"]'), 'torn or not JSON, passed over'],
  [
    'a time of thousands of years',
    () => withLine('[1e12,"i","\\r"]'),
    'not [seconds, code, string], passed over',
  ],
  ['an endless time', () => withLine('[1e999,"i","\\r"]'), 'not [seconds, code, string], passed over'],
  ['data that is no text', () => withLine('[T,"o",{}]'), 'not [seconds, code, string], passed over'],
  ['an object', () => withLine('{"time":3.5}'), 'torn or not JSON, passed over'],
  ['half a line', () => withLine('[T,"h","{\\"agent\\":\\"cla'), 'torn or not JSON, passed over'],
  ['zero bytes', () => withLine('\0'.repeat(5000)), 'torn or not JSON, passed over'],
  ['a line of 9 MB', () => withLine(output('a'.repeat(9 * megabyte))), 'longer than 8 MB, passed over'],
  ['a hook without an event', () => withLine('[T,"h","{}"]'), 'a hook without an event'],
  ['a hook that is not JSON', () => withLine('[T,"h","Stop"]'), 'a hook without an event'],
  [
    'a hook of another agent',
    () => withLine('[T,"h","{\\"agent\\":\\"codex\\",\\"event\\":\\"Stop\\"}"]'),
    'a hook of codex in a session of claude',
  ],
  ['a line without text', () => withLine('[T,"t","{}"]'), 'a transcript event without a line'],
  ['a status without a path', () => withLine('[T,"f","[]"]'), 'a status event without a path'],
  ['an exit that is no object', () => withLine('[T,"x","null"]'), 'an exit that is not an object'],
  ['a blank line', () => withLine('  '), undefined],
  ['torn UTF-8', tornUtf8, undefined],
  ['line ends of Windows', () => Buffer.from(lines.join('\r\n')), undefined],
]

describe('a trace with a damage in its middle', () => {
  test.each(damages)('%s: the rest is judged', (_, damage, reason) => {
    const { changes, complaints } = judged(damage())
    expect(changes).toEqual(intact.changes)
    expect(complaints).toEqual(reason === undefined ? [] : [{ line: place + 1, reason }])
  })

  test('the command line names each of these lines, and is content', async () => {
    const files = damages.map(([what, damage]) => temporaryFile(`${what}.cast`, damage()))
    const { code, stdout, stderr } = await lullHere(['replay', '--json', ...files])
    const complaints = damages.flatMap(([, , reason], i) =>
      reason === undefined ? [] : [`lull: ${files[i]}:${place + 1}: ${reason}\n`],
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: complaints.join('') })
    const rows = (await intactOutput).replace(/^\{/gm, '{"trace":"NAME",')
    expect(stdout).toBe(damages.map(([what]) => rows.replaceAll('NAME', what)).join(''))
  })

  test('many bad lines: the first 20 are named, the others counted', async () => {
    const bad = Array.from({ length: 30 }, () => 'x')
    const file = temporaryFile('bad.cast', joined(lines.toSpliced(place, 0, ...bad)))
    const { code, stderr } = await lullHere(['replay', file])
    expect({ code, said: stderr.trimEnd().split('\n').length }).toEqual({ code: 0, said: 21 })
    expect(stderr).toContain('… and 10 more like these\n')
  })
})

describe('a trace that is cut off', () => {
  const cuts = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd']

  test.each(cuts)('in the line of %s: the verdicts up to there stand', event => {
    const cut = lines.findIndex(line => line.includes(`"${event}\\"`) || line.includes(`"${event}`))
    const whole = lines.slice(0, cut)
    const [lastAt] = JSON.parse(whole.at(-1) as string) as [number]
    const upToThere = intact.changes.filter(change => Number.parseFloat(change) <= lastAt)
    const torn = (lines[cut] as string).slice(0, 60)
    const { changes, complaints } = judged(Buffer.from([...whole, torn].join('\n')))
    expect(changes).toEqual(upToThere)
    expect(complaints).toEqual([{ line: cut + 1, reason: 'torn or not JSON, passed over' }])
  })

  test('after its header: it starts, and nobody complains', () => {
    expect(judged(lines.slice(0, 1))).toEqual({ changes: ['0 starting'], complaints: [] })
  })
})

describe('time that runs back', () => {
  test.each([0.5, 2, 30])('by %d s: every verdict comes, none before the one before it', seconds => {
    const back = lines.map((line, i) => {
      if (i < place) return line
      const [at, ...rest] = JSON.parse(line) as [number, string, string]
      return JSON.stringify([Math.max(0, at - seconds), ...rest])
    })
    const { changes, complaints } = judged(back)
    expect(complaints[0]).toEqual({
      line: place + 1,
      reason: 'its time runs back, judged at the time before it',
    })
    const times = changes.map(Number.parseFloat)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(changes.at(-1)).toMatch(/exited$/)
  })
})

describe('a line of 50 MB', () => {
  const heap = ['--max-old-space-size=48']

  test.each(['huge.cast', 'huge.cast.gz'])('in %s is passed over in little memory', async name => {
    const bytes = withLine(output('a'.repeat(50 * megabyte)))
    const file = temporaryFile(name, name.endsWith('.gz') ? gzipSync(bytes, { level: 1 }) : bytes)
    const stdout = await intactOutput
    const stderr = `lull: ${file}:${place + 1}: longer than 8 MB, passed over\n`
    expect(await lull(['replay', '--json', file], heap)).toEqual({ code: 0, stdout, stderr })
  })

  test('as the first line is no header', async () => {
    const file = temporaryFile('huge.cast', 'a'.repeat(50 * megabyte))
    const { code, stderr } = await lull(['replay', file], heap)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('not a trace') })
  })
})

test('a packed trace that is cut off is judged as far as it goes', async () => {
  const packed = gzipSync(joined(lines))
  const file = temporaryFile('half.cast.gz', packed.subarray(0, packed.length / 2))
  const { code, stdout } = await lullHere(['replay', '--json', file])
  const states = (rows: string) =>
    rows
      .trim()
      .split('\n')
      .map(row => [JSON.parse(row).t, JSON.parse(row).state])
  expect(code).toBe(0)
  expect(states(stdout).length).toBeGreaterThan(3)
  expect(states(await intactOutput)).toEqual(expect.arrayContaining(states(stdout)))
})

describe('what can not be judged is one sentence', () => {
  const file = (name: string, content: string | Buffer) => () => temporaryFile(name, content)
  /** What is given; the file; the sentence, after the file's name. */
  const files: readonly (readonly [string, () => string, string | RegExp])[] = [
    ['no file', () => path.join(temporaryFolder(), 'none.cast'), 'no such file'],
    ['a folder', temporaryFolder, 'is a folder, not a file'],
    ['an empty file', file('empty.cast', ''), /^not a trace: its first line is no asciicast header/],
    ['a binary file', file('binary.cast', randomBytes(100_000)), /^not a trace: /],
    ['a trace without its header', file('body.cast', joined(lines.slice(1))), /^not a trace: /],
    ['an array as header', file('array.cast', '[2]\n'), /^not a trace: /],
    ['asciicast 3', file('v3.cast', withHeader({ version: 3 })), /^asciicast version 3 can't be read/],
    ['a later trace', file('v2.cast', withHeader({ lull: { trace: 2 } })), /^trace version 2 is newer than/],
    [
      'no agent',
      file('none.cast', withHeader({ lull: { trace: 1 } })),
      /^the trace names no agent: known are/,
    ],
    ['an unknown agent', file('new.cast', withHeader({ lull: { agent: 'eve' } })), /unknown agent \("eve"\)/],
    ['text as .gz', file('text.cast.gz', joined(lines)), 'named .gz, but it is not whole gzip data'],
    ['an empty .gz', file('empty.cast.gz', ''), /^not a trace: /],
  ]

  test.each(files)('%s', async (_, make, sentence) => {
    const given = make()
    const { code, stdout, stderr } = await lullHere(['replay', given])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const [, said] = /^lull: (.*)\n$/.exec(stderr) ?? []
    expect(said?.slice(0, given.length + 2)).toBe(`${given}: `)
    expect(said?.slice(given.length + 2)).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    )
  })

  /** The options, and the sentence. */
  const options: readonly (readonly [string, RegExp])[] = [
    ['--until soon', /^--until: "soon" is not a duration: /],
    ['--until=-5s', /^--until: "-5s" is not a duration: /],
    ['--until', /argument missing$/],
    ['--speed 0', /^--speed 0: must be a number above 0/],
    ['--speed fast', /^--speed fast: must be a number above 0/],
    ['--speed=-1', /^--speed -1: must be a number above 0/],
    ['--agent eve', /^--agent eve: unknown agent; use one of claude, /],
    ['--loud', /^unknown option '--loud'$/],
    ['--hooks hooks.jsonl', /^--hooks has no effect on a trace; /],
    ['--growth growth.jsonl', /^--growth has no effect on a trace; /],
    ['--agent claude --transcript bare.jsonl', /^--transcript has no effect on a trace; /],
  ]

  test.each(options)('replay TRACE %s', async (words, sentence) => {
    const { code, stdout, stderr } = await lullHere(['replay', intactFile, ...words.split(' ')])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(/^lull: (.*)\n$/.exec(stderr)?.[1]).toMatch(sentence)
  })

  test('--agent judges a trace that names none', async () => {
    const bare = temporaryFile('bare.cast', withHeader({ lull: { trace: 1 } }))
    const stdout = await intactOutput
    expect(await lullHere(['replay', '--json', '--agent', 'claude', bare])).toEqual({
      code: 0,
      stdout,
      stderr: '',
    })
  })
})
