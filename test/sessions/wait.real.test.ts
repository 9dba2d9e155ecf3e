/** `lull wait`: with sessions that the test moves, and as people run it, beside processes that call themselves agents. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { lastingChanges } from '../../src/sessions/wait/lasting-changes.ts'
import { wait } from '../../src/sessions/wait/wait.ts'
import type { WaitRequest } from '../../src/sessions/wait/wait-step.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { broken, fakeLive, finished, news, prompt, settle } from '../support/live.ts'
import { bin } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

type Fake = ReturnType<typeof fakeLive>

const toIdle: WaitRequest = { for: ['idle'], next: false, mode: 'all', ignoreBackground: false, held: 0 }

/** Waits for session `a` of a source, and for another one where that ends. */
async function waiting(source: Fake, request: Partial<WaitRequest> = {}, others: readonly Fake[] = []) {
  const stop = new AbortController()
  const rest = [...others]
  const told: string[] = []
  const reconnect = async () => {
    told.push('lost')
    const next = rest.shift()
    if (!next) throw new Error('nothing to connect to')
    return { ...next.live, via: 'own' as const }
  }
  const changes = await lastingChanges(source.live, reconnect)
  let outcome: string | undefined
  const find = (sessions: readonly LiveSession[]) => sessions.filter(({ id }) => id === 'a')
  const ended = wait({ ...toIdle, ...request }, find, {
    changes,
    clock: source.clock,
    signal: stop.signal,
    onRegistered: sessions => told.push(`registered ${sessions.map(({ id }) => id).join(' ')}`),
  }).then(
    done => {
      outcome = done?.outcome ?? 'nothing'
    },
    (error: Error & { code?: string }) => {
      outcome = error.code ?? error.message
    },
  )
  await settle()
  return { stop, told, ended, changes, outcome: () => outcome }
}

describe('a wait', () => {
  test('for what is so already asks nobody to wait', async () => {
    const source = fakeLive()
    source.file('a', prompt(0), news(0, finished))
    const { outcome, told } = await waiting(source)
    expect([outcome(), told]).toEqual(['reached', []])
  })

  test('is registered before anything that happens next', async () => {
    const source = fakeLive()
    source.file('a', prompt(0), news(0, finished))
    const { outcome, told } = await waiting(source, { next: true })
    expect([outcome(), told]).toEqual([undefined, ['registered a']])
    source.clock.advance(10)
    source.file('a', prompt(10))
    source.clock.advance(10)
    source.file('a', news(20, finished))
    await settle()
    expect(outcome()).toBe('reached')
  })

  test('sleeps until it is due: a state that has to settle, a timeout', async () => {
    const source = fakeLive()
    source.file('a', prompt(0))
    const settled = await waiting(source, { held: 3000, timeout: 60_000 })
    source.clock.advance(1000)
    source.file('a', news(1000, finished))
    await settle()
    source.clock.advance(2999)
    await settle()
    expect(settled.outcome()).toBeUndefined()
    source.clock.advance(1)
    await settle()
    expect(settled.outcome()).toBe('reached')
    source.file('a', prompt(4000))
    const late = await waiting(source, { timeout: 1000 })
    source.clock.advance(1000)
    await settle()
    expect(late.outcome()).toBe('timeout')
  })

  test('is not taken in by an end that a newer turn has overtaken already', async () => {
    const source = fakeLive()
    source.file('a', prompt(0))
    const { outcome } = await waiting(source)
    source.file('a', news(0, finished))
    source.file('a', prompt(0))
    await settle()
    expect(outcome()).toBeUndefined()
    source.clock.advance(5000)
    source.file('a', news(5000, finished))
    await settle()
    expect(outcome()).toBe('reached')
  })

  test('that nobody confirms is not met, and ends at its timeout', async () => {
    const source = fakeLive()
    source.file('a', prompt(0))
    const { outcome } = await waiting(source, { timeout: 10_000 })
    source.mute()
    source.file('a', news(0, finished))
    await settle()
    source.clock.advance(9999)
    await settle()
    expect(outcome()).toBeUndefined()
    source.clock.advance(1)
    await settle()
    expect(outcome()).toBe('timeout')
  })

  test('ends with nothing when it is told to, and leaves no reader behind', async () => {
    const source = fakeLive()
    source.file('a', prompt(0))
    const { stop, ended, outcome, changes } = await waiting(source)
    stop.abort()
    await ended
    await changes.close()
    expect([outcome(), source.readers()]).toEqual(['nothing', 0])
  })

  test('of a session that is forgotten while it waits', async () => {
    const source = fakeLive()
    source.file('a', prompt(0))
    const { outcome } = await waiting(source)
    source.forget('a')
    await settle()
    expect(outcome()).toBe('gone')
  })
})

