/** What goes on beside a turn, and what will begin one: lists in, verdicts and facts out. */
import { describe, expect, test } from 'vitest'
import { isServer } from '../../src/agents/kit/beside-turn.ts'
import { wakesOf } from '../../src/core/evidence/beside.ts'
import { claudeStatus, hook, line, play, stamp } from '../support/scenario.ts'

const prompt = hook(1, 'UserPromptSubmit', { prompt_id: 'p', prompt: 'go' })
const stop = (t: number, tasks: readonly object[], more: object = {}) =>
  hook(t, 'Stop', { prompt_id: 'p', background_tasks: tasks, session_crons: [], ...more })
const shell = (command: string, more: object = {}) => ({
  id: 'b1',
  type: 'shell',
  status: 'running',
  command,
  ...more,
})
const mate = (id: string, more: object = {}) => ({
  id,
  type: 'teammate',
  status: 'running',
  description: 'look',
  ...more,
})

describe('when a turn ends', () => {
  test.each([
    ['a command that ends', shell('npm test'), 'working/background', 'task'],
    ['one that waits for its turn', shell('make', { status: 'pending' }), 'working/background', 'task'],
    [
      'a subagent',
      { id: 'a1', type: 'subagent', status: 'running', agent_type: 'Explore' },
      'working/background',
      'task',
    ],
    [
      'a workflow',
      { id: 'w1', type: 'workflow', status: 'running', name: 'review' },
      'working/background',
      'task',
    ],
    [
      'a kind of a later version',
      { id: 'x1', type: 'errand', status: 'running' },
      'working/background',
      'task',
    ],
    [
      'a session elsewhere',
      { id: 'r1', type: 'cloud session', status: 'running' },
      'working/background',
      'remote',
    ],
    [
      'a session elsewhere, as named before',
      { id: 'r1', type: 'remote_agent', status: 'running' },
      'working/background',
      'remote',
    ],
    ['a teammate at work', mate('t1'), 'working/background', 'task'],
    ['a teammate without work', mate('t1', { status: 'idle' }), 'idle/turn', 'teammate'],
    ['a permanent server', shell('cd web && PORT=3000 npm run dev'), 'idle/turn', 'server'],
  ])('%s', (_, entry, state, kind) => {
    const at = play('claude', [prompt, stop(5, [entry])])
    expect(at.at(6)).toBe(state)
    expect(at.session.facts.background).toMatchObject([{ kind }])
  })

  test('what is over is none', () => {
    const at = play('claude', [prompt, stop(5, [shell('npm test', { status: 'completed' })])])
    expect(at.at(6)).toBe('idle/turn')
    expect(at.session.facts.background).toEqual([])
  })

  test('however many are over, one that runs counts', () => {
    const over = Array.from({ length: 210 }, (_, n) => shell('make', { id: `o${n}`, status: 'completed' }))
    expect(play('claude', [prompt, stop(5, [...over, shell('npm test')])]).at(6)).toBe('working/background')
  })

  test('a server beside a task: the task counts', () => {
    const at = play('claude', [prompt, stop(5, [shell('npm run dev'), shell('npm test', { id: 'b2' })])])
    expect(at.at(6)).toBe('working/background')
  })

  test('a status that tells of a shell does not make a known server work, and of one that is not known it does', () => {
    const rows = [claudeStatus(1.1, 'busy'), prompt, claudeStatus(5.1, 'shell')]
    expect(play('claude', [...rows, stop(5, [shell('npm run dev')])]).at(30)).toBe('idle/turn')
    expect(play('claude', [...rows, stop(5, [])]).at(30)).toBe('working/background')
  })

  test('teammates are idle once as many as there are have said so, and not once one was given work', () => {
    const idle = (t: number, name: string) => hook(t, 'TeammateIdle', { teammate_name: name, team_name: 'x' })
    const two = [mate('t1'), mate('t2')]
    const at = play('claude', [prompt, stop(5, two), idle(6, 'ann'), idle(7, 'ann'), idle(8, 'bob')])
    expect([at.at(5.5), at.at(7.5), at.at(9)]).toEqual([
      'working/background',
      'working/background',
      'idle/turn',
    ])
    const next = hook(20, 'UserPromptSubmit', { prompt_id: 'q', prompt: 'more' })
    const send = hook(21, 'PreToolUse', { prompt_id: 'q', tool_name: 'SendMessage', tool_use_id: 's' })
    const rows = [prompt, stop(5, two), idle(6, 'ann'), idle(8, 'bob'), next]
    expect(play('claude', [...rows, stop(25, two, { prompt_id: 'q' })]).at(26)).toBe('idle/turn')
    expect(play('claude', [...rows, send, stop(25, two, { prompt_id: 'q' })]).at(26)).toBe(
      'working/background',
    )
  })

  test('Qwen Code writes the same list', () => {
    const rows = (entry: object) => [
      hook(1, 'UserPromptSubmit', { prompt_id: 'p', prompt: 'go' }),
      hook(5, 'Stop', { prompt_id: 'p', background_tasks: [entry] }),
    ]
    expect(play('qwen', rows(shell('vite'))).at(6)).toBe('idle/turn')
    expect(play('qwen', rows(shell('sleep 15'))).at(6)).toBe('working/background')
  })
})

