import { mkdirSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { storeFile } from '../../src/history/store-file.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { respawnedAgent as agent } from '../support/respawned-agent.ts'
import { until } from '../support/until.ts'

const own = ownTerminals(afterAll)

test('a plan is carried out to its end, and the history tells of it', async () => {
  const web = await agent(own)
  const plan = temporaryFile('plan.yaml', 'steps: [{prompt: one}, {output: echo two}]\ntimes: 2\n')
  const { code, stdout } = await web.lull('respawn', web.name, '--plan', plan, '--held', '100ms', '--json')
  const events = stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row))
  expect(web.prompts()).toEqual(['one', 'two', 'one', 'two'])
  expect(code).toBe(0)
  expect(events.filter(({ type }) => type === 'turn_ended')).toHaveLength(4)
  expect(events.at(-1)).toMatchObject({ type: 'stopped', outcome: 'times' })
  for (const { type, why } of events) expect([type, why]).toEqual([type, expect.stringMatching(/\w/)])
  const log = await web.lull('respawn', 'log', web.name)
  expect(log.stdout).toContain('sent "two" step 2, cycle 1')
  expect(log.stdout).toMatch(/1 session: 4 sent, 4 turns ended; last: stopped \(times\)/)
})

test('a command that the agent does not have is passed over, and its line cleared', async () => {
  const web = await agent(own)
  const plan = temporaryFile('plan.yaml', 'steps: [{command: /nosuch}, {prompt: two}]\ntimes: 1\n')
  const { code, stdout } = await web.lull('respawn', web.name, '--plan', plan, '--held', '100ms', '--json')
  expect(code).toBe(0)
  expect(stdout).toContain('the agent has no /nosuch: it prints')
  expect(web.prompts()).toEqual(['two'])
})

test('a history that can’t be kept is told once, and keeps nothing from going on', async () => {
  const web = await agent(own)
  const env = { ...web.env, XDG_STATE_HOME: temporaryFolder() }
  mkdirSync(storeFile(placesOf(env)), { recursive: true })
  const words = ['respawn', web.name, '--prompt', 'go on', '--times', '2', '--held', '100ms']
  const { code, stdout } = await lullHere(words, env)
  expect(code).toBe(0)
  expect(web.prompts()).toEqual(['go on', 'go on'])
  expect(stdout.match(/the history does not keep this/g)).toHaveLength(1)
})

test('a half-typed line is a person’s: nothing is typed behind it', async () => {
  const web = await agent(own)
  await web.requests.type(web.name, (await web.requests.describe(web.name)).pid, Buffer.from('half'), {
    isPaste: false,
  })
  // Beside load the time may be over before it has looked at the line.
  await until(
    () => web.lull('respawn', web.name, '--prompt', 'go on', '--held', '100ms', '--json', '--for', '2s'),
    ({ stdout }) => stdout.includes('"type":"paused","by":"person"'),
  )
  expect(web.prompts()).toEqual([])
})

test('an agent that ends, and a dry run', async () => {
  const web = await agent(own)
  const dry = await web.lull('respawn', web.name, '--prompt', 'go on', '--dry-run', '--held', '100ms')
  expect(dry.code).toBe(0)
  expect(dry.stdout.match(/would send "go on"/g)).toHaveLength(1)
  expect(web.prompts()).toEqual([])
  const run = web.lull('respawn', web.name, '--prompt', 'go on', '--held', '100ms')
  await until(web.prompts, ({ length: now }) => now > 0)
  await web.requests.close(web.name, true)
  expect(await run).toMatchObject({ code: 5, stdout: expect.stringMatching(/stopped: (exited|gone)/) })
  expect((await web.lull('respawn', 'log', web.name)).stdout).toMatch(/stopped: (exited|gone)/)
  expect(await web.lull('respawn', 'log', 'nosuch')).toMatchObject({ code: 2 })
})

test('the log shows where a respawn was killed', async () => {
  const web = await agent(own)
  const run = web.start('--prompt', 'go on')
  await until(web.prompts, ({ length: now }) => now > 0)
  const { pid } = JSON.parse((await web.lull('respawn', 'status', web.name, '--json')).stdout)
  expect((await web.lull('respawn', 'log')).stdout).not.toContain('no report after this')
  process.kill(pid, 'SIGKILL')
  await expect(run).rejects.toThrow('Command failed')
  expect((await web.lull('respawn', 'log')).stdout).toContain('no report after this')
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
  const said = await own.lull(...words)
  expect([said.code, said.stderr]).toEqual([code, expect.stringMatching(sentence)])
})

test('a terminal of no agent is not kept going', async () => {
  await own.lull('open', 'sh', '--', 'bash', '--norc')
  expect(await own.lull('respawn', 'sh', '--prompt', 'ls')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not an agent'),
  })
})
