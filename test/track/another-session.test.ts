import { describe, expect, test } from 'vitest'
import { epochMs, headless, hook, line, play, stamp } from '../support/scenario.ts'

/** A subagent, a session that a turn runs as its tool, and a second session of one process never speak for the first. */

const own = { session_id: 'own', sessionId: 'own', sessionContext: { rootSessionId: 'own' } }
const inner = { session_id: 'inner', sessionId: 'inner', sessionContext: { rootSessionId: 'inner' } }

/** How each agent's hooks name the start and the end of a turn. OpenCode names its sessions otherwise: below. */
const turns = {
  claude: ['UserPromptSubmit', 'Stop', 'SessionStart', 'SessionEnd'],
  codex: ['UserPromptSubmit', 'Stop', 'SessionStart', 'SessionEnd'],
  gemini: ['BeforeAgent', 'AfterAgent', 'SessionStart', 'SessionEnd'],
  qwen: ['UserPromptSubmit', 'Stop', 'SessionStart', 'SessionEnd'],
  copilot: ['userPromptSubmitted', 'agentStop', 'sessionStart', 'sessionEnd'],
  pi: ['agent_start', 'agent_end', 'session_start', 'session_shutdown'],
  cline: ['TaskStart', 'TaskComplete', undefined, 'SessionShutdown'],
} as const
const named = Object.entries(turns) as [keyof typeof turns, (typeof turns)[keyof typeof turns]][]

describe('a session that a turn runs as its tool, in hooks', () => {
  test.each(named)('%s: whose start was not heard', (agent, [begin, end]) => {
    const told = play(agent, [
      hook(1, begin, { ...own, prompt_id: 'p1', turn_id: 'p1', prompt: 'go' }),
      hook(6, begin, { ...inner, prompt_id: 'p2', turn_id: 'p2', prompt: 'sum it up' }),
      hook(9, end, { ...inner, prompt_id: 'p2', turn_id: 'p2' }),
      hook(20, end, { ...own, prompt_id: 'p1', turn_id: 'p1' }),
    ])
    expect(told.at(10)).toBe('working/thinking')
    expect(told.at(21)).toBe('idle/turn')
    expect(told.verdict(21).turn).toBe(1)
  })

  test.each(named)('%s: that took up an older session', (agent, [begin, end, start, over]) => {
    const told = play(agent, [
      hook(1, begin, { ...own, prompt_id: 'p1', turn_id: 'p1', prompt: 'go' }),
      ...(start ? [hook(5, start, { ...inner, source: 'resume', reason: 'resume' })] : []),
      hook(6, begin, { ...inner, prompt_id: 'p2', turn_id: 'p2', prompt: 'sum it up' }),
      hook(9, end, { ...inner, prompt_id: 'p2', turn_id: 'p2' }),
      hook(9.1, over, { ...inner, reason: agent === 'pi' ? 'quit' : 'other' }),
    ])
    expect(told.at(10)).toBe('working/thinking')
  })

  test.each(named)('%s: that begins while this one is idle, and outlasts its idleness', (agent, all) => {
    const [begin, end, start] = all
    const told = play(agent, [
      hook(1, begin, { ...own, prompt_id: 'p1', turn_id: 'p1', prompt: 'go' }),
      hook(5, end, { ...own, prompt_id: 'p1', turn_id: 'p1' }),
      ...(start ? [hook(9, start, { ...inner, source: 'startup', reason: 'startup' })] : []),
      hook(10, begin, { ...inner, prompt_id: 'p2', turn_id: 'p2', prompt: 'sum it up' }),
      hook(15, begin, { ...own, prompt_id: 'p3', turn_id: 'p3', prompt: 'and now this' }),
      hook(20, end, { ...inner, prompt_id: 'p2', turn_id: 'p2' }),
      hook(30, end, { ...own, prompt_id: 'p3', turn_id: 'p3' }),
    ])
    expect(told.at(21)).toBe('working/thinking')
    expect(told.at(31)).toBe('idle/turn')
  })

  test('its permission is no dialog of this one', () => {
    const told = play('codex', [
      hook(1, 'UserPromptSubmit', { ...own, turn_id: 'p1' }),
      hook(5, 'PermissionRequest', { ...inner, turn_id: 'p2', tool_name: 'Bash' }),
    ])
    expect(told.at(6)).toBe('working/thinking')
  })

  test('a session that is taken up again in the same process is its own again', () => {
    const other = { session_id: 'other' }
    const told = play('claude', [
      hook(1, 'UserPromptSubmit', { ...own, prompt_id: 'p1', prompt: 'go' }),
      hook(2, 'Stop', { ...own, prompt_id: 'p1' }),
      hook(3, 'SessionEnd', { ...own, reason: 'resume' }),
      hook(3.1, 'SessionStart', { ...other, source: 'resume' }),
      hook(4, 'UserPromptSubmit', { ...other, prompt_id: 'p2', prompt: 'go' }),
      hook(5, 'Stop', { ...other, prompt_id: 'p2' }),
      hook(6, 'SessionEnd', { ...other, reason: 'resume' }),
      hook(6.1, 'SessionStart', { ...own, source: 'resume' }),
      hook(7, 'UserPromptSubmit', { ...own, prompt_id: 'p3', prompt: 'go' }),
      hook(9, 'SessionEnd', { ...own, reason: 'resume' }),
      hook(9.1, 'SessionStart', { ...other, source: 'resume' }),
      hook(12, 'UserPromptSubmit', { ...other, prompt_id: 'p4', prompt: 'go' }),
      hook(14, 'Stop', { ...other, prompt_id: 'p4' }),
    ])
    expect(told.at(8)).toBe('working/thinking')
    expect(told.at(13)).toBe('working/thinking')
    expect(told.at(15)).toBe('idle/turn')
  })

  test.each([
    ['claude', 'SessionEnd', 'SessionStart'],
    ['gemini', 'SessionEnd', 'SessionStart'],
    ['copilot', 'sessionEnd', 'sessionStart'],
  ] as const)('%s: the late end of the session before is no exit', (agent, over, start) => {
    const begin = turns[agent][0]
    const told = play(agent, [
      hook(1, begin, { ...own, prompt_id: 'p1', prompt: 'go' }),
      hook(2, turns[agent][1], { ...own, prompt_id: 'p1' }),
      hook(3, start, { ...inner, source: 'clear' }),
      hook(3.1, over, { ...own, reason: 'other' }),
    ])
    expect(told.at(5)).not.toBe('exited')
  })
})

