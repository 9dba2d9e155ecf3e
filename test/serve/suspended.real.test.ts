/** A served host that is suspended for a while: nothing is lost, doubled, or told that did not happen. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventStream, faultsOf } from '../support/event-stream.ts'
import { served } from '../support/served.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

test.runIf(process.platform === 'linux')(
  'what happened meanwhile is told once it goes on, and an action that waited is done once',
  { timeout: 120_000 },
  async () => {
    const { url, token, read, post } = await served()
    expect(await post('/v1/open', { name: 'box', words: ['bash', '--norc'] })).toMatchObject({ status: 200 })
    const agent = await startStandIn()
    agent.status({ status: 'idle', statusUpdatedAt: Date.now() })
    const stream = eventStream(url, token)
    const found = await stream.has(({ data }) => data.pid === agent.pid && data.state === 'idle', 'the agent')
    const id = found?.data.id
    const { pid } = (await read('/v1/status')) as { pid: number }

    process.kill(pid, 'SIGSTOP')
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    const acted = post(
      '/v1/sessions/box/send',
      { text: 'echo on-$((40+2))', wait: 60 },
      { 'idempotency-key': 's' },
    )
    // Longer than a client takes for the beats of a host that lives.
    await pause(6000)
    process.kill(pid, 'SIGCONT')

    await stream.has(({ data }) => data.id === id && data.state === 'waiting', 'what happened meanwhile')
    expect(await acted).toMatchObject({ status: 200, confirmed: true })
    const rows = async () =>
      ((await read('/v1/sessions/box/screen')).rows as string[]).filter(row => row === 'on-42')
    expect(await until(rows, all => all.length > 0)).toHaveLength(1)
    expect(faultsOf(stream.heard)).toEqual([])
    const states = stream.heard.filter(({ data }) => data.id === id).map(({ data }) => data.state)
    expect(states.slice(states.lastIndexOf('idle'))).toEqual(expect.arrayContaining(['idle', 'waiting']))
    expect(states).not.toContain('exited')
  },
)
