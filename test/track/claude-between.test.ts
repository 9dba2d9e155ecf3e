import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { readScreen } from '../../src/agents/screen/read-screen.ts'
import { headless, hook, line, play, stamp, title } from '../support/scenario.ts'

/** What Claude Code tells between the beginning and the end of a turn. */

const user = (t: number, text: string, more: object = {}) =>
  line(t, { type: 'user', timestamp: stamp(t), message: { content: text }, ...more })
const assistant = (t: number, content: object[], stop: string | null) =>
  line(t, { type: 'assistant', timestamp: stamp(t), message: { stop_reason: stop, content } })

const edge = '─'.repeat(60)
const half = '▄'.repeat(60)
const logged = (t: number, of: string) =>
  line(t, `timestamp=${stamp(t)} level=INFO run=1 ${of}`, 'opencode.log')

describe('its transcript', () => {
  test('a thought that carries the end of its message does not end the turn', () => {
    const told = play('claude', [
      user(1, 'go', { promptId: 'p1' }),
      assistant(5, [{ type: 'thinking', thinking: 'hm' }], 'end_turn'),
      assistant(9, [{ type: 'text', text: 'Done.' }], 'end_turn'),
    ])
    expect(told.at(6)).toBe('working/thinking')
    expect(told.at(10)).toBe('idle/turn')
  })

  test('a workflow goes on in the background until its notice', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Workflow', input: {} }
    const launched = { status: 'async_launched', taskId: 'w1', taskType: 'local_workflow', runId: 'r' }
    const result = (t: number, toolUseResult: object) =>
      line(t, {
        type: 'user',
        timestamp: stamp(t),
        message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] },
        toolUseResult,
      })
    const turn = [user(1, 'go', { promptId: 'p1' }), assistant(2, [call], 'tool_use')]
    const end = assistant(4, [{ type: 'text', text: 'It runs.' }], 'end_turn')
    const told = play('claude', [
      ...turn,
      result(3, launched),
      end,
      user(60, '<task-notification>\n<task-id>w1</task-id>', { promptId: 'p2', promptSource: 'system' }),
      assistant(62, [{ type: 'text', text: 'Noted.' }], 'end_turn'),
    ])
    expect(told.at(30)).toBe('working/background')
    expect(told.at(63)).toBe('idle/turn')
    const failed = play('claude', [...turn, result(3, { ...launched, error: 'it does not compile' }), end])
    expect(failed.at(30)).toBe('idle/turn')
  })

  test('a prompt that is taken from the queue at once, as in a headless session, waits no more', () => {
    const queue = (t: number, operation: string) =>
      line(t, { type: 'queue-operation', operation, timestamp: stamp(t), content: 'go' })
    const told = play('claude', [
      user(1, 'go', { promptId: 'p1', promptSource: 'sdk' }),
      queue(1.1, 'enqueue'),
      queue(1.2, 'dequeue'),
      assistant(9, [{ type: 'text', text: 'Done.' }], 'end_turn'),
    ])
    expect(told.at(8)).toBe('working/thinking')
    expect(told.at(9.1)).toBe('idle/turn')
  })
})

