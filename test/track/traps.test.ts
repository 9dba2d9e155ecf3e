import { describe, expect, test } from 'vitest'
import {
  claudeStatus,
  epochMs,
  exit,
  hook,
  keys,
  line,
  output,
  play,
  stamp,
  status7501,
  title,
} from '../support/scenario.ts'

/** The traps and failure behaviours that were measured on the real CLIs, one test each. */

const prompt = (t: number, id = 'p1', text = 'do it') =>
  hook(t, 'UserPromptSubmit', { prompt_id: id, prompt: text })
const stop = (t: number, id = 'p1', more: object = {}) =>
  hook(t, 'Stop', { prompt_id: id, background_tasks: [], last_assistant_message: 'Done.', ...more })
const agentTask = { id: 'a1', type: 'subagent', status: 'running' }

describe('Claude Code', () => {
  const subagentAsks = (asks: number, stops: number) =>
    play('claude', [
      prompt(0.1),
      hook(0.2, 'SubagentStart', { prompt_id: 'p1', agent_id: 'a1', agent_type: 'general-purpose' }),
      hook(asks, 'PermissionRequest', {
        prompt_id: 'p1',
        agent_id: 'a1',
        agent_type: 'general-purpose',
        tool_name: 'Bash',
      }),
      stop(stops, 'p1', { background_tasks: [agentTask] }),
    ])

  test.each([
    ['before', 0.41, 0.45],
    ['after', 0.45, 0.41],
  ])('a subagent asks for permission %s the main Stop: the dialog is up', (_, asks, stops) => {
    const told = subagentAsks(asks, stops)
    expect(told.at(10)).toBe('waiting/permission')
    expect(told.verdict(10).turnOver).toBe(true)
  })

  test('a queued prompt: the Stop of the first turn is no idleness, the second turn has its own', () => {
    const told = play('claude', [
      prompt(1),
      prompt(4, 'p1', 'and then this'),
      stop(9),
      hook(9.13, 'MessageDisplay', { prompt_id: 'p2' }),
      stop(12, 'p2'),
    ])
    expect(told.path).toEqual(['starting', 'working/thinking', 'working', 'working/streaming', 'idle/turn'])
    expect(told.at(9.05)).toBe('working')
    expect(told.verdict(13).turn).toBe(2)
  })

  test('a queued prompt that was taken back does not keep the session busy', () => {
    const told = play('claude', [
      prompt(1),
      line(4, { type: 'queue-operation', operation: 'enqueue', timestamp: stamp(4), content: 'more' }),
      line(5, { type: 'queue-operation', operation: 'popAll', timestamp: stamp(5) }),
      stop(9),
    ])
    expect(told.at(9.1)).toBe('idle/turn')
  })

  test('the same prompt hook twice is not a queued prompt', () => {
    expect(play('claude', [prompt(1), prompt(1), stop(9), stop(9)]).at(9.1)).toBe('idle/turn')
  })

  test('SubagentStop with an empty type, around /compact, ends and begins nothing', () => {
    const told = play('claude', [
      hook(1, 'PreCompact', { prompt_id: 'c1', trigger: 'manual' }),
      hook(1.2, 'SubagentStop', { prompt_id: 'c1', agent_id: 'x', agent_type: '' }),
      hook(2, 'PostCompact', { prompt_id: 'c1', trigger: 'manual' }),
    ])
    expect(told.path).toEqual(['starting', 'working/compacting', 'idle/turn'])
  })

  test('a start that is idle for a moment before its dialog opens is not called idle', () => {
    const told = play('claude', [claudeStatus(0.8, 'idle'), claudeStatus(0.95, 'waiting', 'dialog open')])
    expect(told.path).toEqual(['starting', 'waiting/dialog'])
  })

  test('idle_prompt ends a turn whose Stop was missed, and takes nothing back of one that was heard', () => {
    const idlePrompt = hook(64, 'Notification', { prompt_id: 'p1', notification_type: 'idle_prompt' })
    const begun = hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' })
    const failed = hook(4, 'StopFailure', { prompt_id: 'p1', error: 'server_error' })
    expect(play('claude', [begun, idlePrompt]).at(65)).toBe('idle/turn')
    expect(play('claude', [begun, failed, idlePrompt]).at(65)).toBe('idle/error')
  })

  test('idle_prompt while background subagents run is no idleness', () => {
    const told = play('claude', [
      prompt(1),
      hook(1.2, 'SubagentStart', { prompt_id: 'p1', agent_id: 'a1', agent_type: 'general-purpose' }),
      stop(2, 'p1', { background_tasks: [agentTask] }),
      hook(62, 'Notification', { prompt_id: 'p1', notification_type: 'idle_prompt' }),
    ])
    expect(told.at(63)).toBe('working/background')
  })

  test('StopFailure of a subagent does not end the turn', () => {
    const told = play('claude', [
      prompt(1),
      hook(1.2, 'SubagentStart', { prompt_id: 'p1', agent_id: 'a1', agent_type: 'general-purpose' }),
      hook(3, 'StopFailure', {
        prompt_id: 'p1',
        agent_id: 'a1',
        agent_type: 'general-purpose',
        error: 'server_error',
      }),
    ])
    expect(told.at(5)).toBe('working/thinking')
  })

  test('a granted permission has no event: the status file ends the waiting', () => {
    const told = play('claude', [
      prompt(1),
      claudeStatus(1.1, 'busy'),
      hook(2, 'PreToolUse', { prompt_id: 'p1', tool_name: 'Bash' }),
      hook(2.1, 'PermissionRequest', { prompt_id: 'p1', tool_name: 'Bash' }),
      claudeStatus(2.1, 'waiting', 'permission prompt'),
      claudeStatus(8, 'busy'),
    ])
    expect(told.at(5)).toBe('waiting/permission')
    expect(told.at(20)).toBe('working')
  })

  test('a denied permission without hooks ends in idle', () => {
    const told = play('claude', [
      prompt(1),
      claudeStatus(1.1, 'busy'),
      hook(2.1, 'PermissionRequest', { prompt_id: 'p1', tool_name: 'Write' }),
      claudeStatus(2.1, 'waiting', 'permission prompt'),
      claudeStatus(6, 'idle'),
    ])
    expect(told.at(7)).toBe('idle')
  })

  test('AskUserQuestion is a question, whatever the notice calls it', () => {
    const told = play('claude', [
      prompt(1),
      hook(2, 'PreToolUse', { prompt_id: 'p1', tool_name: 'AskUserQuestion' }),
      hook(2.1, 'PermissionRequest', {
        prompt_id: 'p1',
        tool_name: 'AskUserQuestion',
        tool_input: { questions: [{ question: 'Which one?' }] },
      }),
      hook(8.4, 'Notification', { prompt_id: 'p1', notification_type: 'permission_prompt' }),
    ])
    expect(told.at(9)).toBe('waiting/question')
    expect(told.session.facts.question).toBe('Which one?')
  })

  test('Esc has no hook: the status file says idle, and is believed', () => {
    const told = play('claude', [
      prompt(1),
      claudeStatus(1.1, 'busy'),
      keys(8, '\u001b'),
      claudeStatus(8.1, 'idle'),
    ])
    expect(told.at(8.2)).toBe('idle')
  })

  test('a hook that comes late after Esc does not bring the turn back', () => {
    const told = play('claude', [
      prompt(1),
      claudeStatus(1.1, 'busy'),
      claudeStatus(8.1, 'idle'),
      line(8.3, {
        type: 'user',
        promptId: 'p1',
        timestamp: stamp(8.1),
        message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
      }),
      hook(8.4, 'MessageDisplay', { prompt_id: 'p1' }),
    ])
    expect(told.at(9)).toBe('idle/interrupt')
  })

  test('the stale status file of a turn that goes on is no idleness', () => {
    const told = play('claude', [
      claudeStatus(0.5, 'idle'),
      prompt(1),
      hook(30, 'PreToolUse', { prompt_id: 'p1', tool_name: 'Bash' }),
    ])
    expect(told.at(600)).toBe('working/tool')
  })

  test('a 429 that is retried silently stays work, and ends at the limit', () => {
    const told = play('claude', [
      prompt(1),
      claudeStatus(1.1, 'busy'),
      hook(185, 'StopFailure', { prompt_id: 'p1', error: 'rate_limit' }),
      claudeStatus(185.1, 'idle'),
    ])
    expect(told.at(180)).toBe('working/thinking')
    expect(told.at(186)).toBe('idle/limit')
    expect(told.verdict(186).limit).toEqual({})
  })

  test('a background shell leaves the turn over and the session at work, until its notice opens a new turn', () => {
    const shell = { id: 'b1', type: 'shell', status: 'running' }
    const told = play('claude', [
      prompt(1),
      stop(4, 'p1', { background_tasks: [shell] }),
      claudeStatus(4.1, 'shell'),
      prompt(19, 'p2', '<task-notification>\n<task-id>b1</task-id>'),
      claudeStatus(19.1, 'busy'),
      stop(20, 'p2'),
      claudeStatus(20.1, 'idle'),
    ])
    expect(told.at(10)).toBe('working/background')
    expect(told.verdict(10).turnOver).toBe(true)
    expect(told.at(21)).toBe('idle/turn')
  })

  test('a Stop hook that makes the agent go on opens the turn again', () => {
    const told = play('claude', [
      prompt(1),
      stop(4),
      hook(4.5, 'PreToolUse', { prompt_id: 'p1', tool_name: 'Bash' }),
    ])
    expect(told.at(5)).toBe('working/tool')
    expect(told.verdict(5).turn).toBe(1)
  })

  test('the status file that a killed process left behind does not keep it alive', () => {
    const told = play('claude', [prompt(1), claudeStatus(1.1, 'busy'), exit(8), claudeStatus(9, 'busy')])
    expect(told.at(60)).toBe('exited')
  })

  test('an unknown word in the status file is no evidence', () => {
    expect(play('claude', [prompt(1), claudeStatus(2, 'pondering')]).at(60)).toBe('working/thinking')
  })

  test('a subagent’s program status is not the session’s', () => {
    const told = play('claude', [
      status7501(0.9, 'state=idle:app=claude-code'),
      prompt(1),
      status7501(1.05, 'state=working:app=claude-code'),
      status7501(5, 'state=done:app=claude-code:id=a1:title=eA=='),
      status7501(6, 'state=clear:id=a1'),
    ])
    expect(told.at(30)).toBe('working/thinking')
  })

  test('a static title in tmux says nothing, also where a dialog is open', () => {
    expect(play('claude', [title(0.5, '✳ Claude Code'), prompt(1), title(2, '✳ Claude Code')]).at(60)).toBe(
      'working/thinking',
    )
  })

  test('a turn that ends in a question to the person says so', () => {
    expect(
      play('claude', [prompt(1), stop(3, 'p1', { last_assistant_message: 'Shall I go on?' })]).verdict(4)
        .asks,
    ).toBe(true)
  })
})

