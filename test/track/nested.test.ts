import { describe, expect, test } from 'vitest'
import { claudeStatus, epochMs, hook, line, play, type Row, stamp } from '../support/scenario.ts'

/** One process, many sessions: those that run inside a turn, and those that follow one another. */

const inside = { session_id: 'inner' }
const own = { session_id: 'own' }

describe('a session that a turn runs as its tool', () => {
  test.each(['claude', 'codex', 'gemini', 'qwen'] as const)('%s: ends nothing of the turn', agent => {
    const begin = agent === 'gemini' ? 'BeforeAgent' : 'UserPromptSubmit'
    const end = agent === 'gemini' ? 'AfterAgent' : 'Stop'
    const told = play(agent, [
      hook(0, 'SessionStart', { ...own, source: 'startup' }),
      hook(1, begin, { ...own, prompt_id: 'p1', turn_id: 'p1', prompt: 'go' }),
      hook(5, 'SessionStart', { ...inside, source: 'startup' }),
      hook(6, begin, { ...inside, prompt_id: 'p2', turn_id: 'p2', prompt: 'sum it up' }),
      hook(9, end, { ...inside, prompt_id: 'p2', turn_id: 'p2' }),
      hook(9.1, 'SessionEnd', { ...inside, reason: 'other' }),
      hook(20, end, { ...own, prompt_id: 'p1', turn_id: 'p1' }),
    ])
    expect(told.at(10)).toBe('working/thinking')
    expect(told.at(21)).toBe('idle/turn')
    expect(told.verdict(21).turn).toBe(1)
  })

  test('copilot: ends nothing of the turn', () => {
    const told = play('copilot', [
      hook(0, 'sessionStart', { sessionId: 'own', source: 'new' }),
      hook(1, 'userPromptSubmitted', { sessionId: 'own' }),
      hook(5, 'sessionStart', { sessionId: 'inner', source: 'new' }),
      hook(9, 'agentStop', { sessionId: 'inner' }),
      hook(20, 'agentStop', { sessionId: 'own' }),
    ])
    expect(told.at(10)).toBe('working/thinking')
    expect(told.at(21)).toBe('idle/turn')
  })

  test('its status file is not the session’s', () => {
    const innerFile = (t: number) => {
      const [, , data] = claudeStatus(t, 'idle')
      const { content } = data as { content: string }
      return [t, 'f', { path: '/home/dev/.claude/sessions/8.json', content }] as const
    }
    const told = play('claude', [claudeStatus(1, 'busy'), innerFile(5), claudeStatus(20, 'idle')])
    expect(told.at(10)).toBe('working')
    expect(told.at(21)).toBe('idle')
  })
})

describe('sessions that follow one another', () => {
  test('claude: /clear gives a new id, and its turns count', () => {
    const told = play('claude', [
      hook(1, 'UserPromptSubmit', { ...own, prompt_id: 'p1', prompt: 'go' }),
      hook(2, 'Stop', { ...own, prompt_id: 'p1', background_tasks: [] }),
      hook(3, 'SessionEnd', { ...own, reason: 'clear' }),
      hook(3.1, 'SessionStart', { session_id: 'next', source: 'clear' }),
      hook(5, 'UserPromptSubmit', { session_id: 'next', prompt_id: 'p2', prompt: 'go on' }),
    ])
    expect(told.at(4)).toBe('idle/turn')
    expect(told.at(6)).toBe('working/thinking')
  })

  test.each(['gemini', 'qwen'] as const)('%s: /clear ends the session, not the program', agent => {
    const told = play(agent, [
      hook(1, 'SessionStart', { ...own, source: 'startup' }),
      hook(3, 'SessionEnd', { ...own, reason: 'clear' }),
      hook(3.1, 'SessionStart', { session_id: 'next', source: 'clear' }),
    ])
    expect(told.path).toEqual(['starting', 'idle'])
  })

  test.each([
    ['claude', 'starting'],
    ['gemini', 'idle'],
    ['qwen', 'idle'],
  ] as const)('%s: one that starts after the last has ended lifts the exit', (agent, state) => {
    const told = play(agent, [
      hook(3, 'SessionEnd', { ...own, reason: 'other' }),
      hook(8, 'SessionStart', { session_id: 'next', source: 'startup' }),
    ])
    expect(told.at(4)).toBe('exited')
    expect(told.at(9)).toBe(state)
  })

  test('pi: a session that is replaced is no exit', () => {
    const told = play('pi', [
      hook(1, 'session_start', { reason: 'startup' }),
      hook(3, 'session_shutdown', { reason: 'new' }),
      hook(9, 'session_shutdown', { reason: 'quit' }),
    ])
    expect(told.path).toEqual(['starting', 'idle', 'exited'])
  })
})

