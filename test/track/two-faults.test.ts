/** Two sources that fail at once: what is left is too little to call a session idle. Times are seconds. */
import { describe, expect, test } from 'vitest'
import {
  claudeStatus,
  hook,
  keys,
  line,
  output,
  play,
  type Row,
  stamp,
  status7501,
} from '../support/scenario.ts'

const row = (t: number, more: object) => line(t, { timestamp: stamp(t), sessionId: 's', ...more })
const prompt = (t: number, promptId: string) =>
  row(t, { type: 'user', promptId, message: { role: 'user', content: 'go' } })
const begins = (t: number, promptId: string, taskId: string) => [
  row(t, {
    type: 'assistant',
    promptId,
    message: {
      id: `m${t}`,
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: `u${t}`, name: 'Bash', input: { command: 'make' } }],
    },
  }),
  row(t + 0.1, {
    type: 'user',
    promptId,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `u${t}`, content: 'started' }] },
    toolUseResult: { backgroundTaskId: taskId },
  }),
]
const ends = (t: number, promptId: string) =>
  row(t, {
    type: 'assistant',
    promptId,
    message: {
      id: `m${t}`,
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'ok' }],
    },
  })
const turn = (t: number, promptId: string) => [prompt(t, promptId), ends(t + 0.5, promptId)]
const stop = (t: number, prompt_id: string, tasks: readonly object[] = []) =>
  hook(t, 'Stop', { prompt_id, background_tasks: tasks, session_crons: [] })
const build = { id: 'b1', type: 'shell', status: 'running', command: 'make' }

describe('hooks that are late, beside a status file that is gone', () => {
  const first = turn(1, 'p1')
  const second = [prompt(3, 'p2'), ...begins(3.2, 'p2', 'b1'), ends(3.6, 'p2')]

  test.each<readonly [string, readonly Row[], string]>([
    ['the end of the turn before ends nothing of this turn', [stop(4, 'p1')], 'working/background'],
    ['nor is it that of an end told twice', [stop(4, 'p1'), stop(4.4, 'p1')], 'working/background'],
    ['its own end does', [stop(4, 'p2')], 'idle/turn'],
    ['and that of a later turn', [...turn(5, 'p3'), stop(5.6, 'p3')], 'idle/turn'],
    [
      'the end of the turn before the last ends nothing of the last but one',
      [...turn(5, 'p3'), stop(5.8, 'p1')],
      'working/background',
    ],
    ['its own end that lists it does not', [stop(4, 'p2', [build])], 'working/background'],
  ])('%s', (_, rows, state) => expect(play('claude', [...first, ...second, ...rows]).at(9)).toBe(state))
})

describe('a terminal whose output comes through no more, beside hooks that are gone', () => {
  const up = [output(0.5, 'banner'), status7501(1, 'state=idle:app=claude-code'), output(1.2, 'composer')]
  const typed = [keys(5, 'make a file'), output(5.02, 'make a file')]
  const at = (rows: readonly Row[], ...seconds: number[]) => {
    const told = play('claude', [...up, ...rows])
    return seconds.map(one => told.at(one))
  }

  test('is not called idle, where a text was handed in and nothing is drawn', () => {
    expect(at([...typed, keys(5.6, '\r')], 5.5, 6, 9, 30)).toEqual(['idle', 'unknown', 'unknown', 'unknown'])
    expect(at([keys(5.6, 'make a file\r')], 6, 9, 30)).toEqual(['unknown', 'unknown', 'unknown'])
    expect(at([keys(5.6, '\u001b[200~make a file\u001b[201~'), keys(5.7, '\r')], 30)).toEqual(['unknown'])
  })

  test('nor after a turn that it showed', () => {
    const shown = [
      ...typed,
      keys(5.6, '\r'),
      status7501(5.7, 'state=working:app=claude-code'),
      status7501(8, 'state=done:app=claude-code'),
    ]
    expect(at([...shown, keys(20, 'more'), keys(20.6, '\r')], 19, 30)).toEqual(['idle/turn', 'unknown'])
  })

  test('nor by a status file that is as old', () => {
    const told = [claudeStatus(1, 'idle'), ...typed, keys(5.6, '\r')]
    expect(at(told, 5.5, 6, 30)).toEqual(['idle', 'unknown', 'unknown'])
  })

  test('is idle again soon, where Enter was pressed without a text', () => {
    expect(at([keys(5, '\r')], 6, 9)).toEqual(['unknown', 'idle'])
    expect(at([...typed, keys(5.3, '\u0003'), keys(5.6, '\r')], 6, 9)).toEqual(['unknown', 'idle'])
    expect(at([keys(5, '\u001b[A'), keys(5.2, '\u001b[B'), keys(5.6, '\r')], 9)).toEqual(['idle'])
  })

  test('is idle again soon, where the text was drawn and began no turn', () => {
    expect(at([...typed, keys(5.6, '\r'), output(5.7, 'help')], 6, 9)).toEqual(['unknown', 'idle'])
  })

  test('that draws late is idle once it has drawn', () => {
    const [then, later] = at([...typed, keys(5.6, '\r'), output(14, 'help')], 13, 18)
    expect([then, later]).toEqual(['unknown', 'idle'])
  })

  test('of which nothing was ever read is as it was', () => {
    const told = play('claude', [claudeStatus(1, 'idle'), keys(5, 'make a file'), keys(5.6, '\r')])
    expect([told.at(6), told.at(9)]).toEqual(['unknown', 'idle'])
  })
})
