import { describe, expect, test } from 'vitest'
import { headless, hook, line, play, stamp, status7501, title } from '../support/scenario.ts'

/** A tool that asks a person is a question in whatever source tells of it, until its own answer. */

describe('a question in the rows of a headless run', () => {
  const call = (id: string, name: string) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name, input: { questions: [{ question: 'Which?' }] } }] },
  })
  const result = (id: string) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id }] },
  })

  test.each([
    ['claude', 'AskUserQuestion', 'waiting/question'],
    ['claude', 'ExitPlanMode', 'waiting/plan'],
    ['qwen', 'ask_user_question', 'waiting/question'],
    ['qwen', 'exit_plan_mode', 'waiting/plan'],
  ] as const)('%s: %s', (agent, tool, waiting) => {
    expect(
      headless(agent, { type: 'system', subtype: 'init', session_id: 's' }, call('a', tool), result('a')),
    ).toEqual(['working/thinking', waiting, 'working/thinking'])
  })

  test('claude: the result of another call answers nothing', () => {
    const init = { type: 'system', subtype: 'init', session_id: 's' }
    const told = headless(
      'claude',
      init,
      call('a', 'AskUserQuestion'),
      call('b', 'Bash'),
      result('b'),
      result('a'),
    )
    expect(told.slice(1)).toEqual([
      'waiting/question',
      'waiting/question',
      'waiting/question',
      'working/thinking',
    ])
  })

  test('gemini', () => {
    const told = headless(
      'gemini',
      { type: 'init', session_id: 's' },
      { type: 'tool_use', tool_name: 'ask_user', tool_id: 'a', parameters: {} },
      { type: 'tool_result', tool_id: 'b' },
      { type: 'tool_result', tool_id: 'a' },
      { type: 'tool_use', tool_name: 'exit_plan_mode', tool_id: 'c' },
    )
    expect(told.slice(1)).toEqual([
      'waiting/question',
      'waiting/question',
      'working/thinking',
      'waiting/plan',
    ])
  })

  test('codex', () => {
    const item = { id: 'i1', type: 'request_user_input' }
    const told = headless(
      'codex',
      { type: 'thread.started', thread_id: 't' },
      { type: 'item.started', item },
      { type: 'item.completed', item },
    )
    expect(told.slice(1)).toEqual(['waiting/question', 'working/thinking'])
  })

  test('opencode, of a version that prints a tool before it is over', () => {
    const part = (tool: string, status: string) => ({
      type: 'tool_use',
      sessionID: 's',
      part: { tool, callID: tool, state: { status } },
    })
    const told = headless(
      'opencode',
      { type: 'step_start', sessionID: 's' },
      part('question', 'running'),
      part('bash', 'completed'),
      part('question', 'completed'),
      part('plan_exit', 'running'),
    )
    expect(told.slice(1)).toEqual([
      'waiting/question',
      'waiting/question',
      'working/thinking',
      'waiting/plan',
    ])
  })

  test('copilot: whoever asks, by the type of the row', () => {
    const ask = (type: string) => [
      { type: `${type}.requested`, data: { requestId: 'r' } },
      { type: `${type}.completed`, data: { requestId: 'r' } },
    ]
    const told = headless(
      'copilot',
      { type: 'user.message', data: {} },
      ...ask('user_input'),
      ...ask('elicitation'),
      ...ask('exit_plan_mode'),
    )
    expect(told.slice(1)).toEqual([
      'waiting/question',
      'working/tool',
      'waiting/question',
      'working/tool',
      'waiting/plan',
      'working/tool',
    ])
  })

  test('pi, and cline', () => {
    expect(
      headless(
        'pi',
        { type: 'agent_start' },
        { type: 'tool_execution_start', toolName: 'question', toolCallId: 'a' },
        { type: 'tool_execution_end', toolName: 'bash', toolCallId: 'b' },
        { type: 'tool_execution_end', toolName: 'question', toolCallId: 'a' },
      ).slice(1),
    ).toEqual(['waiting/question', 'waiting/question', 'working/thinking'])
    const event = (type: string, toolName: string) => ({
      type: 'agent_event',
      event: { type, contentType: 'tool', toolName },
    })
    expect(
      headless(
        'cline',
        { type: 'hook_event', hookEventName: 'agent_start' },
        event('content_start', 'ask_question'),
        event('content_end', 'ask_question'),
      ).slice(1),
    ).toEqual(['waiting/question', 'working/thinking'])
  })
})