test('cline: the main agent that it starts anew, for another mode, is the main one', () => {
  const cline = (t: number, event: string, properties: object): Row =>
    line(t, { time: epochMs(t), event, properties }, 'cline.log')
  const told = play('cline', [
    cline(1, 'agent.run-started', { agentId: 'a' }),
    cline(2, 'agent.run-finished', { agentId: 'a', status: 'completed' }),
    cline(3, 'task.restarted', { agentId: 'b', agentKind: 'team_lead', isSubagent: false }),
    cline(4, 'session.input_sent', { sessionId: 's' }),
    cline(5, 'agent.run-started', { agentId: 'b' }),
    cline(6, 'task.conversation_turn', { agentId: 'c', agentKind: 'subagent', isSubagent: true }),
    cline(7, 'agent.tool-started', { agentId: 'b' }),
    cline(9, 'agent.run-finished', { agentId: 'b', status: 'completed' }),
  ])
  expect(told.at(5.5)).toBe('working/thinking')
  expect(told.at(8)).toBe('working/tool')
  expect(told.at(9.5)).toBe('idle/turn')
})

describe('a turn whose start was missed', () => {
  test('opencode: work long after the last idleness is another turn', () => {
    const message = { sessionID: 's', info: { id: 'm1', role: 'user', time: { created: epochMs(1) } } }
    const busy = { sessionID: 's', status: { type: 'busy' } }
    const told = play('opencode', [
      hook(1, 'message.updated', message),
      hook(4, 'session.idle', { sessionID: 's' }),
      hook(5, 'session.status', busy),
      hook(30, 'session.status', busy),
    ])
    expect(told.at(10)).toBe('idle/turn')
    expect(told.at(31)).toBe('working')
    expect(told.verdict(31).turn).toBe(2)
  })
})

describe('claude’s transcript', () => {
  const user = (t: number, more: object) => line(t, { type: 'user', timestamp: stamp(t), ...more })
  const ended = (t: number) =>
    line(t, {
      type: 'assistant',
      timestamp: stamp(t),
      message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] },
    })

  test('a Stop hook that refuses the end makes it go on', () => {
    const told = play('claude', [
      user(1, { promptId: 'p1', message: { content: 'go' } }),
      ended(5),
      user(6, { isMeta: true, promptId: 'p1', message: { content: 'Stop hook feedback:\nrun the tests' } }),
    ])
    expect(told.at(5.5)).toBe('idle/turn')
    expect(told.at(7)).toBe('working/thinking')
    expect(told.verdict(7).turn).toBe(1)
  })

  test('old versions do not say which text was the last: after ten seconds nobody knows', () => {
    const text = { stop_reason: null, content: [{ type: 'text', text: 'Done.' }] }
    const told = play('claude', [
      user(1, { message: { content: 'go' } }),
      line(5, { type: 'assistant', timestamp: stamp(5), message: text }),
    ])
    expect(told.at(14)).toBe('working/streaming')
    expect(told.at(16)).toBe('unknown')
  })

  test('an interrupt that is a plain string is one', () => {
    const told = play('claude', [
      user(1, { message: { content: 'go' } }),
      user(3, { message: { content: '[Request interrupted by user]' } }),
    ])
    expect(told.at(4)).toBe('idle/interrupt')
  })
})

describe('claude’s hooks', () => {
  const call = (t: number, use: string) =>
    hook(t, 'PreToolUse', { prompt_id: 'p1', tool_name: 'Bash', tool_use_id: use })
  const turn = [
    hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' }),
    call(2, 'one'),
    hook(5, 'Stop', { prompt_id: 'p1', background_tasks: [] }),
  ]

  test('a call that is told of again after the end is late; a new one is more work', () => {
    expect(play('claude', [...turn, call(8, 'one')]).at(9)).toBe('idle/turn')
    expect(play('claude', [...turn, call(8, 'two')]).at(9)).toBe('working/tool')
  })

  test('a server’s question has a beginning and an end', () => {
    const told = play('claude', [
      hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' }),
      hook(3, 'Elicitation', { prompt_id: 'p1' }),
      hook(9, 'ElicitationResult', { prompt_id: 'p1' }),
    ])
    expect(told.at(4)).toBe('waiting/question')
    expect(told.at(10)).toBe('working/thinking')
  })

  test('a turn that ends with no task running leaves no subagent’s dialog behind', () => {
    const told = play('claude', [
      hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' }),
      hook(3, 'PermissionRequest', { prompt_id: 'p1', agent_id: 'a1', agent_type: 'x', tool_name: 'Bash' }),
      hook(9, 'Stop', { prompt_id: 'p1', background_tasks: [] }),
    ])
    expect(told.at(4)).toBe('waiting/permission')
    expect(told.at(10)).toBe('idle/turn')
  })

  test('an older version that is blocked by its settings from the start waits', () => {
    const told = play('claude', [claudeStatus(0.4, 'idle'), claudeStatus(0.5, 'waiting', 'dialog open')])
    expect(told.at(30)).toBe('waiting/dialog')
    expect(told.path).not.toContain('idle')
  })
})

describe('two words for one end', () => {
  test('the second one’s limit is kept', () => {
    const told = play('claude', [
      hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' }),
      hook(5, 'StopFailure', { prompt_id: 'p1', error: 'server_error', background_tasks: [] }),
      line(5.1, {
        type: 'assistant',
        timestamp: stamp(5.1),
        isApiErrorMessage: true,
        error: 'rate_limit',
        message: { content: [{ type: 'text', text: 'limit reached' }] },
      }),
    ])
    expect(told.at(6)).toBe('idle/limit')
    expect(told.verdict(6).limit).toEqual({})
  })
})