describe('a command of the person’s own (!cmd)', () => {
  const claude = (output: boolean) =>
    play('claude', [
      user(1, '<bash-input>make</bash-input>', { promptId: 'p1' }),
      ...(output ? [user(20, '<bash-stdout>ok</bash-stdout>', { promptId: 'p1' })] : []),
    ])

  test('claude: it works until the command has ended, and nobody answers', () => {
    expect(claude(false).at(9)).toBe('working/command')
    expect(claude(true).at(21)).toBe('idle/turn')
  })

  test('claude: a prompt that only quotes one is a prompt', () => {
    const typed = user(1, '<bash-input>make</bash-input>', { promptId: 'p1', promptSource: 'typed' })
    expect(play('claude', [typed]).at(9)).toBe('working/thinking')
  })

  test('gemini: its chat tells of it once it has ended, and that is no prompt', () => {
    const told = play('gemini', [
      hook(1, 'BeforeAgent', { prompt: 'go' }),
      hook(3, 'AfterAgent', { prompt: 'go' }),
      line(9, {
        id: 'a',
        timestamp: stamp(9),
        type: 'user',
        content: [{ text: 'I ran the following shell command:\n```sh\nmake\n```\n\nThis produced …' }],
      }),
    ])
    expect([told.at(4), told.at(9.5)]).toEqual(['idle/turn', 'idle/turn'])
  })

  test.each([
    ['codex', ['• Running make', '', '◦ Working (2s • esc to interrupt)', '', '› Ask Codex']],
    ['gemini', ['│ ⊷  Shell Command make │', '', ' ⠏ Thinking... (esc to cancel, 2s)', '', ' !   Type here']],
    [
      'gemini',
      [
        '⠇ Compressing chat history',
        '',
        '  ? for shortcuts',
        edge,
        ' Shift+Tab to accept edits',
        half,
        ' >   Type',
        half,
      ],
    ],
    ['qwen', ['  $ make', '', '  ⊷ Shell Command make', '', edge, '!   Type your message', edge]],
    ['copilot', [' $ Shell make', '', edge, '❯', edge, ' ◎ Executing esc esc interrupt']],
    [
      'opencode',
      ['     $ make', '', '  ┃', '  ┃  Build · Lab model Lab', '  ╹▀▀▀▀', '   ⬝■■■  esc interrupt'],
    ],
  ] as const)('%s: its screen shows that it runs', (agent, rows) => {
    const view = { grid: { rows } }
    expect(readScreen(agents[agent].screens, view).state.kind).toBe('working')
  })

  test('opencode: its log tells of the shell alone, and that moves nothing', () => {
    const told = play('opencode', [
      logged(1, 'message=loop session.id=ses_1 step=0'),
      logged(3, 'message="exiting loop" session.id=ses_1'),
      logged(9, 'message="shell tool using shell" shell=/bin/bash'),
    ])
    expect([told.at(4), told.at(10)]).toEqual(['idle/turn', 'idle/turn'])
  })

  test('copilot: its events tell of it, and it is no tool of a turn', () => {
    const event = (t: number, type: string, data: object) => line(t, { type, timestamp: stamp(t), data })
    const told = play('copilot', [
      event(1, 'user.message', { content: 'go' }),
      event(2, 'assistant.message', { content: 'Done.' }),
      event(2.1, 'assistant.turn_end', { turnId: '0' }),
      event(5, 'tool.user_requested', { toolCallId: 'c', toolName: 'local_shell' }),
      event(9, 'tool.execution_complete', { toolCallId: 'c', isUserRequested: true, success: false }),
    ])
    expect([told.at(4), told.at(6), told.at(9.5)]).toEqual(['idle/turn', 'working/command', 'idle/turn'])
  })

  test('pi: it begins no turn, and ends none', () => {
    const message = (t: number, message: object) => line(t, { type: 'message', timestamp: stamp(t), message })
    const own = (t: number) => message(t, { role: 'bashExecution', command: 'make', output: '', exitCode: 0 })
    const prompt = message(2, { role: 'user', content: 'go' })
    const told = play('pi', [own(1), prompt, own(5)])
    expect(told.at(1.5)).toBe('starting')
    expect(told.at(6)).toBe('working/thinking')
  })
})

describe('its hooks', () => {
  const turn = { session_id: 's', prompt_id: 'p1' }

  test('a permission that was denied for the person is open no more', () => {
    const told = play('claude', [
      hook(1, 'UserPromptSubmit', { ...turn, prompt: 'go' }),
      hook(2, 'PermissionRequest', { ...turn, tool_name: 'Bash' }),
      hook(5, 'PermissionDenied', {
        ...turn,
        tool_name: 'Bash',
        tool_use_id: 't1',
        reason: 'by the classifier',
      }),
    ])
    expect(told.at(3)).toBe('waiting/permission')
    expect(told.at(6)).toBe('working/thinking')
  })

  test('a link that a server asks to open is a question', () => {
    const told = play('claude', [
      hook(1, 'UserPromptSubmit', { ...turn, prompt: 'go' }),
      hook(2, 'Notification', { ...turn, notification_type: 'elicitation_url_dialog', message: 'open it' }),
    ])
    expect(told.at(3)).toBe('waiting/question')
  })
})

