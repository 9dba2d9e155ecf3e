/** A fleet over the oldest and the newest NATS server that is here: it is joined, listed, acted on, cut off, and comes back. */
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectHub } from '../../src/fleet/nats/hub.ts'
import { lull, type Run, temporaryFolder } from '../support/lull.ts'
import { natsHub, oldestAndNewest } from '../support/nats-hub.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

const tried = oldestAndNewest()
if (tried.length < 2)
  process.stderr.write(
    'skipped: another nats-server than the own is not here, npm run setup-bench -- --tests fetches it\n',
  )

describe.runIf(tried.length > 0)('a fleet over each NATS server', () => {
  const machines = { red: ownPlaces(), phone: ownPlaces(), tv: ownPlaces() }
  type Name = keyof typeof machines
  const on = (name: Name, ...words: readonly string[]): Promise<Run> => lull(words, [], machines[name])

  beforeAll(async () => {
    expect(await on('red', 'open', 'work', '--', 'bash', '--norc')).toMatchObject({ code: 0 })
  })
  afterAll(async () => {
    await on('red', 'terminals', 'stop', '--force')
    await on('red', 'host', 'stop')
  })

  test.for(tried)('nats-server $version', async ({ file }, { onTestFinished }) => {
    const dir = temporaryFolder()
    const keys = (...words: readonly string[]) => on('phone', 'fleet', 'keys', ...words, '--dir', dir)
    expect(await keys('init')).toMatchObject({ code: 0 })
    for (const [name, role] of [
      ['red', 'host'],
      ['phone', 'operator'],
      ['tv', 'viewer'],
    ] as const)
      expect(await keys('add', name, '--as', role)).toMatchObject({ code: 0, stderr: '' })
    const hub = await natsHub(path.join(dir, 'fleet.conf'), file)
    onTestFinished(hub.kill)
    const join = (name: Name, ...words: readonly string[]) =>
      on(name, 'fleet', 'join', hub.url, '--creds', path.join(dir, `${name}.nk`), ...words)
    expect(await join('phone', '--view')).toMatchObject({ code: 0, stderr: '' })
    expect(await join('red', '--name', 'red')).toMatchObject({ code: 0, stderr: '' })
    expect(await join('tv', '--view')).toMatchObject({ code: 0, stderr: '' })
    const isListed = () =>
      until(
        () => on('phone', 'ps', '--fleet'),
        ({ code, stdout }) => code === 0 && /idle.*@red/.test(stdout),
        'its session',
      )
    await isListed()
    const sent = await on('phone', 'send', 'work@red', 'echo from-$((40+2))', '--wait')
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('from-42') })
    expect(await on('tv', 'send', 'work@red', 'echo by-tv')).toMatchObject({ code: 1 })

    const watch = startLull(['watch', '--fleet', '--json'], machines.tv)
    await watch.says('@red')
    expect(await keys('revoke', 'tv')).toMatchObject({ code: 0 })
    hub.reload()
    await watch.says('"unknown"')
    expect((await on('tv', 'ps', '--fleet')).code).toBe(1)

    await hub.kill()
    expect((await on('phone', 'ps', '--fleet')).code).toBe(1)
    await hub.start()
    await isListed()
    await hub.kill()
    hub.empty()
    await hub.start()
    await isListed()
    expect(await on('red', 'fleet', 'leave')).toMatchObject({ code: 0, stderr: '' })
    expect((await on('phone', 'ps', '--fleet')).stdout).not.toContain('@red')
  })

  test.for(tried)(
    'lists its hosts while one joins again and again: $version',
    async ({ file }, { onTestFinished }) => {
      const { url, kill } = await natsHub(undefined, file)
      onTestFinished(kill)
      const [host, viewer] = await Promise.all(['host', 'viewer'].map(who => connectHub({ url, who })))
      await host?.join('blue')
      await host?.join('red')
      let isOn = true
      const joins = (async () => {
        while (isOn) await host?.join('red')
      })()
      for (let n = 0; n < 30; n++)
        expect([...((await viewer?.hosts()) ?? [])].map(([name]) => name)).toEqual(['blue', 'red'])
      isOn = false
      await joins
      await Promise.all([host?.close(), viewer?.close()])
    },
  )
})
