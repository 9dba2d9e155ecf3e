/** What a headless CLI prints is known by its shape, whatever program prints it; other JSON is not. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type HookedName, hookedNames } from '../../src/agents/agent-names.ts'
import { whoAnswers, whoBegins } from '../../src/agents/recognise-rows.ts'
import { agents } from '../../src/agents/registry.ts'
import { messageOf } from '../../src/loop/headless-rows.ts'
import { nextRun } from '../../src/loop/next-run.ts'

const idle = '<!-- ralph:state idle -->'

const rowsOf = (name: string): string[] =>
  readFileSync(new URL(`../rows/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { line?: string }).line)
    .filter(line => line !== undefined)

/** The rows of a recorded run whose last words are followed by the marker. */
const marked = (agent: HookedName): string[] =>
  rowsOf(`${agent}-bash`).map(line => line.replaceAll(/(finished\.|Ran it\.)(?=")/g, `$1\\n\\n${idle}`))

/** What a script around the CLI may print before and after it. */
const around = fc.array(
  fc.constantFrom('', 'Iteration 3', '$ run the agent', '[12:00] begun', '{', '{}', '{"a":1}'),
  {
    maxLength: 3,
  },
)

describe.each(hookedNames)('rows of %s', agent => {
  test('are known whatever is printed around them', () => {
    fc.assert(
      fc.property(around, around, (before, after) => {
        const output = [...before, ...marked(agent), ...after].join('\n')
        expect(nextRun(output, { now: 0 })).toMatchObject({ state: 'idle' })
      }),
      { numRuns: 20 },
    )
  })

  test('begin with a row that no other CLI prints', () => {
    const who = rowsOf(`${agent}-short`).map(line => whoBegins(JSON.parse(line)))
    expect(who[0]).toBe(agent)
    expect(new Set(who)).toEqual(new Set([agent, ...(who.includes(undefined) ? [undefined] : [])]))
  })

  test('in a fence are only shown', () => {
    const output = `The log says\n\n\`\`\`\n${marked(agent).join('\n')}\n\`\`\`\n\nso I fixed it.`
    expect(messageOf(output)).toBeUndefined()
  })

  test('that are cut off hold no final message', () => {
    const rows = marked(agent)
    const output = rows.slice(0, rows.findIndex(line => line.includes('sleep 3')) + 1).join('\n')
    expect(messageOf(output)).toBe('')
  })

  test('of another CLI before them change nothing, and those after them count', () => {
    const other = agent === 'codex' ? 'claude' : 'codex'
    expect(nextRun([...rowsOf(`${other}-short`), ...marked(agent)].join('\n'))).toMatchObject({
      state: 'idle',
    })
    expect(nextRun([...marked(agent), ...rowsOf(`${other}-short`)].join('\n'))).toMatchObject({
      state: 'working',
    })
  })
})

describe('one JSON text', () => {
  const said = `Nothing to do.\n\n${idle}`
  const result = { type: 'result', subtype: 'success', is_error: false, result: said, session_id: 's' }
  const init = { type: 'system', subtype: 'init', session_id: 's' }
  /** The fields that decide of those that the CLIs print (Claude Code 2.1.330, Qwen Code 0.24.4, Gemini CLI 0.61.0, Cline 3.0.65). */
  const texts: readonly (readonly [string, string])[] = [
    ['Claude Code’s result', JSON.stringify(result)],
    ['Claude Code’s last row, behind others', `{"type":"assistant","message":{}}\n${JSON.stringify(result)}`],
    ['Claude Code’s rows as an array', JSON.stringify([init, result])],
    ['Qwen Code’s rows as an array', JSON.stringify([{ ...init, permission_mode: 'yolo' }, result])],
    [
      'Gemini CLI’s, over many lines',
      JSON.stringify({ session_id: 's', response: said, stats: { models: {} } }, null, 2),
    ],
    ['Cline’s result', JSON.stringify({ type: 'run_result', finishReason: 'completed', text: said })],
  ]

  test.each(texts)('%s is the final message, behind other lines too', (_, text) => {
    for (const output of [text, `${text}\n`, `Iteration 3\n{\n${text}\n\n`, text.replaceAll('\n', '\r\n')])
      expect(messageOf(output)).toBe(said)
  })

  test.each(texts)('%s in a message is not', (_, text) => {
    expect(messageOf(`\`\`\`\n${text}\n\`\`\``)).toBeUndefined()
    expect(messageOf(`It printed\n${text}\nand ended.`)).toBeUndefined()
  })

  test('of a run that failed holds none', () => {
    expect(messageOf(JSON.stringify({ ...result, is_error: true }))).toBe('')
  })
})

describe('other JSON', () => {
  const begins = hookedNames.map(name => agents[name].headless.begins)
  const types = [
    'system',
    'result',
    'init',
    'session',
    'session.start',
    'step_start',
    'error',
    'thread.started',
    'hook_event',
    'run_result',
    'message',
  ]
  const field = fc.constantFrom(
    'subtype',
    'id',
    'session_id',
    'thread_id',
    'timestamp',
    'data',
    'result',
    'text',
    'level',
    'value',
  )
  const record = fc.record({
    type: fc.constantFrom(...types),
    more: fc.dictionary(field, fc.jsonValue(), { maxKeys: 3 }),
  })

  /** Of a real row one field at least is missing, or of another type. */
  const lacks = (value: object): boolean => whoBegins(value) === undefined && whoAnswers(value) === undefined

  test('is a text like any other', () => {
    const lines = fc.array(
      fc.oneof(
        fc.jsonValue().map(value => JSON.stringify(value)),
        record
          .map(({ type, more }) => ({ ...more, type }))
          .filter(lacks)
          .map(value => JSON.stringify(value)),
      ),
    )
    fc.assert(
      fc.property(lines, all => {
        expect(messageOf(all.join('\n'))).toBeUndefined()
      }),
    )
  })

  test.each([
    { type: 'system', subtype: 'init' },
    { type: 'result', subtype: 'success', result: idle },
    { type: 'result', result: idle, session_id: 's' },
    { type: 'init', session_id: 's' },
    { type: 'error', message: 'no', timestamp: 5 },
    { type: 'session', id: 's', timestamp: 'now' },
    { type: 'session.start', id: 's', data: {} },
    { type: 'thread.started', thread_id: 5 },
    { response: idle, stats: {} },
    { response: idle, session_id: 's' },
  ])('%j is no row', value => {
    expect([whoBegins(value), whoAnswers(value)]).toEqual([undefined, undefined])
  })

  test('is told apart by two fields at the least', () => {
    for (const shape of begins) expect(Object.keys(shape).length).toBeGreaterThanOrEqual(2)
  })
})

test('an error that is no row of a CLI’s ends nothing', () => {
  expect(messageOf(`{"type":"error","error":"no"}\nNothing to do. ${idle}`)).toBeUndefined()
})