describe('its rows', () => {
  const init = { type: 'system', subtype: 'init', session_id: 's' }
  const asks = (id: string) => ({
    type: 'control_request',
    request_id: id,
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'make' }, tool_use_id: 't1' },
  })

  test('can_use_tool asks its host, until something of the tool is heard', () => {
    const progress = { type: 'tool_progress', tool_use_id: 't1', tool_name: 'Bash', elapsed_time_seconds: 2 }
    expect(headless('claude', init, asks('r1'), progress)).toEqual([
      'working/thinking',
      'waiting/permission',
      'working/tool',
    ])
    const cancelled = { type: 'control_cancel_request', request_id: 'r1' }
    expect(headless('claude', init, asks('r1'), cancelled).at(-1)).toBe('working/thinking')
    const denied = { type: 'system', subtype: 'permission_denied', tool_name: 'Bash', tool_use_id: 't1' }
    expect(headless('claude', init, asks('r1'), denied).at(-1)).toBe('working/thinking')
    expect(headless('claude', init, { ...asks('r1'), request: { subtype: 'mcp_message' } }).at(-1)).toBe(
      'working/thinking',
    )
  })

  test('the state of the session, where it is told', () => {
    const state = (state: string) => ({ type: 'system', subtype: 'session_state_changed', state })
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: true,
      terminal_reason: 'aborted_streaming',
    }
    expect(
      headless('claude', init, state('requires_action'), state('running'), result, state('idle')),
    ).toEqual(['working/thinking', 'waiting/dialog', 'working', 'idle/interrupt', 'idle/interrupt'])
  })

  test('it compacts', () => {
    const status = { type: 'system', subtype: 'status', status: 'compacting' }
    expect(headless('claude', init, status).at(-1)).toBe('working/compacting')
  })
})

test.each([
  ['pi', 'compaction_start', 'compaction_end'],
  ['pi', 'auto_compaction_start', 'auto_compaction_end'],
  ['pi', 'session_before_compact', 'session_compact'],
] as const)('%s: %s after a turn is work', (agent, start, end) => {
  const told = play(agent, [
    hook(1, 'agent_start'),
    hook(5, 'agent_end'),
    hook(5.05, start, { reason: 'manual' }),
    hook(30, end, {}),
  ])
  expect(told.at(20)).toBe('working/compacting')
  expect(told.at(31)).toBe('idle/turn')
})

test.each(['claude', 'codex'] as const)(
  '%s: a compaction that a person asks for is work of its own',
  agent => {
    const turn = { session_id: 's', prompt_id: 'c1', turn_id: 'c1' }
    const told = play(agent, [
      hook(1, 'UserPromptSubmit', { session_id: 's', prompt_id: 'p', turn_id: 'p', prompt: 'go' }),
      hook(5, 'Stop', { session_id: 's', prompt_id: 'p', turn_id: 'p', background_tasks: [] }),
      hook(9, 'PreCompact', { ...turn, trigger: 'manual' }),
      hook(40, 'PostCompact', { ...turn, trigger: 'manual' }),
    ])
    expect(told.at(8)).toBe('idle/turn')
    expect(told.at(30)).toBe('working/compacting')
    expect(told.at(41)).toBe('idle/turn')
  },
)

