/** The command line: what each command prints, and how it ends. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { atMostHint, bin, lull, temporaryFile } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { linesOf } from '../support/recordings.ts'
import { ownPlaces } from '../support/running.ts'

const fileOf = (name: string): string => fileURLToPath(new URL(`../../demo/${name}.cast.gz`, import.meta.url))
const bash = fileOf('claude-bash20')
const permission = fileOf('opencode-permission')
const background = fileOf('claude-agent')

type Row = Record<string, unknown>

const rowsOf = (stdout: string): Row[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Row)

async function replayed(...args: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await lullHere(['replay', '--json', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return rowsOf(stdout)
}

let rowsOfBash: Promise<Row[]> | undefined
/** Replayed once, by the first test that asks. */
const ofBash = (): Promise<Row[]> => (rowsOfBash ??= replayed(bash))

/** `working/tool`, as people read it. */
const stateOf = ({ state, ...row }: Row): string =>
  [state, row.doing ?? row.for ?? row.after].filter(word => word !== undefined).join('/')

test('what had become of a session before it was recorded is one row, and all of it in JSON', async () => {
  const header = { version: 2, width: 80, height: 24, lull: { trace: 1, agent: 'claude', attached: true } }
  const hook = (at: number, event: string, turn: string) => [
    at,
    'h',
    JSON.stringify({ agent: 'claude', event, payload: { session_id: 's', prompt_id: turn, prompt: 'x' } }),
  ]
  const events = [
    hook(0, 'UserPromptSubmit', 'a'),
    hook(0, 'Stop', 'a'),
    hook(0, 'UserPromptSubmit', 'b'),
    hook(0, 'Stop', 'b'),
    hook(2, 'UserPromptSubmit', 'c'),
  ]
  const file = temporaryFile(
    'attached.cast',
    [header, ...events].map(row => `${JSON.stringify(row)}\n`).join(''),
  )
  const { code, stdout, stderr } = await lullHere(['replay', file])
  expect(code).toBe(0)
  expect(
    stdout
      .trim()
      .split('\n')
      .map(row => row.slice(0, 28).trim()),
  ).toEqual([expect.stringMatching(/^0\.0 s +idle\/turn/), expect.stringMatching(/^2\.0 s +working/)])
  expect(stderr).toMatch(/^lull: \d+ changes from before the recording omitted; --json has all\n$/)
  expect((await replayed(file)).length).toBeGreaterThan(3)
})

describe('replay --json', () => {
  test.each([
    [
      'a tool',
      bash,
      'idle/turn',
      { confidence: expect.closeTo(0.95, 1), turn: 1, turnOver: true, rule: 'news' },
    ],
    ['a tool', bash, 'working/tool', { doing: 'tool', health: 'healthy', turn: 1, turnOver: false }],
    ['a start', bash, 'starting', { t: 0, since: 0, turn: 0, turnOver: false }],
    ['a permission', permission, 'waiting/permission', { for: 'permission', turn: 1, turnOver: false }],
    ['background work', background, 'working/background', { doing: 'background', turn: 1, turnOver: true }],
  ])('%s: %s tells of %s', async (_, file, state, fields) => {
    const row = (await replayed(file)).find(row => stateOf(row) === state)
    expect(row).toMatchObject(fields)
    expect(row).toMatchObject({ t: expect.any(Number), since: row?.t, health: 'healthy' })
  })

  test('each row tells what it rests on', async () => {
    const stop = (await ofBash()).find(row => stateOf(row) === 'idle/turn')
    expect(stop?.because).toEqual([
      { source: 'hook', what: 'Stop', state: 'idle/turn', at: expect.closeTo(24, 0) },
    ])
    const agreed = (await ofBash()).find(row => row.rule === 'agreed')
    expect(agreed?.because).toMatchObject([
      { source: 'hook', state: 'working/streaming' },
      { source: 'status', what: 'busy', state: 'working', tier: 'declared' },
    ])
  })

  test('rows are changes, in the order of time', async () => {
    const rows = await ofBash()
    const times = rows.map(row => row.t as number)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const working = 'working/thinking working/streaming working/tool working/thinking working/streaming'
    const states = `starting waiting/dialog idle unknown ${working} idle/turn exited`
    expect(rows.map(stateOf).join(' ')).toBe(states)
  })

  test.each(['5s', '5000ms', '0.0833m'])('--until %s stops there', async until => {
    const all = await ofBash()
    expect(await replayed(bash, '--until', until)).toEqual(all.filter(row => (row.t as number) <= 5))
  })

  test('--until 0s is the start alone', async () => {
    expect((await replayed(bash, '--until', '0s')).map(stateOf)).toEqual(['starting'])
  })

  test('--until tells of what silence alone changes', async () => {
    const lines = linesOf('claude-bash20')
    const prompted = lines.slice(0, lines.findIndex(line => line.includes('UserPromptSubmit')) + 1)
    const silent = temporaryFile('silent.cast', prompted.join('\n'))
    expect((await replayed(silent)).at(-1)).toMatchObject({ health: 'healthy' })
    const rows = await replayed(silent, '--until', '10m')
    expect(rows.at(-1)).toMatchObject({ state: 'working', health: 'suspicious', turnOver: false })
  })

  test('several files: each row names its trace, one file after the other', async () => {
    const rows = await replayed(bash, permission)
    expect(rows.map(({ trace: _, ...row }) => row)).toEqual([
      ...(await ofBash()),
      ...(await replayed(permission)),
    ])
    expect([...new Set(rows.map(row => row.trace))]).toEqual(['claude-bash20', 'opencode-permission'])
  })

  test.each([
    ['a file twice', [bash, bash]],
    ['all of the demo', [bash, permission, background]],
  ])('%s: the same bytes each time', async (_, files) => {
    const [once, again] = await Promise.all([
      lullHere(['replay', '--json', ...files]),
      lullHere(['replay', '--json', ...files]),
    ])
    expect(again).toEqual(once)
  })

  test('one file of several that is missing: the others up to it are judged', async () => {
    const { code, stdout, stderr } = await lullHere(['replay', '--json', bash, '/nowhere.cast', permission])
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'lull: /nowhere.cast: no such file\n' })
    expect(new Set(rowsOf(stdout).map(row => row.trace))).toEqual(new Set(['claude-bash20']))
  })
})

