/** Two sources that fail at once: what is left is too little to call a session idle. Times are seconds. */
import { describe, expect, test } from 'vitest'
import { hook, line, play, type Row, stamp } from '../support/scenario.ts'

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