describe('a subagent in hooks', () => {
  test.each(['codex', 'qwen'] as const)('%s: asks, and ends nothing of the turn', agent => {
    const sub = { session_id: 'own', turn_id: 'p1', prompt_id: 'p1', agent_id: 'a1', agent_type: 'worker' }
    const turn = { session_id: 'own', turn_id: 'p1', prompt_id: 'p1', prompt: 'go' }
    const told = play(agent, [
      hook(1, 'UserPromptSubmit', turn),
      hook(2, 'PermissionRequest', { ...turn, tool_name: 'Bash' }),
      hook(3, 'PostToolUse', { ...sub, tool_name: 'Bash' }),
      hook(4, 'PostToolUse', { ...turn, tool_name: 'Bash' }),
      hook(5, 'PermissionRequest', { ...sub, tool_name: 'Bash' }),
      hook(6, 'PostToolUse', { ...turn, tool_name: 'Read' }),
      hook(9, 'PostToolUse', { ...sub, tool_name: 'Bash' }),
      hook(10, 'Stop', { ...sub }),
      hook(20, 'Stop', turn),
    ])
    expect(told.at(3.5)).toBe('waiting/permission')
    expect(told.at(4)).toBe('working/thinking')
    expect(told.at(7)).toBe('waiting/permission')
    expect(told.at(9)).toBe('working/thinking')
    expect(told.at(11)).toBe('working/thinking')
    expect(told.at(21)).toBe('idle/turn')
  })
})