describe('replay for people', () => {
  test('a line a change: when, what, why', async () => {
    const { stdout } = await lullHere(['replay', bash])
    expect(stdout).toMatch(/^ {4}0\.0 s {2}starting {16}the process start said so just now\n/)
    expect(stdout).toMatch(/^ +\d+\.\d s {2}idle\/turn +the Stop hook said so just now$/m)
  })

  test('several files: each below its name', async () => {
    const { stdout } = await lullHere(['replay', bash, background])
    expect(stdout.split('\n').filter(line => /^\w/.test(line))).toEqual(['claude-bash20', 'claude-agent'])
    expect(stdout).toMatch(/working\/background {2,}\S/)
  })

  test('--speed changes when it is printed, not what', async () => {
    expect(await lullHere(['replay', bash, '--speed', '100'])).toEqual(await lullHere(['replay', bash]))
  })
})

describe('explain', () => {
  test('the verdict at an instant, its evidence and what comes next', async () => {
    const { code, stdout, stderr } = await lullHere(['explain', bash, '--at', '10s'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Working, a tool runs \(Bash\), for 6\.\d s: the PreToolUse hook said so/)
    expect(stdout).toMatch(/^ {2}\* the PreToolUse hook: working\/tool \[news, 6\.\d s old\]$/m)
    // At 3.4 s for the prompt, and at 7.4 s for the dialog.
    expect(stdout).toMatch(/^ {4}the keyboard \(Enter was pressed\): working \[inferred, 2\.\d s old\]$/m)
    expect(stdout).toMatch(
      /^ {2}confidence 0\.\d\d, turn 1\n {2}what would change it:\n {4}the end of its turn/m,
    )
  })

  test('--json: the same, and the facts', async () => {
    const { stdout } = await lullHere(['explain', bash, '--at', '10s', '--json'])
    const [row] = rowsOf(stdout)
    expect(row).toMatchObject({
      t: 10,
      state: 'working',
      doing: 'tool',
      health: 'healthy',
      turn: 1,
      turnOver: false,
      because: [{ source: 'hook', what: 'PreToolUse' }, { source: 'status' }],
      facts: { tool: 'Bash', version: '2.1.330' },
    })
    const evidence = row?.evidence as { used: boolean }[]
    expect(evidence.filter(e => e.used)).toHaveLength(2)
    expect(evidence.length).toBeGreaterThan(2)
  })

  test.each([
    ['1ms', 'Starting for 0.0 s'],
    ['25s', 'Idle, the turn is finished, for 0.9 s'],
    ['1h', 'Gone for 59 min 30 s'],
  ])('at %s: %s', async (at, lead) => {
    expect((await lullHere(['explain', bash, '--at', at])).stdout).toContain(`${lead}: `)
  })

  test.each([
    ['29s', ''],
    [
      '99h',
      'lull: --at 99h is after the end of the recording (30 s); judged as if nothing more had happened\n',
    ],
  ])('at %s says on stderr: %s', async (at, said) => {
    expect(await lullHere(['explain', bash, '--at', at])).toMatchObject({ code: 0, stderr: said })
  })

  test('without an instant: the end of the recording', async () => {
    expect((await lullHere(['explain', bash])).stdout).toMatch(/^Gone for 0\.\d s: quit key\.\n/)
  })

  test.each([
    [
      'no file',
      ['explain'],
      /^missing required argument 'session': lull explain --help shows its options and arguments$/,
    ],
    [
      'no agent for a command of a group',
      ['mcp', 'install', '--dry-run'],
      /^missing required argument 'agent': lull mcp install --help shows its options and arguments$/,
    ],
    ['help on no command', ['help', 'wiat'], /^unknown command 'wiat': lull --help lists them$/],
    [
      'help on no command of a group',
      ['hooks', 'help', 'instal'],
      /^unknown command 'instal': lull hooks --help lists them$/,
    ],
    ['two files', ['explain', bash, permission], /^too many arguments for 'explain'/],
    ['an instant that is none', ['explain', bash, '--at', 'noon'], /^--at: "noon" is not a duration: /],
    [
      'a recording where no folder is',
      ['record', '--agent', 'newbie', '-o', '/no/dir/x', '--', 'true'],
      /^\/no\/dir\/x can't be written: there is no folder \/no\/dir$/,
    ],
    [
      'a recording of a run below a file',
      ['run', '--record', `${bash}/x`, '--', 'true'],
      /^--record \S+\/x can't be written: there is no folder \S+\.cast\.gz$/,
    ],
    ['a tmux server without a name', ['ps', '--socket', ''], /^the tmux server has no name: give a name /],
    ['a missing file', ['explain', '/nowhere.cast'], /^\/nowhere\.cast: no such file$/],
    [
      'a speed that is none',
      ['demo', '--speed', 'fast', '--once'],
      /^--speed fast: must be a number above 0/,
    ],
    ['an unknown command', ['xyzzy'], /^unknown command 'xyzzy': lull --help lists them$/],
    ['nothing to replay', ['replay'], /^no input; give a trace/],
    ['a group alone', ['hooks'], /^no command given: lull hooks --help lists them$/],
    ['a slip', ['wiat'], /^unknown command 'wiat' \(Did you mean wait\?\)$/],
  ])('%s: one sentence', async (_, args, sentence) => {
    const { code, stdout, stderr } = await lullHere(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(/^lull: (.*)\n$/.exec(stderr)?.[1]).toMatch(sentence)
  })
})

describe.concurrent('demo', () => {
  test('--once --json: three sessions, and the agents that run now', async () => {
    const { code, stdout, stderr } = await lull(['demo', '--once', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [table] = rowsOf(stdout) as [{ sessions: Row[]; running: unknown }]
    expect(table.sessions.map(session => session.name)).toEqual([
      'claude-agent',
      'opencode-permission',
      'claude-bash20',
    ])
    for (const session of table.sessions) {
      expect(session).toMatchObject({
        state: 'exited',
        health: 'healthy',
        why: expect.stringMatching(/^Gone/),
      })
    }
    expect(table.running).toEqual(expect.any(Array))
  })

  test('--once: what it is, what each session did, line by line, and what to type next', async () => {
    const { code, stdout } = await lull(['demo', '--once'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^lull shows what your agents really do, and how it knows\.\n✗ marks the state /)
    expect(stdout).toMatch(/lull hooks install AGENT .*\n$/)
    expect(stdout).toContain('opencode-permission: a permission that stays open for 25 s\n')
    expect(stdout).toMatch(/^ +\d+\.\d s {2}waiting\/permission +\S/m)
  })
})

describe.concurrent('the program itself', () => {
  test('--help lists the commands', async () => {
    const { code, stdout, stderr } = await lull(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of ['replay', 'explain', 'demo'])
      expect(stdout).toMatch(new RegExp(`^ +${command} `, 'm'))
  })

  test('alone, in a pipe: the table of ps, which is ls too', async () => {
    const heading = /^(?: {2}STATE .*|no coding agent found on this machine)$/m
    for (const words of [[], ['ls']]) {
      const { code, stdout, stderr } = await lullHere(words, ownPlaces())
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(atMostHint) })
      expect(stdout).toMatch(heading)
    }
  })

  test('wait --help: only with --any and --ready the session may be left out', async () => {
    expect((await lullHere(['wait', '--help'])).stdout).toContain(
      'Usage: lull wait [options] <session...>\n       lull wait --any [options]\n       lull wait --ready [options] [session]\n',
    )
  })

  test.each(['replay', 'explain', 'demo'])('%s --help', async command => {
    const { code, stdout, stderr } = await lullHere([command, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: lull ${command} `))
  })

  test('--version is the package’s', async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as Row
    expect(await lull(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('lull … | head: nothing but the exit code 0', async () => {
    const script = '{ "$@"; echo "code $?" >&2; } | head -n 1'
    const files = Array.from({ length: 60 }, () => bash)
    const words = [process.execPath, bin, 'replay', '--json', ...files]
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script, 'sh', ...words])
    expect({ lines: stdout.split('\n').length, stderr }).toEqual({ lines: 2, stderr: 'code 0\n' })
  })
})