test.each([
  ...[
    'npm run dev',
    'pnpm dev --port 3000',
    'yarn start',
    'bun run dev:web',
    'npx vite',
    'vite --host',
    'next dev -p 4000',
  ],
  ...[
    'cd app && npm start',
    'python3 -m http.server 8000',
    'python manage.py runserver',
    'flask run',
    'uvicorn app:app --reload',
  ],
  ...[
    'bin/rails server',
    'php -S localhost:8000',
    'docker compose up',
    'tail -f log/dev.log',
    'npx tsc --watch',
    'nohup npm run dev',
    'npm run dev 2>&1',
    'npm run dev &',
    'npx tsc -w',
    'php -S localhost:8000 -t public',
    'flask run -h 0.0.0.0',
  ],
])('%s is a server', command => {
  expect(isServer(command)).toBe(true)
})

test.each([
  ...[
    'npm test',
    'npm run build',
    'npm run start-and-test',
    'vite build',
    'next build',
    'sleep 15; echo bgdone',
    'make serve-docs-check',
  ],
  ...[
    'npm run dev && npm test',
    'docker compose up -d',
    'python3 train.py',
    'echo npm run dev',
    'tail -n 5 log',
    'gh pr checks --watch',
    'grep -- --watchdog x',
    '',
  ],
  ...[
    'tail --pid=4711 -f /dev/null',
    'tail -F build.log --pid 4711',
    'docker compose up --abort-on-container-exit',
    'docker compose up --build --exit-code-from tests',
    'npx jest -w 4',
    'node scripts/format.js -w src',
    'npx vitest --watch false',
    'npm run dev & npm test',
    'make test # && npm run dev',
    'npm run dev:migrate',
    'npm start -- --once',
    'nginx -t',
    `${'x'.repeat(989)}; npm run dev && npm test`,
  ],
])('%s is none: it ends', command => {
  expect(isServer(command)).toBe(false)
})

