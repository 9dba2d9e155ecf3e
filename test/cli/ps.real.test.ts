/** `lull ps` and `lull seen`: the table, its order and its width; the same as JSON; done told from idle. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { psText } from '../../src/cli/commands/ps-command.ts'
import { cut, cutStart, wrap } from '../../src/cli/ui/cells.ts'
import { shortAge } from '../../src/cli/ui/clock-words.ts'
import { rowOf } from '../../src/cli/ui/session-rows.ts'
import type { Facts } from '../../src/core/evidence/signal.ts'
import { jsonRow } from '../../src/sessions/session-json.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import {
  broken,
  finished,
  news,
  permission,
  prompt,
  sessionOf,
  thinking,
  withVerdict,
} from '../support/live.ts'
import { atMostHint } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const home = '/home/dev'
/** A process number that no process has, so that its age is not known. */
const nobody = { pid: 4_194_400 }

const knowing = (facts: Facts, live: LiveSession): LiveSession => ({
  ...live,
  session: { ...live.session, facts },
})

const sessions: readonly LiveSession[] = [
  knowing(
    { tool: 'Bash', about: 'npm publish', question: 'npm publish', prompt: 'release 1.2', context: 0.341 },
    withVerdict(
      { state: permission, since: 40_000 },
      { ...nobody, id: 'asks0000', branch: 'main', pane: '%3', place: 'main:2.1', window: 'api' },
    ),
  ),
  knowing(
    { finalMessage: 'All tests pass.', tokensIn: 12_345, tokensOut: 340, cost: 1.2 },
    withVerdict(
      { state: finished, since: 50_000, turn: 1, turnOver: true },
      { ...nobody, id: 'done0000', terminal: 'build', title: 'Fix the login form' },
    ),
  ),
  knowing(
    { error: '{"error":{"message":"too long","code":400}}' },
    withVerdict(
      { state: broken, since: 50_000, turn: 1 },
      { ...nobody, id: 'fail0000', cwd: '/srv/日本語のフォルダ' },
    ),
  ),
  knowing(
    { tool: 'Edit', about: 'src/a.ts', prompt: 'clean up' },
    withVerdict(
      { state: { kind: 'working', doing: 'tool' }, since: 99_000 },
      { ...nobody, id: 'work0000', isSeen: true, cwd: '/home/dev', pane: '%4', place: 'main:0.0' },
    ),
  ),
]

const view = { now: 100_000, epoch: 0, home, width: Infinity, isColoured: false }

const text = (all: readonly LiveSession[], width = Infinity): string =>
  psText(all, all.length, { ...view, width })