describe('Codex', () => {
  const started = [
    hook(1, 'SessionStart', { session_id: 's1' }),
    hook(1, 'UserPromptSubmit', { session_id: 's1', turn_id: 't1' }),
  ]
  const notify = (thread: string, turn: string) =>
    hook(
      1.1,
      'agent-turn-complete',
      { type: 'agent-turn-complete', 'thread-id': thread, 'turn-id': turn },
      'notify',
    )

  test('notify of the hidden title thread does not end the turn', () => {
    expect(play('codex', [...started, notify('title-thread', 't9')]).at(5)).toBe('working/thinking')
  })

  test('notify of the session’s own thread does', () => {
    expect(play('codex', [...started, notify('s1', 't1')]).at(5)).toBe('idle/turn')
  })

  test('an error has no hook: the program status and the rollout file tell', () => {
    const told = play('codex', [
      ...started,
      status7501(1.0, 'state=working:app=codex'),
      status7501(1.2, 'state=error:app=codex'),
      line(1.3, {
        timestamp: stamp(1.25),
        type: 'event_msg',
        payload: { type: 'task_complete', turn_id: 't1', error: { message: 'scripted 429' } },
      }),
    ])
    expect(told.at(2)).toBe('idle/error')
  })

  test('a question is in the tool’s name and in the program status, not in a permission', () => {
    const told = play('codex', [
      ...started,
      hook(2, 'PreToolUse', { turn_id: 't1', tool_name: 'request_user_input' }),
      status7501(2.1, 'state=blocked:app=codex:kind=question'),
    ])
    expect(told.at(5)).toBe('waiting/question')
  })

  test('the flicker of its status while it starts opens nothing that lasts', () => {
    const told = play('codex', [
      status7501(1.04, 'state=idle:app=codex'),
      status7501(1.08, 'state=working:app=codex'),
      status7501(1.081, 'state=idle:app=codex'),
    ])
    expect(told.at(2)).toBe('idle')
  })
})

