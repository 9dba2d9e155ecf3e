/** `lull watch` where it is not in a terminal: lines. */
import { describe, expect, test } from 'vitest'
import { atMostHint } from '../support/lull.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'

const status = (agent: StandIn, state: string, waitingFor?: string) =>
  agent.status({ status: state, waitingFor, statusUpdatedAt: Date.now() })

describe.runIf(process.platform === 'linux')('lull watch, not in a terminal', () => {
  test('a line for each agent, then one at each change', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    status(agent, 'busy')
    const watch = startLull(['watch'], env)
    const line = (state: string) =>
      new RegExp(`^\\d{4}-\\S+Z {2}claude \\w{8} \\(${agent.cwd}\\) {2}${state} {2}`, 'm')
    await watch.says(line('working'))
    status(agent, 'waiting', 'permission prompt')
    await watch.says(line('waiting/permission'))
    await agent.kill()
    await watch.says(line('exited'))
    expect(watch.stderr()).toMatch(atMostHint)
  })

  test('--json: a snapshot, then each change, an object a line', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    status(agent, 'busy')
    const watch = startLull(['watch', '--json'], env)
    await watch.says('"event":"snapshot"')
    status(agent, 'waiting', 'permission prompt')
    await watch.says(new RegExp(`"event":"changed".*"pid":${agent.pid},.*"for":"permission"`))
    const [first, ...rest] = watch
      .stdout()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { event: string; at: string; sessions?: object[] })
    expect(first).toMatchObject({ event: 'snapshot', at: expect.any(String) })
    expect(first?.sessions).toContainEqual(
      expect.objectContaining({ pid: agent.pid, state: 'working', seen: true }),
    )
    expect(new Set(rest.map(({ event }) => event))).toEqual(new Set(['changed']))
  })
})