describe('the table', () => {
  test('a line a session: whether it needs you, state, for how long, who, where, what it does', () => {
    expect(text(sessions)).toMatchInlineSnapshot(`
      "  STATE               FOR  AGENT   ID        WHERE         FOLDER                 ABOUT               CONTEXT  COST   TOKENS   NOW
      ● waiting/permission  1m   claude  asks0000  main:2.1 api  ~/api main             release 1.2         34%                      Bash: npm publish
      ● done                50s  claude  done0000  build         ~/api                  Fix the login form           $1.20  12k/340  All tests pass.
      ● failed              50s  claude  fail0000                /srv/日本語のフォルダ                                               400: too long
        working/tool        1s   claude  work0000  main:0.0      ~                      clean up                                     Edit: src/a.ts"
    `)
  })

  test.each([200, 140, 100, 80, 50, 20, 8])('never wider than %i cells', width => {
    for (const line of text(sessions, width).split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width)
  })

  test('columns stand below each other whatever the width of the letters', () => {
    const [heading = '', ...lines] = psText(sessions, 4, { ...view, hasWhy: true }).split('\n')
    const at = stringWidth(heading.slice(0, heading.indexOf('WHY')))
    for (const line of lines) {
      const column = line.search(/(Waiting|Idle|Working)[^/]*: nothing has been heard yet/)
      expect(stringWidth(line.slice(0, column))).toBe(at)
    }
  })

  test('on a narrow terminal what it does stands below', () => {
    const lines = text(sessions, 80).split('\n')
    expect(lines[0]).not.toContain('NOW')
    expect(lines[2]).toBe('    Bash: npm publish')
  })

  test('why is told where that is asked for', () => {
    const why = 'Waiting for a permission (“npm publish”) for 1 min: nothing has been heard yet.'
    expect(text(sessions)).not.toContain(why)
    for (const width of [Infinity, 200, 120])
      expect(psText(sessions, 4, { ...view, width, hasWhy: true })).toContain(why)
  })

  test('what matters least goes first where there is no room', () => {
    const headings = [60, 80, 100, 120, 160].map(width => [
      width,
      text(sessions, width).split('\n')[0]?.trim().replace(/ +/g, ' '),
    ])
    expect(headings).toEqual([
      [60, 'STATE FOR AGENT ID WHERE'],
      [80, 'STATE FOR AGENT ID WHERE FOLDER ABOUT'],
      [100, 'STATE FOR AGENT ID WHERE FOLDER NOW'],
      [120, 'STATE FOR AGENT ID WHERE FOLDER ABOUT CONTEXT NOW'],
      [160, 'STATE FOR AGENT ID WHERE FOLDER ABOUT CONTEXT COST TOKENS NOW'],
    ])
  })

  test('a folder goes by its name: where there is no room for both, the branch is left out', () => {
    const at = (cwd: string, branch: string) =>
      withVerdict({ state: thinking }, { ...nobody, cwd, branch, pane: '%3' })
    const one = [at('/home/dev/web', 'feature/login')]
    expect(text(one, 200)).toMatch(/ ~\/web feature\/login$/m)
    expect(text(one, 92)).toMatch(/ ~\/web$/m)
    expect(text(one, 92)).not.toContain('login')
    expect(text([at('/home/dev/a/very/long/way/down/to/the/folder/web', 'feature/login')], 200)).toMatch(
      / …\S*\/web feature\/login$/m,
    )
  })

  test('two agents in one folder are told apart', () => {
    const [one, two] = ['fix the login', 'write the docs'].map((prompt, n) =>
      knowing(
        { prompt },
        withVerdict({ state: thinking }, { id: `same000${n}`, place: `main:0.${n}`, pane: `%${n}` }),
      ),
    ) as [LiveSession, LiveSession]
    for (const width of [60, 100, 200]) {
      const lines = text([one, two], width).split('\n')
      expect(lines[1]).toMatch(/same0000.*main:0\.0/)
      expect(lines[2]).toMatch(/same0001.*main:0\.1/)
    }
    expect(text([one, two], 120)).toMatch(/main:0\.0 .*fix the login.*\n.*main:0\.1 .*write the docs/)
  })

  test.each([
    ['stopped', 'It is stopped by a signal'],
    ['frozen', 'Its control group is frozen'],
    ['output', 'Its output is full'],
  ] as const)('why it can’t go on is told: %s', (cause, words) => {
    const halted = withVerdict({
      state: { kind: 'unknown' },
      rule: 'halted',
      health: { level: 'confirmed_stuck', cause, certainty: 'certain' },
    })
    expect(text([halted])).toContain(`it can’t go on · ${words}`)
  })

  test('states are coloured only where that is asked for', () => {
    expect(text(sessions)).not.toContain('\u001b')
    expect(psText(sessions, 4, { ...view, width: 200, isColoured: true })).toContain(
      '\u001b[38;5;130mwaiting/permission\u001b[39m',
    )
  })

  test.each<[string, LiveSession, RegExp]>([
    [
      'stuck',
      withVerdict({ state: thinking, health: { level: 'confirmed_stuck', certainty: 'high' } }),
      /^stuck \(working\/thinking\)$/,
    ],
    [
      'perhaps stuck',
      withVerdict({ state: thinking, health: { level: 'likely_stuck', certainty: 'low' } }),
      /^stuck\? \(working/,
    ],
    ['done', withVerdict({ state: finished, turn: 1, turnOver: true }), /^done$/],
    ['failed', withVerdict({ state: broken, turn: 1, turnOver: true }), /^failed$/],
    ['seen', withVerdict({ state: finished, turn: 1, turnOver: true }, { isSeen: true }), /^idle\/turn$/],
    [
      'stopped',
      withVerdict({
        state: { kind: 'unknown' },
        rule: 'halted',
        health: { level: 'confirmed_stuck', cause: 'stopped', certainty: 'certain' },
      }),
      /^stuck \(unknown\)$/,
    ],
  ])('%s is told in words', (_, session, state) => {
    expect(rowOf(session, 1000, home, 0).state).toMatch(state)
  })

  test('what keeps a session from being better known stands before the sentence', () => {
    const note = 'it belongs to another user (eve): its files are not read'
    const { why } = rowOf(
      withVerdict({ state: { kind: 'unknown' } }, { note, hooks: 'blind' }),
      1000,
      home,
      0,
    )
    expect(why).toMatch(
      /^\[it belongs to another user \(eve\): its files are not read\] \[hook-blind: .*\] Unknown for /,
    )
  })

  test('names that others chose neither move the cursor nor turn the line around', () => {
    const evil = '/tmp/\u001b[2J\u202etxt\nlull: all is well'
    const asks = sessionOf([
      prompt(1),
      news(2, permission, { lane: 'ask:main:1', what: '\u001b]0;x\u0007\u2066Stop' }),
    ])
    const told = text([withVerdict(asks.verdict, { cwd: evil, branch: '\u009b31m\u2028x', note: 'a\rb' })])
    expect(told.split('\n')).toHaveLength(2)
    expect(/[\p{Cc}\u2028\u202e\u2066]/u.test(told.replaceAll('\n', ''))).toBe(false)
  })

  test.each([
    [0, 'no coding agent found on this machine'],
    [1, 'no session needs you: one agent runs, lull ps lists it'],
    [3, 'no session needs you: 3 agents run, lull ps lists them'],
  ])('of %i that need nobody: a sentence', (count, sentence) => {
    expect(psText([], count, { ...view, width: 80 })).toBe(sentence)
  })

  test.each([
    [0, '0s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [3_599_999, '59m'],
    [3_900_000, '1h05m'],
    [86_400_000 * 3, '3d'],
    [-5, '0s'],
  ])('%i ms is %s', (ms, short) => {
    expect(shortAge(ms)).toBe(short)
  })

  test('texts are cut between letters as people see them', () => {
    expect([cut('abcdef', 4), cut('日本語', 5), cut('日本語', 4), cut('ab', 2), cut('abc', 0)]).toEqual([
      'abc…',
      '日本…',
      '日…',
      'ab',
      '',
    ])
    expect([cutStart('/home/dev/api', 6), cutStart('日本語', 4)]).toEqual(['…v/api', '…語'])
    expect(cut('👩‍👩‍👧 family', 4)).toBe('👩‍👩‍👧 …')
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap('a verylongword b', 6)).toEqual(['a', 'veryl…', 'b'])
  })
})

describe('a row as JSON', () => {
  test('holds the fields of a verdict, with wall time for instants and seconds for durations', () => {
    const session = sessionOf([
      prompt(1000),
      news(61_000, permission, { lane: 'ask:main:1', what: 'PermissionRequest' }),
    ])
    const row = jsonRow(
      withVerdict(session.verdict, { ...nobody, branch: 'main' }),
      91_500,
      Date.UTC(2026, 0, 1),
    )
    expect(row).toEqual({
      id: 'abcd1234',
      agent: 'claude',
      pid: nobody.pid,
      cwd: '/home/dev/api',
      branch: 'main',
      hooks: 'heard',
      seen: false,
      needsMe: true,
      need: 'answer',
      settled: false,
      state: 'waiting',
      for: 'permission',
      health: 'healthy',
      confidence: expect.any(Number),
      turn: 1,
      turnOver: false,
      since: '2026-01-01T00:01:01.000Z',
      rule: 'news',
      because: [
        {
          source: 'hook',
          what: 'PermissionRequest',
          state: 'waiting/permission',
          at: '2026-01-01T00:01:01.000Z',
        },
      ],
      held: 30.5,
      why: 'Waiting for a permission for 31 s: the PermissionRequest hook said so 31 s ago.',
    })
  })
})

const transcript = '.claude/projects/-project/s.jsonl'
const stamp = (ms: number): string => new Date(Date.now() + ms).toISOString()

function finishTurn(agent: StandIn): void {
  agent.append(transcript, {
    type: 'user',
    timestamp: stamp(-10),
    cwd: agent.cwd,
    message: { role: 'user', content: 'go' },
  })
  const message = { stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] }
  agent.append(transcript, { type: 'assistant', timestamp: stamp(-5), message })
}

