import { describe, expect, test } from 'vitest'
import { heldSince } from '../../src/core/explain/explain.ts'
import { runs } from '../../src/track/granted.ts'
import { claudeStatus, hook, line, play, stamp, title } from '../support/scenario.ts'

/** A permission is asked for, granted, and its tool runs: what is told from the grant on. */

const turn = { session_id: 's', prompt_id: 'p1' }
const begun = hook(1, 'UserPromptSubmit', { ...turn, prompt: 'go' })
const asks = (t: number, tool: string, input: object = {}) =>
  hook(t, 'PermissionRequest', { ...turn, tool_name: tool, tool_input: input })

describe('the text of a question', () => {
  const question = (rows: Parameters<typeof play>[1], until: number) =>
    play('claude', rows, { until }).session.facts.question

  test('stands while its dialog is open', () => {
    expect(question([begun, asks(2, 'Bash', { command: 'make' })], 9)).toBe('make')
  })

  test('is dropped with the answer', () => {
    const done = hook(5, 'PostToolUse', { ...turn, tool_name: 'Bash' })
    expect(question([begun, asks(2, 'Bash', { command: 'make' }), done], 9)).toBeUndefined()
  })

  test('is dropped where only a status tells of the answer', () => {
    const rows = [begun, claudeStatus(1.1, 'busy'), asks(2, 'Bash', { command: 'make' })]
    const told = [claudeStatus(2.1, 'waiting', 'permission prompt'), claudeStatus(5, 'busy')]
    expect(question([...rows, ...told], 3)).toBe('make')
    expect(question([...rows, ...told], 9)).toBeUndefined()
  })

  test('is not that of the dialog before', () => {
    const rows = [begun, asks(2, 'Bash', { command: 'make' }), asks(5, 'ExitPlanMode')]
    expect(question(rows, 4)).toBe('make')
    expect(question(rows, 9)).toBeUndefined()
  })

  test('is the fuller of two that tell of one dialog', () => {
    const rows = [begun, asks(2, 'Bash', { command: 'make all' }), asks(3, 'Bash', { command: 'make' })]
    expect(question(rows, 9)).toBe('make all')
  })

  test('stays where a second source tells of the same dialog without it', () => {
    const asked = {
      type: 'assistant',
      timestamp: stamp(2.1),
      message: { content: [{ type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: {} }] },
    }
    const rows = [
      begun,
      asks(2, 'AskUserQuestion', { questions: [{ question: 'Which one?' }] }),
      line(2.3, asked),
    ]
    expect(question(rows, 9)).toBe('Which one?')
  })

  test('is told by the transcript of Claude Code alone', () => {
    const input = { questions: [{ question: 'Which one?' }] }
    const asked = {
      type: 'assistant',
      timestamp: stamp(2.1),
      message: { content: [{ type: 'tool_use', id: 't1', name: 'AskUserQuestion', input }] },
    }
    expect(question([begun, line(2.3, asked)], 9)).toBe('Which one?')
  })
})