describe('opencode: a second session in one process', () => {
  const created = (t: number, id: string, parentID?: string) =>
    hook(t, 'session.created', { sessionID: id, info: { id, parentID } })
  const prompt = (t: number, sessionID: string, id: string, at = t) =>
    hook(t, 'message.updated', { sessionID, info: { id, role: 'user', time: { created: epochMs(at) } } })
  const idle = (t: number, sessionID: string) => hook(t, 'session.idle', { sessionID })

  test('the end of either ends nothing of the other', () => {
    const both = [created(0.5, 'a'), prompt(1, 'a', 'm1'), created(3, 'b'), prompt(5, 'b', 'm2')]
    const second = play('opencode', [...both, idle(9, 'b'), idle(20, 'a')])
    expect(second.at(6)).toBe('working/thinking')
    expect(second.at(10)).toBe('working/background')
    expect(second.at(21)).toBe('idle/turn')
    const first = play('opencode', [...both, idle(9, 'a'), idle(20, 'b')])
    expect(first.at(10)).toBe('working/thinking')
    expect(first.at(21)).toBe('idle/turn')
  })

  test('one that is begun and gets no prompt leaves the first its turn', () => {
    const told = play('opencode', [
      created(0.5, 'a'),
      prompt(1, 'a', 'm1'),
      created(3, 'b'),
      prompt(4, 'a', 'm1', 1),
      idle(9, 'a'),
    ])
    expect(told.at(8)).toBe('working/thinking')
    expect(told.at(10)).toBe('idle/turn')
  })

  test('the first one’s permission is open, whatever the second does', () => {
    const told = play('opencode', [
      created(0.5, 'a'),
      prompt(1, 'a', 'm1'),
      hook(2, 'permission.asked', { sessionID: 'a', id: 'per1' }),
      created(3, 'b'),
      prompt(5, 'b', 'm2'),
      prompt(6, 'a', 'm1', 1),
      idle(9, 'b'),
      hook(12, 'permission.replied', { sessionID: 'a', requestID: 'per1' }),
      idle(20, 'a'),
    ])
    expect(told.at(7)).toBe('waiting/permission')
    expect(told.at(10)).toBe('waiting/permission')
    expect(told.at(13)).toBe('working/background')
    expect(told.at(21)).toBe('idle/turn')
  })

  test('a person goes back to the first', () => {
    const told = play('opencode', [
      created(0.5, 'a'),
      prompt(1, 'a', 'm1'),
      idle(2, 'a'),
      created(3, 'b'),
      prompt(5, 'b', 'm2'),
      prompt(8, 'a', 'm3'),
      idle(9, 'a'),
      idle(20, 'b'),
    ])
    expect(told.at(10)).toBe('working/background')
    expect(told.at(21)).toBe('idle/turn')
  })

  test('a subagent that takes a prompt stays one', () => {
    const told = play('opencode', [
      created(0.5, 'a'),
      prompt(1, 'a', 'm1'),
      created(3, 'c', 'a'),
      prompt(4, 'c', 'm2'),
      idle(9, 'c'),
    ])
    expect(told.at(10)).toBe('working/thinking')
  })
})

describe('rows of a headless run', () => {
  test.each(['claude', 'qwen'] as const)('%s: of another session', agent => {
    const told = headless(
      agent,
      { type: 'system', subtype: 'init', session_id: 'own' },
      { type: 'system', subtype: 'init', session_id: 'inner' },
      { type: 'result', subtype: 'success', is_error: false, session_id: 'inner', result: 'x', num_turns: 1 },
      { type: 'result', subtype: 'success', is_error: false, session_id: 'own', result: 'y', num_turns: 1 },
    )
    expect(told.slice(2)).toEqual(['working/thinking', 'idle/turn'])
  })

  test.each([
    ['codex', 'thread_id', 'thread.started', 'turn.completed', {}],
    ['gemini', 'session_id', 'init', 'result', { status: 'success' }],
  ] as const)('%s: that begin within the turn end before it', (agent, id, begin, end, more) => {
    const told = headless(
      agent,
      { type: begin, [id]: 'own' },
      { type: begin, [id]: 'own' },
      { type: begin, [id]: 'inner' },
      { type: end, ...more },
      { type: end, ...more },
    )
    expect(told.slice(3)).toEqual(['working/thinking', 'idle/turn'])
  })

  test('opencode: of another session', () => {
    const step = (type: string, sessionID: string, reason?: string) => ({ type, sessionID, part: { reason } })
    const told = headless(
      'opencode',
      step('step_start', 'own'),
      step('step_start', 'inner'),
      step('step_finish', 'inner', 'stop'),
      { type: 'error', sessionID: 'inner', error: { name: 'APIError' } },
      step('step_finish', 'own', 'stop'),
    )
    expect(told.slice(2)).toEqual(['working/thinking', 'working/thinking', 'idle/turn'])
  })

  test('copilot: of a subagent', () => {
    const inside = { agentId: 'a1' }
    const told = headless(
      'copilot',
      { type: 'user.message', data: {} },
      { type: 'assistant.message', data: { toolRequests: [{}] } },
      { type: 'assistant.message', ...inside, data: { content: 'found it', toolRequests: [] } },
      { type: 'assistant.turn_end', ...inside, data: {} },
      { type: 'assistant.idle', ...inside, data: {} },
      { type: 'session.error', ...inside, data: { message: 'x' } },
    )
    expect(told.slice(1)).toEqual(Array(5).fill('working/tool'))
  })

  test('cline: of a subagent', () => {
    const told = headless(
      'cline',
      { type: 'hook_event', hookEventName: 'agent_start' },
      { type: 'run_result', parentAgentId: 'a', finishReason: 'completed' },
    )
    expect(told).toEqual(['working/thinking', 'working/thinking'])
  })
})

