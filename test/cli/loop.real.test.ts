/** `lull loop` as people run it: signals, exit codes, sentences, what it prints. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { LoopEvent } from '../../src/loop/loop-events.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { cli, isAlive, ofType, type Place, ralph, ralphFolder, until } from '../support/ralph.ts'

const marker = (state: string): string => `<!-- ralph:state ${state} -->`
const quick = ['idle:', '  delay: 0.05', '  max_delay: 0.1', '  max: 60']

/** For what no signal ends and nobody steers. */
const here = (place: Place, args: readonly string[]) => lullHere(['loop', ...args], {}, place.folder)

/** Those of `--json`. */
const eventsIn = (stdout: string): LoopEvent[] =>
  stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row) as LoopEvent)

/** An agent that notes its pid, and ends when it is told to go on. */
const waits = `echo $$ > self; until [ -e go ]; do sleep 0.05; done; echo over`

describe('the exit code', () => {
  test.each([
    ['all iterations', [], 'echo x', ['-n', '2'], 0],
    ['all iterations, the last failed', [], 'exit 3', ['-n', '2'], 0],
    ['done', quick, `echo '${marker('done')}'`, [], 0],
    ['idle for idle.max', ['idle:', '  delay: 0.05', '  max: 0.2'], `echo '${marker('idle')}'`, [], 8],
    ['-s, failed', [], 'exit 3', ['-s'], 1],
    ['-s, too slow', [], 'sleep 100', ['--stop-on-error', '-t', '200ms'], 124],
  ])('%s', async (_, fields, agent, args, code) => {
    const place = ralphFolder(ralph('./agent', ...fields), { agent })
    expect(await here(place, args)).toMatchObject({ code, stderr: '' })
  })

  test('of the process: blocked', async () => {
    const place = ralphFolder(ralph('./agent', ...quick), { agent: `echo '${marker('blocked no key')}'` })
    expect(await cli(place, []).ended()).toMatchObject({ code: 3, stderr: '' })
  })
})

describe('idleness by flags', () => {
  const idles = { agent: `echo 'Nothing to do. ${marker('idle')}'` }

  test('is that of a file without a block, with what is not given as usual', async () => {
    const flags = ['--idle-delay', '20ms', '--idle-backoff', '3']
    const run = await here(ralphFolder(ralph('./agent'), idles), ['--json', '-n', '3', ...flags])
    expect(run.code).toBe(0)
    const delays = ofType(eventsIn(run.stdout), 'ITERATION_IDLE').map(({ nextDelay }) => nextDelay)
    expect(delays).toEqual([20, 60, null])
  })

  test('--no-idle: as without the block', async () => {
    const place = ralphFolder(ralph('./agent', ...quick), idles)
    const { code, stdout } = await here(place, ['--json', '-n', '2', '--no-idle'])
    expect(code).toBe(0)
    expect(ofType(eventsIn(stdout), 'ITERATION_COMPLETED')).toHaveLength(2)
  })

  test.each([
    [['--idle-backoff', '0.5'], '--idle-backoff 0.5: must be a number from 1 on'],
    [['--idle-delay', 'soon'], '--idle-delay soon'],
    [['--no-idle', '--idle-max', '1h'], '--no-idle contradicts the other --idle options; give only one kind'],
  ])('%j is refused', async (args, sentence) => {
    const { folder } = ralphFolder(ralph('./agent'), idles)
    const { code, stderr } = await lullHere(['loop', ...args], {}, folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })
})

describe('a signal', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('%s ends the agent with all that it started', async (signal, code) => {
    const place = ralphFolder(ralph('./agent'), {
      agent: `sleep 1000 & echo $! > child; echo $$ > self; wait`,
    })
    const run = cli(place, ['--json'])
    await until('the agent runs', () => place.has('self') && place.read('self') !== '')
    run.signal(signal)
    expect((await run.ended()).code).toBe(code)
    const pids = ['self', 'child'].map(file => Number(place.read(file)))
    await until('all of it is gone', () => !pids.some(isAlive))
    expect(run.events().at(-1)).toMatchObject({ type: 'RUN_STOPPED', outcome: 'terminated', signal })
  })

  test('Ctrl+C once: the iteration is finished', async () => {
    const place = ralphFolder(ralph('./agent'), { agent: waits })
    const run = cli(place, ['--json'])
    await until('the agent runs', () => place.has('self') && place.read('self') !== '')
    run.signal('SIGINT')
    await until('it is heard', () => /finished first/.test(run.stdout()))
    place.write('go', '')
    expect((await run.ended()).code).toBe(130)
    expect(ofType(run.events(), 'ITERATION_COMPLETED')).toMatchObject([{ resultText: 'over\n' }])
  })

  test('Ctrl+C twice: it stops now', async () => {
    const place = ralphFolder(ralph('./agent'), { agent: waits })
    const run = cli(place, ['--json'])
    await until('the agent runs', () => place.has('self') && place.read('self') !== '')
    run.signal('SIGINT')
    await until('it is heard', () => /finished first/.test(run.stdout()))
    run.signal('SIGINT')
    expect((await run.ended()).code).toBe(130)
    expect(isAlive(Number(place.read('self')))).toBe(false)
  })

  test('Ctrl+C in a wait: the next iteration now; soon after it once more: stop', async () => {
    const place = ralphFolder(ralph('./agent', 'idle:'), {
      agent: `echo >> runs; test -e slow && sleep 1000; echo '${marker('idle')}'`,
    })
    const run = cli(place, ['--json'])
    const delays = () => ofType(run.events(), 'DELAY_STARTED').length
    await until('it waits', () => delays() === 1)
    place.write('slow', '')
    run.signal('SIGINT')
    // Soon is a second: a busy machine may take longer until its agent has written something.
    await until('the next one begins', () => ofType(run.events(), 'PROMPT_ASSEMBLED').length === 2)
    run.signal('SIGINT')
    expect((await run.ended()).code).toBe(130)
    expect(ofType(run.events(), 'DELAY_ENDED')).toMatchObject([{ why: 'skipped' }])
    expect(ofType(run.events(), 'ITERATION_FAILED')).toMatchObject([{ reason: 'stopped' }])
  })

  test('a reader that leaves ends the loop, and the agent', async () => {
    const place = ralphFolder(ralph('./agent'), {
      agent: 'echo $$ > self; while :; do echo line; sleep 0.05; done',
    })
    const run = cli(place, [])
    await until('something is printed', () => /line/.test(run.stdout()))
    run.child.stdout?.destroy()
    expect((await run.ended()).code).toBe(141)
    await until('it is gone', () => !isAlive(Number(place.read('self'))))
  })
})