describe('a question in hooks', () => {
  test.each([
    ['ask_user', 'waiting/question'],
    ['exit_plan_mode', 'waiting/plan'],
  ])('copilot: %s, until its own end', (toolName, waiting) => {
    const told = play('copilot', [
      hook(1, 'userPromptSubmitted', { sessionId: 's' }),
      hook(2, 'preToolUse', { sessionId: 's', toolName }),
      hook(3, 'preToolUse', { sessionId: 's', toolName: 'bash' }),
      hook(4, 'postToolUse', { sessionId: 's', toolName: 'bash' }),
      hook(9, 'postToolUse', { sessionId: 's', toolName }),
    ])
    expect(told.at(2)).toBe(waiting)
    expect(told.at(5)).toBe(waiting)
    expect(told.at(9)).toBe('working/thinking')
  })

  test('gemini: also where the notice of the dialog is lost', () => {
    const told = play('gemini', [
      hook(1, 'BeforeAgent', { session_id: 's', timestamp: stamp(1) }),
      hook(2, 'BeforeTool', { session_id: 's', timestamp: stamp(2), tool_name: 'ask_user' }),
      hook(9, 'AfterTool', { session_id: 's', timestamp: stamp(9), tool_name: 'ask_user' }),
    ])
    expect(told.at(8)).toBe('waiting/question')
    expect(told.at(9)).toBe('working/thinking')
  })

  test('opencode: a finished plan asks by the question of its tool', () => {
    const told = play('opencode', [
      hook(1, 'message.updated', { sessionID: 's', info: { id: 'm', role: 'user' } }),
      hook(2, 'tool.execute.before', { sessionID: 's', tool: 'plan_exit', callID: 'c' }),
      hook(3, 'question.asked', { sessionID: 's', id: 'q', tool: { messageID: 'm', callID: 'c' } }),
      hook(9, 'question.replied', { sessionID: 's', requestID: 'q' }),
    ])
    expect(told.at(4)).toBe('waiting/plan')
    expect(told.at(9)).toBe('working/thinking')
  })

  test('pi and cline', () => {
    const pi = play('pi', [
      hook(1, 'agent_start', {}),
      hook(2, 'tool_execution_start', { toolName: 'questionnaire', toolCallId: 'a' }),
      hook(9, 'tool_execution_end', { toolName: 'questionnaire', toolCallId: 'a' }),
    ])
    expect(pi.at(8)).toBe('waiting/question')
    expect(pi.at(9)).toBe('working/thinking')
    const cline = play('cline', [
      hook(1, 'TaskStart', {}),
      hook(2, 'PreToolUse', { tool_call: { name: 'ask_followup_question' } }),
      hook(9, 'PostToolUse', { tool_call: { name: 'ask_followup_question' } }),
    ])
    expect(cline.at(8)).toBe('waiting/question')
    expect(cline.at(9)).toBe('working/thinking')
  })
})

describe('a question in logs', () => {
  test('copilot', () => {
    const event = (t: number, type: string, data: object = {}) => line(t, { type, timestamp: stamp(t), data })
    const rows = [
      event(1, 'user.message'),
      event(2, 'assistant.message', { toolRequests: [{}, {}] }),
      event(2.1, 'tool.execution_start', {
        toolCallId: 'a',
        toolName: 'ask_user',
        arguments: { question: 'Which?' },
      }),
      event(2.2, 'tool.execution_start', { toolCallId: 'b', toolName: 'bash' }),
      event(5, 'tool.execution_complete', { toolCallId: 'b' }),
      event(9, 'tool.execution_complete', { toolCallId: 'a' }),
    ]
    const told = play('copilot', rows)
    expect(told.at(3)).toBe('waiting/question')
    expect(told.at(8)).toBe('waiting/question')
    expect(told.at(9)).toBe('working/thinking')
    expect(play('copilot', rows, { until: 8 }).session.facts.question).toBe('Which?')
    expect(told.session.facts.question).toBeUndefined()
  })

  test('qwen: a plan', () => {
    const told = play('qwen', [
      line(1, { type: 'user', provenance: 'real_user', timestamp: stamp(1) }),
      line(2, {
        type: 'assistant',
        timestamp: stamp(2),
        message: { parts: [{ functionCall: { name: 'exit_plan_mode' } }] },
      }),
      line(9, { type: 'tool_result', timestamp: stamp(9) }),
    ])
    expect(told.at(8)).toBe('waiting/plan')
    expect(told.at(9)).toBe('working/thinking')
  })

  test('pi', () => {
    const message = (t: number, message: object) => line(t, { type: 'message', timestamp: stamp(t), message })
    const told = play('pi', [
      message(1, { role: 'user', content: 'go' }),
      message(2, {
        role: 'assistant',
        stopReason: 'toolUse',
        content: [{ type: 'toolCall', name: 'question' }],
      }),
      message(9, { role: 'toolResult' }),
    ])
    expect(told.at(8)).toBe('waiting/question')
    expect(told.at(9)).toBe('working/thinking')
  })
})

describe('codex: a finished plan waits for approval', () => {
  const event = (t: number, payload: object) => line(t, { type: 'event_msg', timestamp: stamp(t), payload })
  const planned = [
    hook(1, 'UserPromptSubmit', { session_id: 's', turn_id: 't1' }),
    event(1, { type: 'task_started', turn_id: 't1' }),
    status7501(1, 'state=working:app=codex'),
    title(1, '⠋ plan'),
    event(8, { type: 'item_completed', turn_id: 't1', item: { type: 'Plan', text: '1. Do it' } }),
  ]
  const ended = [
    hook(9, 'Stop', { session_id: 's', turn_id: 't1', last_assistant_message: 'The plan.' }),
    status7501(9.02, 'state=done:app=codex'),
    status7501(9.1, 'state=idle:app=codex'),
    title(9.03, 'plan'),
  ]
  const complete = (t: number) => [[t, 't', event(9, { type: 'task_complete', turn_id: 't1' })[2]]] as const

  test.each([
    ['before', 9],
    ['after', 9.4],
  ])('told %s the Stop hook, the status and the title', (_, t) => {
    const told = play('codex', [...planned, ...complete(t), ...ended])
    expect(told.at(10)).toBe('waiting/plan')
    expect(told.at(3000)).toBe('waiting/plan')
  })

  test('until the next turn, and that one ends without', () => {
    const told = play('codex', [
      ...planned,
      ...complete(9),
      ...ended,
      event(20, { type: 'task_started', turn_id: 't2' }),
      event(25, { type: 'task_complete', turn_id: 't2' }),
    ])
    expect(told.at(19)).toBe('waiting/plan')
    expect(told.at(21)).toBe('working/thinking')
    expect(told.at(26)).toBe('idle/turn')
  })

  test('a turn that was broken off has none', () => {
    const told = play('codex', [...planned, event(9, { type: 'turn_aborted', turn_id: 't1' })])
    expect(told.at(10)).toBe('idle/interrupt')
  })
})
