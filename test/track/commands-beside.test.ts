/** Commands in the background of Codex and Copilot CLI: rows as they write them, verdicts out. */
import { describe, expect, test } from 'vitest'
import { hook, line, play, type Row, stamp, status7501, title } from '../support/scenario.ts'

const rollout = (t: number, payload: object): Row =>
  line(t, { timestamp: stamp(t), type: 'event_msg', payload: { turn_id: 't1', ...payload } })
const item = (t: number, payload: object): Row =>
  line(t, { timestamp: stamp(t), type: 'response_item', payload })

const head = (rest: string) => `Chunk ID: 962a2a\nWall time: 0.2516 seconds\n${rest}`
const running = head('Process running with session ID 60444\nOriginal token count: 0\nOutput:\n')
const codexTurn = (cmd: string, output: string): readonly Row[] => [
  rollout(1, { type: 'task_started' }),
  item(2, { type: 'function_call', name: 'exec_command', call_id: 'c1', arguments: JSON.stringify({ cmd }) }),
  item(2.3, { type: 'function_call_output', call_id: 'c1', output }),
  rollout(4, { type: 'task_complete', last_agent_message: 'It runs.' }),
]
const codexEnd = (t: number, id = 'c1') =>
  rollout(t, { type: 'item_completed', item: { type: 'CommandExecution', id, exit_code: 0 } })

describe('Codex', () => {
  test('a command that outlives its turn is work until its end is reported', () => {
    const told = play('codex', [...codexTurn('make all', running), codexEnd(40)])
    expect(told.path).toEqual([
      'starting',
      'working/thinking',
      'working/tool',
      'working/thinking',
      'working/background',
      'idle/turn',
    ])
    expect([told.at(39.9), told.at(40.1)]).toEqual(['working/background', 'idle/turn'])
    expect(told.verdict(20).turnOver).toBe(true)
  })

  test('by its name while it runs', () => {
    const told = play('codex', codexTurn('make all', running))
    expect(told.session.facts.background).toEqual([{ kind: 'task', what: 'make all' }])
  })

  test('also where another turn comes and goes', () => {
    const next = [
      rollout(20, { type: 'task_started', turn_id: 't2' }),
      rollout(25, { type: 'task_complete', turn_id: 't2', last_agent_message: 'Hello.' }),
    ]
    const told = play('codex', [...codexTurn('make all', running), ...next, codexEnd(40)])
    expect([told.at(22), told.at(26), told.at(41)]).toEqual([
      'working/thinking',
      'working/background',
      'idle/turn',
    ])
  })

  test('though title and status show that the turn is over', () => {
    const signs = [title(1.1, '⠋ work'), status7501(1.1, 'state=working:app=codex')]
    const ends = [title(4.1, 'work'), status7501(4.1, 'state=done:app=codex')]
    const told = play('codex', [...signs, ...codexTurn('make all', running), ...ends])
    expect([told.at(5), told.at(60)]).toEqual(['working/background', 'working/background'])
  })

  test.each([
    ['a server', 'npm run dev', running],
    ['a command that ended in its call', 'make', head('Process exited with code 0\nOutput:\nmade')],
    [
      'one that prints so',
      'cat log',
      head('Process exited with code 0\nOutput:\nProcess running with session ID 1'),
    ],
  ])('%s is no work beside the turn', (_, cmd, output) => {
    expect(play('codex', codexTurn(cmd, output)).at(5)).toBe('idle/turn')
  })

  test('what is written to it later begins no other', () => {
    const told = play('codex', [
      ...codexTurn('make all', running).slice(0, 3),
      item(3, {
        type: 'function_call',
        name: 'write_stdin',
        call_id: 'c2',
        arguments: '{"session_id":60444}',
      }),
      item(3.2, { type: 'function_call_output', call_id: 'c2', output: running }),
      rollout(4, { type: 'task_complete' }),
      codexEnd(9),
    ])
    expect([told.at(8), told.at(9.1)]).toEqual(['working/background', 'idle/turn'])
  })
})

const event = (t: number, type: string, data: object): Row => line(t, { timestamp: stamp(t), type, data })
const begun = '<command started in background with shellId: 0>'
const notice = 'Shell command "Build it" (shellId: 0) has completed successfully.'
const asked = { toolName: 'bash', toolCallId: 'c1', arguments: { command: 'make all', mode: 'async' } }
const copilotTurn: readonly Row[] = [
  event(1, 'user.message', { content: 'build it' }),
  event(1.1, 'assistant.turn_start', {}),
  event(2, 'assistant.message', { content: '', toolRequests: [{}] }),
  event(2.1, 'tool.execution_start', asked),
  event(2.3, 'tool.execution_complete', { toolCallId: 'c1', result: { content: begun } }),
  event(2.4, 'assistant.turn_start', {}),
  event(3, 'assistant.message', { content: 'It runs.', toolRequests: [] }),
  event(3.1, 'assistant.turn_end', {}),
]
const completed = event(30, 'system.notification', { kind: { type: 'shell_completed', shellId: '0' } })