describe('a source that ends', () => {
  test('is followed by another: the wait goes on and is met there', async () => {
    const clock = virtualClock()
    const [first, second] = [fakeLive(clock), fakeLive(clock)]
    for (const source of [first, second]) source.file('a', prompt(0))
    const { outcome, told } = await waiting(first, {}, [second])
    first.end()
    await settle()
    expect([outcome(), told]).toEqual([undefined, ['registered a', 'lost']])
    clock.advance(1000)
    second.file('a', news(1000, finished))
    await settle()
    expect(outcome()).toBe('reached')
  })

  test('and another that knows less: nothing is reached by that', async () => {
    const clock = virtualClock()
    const [first, second] = [fakeLive(clock), fakeLive(clock)]
    second.file('a', prompt(0), news(0, finished))
    clock.advance(5000)
    first.file('a', prompt(5000))
    const { outcome } = await waiting(first, {}, [second])
    first.end()
    await settle()
    expect(outcome()).toBeUndefined()
    second.file('a', prompt(5000))
    clock.advance(1000)
    second.file('a', news(6000, broken))
    await settle()
    expect(outcome()).toBe('turnFailed')
  })

  test('where the other does not find the session: gone', async () => {
    const first = fakeLive()
    first.file('a', prompt(0))
    const { outcome } = await waiting(first, { for: ['exited'] }, [fakeLive(first.clock)])
    first.end()
    await settle()
    expect(outcome()).toBe('gone')
  })

  test('while an end is being confirmed: not reached by it', async () => {
    const clock = virtualClock()
    const [first, second] = [fakeLive(clock), fakeLive(clock)]
    for (const source of [first, second]) source.file('a', prompt(0))
    const { outcome } = await waiting(first, {}, [second])
    first.file('a', news(0, finished))
    first.end()
    await settle()
    expect(outcome()).toBeUndefined()
  })

  test.each([
    ['twice', true, 'SOURCE_GONE'],
    ['with none to follow', false, 'nothing to connect to'],
  ])('%s: an error, never an answer', async (_, hasOther, code) => {
    const clock = virtualClock()
    const [first, second] = [fakeLive(clock), fakeLive(clock)]
    for (const source of [first, second]) source.file('a', prompt(0))
    const { outcome } = await waiting(first, {}, hasOther ? [second] : [])
    first.end()
    await settle()
    second.end()
    await settle()
    expect(outcome()).toBe(code)
  })
})

const transcript = '.claude/projects/-project/s.jsonl'
const stamp = (ms = 0): string => new Date(Date.now() + ms).toISOString()
const asked = (agent: StandIn, at = stamp()) => ({
  type: 'user',
  timestamp: at,
  cwd: agent.cwd,
  message: { role: 'user', content: 'go' },
})
/** No model answers within a millisecond. */
const answered = (at = stamp(5)) => ({
  type: 'assistant',
  timestamp: at,
  message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] },
})
const failed = (error: string) => ({ ...answered(), isApiErrorMessage: true, error })
const stopped = () => ({
  type: 'user',
  timestamp: stamp(5),
  message: { role: 'user', content: '[Request interrupted by user]' },
})

async function working(): Promise<StandIn> {
  const agent = await startStandIn()
  agent.append(transcript, asked(agent))
  return agent
}

const stateOf = async (env: Record<string, string>, agent: StandIn): Promise<unknown> =>
  (await rowsHere(env)).find(row => row.pid === agent.pid)?.state

