import { describe, expect, test } from 'vitest'
import { hook, line, play, stamp } from '../support/scenario.ts'

/** Calls run side by side: while one is asked about, the end of another one answers nothing. What is typed then is an answer. */

const bash = (call: string, command: string) => ({
  session_id: 'own',
  prompt_id: 'p',
  turn_id: 'p',
  tool_name: 'Bash',
  tool_use_id: call,
  tool_input: { command },
})
const request = (command: string) => {
  const { tool_use_id: _, ...payload } = bash('', command)
  return payload
}
const begun = [
  hook(1, 'UserPromptSubmit', { session_id: 'own', prompt_id: 'p', turn_id: 'p', prompt: 'go' }),
  hook(2, 'PreToolUse', bash('a', 'sleep 3')),
  hook(2.1, 'PreToolUse', bash('b', 'rm -r build')),
  hook(2.2, 'PermissionRequest', request('rm -r build')),
]

describe.each(['claude', 'codex'] as const)('%s: a permission for one call of a tool', agent => {
  test('stands until its own call has ended', () => {
    const told = play(agent, [
      ...begun,
      hook(5, 'PostToolUse', bash('a', 'sleep 3')),
      hook(9, 'PostToolUse', bash('b', 'rm -r build')),
    ])
    expect(told.at(3)).toBe('waiting/permission')
    expect(told.at(6)).toBe('waiting/permission')
    expect(told.at(10)).toBe('working/thinking')
  })

  test('of the same command run before is that of the newest call', () => {
    const told = play(agent, [
      begun[0] as (typeof begun)[0],
      hook(2, 'PreToolUse', bash('a', 'make')),
      hook(3, 'PostToolUse', bash('a', 'make')),
      hook(4, 'PreToolUse', bash('b', 'make')),
      hook(5, 'PermissionRequest', request('make')),
      hook(6, 'PostToolUse', bash('b', 'make')),
    ])
    expect(told.at(5.5)).toBe('waiting/permission')
    expect(told.at(7)).toBe('working/thinking')
  })

  test('whose call nobody told of ends with the tool', () => {
    const told = play(agent, [
      begun[0] as (typeof begun)[0],
      hook(2.2, 'PermissionRequest', request('make')),
      hook(6, 'PostToolUse', bash('b', 'make')),
    ])
    expect(told.at(3)).toBe('waiting/permission')
    expect(told.at(7)).toBe('working/thinking')
  })
})

test('claude: its transcript tells of the other call’s result, and of its own refusal', () => {
  const result = (t: number, call: string) =>
    line(t, {
      type: 'user',
      timestamp: stamp(t),
      promptId: 'p',
      message: { content: [{ type: 'tool_result', tool_use_id: call }] },
    })
  const calls = line(2.1, {
    type: 'assistant',
    timestamp: stamp(2.1),
    message: {
      stop_reason: 'tool_use',
      content: ['a', 'b'].map(id => ({ type: 'tool_use', id, name: 'Bash', input: {} })),
    },
  })
  const told = play('claude', [...begun, calls, result(5, 'a'), result(9, 'b')])
  expect(told.at(6)).toBe('waiting/permission')
  expect(told.at(10)).toBe('working/thinking')
})

test('codex: its rollout tells of the other call’s output, and of its own', () => {
  const row = (t: number, payload: object) =>
    line(t, { type: 'response_item', timestamp: stamp(t), payload: { turn_id: 'p', ...payload } })
  const call = (t: number, call_id: string) =>
    row(t, { type: 'function_call', name: 'exec_command', call_id })
  const output = (t: number, call_id: string) => row(t, { type: 'function_call_output', call_id })
  const told = play('codex', [...begun, call(2, 'a'), call(2.1, 'b'), output(5, 'a'), output(9, 'b')])
  expect(told.at(6)).toBe('waiting/permission')
  expect(told.at(10)).toBe('working/thinking')
})

describe('copilot: a permission for one call', () => {
  const call = (t: number, toolCallId: string, end = false) =>
    line(t, {
      type: end ? 'tool.execution_complete' : 'tool.execution_start',
      timestamp: stamp(t),
      data: { toolCallId, toolName: 'bash' },
    })
  const asked = (t: number, how: 'requested' | 'completed') =>
    line(t, { type: `permission.${how}`, timestamp: stamp(t), data: { requestId: 'r' } })
  const hooked = (t: number, event: string, more: object = {}) =>
    hook(t, event, { sessionId: 'own', toolName: 'bash', ...more })

  test('stands in its log until it is answered', () => {
    const told = play('copilot', [
      hooked(1, 'userPromptSubmitted'),
      call(2, 'a'),
      call(2.1, 'b'),
      asked(2.2, 'requested'),
      call(5, 'a', true),
      asked(9, 'completed'),
    ])
    expect(told.at(6)).toBe('waiting/permission')
    expect(told.at(10)).toBe('working/tool')
  })

  test('is not ended by the other call’s hook', () => {
    const told = play('copilot', [
      hooked(1, 'userPromptSubmitted'),
      hooked(2, 'preToolUse'),
      hooked(2.1, 'preToolUse'),
      hooked(2.2, 'notification', { notification_type: 'permission_prompt' }),
      hooked(5, 'postToolUse'),
      hooked(9, 'postToolUse'),
    ])
    expect(told.at(6)).toBe('waiting/permission')
    expect(told.at(10)).toBe('working/thinking')
  })
})

test('claude: what a server asks stands while another tool ends', () => {
  const told = play('claude', [
    begun[0] as (typeof begun)[0],
    hook(2, 'PreToolUse', bash('a', 'sleep 3')),
    hook(3, 'Elicitation', { session_id: 'own', prompt_id: 'p' }),
    hook(5, 'PostToolUse', bash('a', 'sleep 3')),
    hook(9, 'ElicitationResult', { session_id: 'own', prompt_id: 'p' }),
  ])
  expect(told.at(6)).toBe('waiting/question')
  expect(told.at(10)).toBe('working/thinking')
})