describe('Copilot CLI', () => {
  test('a command that outlives its turn is work until its notice, which begins a turn', () => {
    const told = play('copilot', [
      ...copilotTurn,
      completed,
      event(32, 'assistant.turn_start', {}),
      event(33, 'assistant.message', { content: 'It is done.', toolRequests: [] }),
      event(33.1, 'assistant.turn_end', {}),
    ])
    expect([told.at(4), told.at(29)]).toEqual(['working/background', 'working/background'])
    expect([told.at(31), told.at(32.1), told.at(34)]).toEqual([
      'working/background',
      'working/thinking',
      'idle/turn',
    ])
  })

  test('where the notice begins none, it is idle after 15 s', () => {
    const told = play('copilot', [...copilotTurn, completed])
    expect([told.at(44.9), told.at(45.1)]).toEqual(['working/background', 'idle/turn'])
    expect(told.session.facts.background).toEqual([])
  })

  test('its hooks alone show the same', () => {
    const command = { toolName: 'bash', toolArgs: { command: 'make all' } }
    const told = play('copilot', [
      hook(1, 'userPromptSubmitted', { sessionId: 's', prompt: 'build it' }),
      hook(2, 'preToolUse', { sessionId: 's', ...command }),
      hook(2.3, 'postToolUse', { sessionId: 's', ...command, toolResult: { textResultForLlm: begun } }),
      hook(3, 'agentStop', { sessionId: 's' }),
      hook(30, 'userPromptSubmitted', {
        sessionId: 's',
        prompt: `<system_notification>\n${notice}\n</system_notification>`,
      }),
      hook(30.1, 'notification', { sessionId: 's', notification_type: 'shell_completed', message: notice }),
      hook(33, 'agentStop', { sessionId: 's' }),
    ])
    expect([told.at(4), told.at(29), told.at(31), told.at(34)]).toEqual([
      'working/background',
      'working/background',
      'working/thinking',
      'idle/turn',
    ])
    // What the program wrote is no prompt of its person.
    expect(told.session.facts.prompt).toBe('build it')
  })

  test('a subagent that ends after the turn owes a wake', () => {
    const told = play('copilot', [
      event(1, 'user.message', { content: 'look at it' }),
      event(2, 'subagent.started', { toolCallId: 'a1' }),
      event(3, 'assistant.message', { content: 'It looks.', toolRequests: [] }),
      event(3.1, 'assistant.turn_end', {}),
      event(20, 'subagent.completed', { toolCallId: 'a1' }),
    ])
    expect([told.at(19), told.at(34), told.at(36)]).toEqual([
      'working/background',
      'working/background',
      'idle/turn',
    ])
  })
})

describe('a screen that counts the commands in the background', () => {
  const edge = '─'.repeat(60)
  const half = ['▄'.repeat(60), '▀'.repeat(60)] as const
  const field = ' >   Type your message or @path/to/file'
  const screens: Readonly<Record<string, (count: string) => readonly string[]>> = {
    gemini: count => [
      '✦ It runs.',
      '',
      edge,
      ` Shift+Tab to accept edits          ${count}`,
      half[0],
      field,
      half[1],
    ],
    qwen: count => ['  ◆︎ It runs.', '', edge, field, edge, '  ➜ work', `  ⏸ Ask permissions${count}`],
    grok: count => [
      '     It runs.',
      '     Worked for 0.2s',
      `    ${count}`,
      `  ╭${edge}`,
      '  │ ❯',
      `  ╰${edge}`,
      '  Shift+Tab:mode  │  Ctrl+x:shortcuts',
    ],
  }
  const look = (t: number, rows: readonly string[]): Row => [t, 'f', { rows, isStill: true }]

  test.each([
    ['gemini', '1 Background process'],
    ['gemini', '2 Background processes'],
    ['qwen', ' · 1 shell'],
    ['qwen', ' · 2 shells · 1 agent'],
    ['grok', '◉ 1 command still running'],
  ] as const)('%s: %s', (agent, count) => {
    const rows = screens[agent] as (count: string) => readonly string[]
    const told = play(agent, [look(20, rows(count)), look(40, rows(''))], { attached: true, until: 50 })
    expect([told.at(21), told.at(41)]).toEqual(['working/background', 'idle'])
  })

  test('a title that shows the end of the turn does not hide them', () => {
    const rows = screens.gemini?.('1 Background process') ?? []
    const told = play(
      'gemini',
      [title(10, '◇  Ready (work)'), look(20, rows), title(22, '◇  Ready (work)')],
      {
        attached: true,
        until: 30,
      },
    )
    expect([told.at(15), told.at(21), told.at(23)]).toEqual([
      'idle',
      'working/background',
      'working/background',
    ])
  })

  test('they count at once after the end of a turn, as no late report of it', () => {
    const rows = screens.qwen?.(' · 1 shell') ?? []
    const told = play('qwen', [
      hook(1, 'UserPromptSubmit', { prompt_id: 'p', prompt: 'go' }),
      look(4.9, rows),
      hook(5, 'Stop', { prompt_id: 'p' }),
      look(6, rows),
    ])
    expect(told.at(8)).toBe('working/background')
  })
})
