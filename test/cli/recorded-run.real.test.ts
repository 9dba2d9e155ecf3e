import { describe, expect, test } from 'vitest'
import { report } from '../support/health-report.ts'
import { temporaryFile } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'

describe('a recording of a run', () => {
  const trace = [
    JSON.stringify({ version: 2, width: 80, height: 24, lull: { trace: 1, agent: 'command' } }),
    JSON.stringify([0.5, 'p', report('healthy', 'low', { held: 0, cause: undefined })]),
    JSON.stringify([1, 'o', 'hello\r\n']),
    JSON.stringify([4, 'p', report('confirmed_stuck', 'certain')]),
    JSON.stringify([5, 'h', '{"event":"Stop"}']),
    JSON.stringify([6, 'x', '{"code":0}']),
  ]

  test('is judged again without --agent', async () => {
    const file = temporaryFile('run.cast', `${trace.join('\n')}\n`)
    const { code, stdout, stderr } = await lullHere(['replay', '--json', file])
    expect(code).toBe(0)
    const rows = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(rows.map(({ t, state, health, cause }) => [t, state, health, cause])).toEqual([
      [0, 'starting', 'healthy', undefined],
      [0.5, 'working', 'healthy', 'stdin'],
      [4, 'working', 'confirmed_stuck', 'stdin'],
      [6, 'exited', 'healthy', undefined],
    ])
    expect(rows[2]).toMatchObject({
      certainty: 'certain',
      healthSince: 2,
      healthWhy: 'cat(7) reads its stdin',
    })
    expect(stderr).toContain('a hook of an agent in a session of a command')
    expect((await lullHere(['replay', '--json', file])).stdout).toBe(stdout)
  })

  test('is explained at an instant', async () => {
    const file = temporaryFile('run.cast', `${trace.join('\n')}\n`)
    const { stdout } = await lullHere(['explain', file, '--at', '5s'])
    expect(stdout).toContain('Stuck for 3.0 s (it waits for input): cat(7) reads its stdin.')
  })
})
