import { describe, expect, test } from 'vitest'
import {
  claudeStatus,
  epochMs,
  headless,
  hook,
  line,
  play,
  type Row,
  stamp,
  status7501,
} from '../support/scenario.ts'

/** What another-session.test.ts and questions.test.ts leave out of "any agent, any source": a subagent ends nothing, a question asks. */

const log = (t: number, text: string): Row =>
  line(t, `timestamp=${stamp(t)} level=INFO ${text}`, 'opencode.log')
const cline = (t: number, event: string, properties: object): Row =>
  line(t, { time: epochMs(t), event, properties }, 'cline.log')
const rollout = (t: number, type: string, payload: object): Row =>
  line(t, { type, timestamp: stamp(t), payload })

describe('a subagent ends nothing of the turn', () => {
  const sub = { agent_id: 'a1', agent_type: 'explorer' }
  const turn = { session_id: 's', prompt_id: 'p1' }

  test.each<[string, Parameters<typeof play>[0], readonly Row[]]>([
    [
      'claude’s hooks',
      'claude',
      [
        hook(1, 'UserPromptSubmit', { ...turn, prompt: 'go' }),
        hook(2, 'SubagentStart', { ...turn, ...sub }),
        hook(3, 'PreToolUse', { ...turn, ...sub, tool_name: 'Bash', tool_use_id: 'u' }),
        hook(4, 'PostToolUse', { ...turn, ...sub, tool_name: 'Bash', tool_use_id: 'u' }),
        hook(5, 'Stop', { ...turn, ...sub }),
        hook(5.5, 'SubagentStop', { ...turn, ...sub }),
        hook(9, 'Stop', { ...turn, background_tasks: [] }),
      ],
    ],
    [
      'copilot’s hooks',
      'copilot',
      [
        hook(1, 'userPromptSubmitted', { sessionId: 's' }),
        hook(2, 'subagentStart', { sessionId: 's', agentName: 'explorer' }),
        hook(5, 'subagentStop', { sessionId: 's', agentName: 'explorer', stopReason: 'end_turn' }),
        hook(9, 'agentStop', { sessionId: 's' }),
      ],
    ],
    [
      'opencode’s log',
      'opencode',
      [
        log(1, 'message=loop session.id=s step=0'),
        log(2, 'message=loop session.id=child step=0'),
        log(4, 'message=process level=ERROR error=AbortError session.id=child'),
        log(5, 'message="exiting loop" session.id=child'),
        log(9, 'message="exiting loop" session.id=s'),
      ],
    ],
    [
      'cline’s log',
      'cline',
      [
        cline(1, 'agent.run-started', { agentId: 'a' }),
        cline(2, 'agent.run-started', { agentId: 'b' }),
        cline(4, 'agent.run-failed', { agentId: 'b', status: 'failed' }),
        cline(5, 'agent.run-finished', { agentId: 'b', status: 'completed' }),
        cline(9, 'agent.run-finished', { agentId: 'a', status: 'completed' }),
      ],
    ],
  ])('%s', (_, agent, rows) => {
    const told = play(agent, rows)
    expect(told.at(6)).toBe('working/thinking')
    expect(told.at(8)).toBe('working/thinking')
    expect(told.at(9.5)).toBe('idle/turn')
    expect(told.verdict(9.5).turn).toBe(1)
  })

  test('claude’s rows', () => {
    const inside = { parent_tool_use_id: 't' }
    const use = (id: string, name: string) => ({ content: [{ type: 'tool_use', id, name, input: {} }] })
    const told = headless(
      'claude',
      { type: 'system', subtype: 'init', session_id: 's' },
      { type: 'assistant', message: use('t', 'Task') },
      { type: 'assistant', ...inside, message: use('u', 'Bash') },
      { type: 'user', ...inside, message: { content: [{ type: 'tool_result', tool_use_id: 'u' }] } },
      { type: 'assistant', ...inside, message: { stop_reason: 'end_turn', content: [{ type: 'text' }] } },
      { type: 'result', subtype: 'success', is_error: false, session_id: 's', result: 'y', num_turns: 1 },
    )
    expect(told.slice(1)).toEqual([...Array(4).fill('working/tool'), 'idle/turn'])
  })
})

