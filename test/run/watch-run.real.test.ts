/** `lull run` says what its command waits for, and does no more than it was asked to. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isRecord } from '../../src/core/trace/trace.ts'
import { attempt } from '../../src/os/attempt.ts'
import { run } from '../../src/run/run.ts'
import type { RunEnd } from '../../src/run/run-options.ts'
import { endWithTest } from '../support/end-with-test.ts'
import { bin, lull, temporaryFolder } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

/** Stuck for certain: nobody will write its stdin. */
const stuck = ['--stdin', 'open', '--dwell', '1s'] as const
const waiting = ['--', 'sh', '-c', 'echo ready; cat; true'] as const

const rowsOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Record<string, unknown>)

const rowsOfTrace = (text: string): [number, string, string][] =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map(line => JSON.parse(line) as [number, string, string])

// Not at once: after each test, what runs is ended.
test('one sentence names who waits, in which call, on what, for how long, and what to do; no other is said', async () => {
  const lulled = startLull(['run', ...stuck, ...waiting], ownPlaces())
  await lulled.says('stuck (certain)')
  lulled.kill('SIGTERM')
  const { stdout, stderr } = await lulled.ended
  expect(stdout).toBe('ready\n')
  // The signal wakes it: a busy machine may see that before its end.
  const [first, last, end, ...rest] = stderr.split('\n').filter(line => !line.startsWith('lull: healthy'))
  const sentence =
    /stuck \(certain\): blocked \d.*`cat`\(\d+\) in read\(0\) .*`sh`\(\d+\) waits .*; close its stdin/
  expect(first).toMatch(sentence)
  expect(last).toMatch(/^lull: SIGTERM after .*stuck \(certain\): blocked/)
  expect(end).toMatch(/^lull: ended by SIGTERM after .*: .*quiet .*; peak memory \d/)
  expect(rest).toEqual([''])
})

test('--on-stuck exec runs a line that knows what it is about; the command goes on', async () => {
  const line = 'echo "$LULL_HEALTH $LULL_CAUSE $LULL_CERTAINTY $LULL_FOR $LULL_PID" >&2'
  const lulled = startLull(['run', ...stuck, '--on-stuck', 'exec', line, ...waiting], ownPlaces())
  await lulled.says(/confirmed_stuck stdin certain [1-9][\d.]* s \d+/)
  expect(lulled.isRunning()).toBe(true)
  lulled.kill('SIGKILL')
  await lulled.ended
})

test('--pty where nobody sits: the question waits for an answer, and input that nobody types is stuck', async () => {
  const places = ownPlaces()
  const script = 'read -p "Go on? [y/N] " answer; true'
  const lulled = startLull(['run', '--pty', '--dwell', '1s', '--', 'bash', '-c', script], places)
  await lulled.says('stuck (certain)')
  await lulled.says(/`bash`\(\d+\) in read\(0\) on the terminal .* types nothing into; .*answer it/)
  const runs = (await rowsHere(places)).filter(({ agent }) => agent === 'command')
  expect(runs).toMatchObject([
    { state: 'waiting', for: 'confirmation', need: 'answer', health: 'confirmed_stuck' },
  ])
  expect(runs[0]?.why).toContain('(“Go on? [y/N]”)')
  lulled.kill('SIGTERM')
  await lulled.ended
})

test('a run is among the sessions while it lasts', async () => {
  const places = ownPlaces()
  const lulled = startLull(['run', ...stuck, ...waiting], places)
  await lulled.says('stuck (certain)')
  // Agents of this machine are seen as well, whoever runs them.
  const runs = async () => (await rowsHere(places)).filter(row => isRecord(row) && row.agent === 'command')
  const rows = await runs()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).toContain('confirmed_stuck')
  lulled.kill('SIGTERM')
  await lulled.ended
  expect(await runs()).toEqual([])
})

