/** Work beside the turns ends by itself: the newest list is the truth, and the result of work that has ended begins a turn. */
import { describe, expect, test } from 'vitest'
import { claudeStatus, hook, line, play, stamp } from '../support/scenario.ts'

const prompt = (t: number, id: string, text = 'audit it') =>
  hook(t, 'UserPromptSubmit', { prompt_id: id, prompt: text })
const stop = (t: number, tasks: readonly object[], more: object = { prompt_id: 'p1' }) =>
  hook(t, 'Stop', { background_tasks: tasks, ...more })
const audit = { id: 'a1', type: 'subagent', status: 'running', description: 'audit' }
const build = { id: 'b1', type: 'shell', status: 'running', command: 'make' }
const agent = { agent_id: 'a1', agent_type: 'Explore' }

describe('the newest list of background work is the truth', () => {
  test.each([
    ['names the turn that has ended', { prompt_id: 'p1' }],
    ['names no turn', {}],
  ])('where the Stop hook %s', (_, more) => {
    const notice = hook(66, 'Notification', { notification_type: 'idle_prompt', prompt_id: 'p1' })
    const told = play('claude', [prompt(1, 'p1'), stop(4, [build]), notice, stop(120, [], more)])
    expect(told.path).toEqual(['starting', 'working/thinking', 'working/background', 'idle/turn'])
    expect([told.at(119), told.at(121)]).toEqual(['working/background', 'idle/turn'])
  })

  test('of two that go on one is over', () => {
    const lists = [stop(4, [build, { ...build, id: 'b2' }]), stop(50, [build]), stop(90, [])]
    const told = play('claude', [prompt(1, 'p1'), ...lists])
    expect([told.at(51), told.at(91)]).toEqual(['working/background', 'idle/turn'])
  })

  test('a list of the turn before ends no dialog of this turn', () => {
    const told = play('claude', [
      prompt(1, 'p1'),
      stop(4, [build]),
      prompt(20, 'p2', 'and this'),
      hook(21, 'PermissionRequest', { prompt_id: 'p2', tool_name: 'Bash' }),
      stop(22, []),
    ])
    expect(told.at(23)).toBe('waiting/permission')
  })
})

test('a Stop hook with the id of a subagent ends no turn, though it names no type', () => {
  const told = play('claude', [
    prompt(1, 'p1'),
    hook(2, 'PreToolUse', { prompt_id: 'p1', tool_name: 'Agent', tool_use_id: 'u1' }),
    hook(10, 'Stop', { prompt_id: 'p1', agent_id: 'a1' }),
    hook(20, 'PostToolUse', { prompt_id: 'p1', tool_name: 'Agent', tool_use_id: 'u1' }),
    stop(30, []),
  ])
  expect([told.at(15), told.at(25), told.at(31)]).toEqual(['working/tool', 'working/thinking', 'idle/turn'])
})

describe('a subagent that has ended after the turn owes a wake', () => {
  const begun = [prompt(1, 'p1'), hook(2, 'SubagentStart', { prompt_id: 'p1', ...agent }), stop(4, [audit])]
  const ended = hook(90, 'SubagentStop', { prompt_id: 'p1', ...agent, background_tasks: [] })

  test('until its result begins a turn', () => {
    const told = play('claude', [
      ...begun,
      ended,
      prompt(96, 'p2', 'a1 is done'),
      stop(99, [], { prompt_id: 'p2' }),
    ])
    expect([told.at(95.9), told.at(97)]).toEqual(['working/background', 'working/thinking'])
    expect([told.at(99.1), told.session.turns.count]).toEqual(['idle/turn', 2])
  })

  test('for 15 s', () => {
    const told = play('claude', [...begun, ended])
    expect([told.at(104.9), told.at(105.1)]).toEqual(['working/background', 'idle/turn'])
  })

  test('whatever the sources show that know the turn alone', () => {
    const told = play('claude', [claudeStatus(1.1, 'busy'), ...begun, ended, claudeStatus(90.1, 'idle')])
    expect([told.at(93), told.at(104.9), told.at(106)]).toEqual([
      'working/background',
      'working/background',
      'idle/turn',
    ])
  })

  test('and a turn that only the transcript shows is its wake, too', () => {
    const user = line(96, { type: 'user', timestamp: stamp(96), message: { content: 'a1 is done' } })
    const last = { stop_reason: 'end_turn', content: [{ type: 'text', text: 'All is well.' }] }
    const answer = line(98, { type: 'assistant', timestamp: stamp(98), message: last })
    expect(play('claude', [...begun, ended, user, answer]).at(98.2)).toBe('idle/turn')
  })

  test('as the notice in the transcript reports it, where no hooks are', () => {
    const notice = '<task-notification>\n<task-id>b1</task-id>\n</task-notification>'
    const user = (t: number, more: object) =>
      line(t, { type: 'user', timestamp: stamp(t), promptId: 'p1', ...more })
    const rows = [
      user(1, { message: { content: 'build it' } }),
      user(3, {
        toolUseResult: { backgroundTaskId: 'b1' },
        message: { content: [{ type: 'tool_result', tool_use_id: 'u1', content: 'it runs' }] },
      }),
      line(4, {
        type: 'assistant',
        timestamp: stamp(4),
        message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'It runs.' }] },
      }),
      line(60, { type: 'queue-operation', operation: 'enqueue', timestamp: stamp(60), content: notice }),
    ]
    const told = play('claude', rows)
    expect([told.at(5), told.at(74.9), told.at(76)]).toEqual([
      'working/background',
      'working/background',
      'idle/turn',
    ])
  })

  test('not where the turn goes on and takes its result', () => {
    const told = play('claude', [
      prompt(1, 'p1'),
      hook(2, 'SubagentStart', { prompt_id: 'p1', ...agent }),
      hook(5, 'SubagentStop', { prompt_id: 'p1', ...agent }),
      hook(8, 'Stop', { prompt_id: 'p1' }),
    ])
    expect([told.at(6), told.at(8.1)]).toEqual(['working/thinking', 'idle/turn'])
  })

  test('and a helper that nobody saw begin owes none', () => {
    const helper = hook(20, 'SubagentStop', { prompt_id: 'p1', agent_id: 'h1', agent_type: 'helper' })
    expect(play('claude', [prompt(1, 'p1'), stop(4, []), helper]).at(21)).toBe('idle/turn')
  })
})