test('a reader that stands still does not hold up a signal', async () => {
  const place = ralphFolder(ralph('./agent'), {
    agent: 'yes abcdefghijklmnopqrstuvwxyz | head -c 3000000; echo $$ > self; sleep 1000',
  })
  const run = cli(place, [])
  await until('something is printed', () => run.stdout() !== '')
  run.child.stdout?.pause()
  await until('the agent has printed all', () => place.has('self') && place.read('self') !== '')
  run.signal('SIGTERM')
  await until('it has ended', () => run.child.exitCode !== null)
  expect(run.child.exitCode).toBe(143)
  expect(isAlive(Number(place.read('self')))).toBe(false)
})

describe('what it prints', () => {
  test('for people', async () => {
    const place = ralphFolder(
      ralph('./agent', ...quick, 'commands:', '  - {name: log, run: sh -c "exit 3"}', 'modle: opus'),
      {
        agent: `printf 'h\\033[2Jello\\n'; test -e done && echo '${marker('idle nothing left')}'; touch done`,
      },
    )
    const { stdout, code } = await here(place, ['-n', '3'])
    expect(code).toBe(0)
    const lines = stdout.replaceAll(/\d+\.\d s/g, 'T').split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^f\w+: \.\/agent$/),
      'warning: RALPH.md:10:8: modle is no field that lull knows, passed over',
      '',
      'iteration 1',
      '  the command log ended with 3; its output is in the prompt',
      '  h [2Jello',
      'iteration 1 completed after T',
      '',
      'iteration 2',
      '  the command log ended with 3; its output is in the prompt',
      '  h [2Jello',
      '  <!-- ralph:state idle nothing left -->',
      'iteration 2 idle: nothing left, after T',
      'nothing to do, next run in 1 s (Ctrl+C: run now, twice: stop)',
      '',
      'iteration 3',
      '  the command log ended with 3; its output is in the prompt',
      '  h [2Jello',
      '  <!-- ralph:state idle nothing left -->',
      'iteration 3 idle: nothing left, after T, 2 times in a row, for T',
      '',
      'all 3 iterations are over',
      '3 iterations in T: 1 completed, 2 idle',
      '',
    ])
  })

  test('--json: each event, with its time', async () => {
    const place = ralphFolder(ralph('./agent', ...quick), { agent: `echo '${marker('idle')}'` })
    const events = eventsIn((await here(place, ['--json', '-n', '1'])).stdout)
    expect(events).toMatchObject([
      { type: 'RUN_STARTED', agent: ['./agent'], maxIterations: 1 },
      { type: 'ITERATION_STARTED', iteration: 1 },
      { type: 'PROMPT_ASSEMBLED', promptLength: 6 },
      { type: 'AGENT_OUTPUT_LINE', stream: 'stdout', line: marker('idle') },
      { type: 'STATE_REPORTED', name: 'idle', isKnown: true },
      {
        type: 'ITERATION_IDLE',
        idleCount: 1,
        idleFor: 0,
        nextDelay: null,
        resultText: `${marker('idle')}\n`,
      },
      { type: 'RUN_STOPPED', outcome: 'max_iterations', iterations: 1 },
    ])
    for (const { time } of events) expect(String(time)).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  test('much output takes little memory', async () => {
    const line = 'all work and no play makes an agent print the same line again and again'
    const place = ralphFolder(ralph('./agent'), { agent: `yes '${line}' | head -c 40000000` })
    // Of a heap that may grow, V8 takes what it likes; one that needs more than it may have ends the process.
    // A queue that is full is 15 MB; all of the output would be 80 MB at least.
    const heap = '--max-old-space-size=64 --max-semi-space-size=8'
    const run = cli(place, ['-n', '1', '--json'], { NODE_OPTIONS: heap })
    let told = 0
    const rows = createInterface({ input: run.child.stdout as Readable })
    rows.on('line', row => {
      // Where the machine is busy, some are left out, and how many is said.
      if (row.startsWith('{"type":"AGENT_OUTPUT_LINE"')) told++
      else told += Number(/(\d+) lines of output came too fast/.exec(row)?.[1] ?? 0)
    })
    expect(await run.ended()).toMatchObject({ code: 0, stderr: '' })
    expect(told).toBe(Math.ceil(40_000_000 / (line.length + 1)))
  })
})