describe('Qwen Code', () => {
  test('UserPromptSubmit after a tool batch is no new turn', () => {
    const told = play('qwen', [
      hook(1, 'UserPromptSubmit', { prompt_id: 'q0', prompt: 'go', timestamp: stamp(1) }),
      hook(3, 'PostToolBatch', { prompt_id: 'q0', timestamp: stamp(3) }),
      hook(3.1, 'UserPromptSubmit', { prompt_id: 'q0', prompt: '', timestamp: stamp(3.1) }),
      hook(4, 'Stop', { prompt_id: 'q0', background_tasks: [], timestamp: stamp(4) }),
    ])
    expect(told.verdict(5).turn).toBe(1)
    expect(told.at(5)).toBe('idle/turn')
  })

  test('an interrupt has only idle_prompt', () => {
    const told = play('qwen', [
      hook(1, 'UserPromptSubmit', { prompt_id: 'q0', prompt: 'go', timestamp: stamp(1) }),
      hook(9, 'Notification', { notification_type: 'idle_prompt', timestamp: stamp(9) }),
    ])
    expect(told.at(10)).toBe('idle')
  })
})

describe('Gemini CLI', () => {
  test('an interrupted turn ends like a finished one; the chat file tells it apart', () => {
    const told = play('gemini', [
      hook(1, 'BeforeAgent', { timestamp: stamp(1) }),
      hook(9, 'AfterAgent', { timestamp: stamp(9) }),
      line(9.1, { type: 'info', timestamp: stamp(9), content: 'Request cancelled.' }),
    ])
    expect(told.at(10)).toBe('idle/interrupt')
  })
})

