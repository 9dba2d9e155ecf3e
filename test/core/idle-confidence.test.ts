import { expect, test } from 'vitest'
import { idleConfidence } from '../../src/core/judge/idle-confidence.ts'
import { hook, line, output, play, stamp } from '../support/scenario.ts'

/** docs/seeds.md#003, phase 5: the weights, one row each. */

const prompt = hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' })
const typed = { type: 'user', promptId: 'p1', timestamp: stamp(1), message: { content: 'go' } }
const answered = {
  type: 'assistant',
  timestamp: stamp(3),
  message: {
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'Done.' }],
    usage: { input_tokens: 5, output_tokens: 7 },
  },
}
const frames = Array.from({ length: 12 }, (_, n) => output(1.5 + n / 8, '✻'))

test.each([
  ['a Stop hook is definitive', [prompt, hook(3, 'Stop', { prompt_id: 'p1' })], 4, 100],
  [
    'so is idle_prompt',
    [prompt, hook(63, 'Notification', { prompt_id: 'p1', notification_type: 'idle_prompt' })],
    64,
    100,
  ],
  [
    'a permission is the opposite',
    [prompt, hook(3, 'PermissionRequest', { prompt_id: 'p1', tool_name: 'Bash' })],
    4,
    0,
  ],
  [
    'an elicitation too',
    [prompt, hook(3, 'Notification', { prompt_id: 'p1', notification_type: 'elicitation_dialog' })],
    4,
    0,
  ],
  ['work too', [prompt], 4, 0],
  ['a finished transcript alone', [line(1.1, typed), line(3, answered)], 4, 30],
  ['with stable tokens', [line(1.1, typed), line(3, answered)], 20, 50],
  ['and a silent terminal', [line(1.1, typed), ...frames, line(3, answered)], 20, 80],
] as const)('%s', (_, rows, seconds, expected) => {
  const { session } = play('claude', rows, { until: seconds })
  expect(idleConfidence(session, seconds * 1000)).toBe(expected)
})