describe('a question asks until it is answered', () => {
  const call = (name: string, more: object = {}) => ({ prompt_id: 'p1', tool_name: name, ...more })
  const qwen = (name: string): Row[] => [
    hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' }),
    // Its PreToolUse fires once the person has answered.
    hook(2, 'PermissionRequest', call(name)),
    hook(9, 'PreToolUse', call(name)),
    hook(9.1, 'PostToolUse', call(name)),
  ]

  test.each<[string, Parameters<typeof play>[0], 'question' | 'plan', readonly Row[]]>([
    [
      'claude’s hooks',
      'claude',
      'plan',
      [
        hook(1, 'UserPromptSubmit', { prompt_id: 'p1' }),
        hook(2, 'PreToolUse', call('ExitPlanMode', { tool_use_id: 'a' })),
        hook(8, 'Notification', { prompt_id: 'p1', notification_type: 'permission_prompt' }),
        hook(9, 'PostToolUse', call('ExitPlanMode', { tool_use_id: 'a' })),
      ],
    ],
    [
      'codex’ transcript',
      'codex',
      'question',
      [
        rollout(1, 'event_msg', { type: 'task_started', turn_id: 't1' }),
        rollout(2, 'response_item', {
          type: 'function_call',
          name: 'request_user_input',
          call_id: 'c',
          arguments: '{"questions":[{"question":"Which?"}]}',
        }),
        rollout(9, 'response_item', { type: 'function_call_output', call_id: 'c', output: 'this' }),
      ],
    ],
    ['qwen’s hooks', 'qwen', 'question', qwen('ask_user_question')],
    ['qwen’s hooks', 'qwen', 'plan', qwen('exit_plan_mode')],
    [
      'qwen’s chat file',
      'qwen',
      'question',
      [
        line(1, { type: 'user', provenance: 'real_user', timestamp: stamp(1) }),
        line(2, {
          type: 'assistant',
          timestamp: stamp(2),
          message: { parts: [{ functionCall: { name: 'ask_user_question' } }] },
        }),
        line(9, { type: 'tool_result', timestamp: stamp(9) }),
      ],
    ],
    [
      'gemini’s hooks',
      'gemini',
      'plan',
      [
        hook(1, 'BeforeAgent', { session_id: 's', timestamp: stamp(1) }),
        hook(2, 'BeforeTool', { session_id: 's', timestamp: stamp(2), tool_name: 'exit_plan_mode' }),
        hook(9, 'AfterTool', { session_id: 's', timestamp: stamp(9), tool_name: 'exit_plan_mode' }),
      ],
    ],
    [
      'opencode’s plugin',
      'opencode',
      'question',
      [
        hook(1, 'message.updated', { sessionID: 's', info: { id: 'm', role: 'user' } }),
        hook(2, 'question.asked', { sessionID: 's', id: 'q', questions: [{ question: 'Which?' }] }),
        hook(9, 'question.replied', { sessionID: 's', requestID: 'q' }),
      ],
    ],
    [
      'opencode’s log',
      'opencode',
      'question',
      [
        log(1, 'message=loop session.id=s step=0'),
        log(2, 'message=asking id=q1 questions=1'),
        log(9, 'message=replied requestID=q1'),
      ],
    ],
    [
      'cline’s hooks',
      'cline',
      'plan',
      [
        hook(1, 'TaskStart', {}),
        hook(2, 'PreToolUse', { tool_call: { name: 'plan_mode_respond' } }),
        hook(9, 'PostToolUse', { tool_call: { name: 'plan_mode_respond' } }),
      ],
    ],
  ])('%s, of %s: a %s', (_, agent, asked, rows) => {
    const told = play(agent, rows)
    expect(told.at(2.5)).toBe(`waiting/${asked}`)
    expect(told.at(8.9)).toBe(`waiting/${asked}`)
    expect(told.at(9.2)).toBe('working/thinking')
  })

  test.each([
    ['input needed', 'waiting/question'],
    ['goal proposal', 'waiting/plan'],
    ['permission prompt', 'waiting/permission'],
  ])('claude’s status file: %s', (waitingFor, state) => {
    expect(play('claude', [claudeStatus(1, 'busy'), claudeStatus(2, 'waiting', waitingFor)]).at(3)).toBe(
      state,
    )
  })

  test('a program’s own status', () => {
    const told = play('codex', [
      status7501(1, 'state=working:app=codex'),
      status7501(3, 'state=blocked:app=codex:kind=question'),
    ])
    expect(told.at(9)).toBe('waiting/question')
  })
})
