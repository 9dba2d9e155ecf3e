/** Respawns and loops over HTTP, as their commands and signals steer them. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFile } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { respawnedAgent as agent } from '../support/respawned-agent.ts'
import { startLull } from '../support/running.ts'
import { apiOf } from '../support/served.ts'
import { servedHost } from '../support/served-host.ts'
import { until } from '../support/until.ts'

type Respawn = { readonly session: string; readonly phase: string; readonly step: number }
type Loop = { readonly id: string; readonly why: string; readonly wakes?: readonly object[] }

describe.runIf(process.platform === 'linux')('over HTTP', () => {
  const own = ownTerminals(afterAll)
  let host: Awaited<ReturnType<typeof servedHost>>
  let api: Awaited<ReturnType<typeof apiOf>>
  beforeAll(async () => {
    host = await servedHost(own.env)
    api = await apiOf(host)
  })
  afterAll(() => host?.end())

  test('a respawn is listed, pauses, skips, goes on and stops, and the history has who asked', async () => {
    const web = await agent(own, 100)
    const { name } = web
    const { post, read } = api
    const steps = '[{prompt: one}, {prompt: two, after: 1h}, {prompt: three, after: 1h}]'
    const run = web.start('--plan', temporaryFile('plan.yaml', `steps: ${steps}\n`))
    const list = async () => (await read('/v1/respawns')).respawns as Respawn[]
    // A skip of a step that is being typed shows later.
    const [listed] = await until(
      list,
      ([one]) => one?.step === 2 && one.phase === 'hook_idle',
      'its second step',
    )
    const printed = JSON.parse((await web.lull('respawn', 'status', name, '--json')).stdout)
    expect(Object.keys(listed ?? {})).toEqual(Object.keys(printed))
    expect(listed).toMatchObject({ name, session: printed.session, detection: { blocked: false } })

    expect(await post(`/v1/respawns/${name}/pause`, {})).toMatchObject({
      ...{ status: 200, confirmed: true, respawn: { phase: 'paused' } },
    })
    expect(await list()).toMatchObject([{ phase: 'paused' }])
    expect(await post(`/v1/respawns/${name}/skip`, {})).toMatchObject({
      ...{ status: 200, confirmed: true, respawn: { step: 3 } },
    })
    expect(await post(`/v1/respawns/${name}/resume`, {})).toMatchObject({ status: 200, confirmed: true })
    const key = { 'idempotency-key': 'stop-1' }
    const stopped = await post(`/v1/respawns/${name}/stop`, {}, key)
    expect(stopped).toMatchObject({ status: 200, confirmed: true, respawn: { phase: 'stopped' } })
    expect((await run).code).toBe(0)
    // Done once: another one that has begun since would not be stopped by it.
    expect(await post(`/v1/respawns/${name}/stop`, {}, key)).toEqual(stopped)
    expect(await post(`/v1/respawns/${name}/pause`, {})).toMatchObject({
      ...{ status: 404, error: { code: 'RESPAWN_GONE' } },
    })
    const { stdout } = await web.lull('history', '--json')
    const actions = stdout.split('\n').filter(line => /api\.(done|refused)/.test(line))
    expect(actions.map(line => JSON.parse(line).title)).toEqual(
      ['pause', 'skip', 'resume', 'stop', 'pause'].map(what => `${what}Respawn by ci`),
    )
  })

  test('a loop is listed with its next iteration, and stops as at SIGTERM', async () => {
    const { env } = own
    const program = path.join(env.HOME as string, 'bin/claude')
    mkdirSync(path.dirname(program))
    writeFileSync(program, '#!/bin/sh\ncat > /dev/null\nexit 3\n')
    chmodSync(program, 0o755)
    const ralph = path.join(env.HOME as string, 'RALPH.md')
    writeFileSync(ralph, `---\nagent: ${program}\n---\nGo on.\n`)
    const { post, read } = api
    const loop = startLull(['loop', '--delay', '10m', ralph], env)
    // A run is no loop.
    const run = startLull(['run', '--', 'sleep', '60'], env)
    await until(
      async () => (await lullHere(['ps', '--json'], env)).stdout,
      text => text.includes('sleep 60'),
    )
    const [resting, ...others] = await until(
      async () => (await read('/v1/loops')).loops as Loop[],
      ([one]) => one?.wakes !== undefined,
      'its wait',
    )
    expect(others).toEqual([])
    expect(resting).toMatchObject({
      state: 'idle',
      why: expect.stringContaining('iteration 1, last: failed'),
      wakes: [{ what: 'the next run', at: expect.stringMatching(/Z$/), in: expect.any(Number) }],
    })
    const steer = (what: string) => post(`/v1/loops/${resting?.id}/${what}`, {})
    const answers = (phase: string) => ({ status: 200, confirmed: true, loop: { phase, iteration: 1 } })
    expect(await steer('pause')).toMatchObject(answers('paused'))
    const [paused] = await until(
      async () => (await read('/v1/loops')).loops as Loop[],
      ([one]) => one?.wakes === undefined,
      'its pause',
    )
    expect(paused).toMatchObject({ state: 'idle', why: expect.stringContaining('paused') })
    expect(await steer('resume')).toMatchObject(answers('delaying'))
    expect(await steer('skip')).toMatchObject({ status: 200, confirmed: true, loop: { iteration: 2 } })
    await loop.says('iteration 2')
    expect(await post(`/v1/loops/pid:${process.pid}/pause`, {})).toMatchObject({ status: 404 })
    const commanded = async (what: string) =>
      (await lullHere(['loop', what, resting?.id as string], env)).stdout
    expect(await commanded('pause')).toMatch(/^\w+ {2}pause[sd] after iteration 2\n$/)
    await loop.says(/paused.*resumed.*paused/s)
    expect(await commanded('skip')).toMatch(/^\w+ {2}iteration 3 runs\n$/)
    expect(await steer('stop')).toMatchObject({ status: 200, confirmed: true })
    expect((await loop.ended).code).toBe(128 + 15)
    expect(await steer('pause')).toMatchObject({ status: 404, error: { code: 'NO_SESSION' } })
    expect(await post(`/v1/loops/pid:${process.pid}/stop`, {})).toMatchObject({
      ...{ status: 404, error: { code: 'NO_SESSION' } },
    })
    run.kill('SIGTERM')
    await run.ended
  })
})