describe.runIf(process.platform === 'linux')('lull wait', () => {
  test('while a turn runs nothing, then a sentence and the code', async () => {
    const [agent, env] = [await working(), ownPlaces()]
    const waits = startLull(['wait', `pid:${agent.pid}`, '--timeout', '100s'], env)
    await waits.says(/waiting since .*\n/)
    await until(
      () => stateOf(env, agent),
      state => state === 'working',
    )
    expect([waits.isRunning(), waits.stdout()]).toEqual([true, ''])
    agent.append(transcript, answered())
    const sentence = /^claude \w{8} \(.*\/project\): Idle, the turn is finished, for /
    expect(await waits.ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^waiting since .*\n$/),
      stdout: expect.stringMatching(sentence),
    })
    const again = await lullHere(['wait', agent.cwd], env)
    expect(again).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(sentence) })
  })

  test.each([
    ['ended by an error', () => failed('server_error'), 6, /: Idle, the turn ended in an error, for /],
    ['was interrupted', stopped, 6, /: Idle, the turn was interrupted, for /],
    [
      'ended at the limit',
      () => failed('rate_limit'),
      7,
      /: Idle, the turn ended at the provider’s limit, for /,
    ],
  ])('a turn that %s: a sentence and the code', async (_, end, code, sentence) => {
    const [agent, env] = [await working(), ownPlaces()]
    agent.append(transcript, end())
    const ended = await lullHere(['wait', agent.cwd], env)
    expect(ended).toMatchObject({ code, stderr: '', stdout: expect.stringMatching(sentence) })
  })

  test('an agent that has just begun, beside a host: it is waited for, not its process', async () => {
    const env = ownPlaces()
    await lullHere(['host', 'start'], env)
    // The host looks for new agents each 0.8 s.
    for (let n = 0; n < 3; n++) {
      const agent = await startStandIn()
      agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
      const ended = await lullHere(['wait', `pid:${agent.pid}`, '--timeout', '5s'], env)
      expect(ended).toMatchObject({
        code: 3,
        stdout: expect.stringContaining('Waiting for a permission for '),
      })
    }
    await lullHere(['host', 'stop'], env)
  })

  test('a permission: 3, or 0 where that is what is waited for', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    const sentence = expect.stringContaining(': Waiting for a permission for ')
    expect(await lullHere(['wait', `pid:${agent.pid}`], env)).toMatchObject({ code: 3, stdout: sentence })
    const wanted = await lullHere(['wait', `pid:${agent.pid}`, '--for', 'idle,waiting'], env)
    expect(wanted).toMatchObject({ code: 0, stdout: sentence })
  })

  test('a process that dies: 5, or 0 where that is what is waited for', async () => {
    const [agent, env] = [await working(), ownPlaces()]
    const waits = startLull(['wait', `pid:${agent.pid}`, '--next'], env)
    const forExit = startLull(['wait', `pid:${agent.pid}`, '--next', '--for', 'exited'], env)
    await Promise.all([waits, forExit].map(one => one.says('waiting for the next turn')))
    await agent.kill()
    expect(await waits.ended).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^gone: claude .*: Gone for /),
    })
    expect(await forExit.ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^claude .*: Gone for /),
    })
  })

  test('--ignore-background: what stands behind it is a session, unless it names kinds of work', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    agent.status({ status: 'shell', statusUpdatedAt: Date.now() })
    const named = `pid:${agent.pid}`
    const codeOf = async (...args: readonly string[]) => (await lullHere(['wait', ...args], env)).code
    expect(await codeOf(named, '--timeout', '2s')).toBe(124)
    expect(await codeOf('--ignore-background', named)).toBe(0)
    expect(await codeOf(named, '--ignore-background')).toBe(0)
    // Of which kind it is a status does not tell.
    expect(await codeOf(named, '--ignore-background=remote', '--timeout', '2s')).toBe(124)
    expect(await codeOf(named, '--ignore-background=nobody')).toBe(2)
  })

  test('--timeout: 124, and who was not reached', async () => {
    const [agent, env] = [await working(), ownPlaces()]
    const waited = (seconds: number) =>
      lullHere(['wait', `pid:${agent.pid}`, '--timeout', `${seconds}s`], env)
    let seconds = 2
    let run = await waited(seconds)
    // A machine under load may take longer for the first look: who was not found is not named.
    while (run.stderr === '' && seconds < 30) {
      seconds *= 2
      run = await waited(seconds)
    }
    expect(run.code).toBe(124)
    expect(run.stderr).toMatch(
      /^waiting since \d\d:\d\d:\d\d until it is idle: claude \w{8} \(.*\) working\/thinking for \d+s\n$/,
    )
    expect(run.stdout).toMatch(
      new RegExp(`^not reached within ${seconds}\\.0 s: claude \\w{8} \\(.*\\): Working, `),
    )
  })

  test('--next --json: registered is told first, and only then a turn counts', async () => {
    const [agent, env] = [await working(), ownPlaces()]
    agent.append(transcript, answered())
    await until(
      () => stateOf(env, agent),
      state => state === 'idle',
    )
    const waits = startLull(['wait', `pid:${agent.pid}`, '--next', '--json'], env)
    await waits.says(/waiting for the next turn of claude \w{8}/)
    expect(waits.isRunning()).toBe(true)
    agent.append(transcript, asked(agent))
    agent.append(transcript, answered())
    const { code, stdout } = await waits.ended
    const [registered, ended, ...more] = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect({ code, more }).toEqual({ code: 0, more: [] })
    expect(registered).toEqual({
      event: 'registered',
      at: expect.any(String),
      sessions: [{ id: expect.stringMatching(/^\w{8}$/), agent: 'claude', pid: agent.pid }],
    })
    expect(ended).toMatchObject({
      event: 'ended',
      outcome: 'reached',
      code: 0,
      why: expect.stringContaining('Idle, the turn is finished'),
      sessions: [{ pid: agent.pid, state: 'idle', after: 'turn', turn: 2, cwd: agent.cwd }],
    })
  })

  test('a transcript that is found late tells of all its turns; the old ones end nothing', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    const waits = startLull(['wait', `pid:${agent.pid}`, '--json', '--timeout', '100s'], env)
    await waits.says('waiting since')
    const rows = [
      asked(agent, stamp(-250)),
      answered(stamp(-200)),
      asked(agent, stamp(-150)),
      answered(stamp(-100)),
      asked(agent, stamp(-50)),
    ]
    agent.write(transcript, rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    await until(
      async () => (await rowsHere(env)).find(row => row.pid === agent.pid)?.turn,
      turn => turn === 3,
    )
    agent.append(transcript, answered())
    const { code, stdout } = await waits.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ state: 'idle', turn: 3 }] })
  })

  test('Ctrl-C: 130, without a word', async () => {
    const [agent, env] = [await working(), ownPlaces()]
    const waits = startLull(['wait', `pid:${agent.pid}`, '--next'], env)
    await waits.says('waiting for the next turn')
    const { length } = waits.stderr()
    waits.kill('SIGINT')
    const { code, stdout, stderr } = await waits.ended
    expect({ code, stdout, more: stderr.slice(length) }).toEqual({ code: 130, stdout: '', more: '' })
  })

  test('several: all at one moment, or any', async () => {
    const [one, two, env] = [await working(), await working(), ownPlaces()]
    const both = [`pid:${one.pid}`, `pid:${two.pid}`]
    const all = startLull(['wait', ...both], env)
    await all.says('waiting since')
    await until(
      () => Promise.all([stateOf(env, one), stateOf(env, two)]),
      states => states.every(state => state === 'working'),
    )
    const any = lullHere(['wait', ...both, '--any', '--json'], env)
    two.append(transcript, answered())
    const first = await any
    expect(JSON.parse(first.stdout)).toMatchObject({ code: 0, sessions: [{ pid: two.pid }] })
    expect(all.isRunning()).toBe(true)
    one.append(transcript, answered())
    const { code, stdout } = await all.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/^claude \w{8} \(.*\) idle\/turn, claude \w{8} \(.*\) idle\/turn\n$/)
  })

  test('--appear: a session that is not there yet; without it that is a mistake', async () => {
    const [folder, env] = [`later-${process.pid}`, ownPlaces()]
    expect(await lullHere(['wait', folder], env)).toMatchObject({ code: 2 })
    const waits = startLull(['wait', folder, '--appear', '--for', 'waiting'], env)
    await waits.says(`until it is waiting: ${folder} (not there yet)`)
    const agent = await startStandIn({ folder })
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    expect(await waits.ended).toMatchObject({ code: 0, stdout: expect.stringContaining(folder) })
    const late = await lullHere(['wait', '/nowhere/at/all', '--appear', '--timeout', '1'], env)
    expect(late).toMatchObject({ code: 124, stdout: 'not reached within 1.0 s: no session came\n' })
  })

  test('--any without a session: whoever it is that waits for a person', async () => {
    const [agent, env] = [await working(), ownPlaces()]
    const waits = lullHere(['wait', '--any', '--for', 'waiting', '--json'], env)
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    const { code, stdout } = await waits
    expect(code).toBe(0)
    // Other tests have agents, too.
    expect(JSON.parse(stdout).sessions).toMatchObject([{ state: 'waiting' }])
  })

  test('a host that is killed: it says so, looks for itself, and is not fooled', async () => {
    const [agent, env] = [await working(), ownPlaces()]
    // By a command that begins later: the wait looks for itself by then.
    const stateShown = async () => (await rowsHere(env)).find(row => row.pid === agent.pid)?.state
    const host = JSON.parse((await lullHere(['host', 'start', '--json'], env)).stdout) as { pid: number }
    try {
      const waits = startLull(['wait', `pid:${agent.pid}`, '--next', '--timeout', '100s'], env)
      await waits.says('waiting for the next turn')
      process.kill(host.pid, 'SIGKILL')
      await waits.says('lull: the host is gone; looking for myself from here on')
      agent.append(transcript, answered())
      await until(
        () => stateShown(),
        state => state === 'idle',
      )
      expect(waits.isRunning()).toBe(true)
      agent.append(transcript, asked(agent))
      await until(
        () => stateShown(),
        state => state === 'working',
      )
      agent.append(transcript, answered())
      expect((await waits.ended).code).toBe(0)
    } finally {
      await lullHere(['host', 'stop'], env)
    }
  })

  test.each([
    [
      'no session',
      ['wait'],
      /^lull: missing required argument 'session': lull ps lists them; --any without one /,
    ],
    ['one that is not there', ['wait', 'nobody'], /^lull: no session "nobody": /],
    ['an address that is none', ['wait', 'pid:x'], /^lull: "pid:x": after pid: comes a process number/],
    [
      'a state that is none',
      ['wait', 'x', '--for', 'idle,done'],
      /^lull: --for idle,done: "done" is not a state; use idle, settled, waiting, stuck, exited, or for a terminal ready, .*\n$/,
    ],
    [
      'a time that is none',
      ['wait', 'x', '--timeout', 'soon'],
      /^lull: --timeout: "soon" is not a duration: /,
    ],
    ['no time to hold', ['wait', 'x', '--held', 'long'], /^lull: --held: "long" is not a duration: /],
    [
      'the same by the old name',
      ['wait', 'x', '--settled', 'long'],
      /^lull: --settled: "long" is not a duration: /,
    ],
    [
      'settled, and background work that is ignored',
      ['wait', 'x', '--for', 'settled', '--ignore-background'],
      /^lull: settled means that nothing goes on in the background; wait for idle to ignore background work\n$/,
    ],
    [
      'any and all',
      ['wait', 'x', '--any', '--all'],
      /^lull: --any and --all exclude each other; give one\n$/,
    ],
  ])('%s: 2, and one sentence', async (_, args, sentence) => {
    const { code, stdout, stderr } = await lullHere(args, ownPlaces())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })

  test('its answer goes nowhere: the code is the same', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    const script = 'set -o pipefail; "$@" | true; echo $?'
    const words = [process.execPath, bin, 'wait', `pid:${agent.pid}`, '--held', '1s']
    const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words], {
      env: { ...process.env, ...env },
    })
    expect(stdout).toBe('3\n')
  })
})