describe('what will begin a turn by itself', () => {
  const kinds = (at: ReturnType<typeof play>, seconds: number) =>
    wakesOf(at.session.facts, seconds * 1000).map(({ kind }) => kind)
  const call = (t: number, id: string, name: string) =>
    line(t, {
      type: 'assistant',
      timestamp: stamp(t),
      message: { stop_reason: 'tool_use', content: [{ type: 'tool_use', id, name, input: {} }] },
    })
  const result = (t: number, id: string, toolUseResult: object) =>
    line(t, {
      type: 'user',
      promptId: 'p',
      timestamp: stamp(t),
      toolUseResult,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    })

  test('schedules of the session and watches, as Stop lists them; it is idle all the same', () => {
    const crons = [
      { id: 'c1', schedule: '0 9 * * 1-5', recurring: true, prompt: 'look' },
      { id: 'c2', schedule: '5 9 22 11 *', recurring: false, prompt: 'look' },
    ]
    const at = play('claude', [prompt, stop(5, [], { session_crons: crons })])
    expect(at.at(6)).toBe('idle/turn')
    expect(at.session.facts.wakes).toEqual([
      { kind: 'cron', what: '0 9 * * 1-5' },
      { kind: 'wakeup', what: '5 9 22 11 *' },
    ])
    expect(
      kinds(play('claude', [prompt, stop(5, [{ id: 'm', type: 'monitor', status: 'running' }])]), 6),
    ).toEqual(['monitor'])
  })

  test('a wake-up that the transcript tells of, until it is due or taken back', () => {
    const due = Date.parse(stamp(600))
    const rows = [
      call(2, 'a', 'ScheduleWakeup'),
      result(3, 'a', { scheduledFor: due, clampedDelaySeconds: 597, wasClamped: false }),
    ]
    const at = play('claude', rows)
    expect([kinds(at, 10), kinds(at, 601)]).toEqual([['wakeup'], []])
    const stopped = [call(4, 'b', 'ScheduleWakeup'), result(5, 'b', { scheduledFor: 0, stopped: true })]
    expect(kinds(play('claude', [...rows, ...stopped]), 10)).toEqual([])
  })

  test('a schedule and a watch that the transcript tells of, over several prompts', () => {
    const rows = [
      call(2, 'a', 'CronCreate'),
      result(3, 'a', { id: 'c1', humanSchedule: 'every hour', recurring: true }),
      call(4, 'b', 'Monitor'),
      result(5, 'b', { taskId: 'm1', timeoutMs: 300_000 }),
      line(7, {
        type: 'user',
        promptId: 'q',
        timestamp: stamp(7),
        message: { role: 'user', content: 'more' },
      }),
    ]
    expect(kinds(play('claude', rows), 8)).toEqual(['cron', 'monitor'])
    const deleted = [call(8, 'd', 'CronDelete'), result(9, 'd', { id: 'c1' })]
    expect(kinds(play('claude', [...rows, ...deleted]), 10)).toEqual(['monitor'])
    const told = '<task-notification>\n<task-id>m1</task-id></task-notification>'
    const ended = line(9, {
      type: 'user',
      promptId: 'r',
      timestamp: stamp(9),
      message: { role: 'user', content: told },
    })
    expect(kinds(play('claude', [...rows, ended]), 10)).toEqual(['cron'])
  })

  test('a goal, until it is met or given up', () => {
    const goal = (t: number, more: object) =>
      line(t, {
        type: 'attachment',
        timestamp: stamp(t),
        attachment: { type: 'goal_status', condition: 'tests pass', ...more },
      })
    const set = goal(2, { met: false, sentinel: true })
    expect(wakesOf(play('claude', [set]).session.facts, 9000)).toEqual([{ kind: 'goal', what: 'tests pass' }])
    expect(kinds(play('claude', [set, goal(3, { met: true })]), 9)).toEqual([])
    expect(kinds(play('claude', [set, goal(3, { met: false, failed: true })]), 9)).toEqual([])
  })

  test('a goal of Codex, while it is active', () => {
    const goal = (t: number, status: string) =>
      line(t, {
        type: 'event_msg',
        timestamp: stamp(t),
        payload: { type: 'thread_goal_updated', goal: { objective: 'tests pass', status } },
      })
    const wakes = (...rows: Parameters<typeof play>[1]) => wakesOf(play('codex', rows).session.facts, 9000)
    expect(wakes(goal(1, 'active'))).toEqual([{ kind: 'goal', what: 'tests pass' }])
    expect(wakes(goal(1, 'active'), goal(2, 'paused'))).toEqual([])
  })

  describe('Copilot’s autopilot', () => {
    const event = (t: number, type: string, data: object = {}) => line(t, { type, timestamp: stamp(t), data })
    const turn = (t: number, data: object) => [
      event(t, 'user.message', data),
      event(t + 1, 'assistant.message', { content: 'So far.' }),
      event(t + 1.1, 'assistant.turn_end'),
    ]
    const alone = turn(1, { content: 'go', agentMode: 'autopilot' })
    const goals = (...rows: Parameters<typeof play>[1]) => kinds(play('copilot', rows), 9)

    test('goes on by itself, until its task is complete', () => {
      const told = play('copilot', [...alone, ...turn(5, { isAutopilotContinuation: true })])
      expect([told.at(3), told.at(5.5), told.at(7)]).toEqual(['idle/turn', 'working/thinking', 'idle/turn'])
      expect(kinds(told, 9)).toEqual(['goal'])
      expect(goals(...alone, event(4, 'session.task_complete', { success: true }))).toEqual([])
      expect(goals(...alone, event(4, 'session.task_complete', { success: false }))).toEqual(['goal'])
    })

    test.each([
      ['session.autopilot_stopped', { reason: 'background_timeout' }],
      ['session.mode_changed', { previousMode: 'autopilot', newMode: 'interactive' }],
      ['abort', {}],
      ['user.message', { content: 'stop', agentMode: 'interactive' }],
    ])('is over with %s', (type, data) => {
      expect(goals(...alone)).toEqual(['goal'])
      expect(goals(...alone, event(4, type, data))).toEqual([])
    })

    test('goes on for its objective while that is active', () => {
      const objective = (t: number, operation: string, status?: string) =>
        event(t, 'session.autopilot_objective_changed', { id: 1, operation, status })
      const set = objective(1, 'create', 'active')
      expect(goals(set)).toEqual(['goal'])
      expect(goals(set, objective(2, 'update', 'paused'))).toEqual([])
      expect(goals(set, objective(2, 'update', 'completed'))).toEqual([])
      expect(goals(set, objective(2, 'delete'))).toEqual([])
    })

    test('a prompt of a version that names no mode says nothing of it', () => {
      expect(goals(...turn(1, { content: 'go' }))).toEqual([])
    })
  })
})