describe('since when the tool runs', () => {
  const call = {
    type: 'assistant',
    timestamp: stamp(2),
    message: { stop_reason: 'tool_use', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
  }
  const prompt = { type: 'user', promptId: 'p1', timestamp: stamp(1), message: { content: 'go' } }

  test('from the grant, also for who reads only afterwards what was written', () => {
    const late = play('claude', [line(1, prompt), line(2, call), claudeStatus(30, 'busy')], {
      attached: true,
      until: 60,
    })
    expect(late.at(60)).toBe('working/tool')
    expect(heldSince(late.session.verdict)).toBe(30_000)
  })

  test('from the call, where its status came with it', () => {
    const rows = [line(1, prompt), claudeStatus(1.1, 'busy'), line(2, call)]
    expect(heldSince(play('claude', rows, { until: 60 }).session.verdict)).toBe(2000)
  })

  test('gemini: the title ends the dialog of a hook', () => {
    const told = play(
      'gemini',
      [
        hook(0.5, 'SessionStart', { session_id: 's', source: 'startup' }),
        title(0.6, '◇  Ready (a)'),
        hook(1, 'BeforeAgent', { session_id: 's' }),
        title(1.1, '✦  Working… (a)'),
        hook(2, 'BeforeTool', { session_id: 's', tool_name: 'run_shell_command' }),
        hook(2.1, 'Notification', {
          notification_type: 'ToolPermission',
          details: { type: 'exec', command: 'make' },
        }),
        title(2.2, '✋  Action Required (a)'),
        title(9, '✦  Working… (a)'),
      ],
      { until: 60 },
    )
    expect(told.at(5)).toBe('waiting/permission')
    expect(told.at(9.1)).toBe('working')
    expect(heldSince(told.session.verdict)).toBe(9000)
    expect(told.session.facts.question).toBeUndefined()
  })
})

describe('a command that runs was allowed', () => {
  const sample = (t: number, ...lines: readonly string[]) =>
    [
      t,
      'p',
      { procs: [{ pid: 7, cmd: 'opencode' }, ...lines.map((cmd, n) => ({ pid: 8 + n, cmd }))] },
    ] as const
  const log = (t: number, message: string) =>
    line(t, `timestamp=${stamp(t)} level=INFO run=1 message=${message}`, 'opencode.log')
  const asked = [
    log(1, 'loop session.id=main step=0'),
    log(1.1, 'process session.id=main'),
    log(2, 'asking id=per_1 permission=bash patterns="[\\"touch made.txt\\",\\"sleep 15\\"]"'),
  ]
  const tool = '/bin/bash -c touch made.txt && sleep 15'

  test('opencode: its log tells nothing of the grant, the process does', () => {
    const told = play('opencode', [...asked, sample(5), sample(9, tool)])
    expect(told.at(8)).toBe('waiting/permission')
    expect(told.at(10)).toBe('working/tool')
    expect(told.session.facts.question).toBeUndefined()
  })

  test('opencode: its shell has become the last command of the line', () => {
    const rest = (leads: boolean) =>
      play('opencode', [...asked, [9, 'p', { procs: [{ pid: 7 }, { pid: 8, cmd: 'sleep 15', leads }] }]])
    expect(rest(true).at(10)).toBe('working/tool')
    // The agent runs the same for its own ends, in its own process group.
    expect(rest(false).at(10)).toBe('waiting/permission')
  })

  test('the title that still tells of the dialog opens none again', () => {
    const told = play('gemini', [
      hook(1, 'BeforeAgent'),
      [1.5, 'f', { title: '✦  Working… (a)' }],
      hook(2, 'BeforeTool', { tool_name: 'run_shell_command' }),
      hook(2.1, 'Notification', {
        notification_type: 'ToolPermission',
        details: { type: 'exec', command: 'touch made.txt && sleep 15' },
      }),
      [3, 'f', { title: '✋  Action Required (a)' }],
      sample(9, tool),
      [10, 'f', { title: '✦  Working… (a)' }],
    ])
    expect(told.path.slice(-2)).toEqual(['waiting/permission', 'working/tool'])
  })

  test('a subagent’s command begins no turn', () => {
    const told = play('claude', [
      begun,
      hook(2, 'SubagentStart', { ...turn, agent_id: 'a', agent_type: 'Explore' }),
      hook(3, 'Stop', { ...turn, background_tasks: [{ id: 'a', type: 'subagent', status: 'running' }] }),
      hook(4, 'PermissionRequest', {
        ...turn,
        agent_id: 'a',
        agent_type: 'Explore',
        tool_name: 'Bash',
        tool_input: { command: 'make' },
      }),
      sample(9, 'bash -c make'),
    ])
    expect(told.at(8)).toBe('waiting/permission')
    expect(told.at(10)).toBe('working/background')
    expect(told.verdict(10).turn).toBe(1)
  })

  test('gemini: neither do its hooks', () => {
    const told = play('gemini', [
      hook(1, 'BeforeAgent'),
      hook(2, 'BeforeTool', { tool_name: 'run_shell_command' }),
      hook(2.1, 'Notification', {
        notification_type: 'ToolPermission',
        details: { type: 'exec', command: 'touch made.txt && sleep 15' },
      }),
      sample(9, tool),
    ])
    expect(told.at(8)).toBe('waiting/permission')
    expect(told.at(10)).toBe('working/tool')
  })

  const gone = (t: number) => [t, 'p', { dialog: 'gone' }] as const

  test('opencode: of a refusal only the screen tells; what comes of it nobody does', () => {
    const told = play('opencode', [...asked, gone(9), log(60, 'loop session.id=main step=0')])
    expect(told.at(8)).toBe('waiting/permission')
    expect(told.at(10)).toBe('working')
    expect(told.at(13)).toBe('unknown')
    expect(told.at(61)).toBe('working/thinking')
    expect(told.session.facts.question).toBeUndefined()
  })

  test('opencode: a question is gone like a permission, and without one nothing is', () => {
    const question = log(2, 'asking id=que_1 questions=1')
    expect(play('opencode', [...asked.slice(0, 2), question, gone(9)]).at(10)).toBe('working')
    expect(play('opencode', [...asked.slice(0, 2), gone(9)]).at(10)).toBe('working/thinking')
  })

  test('another command, or one that ran before, says nothing', () => {
    const told = play('opencode', [
      sample(0.5, tool),
      ...asked,
      sample(9, '/bin/bash -c touch made.txt2', 'git status'),
    ])
    expect(told.at(10)).toBe('waiting/permission')
  })

  test.each([
    ['bash -c make', 'make', true],
    ['bash -c make test', 'make', true],
    ["bash -c eval 'make' < /dev/null", 'make', true],
    ['bash -c a  &&\n b', 'a && b', true],
    ['bash -c makefile', 'make', false],
    ['bash -c remake', 'make', false],
    ['make', 'make', false],
    ['bash -c x', '', false],
    ['bash -c a; b', 'a\nb', true],
    ['bash -c b; a', 'a\nb', false],
    ['bash -c a', 'a && b', false],
    ['bash -c grep "a b" c', "grep 'a b' c", true],
  ])('%j with %j: %s', (whole, command, is) => expect(runs(whole, command)).toBe(is))
})