describe('logs', () => {
  const copilot = (t: number, type: string, more: object = {}) =>
    line(t, { type, timestamp: stamp(t), ...more })

  test('copilot: a subagent’s events end nothing; its permission is a dialog; one that goes on is work', () => {
    const told = play('copilot', [
      copilot(1, 'user.message', { data: {} }),
      copilot(2, 'assistant.message', { data: { toolRequests: [{}] } }),
      copilot(2.1, 'subagent.started', { data: { toolCallId: 'c1' } }),
      copilot(3, 'assistant.message', { data: { content: 'found it', parentToolCallId: 'c1' } }),
      copilot(3.1, 'assistant.turn_end', { data: { parentToolCallId: 'c1' } }),
      copilot(5, 'permission.requested', { agentId: 'a1', data: { requestId: 'r1' } }),
      copilot(7, 'permission.completed', { agentId: 'a1', data: { requestId: 'r1' } }),
      copilot(8, 'assistant.message', { data: { content: 'it goes on' } }),
      copilot(8.1, 'assistant.turn_end', { data: {} }),
      copilot(20, 'subagent.completed', { data: { toolCallId: 'c1' } }),
    ])
    expect(told.at(4)).toBe('working/tool')
    expect(told.at(6)).toBe('waiting/permission')
    expect(told.at(7.5)).toBe('working/tool')
    expect(told.at(9)).toBe('working/background')
    // Its end begins a turn, or nothing comes of it.
    expect([told.at(34), told.at(36)]).toEqual(['working/background', 'idle/turn'])
  })

  const rollout = (t: number, type: string, payload: object, path: string) =>
    line(t, { type, timestamp: stamp(t), payload }, path)

  test('codex: the file of a subagent’s thread', () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: 'own' } } }
    const told = play('codex', [
      rollout(0.5, 'session_meta', { id: 'own', source: 'cli' }, 'a.jsonl'),
      rollout(1, 'event_msg', { type: 'task_started', turn_id: 't1' }, 'a.jsonl'),
      rollout(2, 'session_meta', { id: 'sub', source, thread_source: 'subagent' }, 'b.jsonl'),
      rollout(2, 'session_meta', { id: 'own', source: 'cli' }, 'b.jsonl'),
      rollout(3, 'event_msg', { type: 'task_started', turn_id: 't2' }, 'b.jsonl'),
      rollout(9, 'event_msg', { type: 'task_complete', turn_id: 't2' }, 'b.jsonl'),
      rollout(20, 'event_msg', { type: 'task_complete', turn_id: 't1' }, 'a.jsonl'),
    ])
    expect(told.at(10)).toBe('working/thinking')
    expect(told.at(21)).toBe('idle/turn')
    expect(told.verdict(21).turn).toBe(1)
    expect(told.session.facts.agentSession).toBe('own')
  })

  test('gemini: the file of a subagent’s chat', () => {
    const told = play('gemini', [
      line(0.5, { sessionId: 'own', kind: 'main' }, 'a.jsonl'),
      line(1, { type: 'user', timestamp: stamp(1), content: [{ text: 'go' }] }, 'a.jsonl'),
      line(2, { sessionId: 'sub', kind: 'subagent' }, 'b.jsonl'),
      line(9, { type: 'error', timestamp: stamp(9), content: 'no' }, 'b.jsonl'),
    ])
    expect(told.at(10)).toBe('working/thinking')
  })

  test.each(['claude', 'qwen'] as const)('%s: a subagent’s lines', agent => {
    const message = {
      content: [{ type: 'text', text: 'x' }],
      parts: [{ text: 'x' }],
      stop_reason: 'end_turn',
    }
    const told = play(agent, [
      line(1, { type: 'user', provenance: 'real_user', timestamp: stamp(1), message: { content: 'go' } }),
      line(5, { type: 'assistant', isSidechain: true, timestamp: stamp(5), message }),
      line(9, { type: 'assistant', timestamp: stamp(9), message }),
    ])
    expect(told.at(6)).toBe('working/thinking')
    expect(told.at(10)).toBe('idle/turn')
  })
})