describe('Copilot CLI', () => {
  test('permissionRequest fires for allowed tools too: only the notice is a dialog', () => {
    const rows = [
      hook(1, 'userPromptSubmitted', { timestamp: epochMs(1) }),
      hook(2, 'permissionRequest', { toolName: 'bash' }),
    ]
    expect(play('copilot', rows).at(5)).toBe('working/tool')
    expect(
      play('copilot', [...rows, hook(2.1, 'Notification', { notification_type: 'permission_prompt' })]).at(5),
    ).toBe('waiting/permission')
  })

  test('a recoverable error is a retry', () => {
    const told = play('copilot', [
      hook(1, 'userPromptSubmitted', {}),
      hook(2, 'errorOccurred', { recoverable: true, error: { message: '429' } }),
    ])
    expect(told.at(30)).toBe('working/retrying')
  })

  test('the end of one dialog does not end the next', () => {
    const event = (t: number, type: string, data: object) => line(t, { type, timestamp: stamp(t), data })
    const told = play('copilot', [
      hook(1, 'userPromptSubmitted', { timestamp: epochMs(1) }),
      event(2, 'permission.requested', { requestId: 'r1' }),
      hook(5.01, 'Notification', { notification_type: 'permission_prompt', timestamp: epochMs(5.01) }),
      event(5.1, 'permission.completed', { requestId: 'r1' }),
      event(5.2, 'permission.requested', { requestId: 'r2' }),
      event(9, 'permission.completed', { requestId: 'r2' }),
    ])
    expect(told.at(6)).toBe('waiting/permission')
    expect(told.at(10)).toBe('working/tool')
  })
})