test('what is stopped, and what sleeps, is left alone', async () => {
  const commands = ['kill -STOP $$', 'sleep 100']
  const runs = commands.map(command => {
    const verdicts = path.join(temporaryFolder(), 'verdicts')
    const flags = ['--dwell', '1s', '--on-stuck', 'term', '--act-at', 'likely', '--verdicts', verdicts]
    const lulled = startLull(['run', ...flags, '--', 'sh', '-c', `echo $$; ${command}`], ownPlaces())
    return { lulled, verdicts }
  })
  const begun = performance.now()
  for (const { lulled, verdicts } of runs) {
    const causeNow = () => rowsOf(readFileSync(verdicts, 'utf8')).at(-1)?.health
    await lulled.says(/\d+\n/)
    await until(causeNow, health => isRecord(health) && health.cause !== undefined, 'a cause')
  }
  // Longer than it takes to act.
  await until(
    () => performance.now() - begun,
    passed => passed > 5000,
  )
  for (const { lulled } of runs) {
    expect(lulled.isRunning()).toBe(true)
    expect(lulled.stderr()).not.toContain('sent SIGTERM')
    process.kill(-Number(lulled.stdout()), 'SIGKILL')
    await lulled.ended
  }
})

// Alone, too: of an alarm that is set on this machine nobody can tell whose it is.
test('an alarm that was set before the program began ends it, and lull does not', async () => {
  const alarmed = ['--', 'perl', '-e', 'alarm 8; exec "cat"']
  const lulled = startLull(['run', ...stuck, '--on-stuck', 'term', ...alarmed], ownPlaces())
  const ended = await lulled.ended
  expect(ended.stderr).toContain('ended by SIGALRM')
  expect(ended.stderr).not.toContain('certain)')
  expect(ended.stderr).not.toContain('as --on-stuck term asks')
})

test('--json: each line on stderr that is lull’s is JSON, notices and errors too', async () => {
  const script = `trap 'exit 5' TERM; echo up; sleep 60 & wait`
  const lulled = startLull(['run', '--json', '--', 'sh', '-c', script], ownPlaces())
  await lulled.says('"type":"verdict"')
  await lulled.says(/^up$/m)
  lulled.kill('SIGTERM')
  const told = await lulled.ended
  const refused = await lull(['run', '--json', '--', './no/such'], [], ownPlaces())
  const rows = (stderr: string) =>
    stderr
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
  const notice = { type: 'notice', at: expect.any(String), text: expect.stringMatching(/^SIGTERM after/) }
  expect(rows(told.stderr)).toContainEqual(notice)
  expect([told.code, refused.code]).toEqual([5, 127])
  expect(rows(refused.stderr)).toMatchObject([
    { type: 'error', code: 'NOT_FOUND', message: expect.any(String) },
  ])
})

test('a file that stderr goes to: what lull writes there is none of the command’s output', async () => {
  const folder = temporaryFolder()
  const [file, trace] = [path.join(folder, 'stderr'), path.join(folder, 'run.cast')]
  const stderr = openSync(file, 'a')
  const words = ['run', ...stuck, '--record', trace, '--on-stuck', 'term', '--']
  const child = spawn(process.execPath, [bin, ...words, 'sh', '-c', 'echo mine >&2; cat; true'], {
    env: { ...process.env, ...ownPlaces() },
    stdio: ['ignore', 'ignore', stderr],
  })
  endWithTest(child)
  await once(child, 'exit')
  closeSync(stderr)
  expect(readFileSync(file, 'utf8')).toMatch(/^mine\nlull: stuck \(certain\)/)
  const output = rowsOfTrace(readFileSync(trace, 'utf8')).filter(([, code]) => code === 'o')
  expect(output.map(([, , text]) => text).join('')).toBe('mine\n')
})