describe('qwen: a compaction', () => {
  const turn = { session_id: 's', prompt_id: 'p' }
  const done = [hook(1, 'UserPromptSubmit', { ...turn, prompt: 'go' }), hook(5, 'Stop', turn)]
  const asked = hook(9, 'PreCompact', { session_id: 's', trigger: 'manual' })

  test('that a person asks for is work of its own, until it has ended', () => {
    const told = play('qwen', [
      ...done,
      asked,
      hook(40, 'PostCompact', { session_id: 's', trigger: 'manual' }),
    ])
    expect([told.at(8), told.at(30), told.at(41)]).toEqual(['idle/turn', 'working/compacting', 'idle/turn'])
    expect(told.verdict(41).turn).toBe(1)
  })

  test('that failed, of which nothing tells, is over with the next prompt', () => {
    const next = { session_id: 's', prompt_id: 'q' }
    const told = play('qwen', [
      ...done,
      asked,
      hook(20, 'UserPromptSubmit', { ...next, prompt: 'go on' }),
      hook(30, 'Stop', next),
    ])
    expect([told.at(15), told.at(31)]).toEqual(['working/compacting', 'idle/turn'])
  })

  test('within a turn is left to the turn', () => {
    const told = play('qwen', [
      hook(1, 'UserPromptSubmit', { ...turn, prompt: 'go' }),
      hook(3, 'PreCompact', { session_id: 's', trigger: 'auto' }),
      hook(9, 'Stop', turn),
    ])
    expect([told.at(4), told.at(10)]).toEqual(['working/thinking', 'idle/turn'])
  })
})

test.each(['claude', 'codex'] as const)('%s: one that comes within a turn ends nothing of it', agent => {
  const turn = { session_id: 's', prompt_id: 'p', turn_id: 'p' }
  const told = play(agent, [
    hook(1, 'UserPromptSubmit', { ...turn, prompt: 'go' }),
    hook(9, 'PreCompact', { ...turn, trigger: 'auto' }),
    hook(40, 'PostCompact', { ...turn, trigger: 'auto' }),
    hook(60, 'Stop', { ...turn, background_tasks: [] }),
  ])
  expect([told.at(30), told.at(50), told.at(61)]).toEqual([
    'working/compacting',
    'working/thinking',
    'idle/turn',
  ])
})

test('copilot: a compaction after a turn is work', () => {
  const event = (t: number, type: string, data: object = {}) => line(t, { type, timestamp: stamp(t), data })
  const told = play('copilot', [
    event(1, 'user.message'),
    event(5, 'assistant.message', { content: 'Done.' }),
    event(5.1, 'assistant.turn_end'),
    event(6, 'session.compaction_start'),
    event(30, 'session.compaction_complete', { success: true }),
  ])
  expect(told.at(20)).toBe('working/compacting')
  expect(told.at(31)).toBe('idle/turn')
})

test('opencode: a compaction after a turn is work, until its loop has ended', () => {
  const told = play('opencode', [
    logged(1, 'message=loop session.id=ses_1 step=0'),
    logged(3, 'message="exiting loop" session.id=ses_1'),
    logged(9, 'message=loop session.id=ses_1 step=0'),
    logged(9.1, 'message=stream session.id=ses_1 small=false agent=compaction mode=primary'),
    logged(20, 'message=loop session.id=ses_1 step=1'),
    logged(20, 'message="exiting loop" session.id=ses_1'),
  ])
  expect([told.at(8), told.at(15), told.at(21)]).toEqual(['idle/turn', 'working/thinking', 'idle/turn'])
})

test('gemini: a compaction is told by its title, and what its chat is written anew with moves nothing', () => {
  const told = play('gemini', [
    title(0.5, '◇  Ready (work)'),
    hook(1, 'BeforeAgent', { prompt: 'go' }),
    title(1, '✦  Working… (work)'),
    hook(3, 'AfterAgent', { prompt: 'go' }),
    title(3, '◇  Ready (work)'),
    title(30, '✦  Working… (work)'),
    line(40, { $set: { messages: [] } }),
    line(40, { id: 'b', timestamp: stamp(40), type: 'info', content: '' }),
    title(40.1, '◇  Ready (work)'),
  ])
  expect([told.at(29), told.at(39), told.at(45)]).toEqual(['idle/turn', 'working', 'idle/turn'])
})