describe('pi', () => {
  test('it ends its agent before every retry: that is no idleness', () => {
    const attempt = (t: number) => [
      hook(t, 'agent_start'),
      output(t, '\u001b]9;4;3\u0007'),
      hook(t + 1, 'message_end', {
        message: { role: 'assistant', stopReason: 'error', errorMessage: '429 slow down' },
      }),
      hook(t + 1, 'agent_end'),
      output(t + 1.001, '\u001b]9;4;0;\u0007'),
    ]
    const told = play('pi', [...attempt(1), ...attempt(4), ...attempt(9), ...attempt(18)])
    expect([told.at(3), told.at(7), told.at(15)]).toEqual([
      'working/retrying',
      'working/retrying',
      'working/retrying',
    ])
    expect(told.at(20)).toBe('idle/limit')
    expect(told.verdict(20).turn).toBe(1)
  })

  test('an attempt that is told twice, by hooks or in its session file, counts once', () => {
    const message = { role: 'assistant', stopReason: 'error', errorMessage: '429 slow down' }
    const twice = (t: number, event: string, payload: object = {}) => [
      hook(t, event, payload),
      hook(t, event, payload),
    ]
    const attempt = (t: number) => [
      ...twice(t, 'agent_start'),
      ...twice(t + 1, 'message_end', { message }),
      ...twice(t + 1, 'agent_end'),
    ]
    const hooked = play('pi', [...attempt(1), ...attempt(4), ...attempt(9)])
    expect([hooked.at(3), hooked.at(7), hooked.at(15)]).toEqual(Array(3).fill('working/retrying'))
    const failure = (t: number, id: string) => {
      const row = line(t, { type: 'message', id, timestamp: stamp(t), message })
      return [row, row]
    }
    const asked = line(1, { type: 'message', id: 'm0', timestamp: stamp(1), message: { role: 'user' } })
    const logged = play('pi', [asked, ...failure(2, 'm1'), ...failure(5, 'm2'), ...failure(10, 'm3')])
    expect([logged.at(3), logged.at(7), logged.at(15)]).toEqual(Array(3).fill('working/retrying'))
  })
})

describe('OpenCode', () => {
  test('a retry with a time is a retry at the provider’s limit', () => {
    const told = play('opencode', [
      hook(1, 'message.updated', {
        sessionID: 's',
        info: { id: 'm1', role: 'user', time: { created: epochMs(1) } },
      }),
      hook(2, 'session.status', { sessionID: 's', status: { type: 'retry', attempt: 1, next: epochMs(12) } }),
    ])
    expect(told.at(3)).toBe('working/retrying')
    expect(told.verdict(3).limit).toEqual({ until: 12_000 })
  })

  test('a child session’s idleness is not the session’s', () => {
    const told = play('opencode', [
      hook(1, 'message.updated', { sessionID: 's', info: { id: 'm1', role: 'user' } }),
      hook(2, 'session.created', { sessionID: 'child', info: { id: 'child', parentID: 's' } }),
      hook(2, 'session.status', { sessionID: 'child', status: { type: 'busy' } }),
      hook(5, 'session.idle', { sessionID: 'child' }),
    ])
    expect(told.at(6)).toBe('working/thinking')
  })
})

describe('Cline', () => {
  test('SessionShutdown ends an interrupted turn, not the program', () => {
    expect(play('cline', [hook(1, 'TaskStart'), hook(9, 'SessionShutdown')]).at(10)).toBe('idle/interrupt')
  })

  test('its question is a tool', () => {
    expect(
      play('cline', [
        hook(1, 'TaskStart'),
        hook(2, 'PreToolUse', { tool_call: { name: 'ask_question' } }),
      ]).at(5),
    ).toBe('waiting/question')
  })
})

describe('every agent', () => {
  test('paint that goes on contradicts an idleness without saying what it is', () => {
    const frames = Array.from({ length: 40 }, (_, n) => output(10 + n / 4, '✻'))
    const told = play('claude', [prompt(1), stop(2), ...frames])
    expect(told.at(9)).toBe('idle/turn')
    expect(told.at(18)).toBe('unknown')
    expect(told.at(30)).toBe('idle/turn')
  })

  test('the echo of typed keys is no paint', () => {
    const typed = Array.from({ length: 40 }, (_, n) => [
      keys(10 + n / 4, 'a'),
      output(10.02 + n / 4, 'a'),
    ]).flat()
    expect(play('claude', [prompt(1), stop(2), ...typed]).path.at(-1)).toBe('idle/turn')
    expect(play('claude', [prompt(1), stop(2), ...typed]).path).not.toContain('unknown')
  })

  test('silence is neither idle nor work', () => {
    expect(play('claude', [prompt(1)]).at(3600)).toBe('working/thinking')
    expect(play('claude', [prompt(1)]).verdict(3600).health).toEqual({
      level: 'suspicious',
      cause: 'no_progress',
      certainty: 'low',
    })
  })

  test('a session of which nothing is known is unknown, not idle', () => {
    expect(play('claude', [output(1, 'hello')], { attached: true }).at(60)).toBe('unknown')
  })
})