describe.runIf(process.platform === 'linux')('lull ps', () => {
  test('of a process that waits: in the table, as JSON, and among those that need me', async () => {
    const [agent, env] = [await startStandIn({ folder: 'prøject 日本' }), ownPlaces()]
    mkdirSync(path.join(agent.cwd, '.git'))
    agent.write('prøject 日本/.git/HEAD', 'ref: refs/heads/feature/x\n')
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    const table = await lullHere(['ps'], env)
    expect(table).toMatchObject({ code: 0, stderr: expect.stringMatching(atMostHint) })
    expect(table.stdout).toMatch(/^ {2}STATE +FOR +AGENT +ID +(WHERE +)?FOLDER .*\bAGE +NOW\n/)
    expect(table.stdout).toMatch(
      /^● waiting\/permission +\d+s +claude +\w{8} +…?\S*prøject 日本 feature\/x +\d+s\b/m,
    )
    const row = (await rowsHere(env)).find(({ pid }) => pid === agent.pid)
    expect(row).toMatchObject({
      state: 'waiting',
      for: 'permission',
      needsMe: true,
      need: 'answer',
      cwd: agent.cwd,
      branch: 'feature/x',
      hooks: 'unknown',
      held: expect.any(Number),
      age: expect.any(Number),
      since: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect((await lullHere(['ps', '--needs-me'], env)).stdout).toContain(String(row?.id))
  })

  test('done and unseen needs me, until it was seen, and again after the next turn', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    const need = async () => (await rowsHere(env)).find(({ pid }) => pid === agent.pid)?.need
    finishTurn(agent)
    await until(need, answer => answer === 'look')
    const seen = await lullHere(['seen', `pid:${agent.pid}`], env)
    expect(seen).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^seen: claude \w{8} \(.*project\)\n$/),
    })
    expect(await need()).toBe('instruction')
    expect((await lullHere(['ps', '--needs-me', '--json'], env)).stdout).not.toContain(`"pid":${agent.pid},`)
    finishTurn(agent)
    await until(need, answer => answer === 'look')
    expect((await lullHere(['seen', '--all'], env)).stdout).toContain('seen: ')
    expect(await need()).toBe('instruction')
  })

  test.each([
    [['seen'], /^lull: no session given; name one or more, or use --all\n$/],
    [['seen', '--all', 'x'], /^lull: --all means every session; leave out the names\n$/],
    [['seen', 'pid:4194304'], /^lull: no session "pid:4194304": /],
    [['ps', 'nosuch'], /^lull: no session "nosuch"/],
  ])('%j: 2, and one sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await lullHere(args, ownPlaces())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})
