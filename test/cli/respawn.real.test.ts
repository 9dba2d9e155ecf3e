import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storeFile } from '../../src/history/store-file.ts'
import { crashedRespawn } from '../support/crashed-respawn.ts'
import { lull, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const program = path.resolve(import.meta.dirname, '../support/scripted-agent.ts')

/** Its own: another agent of this machine may be called `web`. */
const name = `web-${process.pid}`

type Listed = { readonly sessions: readonly { readonly name?: string; readonly state: string }[] }

async function agent(ms = 300) {
  const own = ownTerminals()
  const folder = temporaryFolder()
  const notes = path.join(folder, 'notes')
  writeFileSync(notes, '')
  const home = own.env.HOME as string
  const start = `cd ${folder} && exec -a claude ${process.execPath} ${program} ${notes} ${home} ${ms}`
  expect(await own.lull('open', name, '--', 'bash', '-c', start)).toMatchObject({ code: 0 })
  await until(
    async () => JSON.parse((await own.lull('ps', '--json')).stdout) as Listed,
    ({ sessions }) => sessions.some(session => session.name === name && session.state === 'idle'),
  )
  return {
    ...own,
    /** A process of its own, which others steer. */
    start: (...flags: readonly string[]) =>
      lull(['respawn', name, ...flags, '--settled', '100ms'], [], own.env),
    prompts: () => readFileSync(notes, 'utf8').split('\n').slice(0, -1),
  }
}

test('a plan is carried out to its end, and the history tells of it', async () => {
  const web = await agent()
  const plan = temporaryFile('plan.yaml', 'steps: [{prompt: one}, {output: echo two}]\ntimes: 2\n')
  const { code, stdout } = await web.lull('respawn', name, '--plan', plan, '--settled', '100ms', '--json')
  const events = stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row))
  expect(web.prompts()).toEqual(['one', 'two', 'one', 'two'])
  expect(code).toBe(0)
  expect(events.filter(({ type }) => type === 'turn_ended')).toHaveLength(4)
  expect(events.at(-1)).toMatchObject({ type: 'stopped', outcome: 'times' })
  for (const { type, why } of events) expect([type, why]).toEqual([type, expect.stringMatching(/\w/)])
  const log = await web.lull('respawn', 'log')
  expect(log.stdout).toContain('sent "two" step 2, cycle 1')
  expect(log.stdout).toMatch(/1 session: 4 sent, 4 turns ended; last: stopped \(times\)/)
})

test('a command that the agent does not have is passed over, and its line cleared', async () => {
  const web = await agent()
  const plan = temporaryFile('plan.yaml', 'steps: [{command: /nosuch}, {prompt: two}]\ntimes: 1\n')
  const { code, stdout } = await web.lull('respawn', name, '--plan', plan, '--settled', '100ms', '--json')
  expect(code).toBe(0)
  expect(stdout).toContain('the agent has no /nosuch: it prints')
  expect(web.prompts()).toEqual(['two'])
})

test('one controller a session, steered from another terminal; what is stopped types no more', async () => {
  const web = await agent(100)
  const run = web.start('--prompt', 'go on')
  await until(web.prompts, ({ length: now }) => now > 0)
  expect(await web.lull('respawn', name, '--prompt', 'me too')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('another lull respawn'),
  })
  expect((await web.lull('respawn', 'pause', name)).stdout).toMatch(/^claude web-\d+ \w{8} {2}paused/)
  const { length } = web.prompts()
  const status = JSON.parse((await web.lull('respawn', 'status', name, '--json')).stdout)
  expect(status).toMatchObject({ phase: 'paused', agent: 'claude', detection: { blocked: false } })
  expect(web.prompts()).toHaveLength(length)
  await web.lull('respawn', 'resume', name)
  await until(web.prompts, ({ length: now }) => now > length)
  expect((await web.lull('respawn', 'stop', name)).stdout).toContain('stopped')
  expect((await run).code).toBe(0)
  const after = web.prompts()
  expect((await web.lull('respawn', 'ps')).stdout).toBe('no respawn runs\n')
  expect(web.prompts()).toEqual(after)
  expect(after).not.toContain('me too')
})

test('a step is passed over from another terminal', async () => {
  const web = await agent()
  const steps = '[{prompt: one}, {prompt: two, after: 1h}, {prompt: three}]'
  const plan = temporaryFile('plan.yaml', `steps: ${steps}\ntimes: 1\n`)
  const run = web.start('--plan', plan, '--json')
  await until(
    () => web.lull('respawn', 'status', name, '--json'),
    ({ code, stdout }) => code === 0 && JSON.parse(stdout).step === 2,
  )
  expect(await web.lull('respawn', 'skip', name)).toMatchObject({ code: 0 })
  const { code, stdout } = await run
  expect(code).toBe(0)
  expect(stdout).toContain('"type":"skipped"')
  expect(web.prompts()).toEqual(['one', 'three'])
})