describe('bad input is a sentence', () => {
  const cases: readonly (readonly [string, string, readonly string[], RegExp])[] = [
    ['no frontmatter', 'Do it.', [], /^RALPH\.md: has no frontmatter: /],
    ['broken YAML', '---\nagent: [\n---\nx', [], /^RALPH\.md:2:9: not YAML: /],
    [
      'an agent that is not on PATH',
      ralph('no-such-agent -p'),
      [],
      /^the agent no-such-agent is not on PATH: install it, or name another one in RALPH\.md$/,
    ],
    [
      'an agent that is no program',
      ralph('./RALPH.md'),
      [],
      /^the agent \.\/RALPH\.md is not a program that can be run: /,
    ],
    ['a name that is none', ralph('./agent'), ['nope'], /^nope: there is no RALPH\.md at /],
    [
      'a file that is not there',
      ralph('./agent'),
      ['/no/such.md'],
      /^\/no\/such\.md: there is no RALPH\.md at \/no\/such\.md: no such file or folder$/,
    ],
    ['a count of none', ralph('./agent'), ['-n', '0'], /^-n 0: must be a whole number from 1 on$/],
    ['a count in words', ralph('./agent'), ['-n', 'many'], /^-n many: must be a whole number from 1 on$/],
    [
      'a delay that is none',
      ralph('./agent'),
      ['-d', '10 apples'],
      /^--delay 10 apples: "10 apples" is not a duration: write a number with a unit, like 90s/,
    ],
    ['a timeout of nothing', ralph('./agent'), ['-t', '0s'], /^the timeout must be above 0/],
    ['an option without a value', ralph('./agent'), ['--delay'], /argument missing/],
    [
      'an argument that is not declared',
      ralph('./agent'),
      ['.', '--speed', 'fast'],
      /^--speed is one argument too many: this RALPH\.md declares none/,
    ],
    [
      'a log folder that is a file',
      ralph('./agent'),
      ['-l', 'RALPH.md'],
      /^--log-dir .*RALPH\.md: can't be made: /,
    ],
  ]

  test.each(cases)('%s', async (_, text, args, sentence) => {
    const place = ralphFolder(text, { agent: 'echo x' })
    const { code, stdout, stderr } = await lullHere(['loop', ...args], {}, place.folder)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(/^lull: (.*)\n$/.exec(stderr)?.[1]).toMatch(sentence)
  })

  test('no RALPH.md', async () => {
    const { code, stderr } = await lullHere(['loop'], {}, temporaryFolder())
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^lull: there is no RALPH\.md in .*: lull loop init writes one, or name another one\n$/,
    )
  })

  test('init into a folder that has one', async () => {
    const place = ralphFolder('mine')
    const { code, stderr } = await lullHere(['loop', 'init', place.folder])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^lull: .*RALPH\.md is there already: it is left as it is; name another folder\n$/)
    expect(place.read('RALPH.md')).toBe('mine')
  })
})

test('values after -- are values, whatever they look like', async () => {
  const place = ralphFolder(`${ralph('./agent', 'args: [x]')}{{ args.x }}`, { agent: 'cat > prompt' })
  await here(place, ['-n', '1', '.', '--', '--help'])
  expect(place.read('prompt')).toBe('Do it.\n--help')
})
