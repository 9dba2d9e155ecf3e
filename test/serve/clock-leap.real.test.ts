/**
 * A served host whose wall clock leaps by days, both ways, while it runs. Needs Debian's `faketime` (`npm run setup-bench -- --tests`
 * installs it): without it these are skipped.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { eventStream, faultsOf } from '../support/event-stream.ts'
import { temporaryFolder } from '../support/lull.ts'
import { neededProgram } from '../support/needed-program.ts'
import { ownPlaces } from '../support/running.ts'
import { served } from '../support/served.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const { file: library, skipped } = neededProgram(
  'faketime',
  ['x86_64', 'aarch64'].map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`),
)

test.runIf(library)(`waits, keys and events hold${skipped}`, { timeout: 120_000 }, async () => {
  const leap = path.join(temporaryFolder(), 'leap')
  const leapTo = (offset: string): void => writeFileSync(leap, `${offset}\n`)
  leapTo('+0')
  const { url, token, read, post } = await served({
    ...ownPlaces(),
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: leap,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  const agent = await startStandIn()
  agent.status({ status: 'idle', statusUpdatedAt: Date.now() })
  const stream = eventStream(url, token)
  const found = await stream.has(({ data }) => data.pid === agent.pid && data.state === 'idle', 'the agent')
  const id = String(found?.data.id)
  expect(await post('/v1/open', { name: 'box', words: ['bash', '--norc'] })).toMatchObject({ status: 200 })
  const key = { 'idempotency-key': 'k' }
  const text = { text: 'echo leap-$((40+2))' }
  const first = await post('/v1/sessions/box/send', text, key)
  expect(first).toMatchObject({ status: 200, confirmed: true })

  for (const [offset, days] of [
    ['+3d', 3],
    ['-10d', -10],
  ] as const) {
    const waiting = read(`/v1/wait?session=${id}&for=waiting&timeout=3`)
    leapTo(offset)
    const isThere = (time: unknown) =>
      Math.abs(Date.parse(String(time)) - Date.now() - days * 86_400_000) < 3_600_000
    await until(
      () => read('/v1/sessions'),
      ({ at }) => isThere(at),
      `a clock at ${offset}`,
    )
    // The same key gives the same answer, however much later it seems to be.
    expect(await post('/v1/sessions/box/send', text, key)).toEqual(first)
    // A wait lasts as long as it was asked to.
    const waited = (await waiting) as { outcome: string; elapsed: number }
    expect([waited.outcome, waited.elapsed >= 2.5]).toEqual(['timeout', true])
    const row = await read(`/v1/sessions/${id}`)
    expect([row.state, isThere(row.since)]).toEqual(['idle', true])
    const again = eventStream(url, token)
    await again.has(({ event }) => event === 'snapshot', 'a snapshot')
    await again.has(
      ({ data }) =>
        [data, ...((data.sessions as Record<string, unknown>[] | undefined) ?? [])].some(
          one => one.id === id && isThere(one.since),
        ),
      'its times of the new clock',
    )
    await again.close()
  }
  const rows = async () =>
    ((await read('/v1/sessions/box/screen')).rows as string[]).filter(row => row === 'leap-42')
  expect(await until(rows, all => all.length > 0)).toHaveLength(1)
  expect(faultsOf(stream.heard)).toEqual([])
})