test('its session is given another name, and it goes on', async () => {
  const web = await agent()
  const server = tmuxServer()
  const notes = temporaryFile('notes', '')
  const command = `exec -a claude ${process.execPath} ${program} ${notes} ${web.env.HOME} 100`
  const place = ['-P', '-F', '#{pane_id} #{session_id}', '-x', '100', '-y', '30']
  const [pane = '', session = ''] = server
    .tmux('new-session', '-d', '-s', 'old', '-e', `HOME=${web.env.HOME}`, ...place, command)
    .trim()
    .split(' ')
  const prompts = () => readFileSync(notes, 'utf8').split('\n').slice(0, -1)
  const beside = (...args: readonly string[]) => lull(args, [], { ...web.env, TMUX: `${server.socket},1,0` })
  await until(
    async () => (await web.lull('ps', '--json')).stdout,
    listed =>
      (JSON.parse(listed).sessions as readonly { pane?: string; state: string }[]).some(
        one => one.pane === pane && one.state === 'idle',
      ),
  )
  const run = beside('respawn', 'tmux:old:0.0', '--prompt', 'go on', '--settled', '100ms')
  await until(prompts, ({ length }) => length > 0)
  server.tmux('rename-session', '-t', session, 'new')
  const { length: before } = prompts()
  await until(prompts, ({ length }) => length > before + 1)
  expect(await beside('respawn', 'stop', 'tmux:new:0.0')).toMatchObject({ code: 0 })
  expect((await run).code).toBe(0)
})

test('between a crash and its relaunch it is found by its name, though a shell has it, and ended', async () => {
  const own = ownTerminals()
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
  const web = await agent(200)
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
  expect((await web.lull('respawn', 'stop', name)).stdout).toContain('stopped')
  expect((await run).code).toBe(0)
})

test('a history that can’t be kept is told once, and keeps nothing from going on', async () => {
  const web = await agent()
  mkdirSync(storeFile(web.places))
  const { code, stdout } = await web.lull(
    'respawn',
    name,
    '--prompt',
    'go on',
    '--times',
    '2',
    '--settled',
    '100ms',
  )
  expect(code).toBe(0)
  expect(web.prompts()).toEqual(['go on', 'go on'])
  expect(stdout.match(/the history does not keep this/g)).toHaveLength(1)
})

test('a half-typed line is a person’s: nothing is typed behind it', async () => {
  const web = await agent()
  await web.requests.type(name, (await web.requests.describe(name)).pid, Buffer.from('half'), {
    isPaste: false,
  })
  const run = web.lull('respawn', name, '--prompt', 'go on', '--settled', '100ms', '--json', '--for', '2s')
  expect((await run).stdout).toContain('"type":"paused","by":"person"')
  expect(web.prompts()).toEqual([])
})

test('an agent that ends, and a dry run', async () => {
  const web = await agent()
  const dry = await web.lull('respawn', name, '--prompt', 'go on', '--dry-run', '--settled', '100ms')
  expect(dry.code).toBe(0)
  expect(dry.stdout.match(/would send "go on"/g)).toHaveLength(1)
  expect(web.prompts()).toEqual([])
  const run = web.start('--prompt', 'go on')
  await until(web.prompts, ({ length: now }) => now > 0)
  await web.lull('close', name, '--force')
  expect(await run).toMatchObject({ code: 5, stdout: expect.stringMatching(/stopped: (exited|gone)/) })
  expect((await web.lull('respawn', 'log', name)).stdout).toMatch(/stopped: (exited|gone)/)
  expect(await web.lull('respawn', 'log', 'nosuch')).toMatchObject({ code: 2 })
})

test.each([
  [['respawn', 'web'], 2, /add --plan FILE or --prompt TEXT/],
  [
    ['respawn', 'web', '--plan', 'x.yaml', '--prompt', 'x'],
    2,
    /--plan and --prompt exclude each other; give one/,
  ],
  [['respawn', 'nosuch', '--prompt', 'x'], 2, /no session/],
  [['respawn', 'web', '--prompt', 'x', '--times', '0'], 2, /--times 0/],
  [['respawn', 'web', '--prompt', 'x', '--for', '-1h'], 2, /--for/],
  [['respawn', 'web', '--plan', '/nosuch.yaml'], 2, /nosuch\.yaml/],
  [['respawn', 'stop', 'aaaaaaaa'], 1, /no lull respawn keeps aaaaaaaa going/],
] as const)('%j is a sentence', async (words, code, sentence) => {
  const said = await ownTerminals().lull(...words)
  expect([said.code, said.stderr]).toEqual([code, expect.stringMatching(sentence)])
})

test('a terminal of no agent is not kept going', async () => {
  const own = ownTerminals()
  await own.lull('open', 'sh', '--', 'bash', '--norc')
  expect(await own.lull('respawn', 'sh', '--prompt', 'ls')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not an agent'),
  })
})