describe.concurrent('by itself', () => {
  test('--on-stuck term ends it and exits 4', async () => {
    const ended = await lull(['run', ...stuck, '--on-stuck', 'term', ...waiting], [], ownPlaces())
    expect(ended.code).toBe(4)
    expect(ended.stderr).toContain('as --on-stuck term asks')
  })

  test('--json: verdicts with all fields as lines on stderr, the last line tells the end', async () => {
    const go = path.join(temporaryFolder(), 'go')
    const script = `echo out; until [ -e ${go} ]; do sleep 0.05; done; exit 3`
    const ended = lull(
      ['run', '--json', '--verdicts', `${go}.verdicts`, '--', 'sh', '-c', script],
      [],
      ownPlaces(),
    )
    // What is over before the first look is not judged.
    await until(
      () => attempt(() => readFileSync(`${go}.verdicts`, 'utf8')) ?? '',
      text => text.includes('"type":"verdict"'),
      'a verdict',
    )
    writeFileSync(go, '')
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'out\n' })
    const rows = stderr
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(rows[0]).toMatchObject({
      type: 'verdict',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      health: { level: 'healthy' },
      reason: expect.any(String),
      safeToKill: false,
      history: [],
      metrics: {
        cpuPercent: expect.any(Number),
        ioBytes: expect.any(Number),
        connections: 0,
        fds: expect.any(Number),
      },
    })
    expect(rows.at(-1)).toMatchObject({ type: 'end', code: 3, isActedOn: false, total: expect.any(Number) })
  })

  test('a recording is judged again like the run', async () => {
    const file = path.join(temporaryFolder(), 'run.cast')
    const ended = await lull(
      [
        'run',
        '--record',
        file,
        ...stuck,
        '--on-stuck',
        'term',
        '--',
        'sh',
        '-c',
        'printf "h\\303\\251llo\\n"; cat; true',
      ],
      [],
      ownPlaces(),
    )
    expect(ended).toMatchObject({ code: 4, stdout: 'héllo\n' })
    const events = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map(line => JSON.parse(line) as unknown[])
    expect(events.map(([, code]) => code)).toEqual(expect.arrayContaining(['o', 'p', 'v', 'x']))
    expect(events.find(([, code]) => code === 'o')?.[2]).toBe('héllo\n')
    const { code, stdout } = await lullHere(['replay', '--json', file])
    expect(code).toBe(0)
    expect(stdout).toMatch(/"confirmed_stuck"/)
    expect(stdout.trim().split('\n').at(-1)).toMatch(/"exited"/)
  })

  test('run(): verdicts to iterate over, an end to await', async () => {
    const running = run(['sh', '-c', 'cat; true'], { stdin: 'open', dwell: 1000, onStuck: { type: 'term' } })
    const levels: string[] = []
    for await (const { health } of running) levels.push(`${health.level} ${health.cause ?? ''}`)
    expect(levels[0]).toMatch(/^healthy/)
    // What is left of it may be seen once more while it ends.
    expect(levels).toContain('confirmed_stuck stdin')
    expect(await running.ended).toMatchObject({ signal: 'SIGTERM', isActedOn: true })
  })

  test('run(): what leaves its scope is ended with its whole group, and waited for', async () => {
    let ended: Promise<RunEnd> | undefined
    {
      await using running = run(['sh', '-c', 'sleep 1000; true'])
      ended = running.ended
      await running.started
    }
    expect(await ended).toMatchObject({ signal: 'SIGTERM', isActedOn: false })
    {
      await using over = run(['sh', '-c', 'exit 3'])
      ended = over.ended
      await ended
    }
    expect(await ended).toMatchObject({ code: 3 })
    {
      await using missing = run(['no-such-command'])
      ended = missing.ended
    }
    await expect(ended).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('run(): what can’t be started rejects, what is asked wrongly throws', async () => {
    await expect(run(['no-such-command']).ended).rejects.toMatchObject({ code: 'NOT_FOUND', exit: 127 })
    expect(() => run([])).toThrow(expect.objectContaining({ code: 'NO_COMMAND', exit: 2 }))
    expect(() => run(['true'], { cwd: '/no/such' })).toThrow('no such folder')
  })
})
