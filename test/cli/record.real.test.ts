/** Recording a live session, and judging the recording again; and explaining a live session. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bin, temporaryFolder } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

/** Of all agents here: one host hears them. */
const home = realpathSync(temporaryFolder())
const env = {
  HOME: home,
  LULL_RUNTIME_DIR: path.join(home, 'run'),
  XDG_STATE_HOME: path.join(home, 'state'),
}
afterAll(() => lullHere(['host', 'stop'], env))

async function withHost(agent: StandIn) {
  await lullHere(['host', 'start'], env)
  await until(
    () => rowsHere(env),
    rows => rows.some(({ pid }) => pid === agent.pid),
    'the agent',
  )
  const hook = (event: string, payload: object) =>
    new Promise<void>((resolve, reject) => {
      const request = http.request(
        {
          socketPath: path.join(env.LULL_RUNTIME_DIR, 'host.sock'),
          path: `/hooks/claude?event=${event}`,
          method: 'POST',
          headers: { 'lull-pid': agent.pid },
          agent: false,
        },
        response => response.resume().on('end', resolve),
      )
      request.on('error', reject)
      request.end(JSON.stringify({ session_id: `s${agent.pid}`, prompt_id: 'p', cwd: agent.cwd, ...payload }))
    })
  const state = async () => {
    const { stdout } = await lullHere(['explain', `pid:${agent.pid}`, '--json'], env)
    return JSON.parse(stdout) as { state: string; wouldChange: string[]; evidence: unknown[] }
  }
  return { hook, state }
}

const secret = 'sk-ant-api03-AbCdEf0123456789_AbCdEf0123456789'

describe.runIf(process.platform === 'linux')('lull record', () => {
  test('writes a trace that is judged the same again, without the secrets in it', async () => {
    const agent = await startStandIn({ home })
    agent.status({ status: 'idle', version: '2.1.330' })
    const { hook, state } = await withHost(agent)
    const file = path.join(agent.home, 'a.cast')
    const recording = spawn(process.execPath, [bin, 'record', `pid:${agent.pid}`, '-o', file], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await until(
      () => existsSync(file) && readFileSync(file, 'utf8'),
      text => text !== false && text !== '',
    )
    await hook('UserPromptSubmit', { prompt: `deploy with ${secret}` })
    await hook('PermissionRequest', {
      tool_name: 'Bash',
      tool_input: { command: `API_KEY=${secret} deploy` },
    })
    await until(state, ({ state: now }) => now === 'waiting')
    await hook('PostToolUse', { tool_name: 'Bash' })
    await hook('Stop', { last_assistant_message: 'done' })
    await until(state, ({ state: now }) => now === 'idle')
    recording.kill('SIGINT')
    expect(await once(recording, 'exit')).toEqual([0, null])
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(secret)
    expect(text).toContain('[redacted]')
    const replayed = await lullHere(['replay', file, '--json'])
    expect(replayed.stderr).toBe('')
    const states = replayed.stdout
      .trim()
      .split('\n')
      .map(row => (JSON.parse(row) as { state: string }).state)
    expect(states.filter((kind, i) => kind !== states[i - 1])).toEqual([
      'unknown',
      'idle',
      'working',
      'waiting',
      'working',
      'idle',
    ])
  })

  test('without a file writes into the folder that the page plays, with the id of the session', async () => {
    const agent = await startStandIn({ home })
    agent.status({ status: 'idle', version: '2.1.330' })
    await withHost(agent)
    const recording = spawn(process.execPath, [bin, 'record', `pid:${agent.pid}`], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const folder = path.join(env.XDG_STATE_HOME, 'lull/recordings')
    const [name = ''] = await until(
      () => (existsSync(folder) ? readdirSync(folder) : []),
      names => names.length > 0 && readFileSync(path.join(folder, names[0] ?? ''), 'utf8').includes('\n'),
      'the recording',
    )
    recording.kill('SIGINT')
    expect(await once(recording, 'exit')).toEqual([0, null])
    const [header = ''] = readFileSync(path.join(folder, name), 'utf8').split('\n')
    const { agent: said, session } = JSON.parse(header).lull
    expect([said, name.startsWith(`claude-${session}-`), statSync(folder).mode & 0o777]).toEqual([
      'claude',
      true,
      0o700,
    ])
  })

  test('never writes over a file, and names the session that is not there', async () => {
    const agent = await startStandIn({ home })
    await withHost(agent)
    const taken = agent.write('taken.cast', 'mine')
    const record = (session: string, file: string) => lullHere(['record', session, '-o', file], env)
    expect(await record(`pid:${agent.pid}`, taken)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exists'),
    })
    expect(readFileSync(taken, 'utf8')).toBe('mine')
    expect(await record('nobody', path.join(agent.home, 'b.cast'))).toMatchObject({ code: 2 })
    expect(await record(`pid:${agent.pid}`, path.join(agent.home, 'no/b.cast'))).toMatchObject({ code: 2 })
  })
})

describe.runIf(process.platform === 'linux')('lull record of what leaves no raw input', () => {
  test('refuses a command that runs, and says what records it', async () => {
    const env = ownPlaces()
    const run = startLull(['run', '--', 'sleep', '100'], env)
    await until(
      () => lullHere(['ps', '--json'], env),
      ({ stdout }) => stdout.includes('"agent":"command"'),
      'the run',
    )
    const file = path.join(temporaryFolder(), 'a.cast')
    expect(await lullHere(['record', 'command', '-o', file], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lull run --record FILE -- CMD…'),
    })
    expect(existsSync(file)).toBe(false)
    run.kill('SIGTERM')
    await run.ended
  })
})

test('a command whose promise nothing can settle any more ends with a sentence', async () => {
  const folder = temporaryFolder()
  cpSync(path.dirname(bin), path.join(folder, 'bin'), { recursive: true })
  mkdirSync(path.join(folder, 'dist/cli'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(folder, 'dist/cli/main.js'), 'export const main = () => new Promise(() => {})')
  const { status, stderr } = spawnSync(process.execPath, [path.join(folder, 'bin/lull.js')], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^lull: .* fault of lull’s own\n$/)])
})

describe.runIf(process.platform === 'linux')('lull explain SESSION', () => {
  test('tells the evidence once, and what would change the verdict', async () => {
    // An address: other tests' agents are in folders of other names.
    const folder = `explained-${process.pid}`
    const agent = await startStandIn({ home, folder })
    const { hook, state } = await withHost(agent)
    await hook('UserPromptSubmit', { prompt: 'go' })
    const told = await until(state, ({ state: now }) => now === 'working')
    expect(told.evidence).toHaveLength(1)
    expect(told.wouldChange).toEqual([
      expect.stringContaining('the end of its turn'),
      expect.stringMatching(/^in \d min.* health is suspicious/),
    ])
    const { stdout } = await lullHere(['explain', folder], env)
    expect(stdout).toMatch(/^Working, the model is at it/)
    expect(stdout).toContain('what would change it:')
  })
})
