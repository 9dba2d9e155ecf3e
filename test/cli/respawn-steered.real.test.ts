/** A respawn whose session others steer, rename, end or find from beside. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { crashedRespawn } from '../support/crashed-respawn.ts'
import { lull, temporaryFile } from '../support/lull.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { respawnedAgent as agent } from '../support/respawned-agent.ts'
import { tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const program = path.resolve(import.meta.dirname, '../support/scripted-agent.ts')

const own = ownTerminals(afterAll)

/** Its session, as `lull ps` has it. */
async function listed({ lull, name }: Pick<Awaited<ReturnType<typeof agent>>, 'lull' | 'name'>) {
  const { sessions } = JSON.parse((await lull('ps', '--json')).stdout)
  return sessions.find((one: { name?: string }) => one.name === name)
}

test('one controller a session, steered from another terminal; what is stopped types no more', async () => {
  const web = await agent(own, 100)
  const run = web.start('--prompt', 'go on')
  await until(web.prompts, ({ length: now }) => now > 0)
  expect(await web.lull('respawn', web.name, '--prompt', 'me too')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('another lull respawn'),
  })
  expect(await listed(web)).toMatchObject({ kept: true, needsMe: false })
  expect((await web.lull('respawn', 'pause', web.name)).stdout).toMatch(/^claude web-\d+-\d+ \w{8} {2}paused/)
  const status = JSON.parse((await web.lull('respawn', 'status', web.name, '--json')).stdout)
  expect(status).toMatchObject({ phase: 'paused', agent: 'claude', detection: { blocked: false } })
  // What was entered right before the pause may be noted a moment later.
  const { length } = web.prompts()
  expect(await web.lull('respawn', 'status', web.name)).toMatchObject({ code: 0 })
  expect(web.prompts()).toHaveLength(length)
  const paused = await until(
    () => listed(web),
    ({ state }) => state === 'idle',
  )
  expect(paused).not.toMatchObject({ kept: true })
  expect(paused.need).not.toBe('nothing')
  await web.lull('respawn', 'resume', web.name)
  await until(web.prompts, ({ length: now }) => now > length)
  expect((await web.lull('respawn', 'stop', web.name)).stdout).toContain('stopped')
  expect((await run).code).toBe(0)
  const after = web.prompts()
  expect((await web.lull('respawn', 'ps')).stdout).toBe('no respawn runs\n')
  expect(web.prompts()).toEqual(after)
  expect(after).not.toContain('me too')
})

test('a step is passed over from another terminal', async () => {
  const web = await agent(own)
  const steps = '[{prompt: one}, {prompt: two, after: 1h}, {prompt: three}]'
  const plan = temporaryFile('plan.yaml', `steps: ${steps}\ntimes: 1\n`)
  const run = web.start('--plan', plan, '--json')
  await until(
    () => web.lull('respawn', 'status', web.name, '--json'),
    ({ code, stdout }) => code === 0 && JSON.parse(stdout).step === 2,
  )
  expect(await web.lull('respawn', 'skip', web.name)).toMatchObject({ code: 0 })
  const { code, stdout } = await run
  expect(code).toBe(0)
  expect(stdout).toContain('"type":"skipped"')
  expect(web.prompts()).toEqual(['one', 'three'])
})

test('its session is given another name, and it goes on', async () => {
  const server = tmuxServer()
  const notes = temporaryFile('notes', '')
  const command = `exec -a claude ${process.execPath} ${program} ${notes} ${own.env.HOME} 100`
  const place = ['-P', '-F', '#{pane_id} #{session_id}', '-x', '100', '-y', '30']
  const [pane = '', session = ''] = server
    .tmux('new-session', '-d', '-s', 'old', '-e', `HOME=${own.env.HOME}`, ...place, command)
    .trim()
    .split(' ')
  const prompts = () => readFileSync(notes, 'utf8').split('\n').slice(0, -1)
  const beside = (...args: readonly string[]) => lull(args, [], { ...own.env, TMUX: `${server.socket},1,0` })
  await until(
    async () => (await own.lull('ps', '--json')).stdout,
    listed =>
      (JSON.parse(listed).sessions as readonly { pane?: string; state: string }[]).some(
        one => one.pane === pane && one.state === 'idle',
      ),
  )
  const run = beside('respawn', 'tmux:old:0.0', '--prompt', 'go on', '--held', '100ms')
  await until(prompts, ({ length }) => length > 0)
  server.tmux('rename-session', '-t', session, 'new')
  const { length: before } = prompts()
  await until(prompts, ({ length }) => length > before + 1)
  expect(await beside('respawn', 'stop', 'tmux:new:0.0')).toMatchObject({ code: 0 })
  expect((await run).code).toBe(0)
})

test('between a crash and its relaunch it is found by its name, though a shell has it, and ended', async () => {
  const name = `crashed-${process.pid}`
  expect(await own.lull('open', name, '--', 'bash', '--norc')).toMatchObject({ code: 0 })
  const { run, typed, clock } = await crashedRespawn(name, own.places)
  const status = JSON.parse((await own.lull('respawn', 'ps', '--json')).stdout)
  expect(status).toMatchObject({ phase: 'sending', address: name })
  expect(new Date(status.since).toISOString()).toBe(status.since)
  expect((await own.lull('respawn', 'stop', name)).stdout).toContain('stopped')
  expect(await run.outcome).toBe('asked')
  clock.advance(600_000)
  expect(typed).toEqual([])
  expect((await own.lull('respawn', 'ps')).stdout).toBe('no respawn runs\n')
})

test('it goes on where the host ends and another one begins', async () => {
  const web = await agent(own, 200)
  expect(await web.lull('host', 'start')).toMatchObject({ code: 0 })
  onTestFinished(async () => void (await web.lull('host', 'stop')))
  const run = web.start('--prompt', 'go on')
  await until(web.prompts, ({ length: now }) => now > 0)
  await web.lull('host', 'stop')
  const { length: before } = web.prompts()
  await until(web.prompts, ({ length: now }) => now > before + 1)
  await web.lull('host', 'start')
  const { length } = web.prompts()
  await until(web.prompts, ({ length: now }) => now > length + 1)
  expect((await web.lull('respawn', 'stop', web.name)).stdout).toContain('stopped')
  expect((await run).code).toBe(0)
})
