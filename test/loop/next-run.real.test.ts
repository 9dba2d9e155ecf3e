import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { nextRun } from '../../src/loop/next-run.ts'
import { bin } from '../support/lull.ts'

const now = Date.UTC(2026, 10, 24)
const said = (state: string): string => `I looked.\n\n<!-- ralph:state ${state} -->\n`
const next = (state: string, options: object = {}) => nextRun(said(state), { now, ...options })

test.each([
  ['work goes on at once', 'Done with it.', { state: 'working', delay: 0 }],
  ['idle', said('idle'), { state: 'idle', delay: 30_000, idle: { count: 1, since: now } }],
  ['a wait', said('waiting CI until=10m'), { state: 'waiting', reason: 'CI', delay: 600_000 }],
  ['a person is needed', said('blocked no key'), { state: 'blocked', reason: 'no key', stop: 'blocked' }],
  ['done', said('done'), { state: 'done', stop: 'done' }],
  ['a name of its own', said('reviewing'), { state: 'working', reported: 'reviewing', delay: 0 }],
  [
    'a marker that is quoted',
    '> <!-- ralph:state idle -->',
    { state: 'working', uncounted: { name: 'idle' } },
  ],
])('%s', (_, message, expected) => expect(nextRun(message, { now })).toMatchObject(expected))

test('each wait is longer than the last, to the longest, until it was enough', () => {
  const first = next('idle')
  const second = next('idle', { before: first.idle })
  expect([first.delay, second.delay]).toEqual([30_000, 60_000])
  expect(next('idle', { before: { count: 50, since: now - 1000 } }).delay).toBe(300_000)
  expect(next('idle', { before: { count: 3, since: now - 21_600_000 } })).toMatchObject({ stop: 'idle_max' })
  expect(next('idle', { idle: { delay: 1000, backoff: 3 }, before: { count: 1, since: now } }).delay).toBe(
    3000,
  )
})

test('lull loop-state prints it as JSON, in seconds, and exits as lull loop would', () => {
  const run = (state: string, ...flags: readonly string[]) => {
    const args = [bin, 'loop-state', ...flags]
    const { status, stdout } = spawnSync(process.execPath, args, { input: said(state), encoding: 'utf8' })
    return { code: status, stdout }
  }
  const { code, stdout } = run('idle', '--count', '2', '--since', new Date(Date.now() - 1000).toISOString())
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { state: 'idle', delay: 120, idleCount: 3 }])
  expect(run('blocked')).toMatchObject({ code: 3, stdout: expect.stringContaining('"stop":"blocked"') })
  expect(run('done')).toMatchObject({ code: 0, stdout: expect.stringContaining('"stop":"done"') })
  expect(run('idle', '--count', '2')).toMatchObject({ code: 2 })
  expect(run('idle', '--count', 'x', '--since', 'y')).toMatchObject({ code: 2 })
})

test('lull loop-state reads what a CLI printed as JSON', () => {
  const result = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: said('done'),
    session_id: 's',
  }
  const run = (printed: object) => {
    const input = JSON.stringify(printed)
    return spawnSync(process.execPath, [bin, 'loop-state'], { input, encoding: 'utf8' })
  }
  expect(run(result).stdout).toContain('"stop":"done"')
  // A loop that calls again at once would spin.
  expect(run({ ...result, is_error: true })).toMatchObject({ status: 2, stdout: '' })
})

test.each(['', ' \n\n'])(
  'lull loop-state is told nothing by %j: an agent that failed makes no loop spin',
  input => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'loop-state'], {
      input,
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/^lull: the message on stdin is empty; .*\n$/)
  },
)

test.each([
  ['as a shell makes it', ''],
  ['that a program before has made one in which nobody waits', `"$0" -e 'process.stdin; process.exit()';`],
])('lull loop-state takes a message that comes in pieces, by a pipe %s', (_, before) => {
  // The first piece is more than a pipe holds, so that lull reads by then; then the writer takes as long as a program does.
  const writer = `head -c 300000 /dev/zero | tr '\\0' x; "$0" -e ''; printf '\\n%s' "$2"`
  const script = `{ ${writer}; } | { ${before} exec "$0" "$1" loop-state; }`
  const words = ['-c', script, process.execPath, bin, said('done')]
  const { status, stdout, stderr } = spawnSync('sh', words, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ state: 'done', stop: 'done' })
})