describe('without hooks', () => {
  const said = (t: number, content: readonly object[], stop: string) =>
    line(t, { type: 'assistant', timestamp: stamp(t), message: { stop_reason: stop, content } })
  const run = (command: string, id = 'b1') => [
    line(1, { type: 'user', promptId: 'p', timestamp: stamp(1), message: { role: 'user', content: 'go' } }),
    said(
      2,
      [{ type: 'tool_use', id: 'c1', name: 'Bash', input: { command, run_in_background: true } }],
      'tool_use',
    ),
    line(3, {
      type: 'user',
      promptId: 'p',
      timestamp: stamp(3),
      toolUseResult: { stdout: '', backgroundTaskId: id },
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'runs' }] },
    }),
    said(4, [{ type: 'text', text: 'It runs.' }], 'end_turn'),
  ]
  const shell = [claudeStatus(1.1, 'busy'), claudeStatus(4.1, 'shell')]

  test('a server leaves the session idle, a command that ends does not', () => {
    const at = play('claude', [...run('npm run dev'), ...shell])
    expect(at.at(30)).toBe('idle/turn')
    expect(at.session.facts.background).toEqual([{ kind: 'server', what: 'npm run dev' }])
    expect(play('claude', [...run('npm test'), ...shell]).at(30)).toBe('working/background')
  })

  test('until it is ended', () => {
    const kill = said(
      9,
      [{ type: 'tool_use', id: 'c2', name: 'KillShell', input: { shell_id: 'b1' } }],
      'tool_use',
    )
    const ended = line(10, {
      type: 'user',
      timestamp: stamp(10),
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c2' }] },
    })
    const rows = [...run('npm run dev'), ...shell, kill, ended]
    expect(play('claude', rows).session.facts.background).toEqual([])
  })
})

test('claude: a task whose end was refused goes on', () => {
  const says = (t: number, stop_reason: string, ...content: readonly object[]) =>
    line(t, { type: 'assistant', timestamp: stamp(t), message: { stop_reason, content } })
  const result = (t: number, id: string, more: object, row: object = {}) =>
    line(t, {
      type: 'user',
      promptId: 'p',
      timestamp: stamp(t),
      ...row,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...more }] },
    })
  const killed = (more: object) =>
    play('claude', [
      line(1, { type: 'user', timestamp: stamp(1), promptId: 'p', message: { content: 'go' } }),
      says(2, 'tool_use', { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'make' } }),
      result(3, 'a', {}, { toolUseResult: { backgroundTaskId: 'b1' } }),
      says(4, 'tool_use', { type: 'tool_use', id: 'b', name: 'KillShell', input: { shell_id: 'b1' } }),
      result(5, 'b', more),
      says(6, 'end_turn', { type: 'text', text: 'Done.' }),
    ])
  expect(killed({ is_error: true }).at(7)).toBe('working/background')
  expect(killed({}).at(7)).toBe('idle/turn')
})
