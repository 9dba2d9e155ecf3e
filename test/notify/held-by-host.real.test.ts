/** The host tells: rules in a file, an agent that asks, a server that is told; and what the commands say of it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpServer } from '../support/http-server.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

async function place(answer?: Parameters<typeof httpServer>[0]) {
  const home = temporaryFolder()
  const env = {
    HOME: home,
    LULL_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_CONFIG_HOME: '',
    TMUX: '',
  }
  onTestFinished(() => lullHere(['host', 'stop'], env).then(() => undefined))
  const server = await httpServer(answer)
  const file = path.join(home, '.config/lull/notify.yaml')
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const agent = await startStandIn()
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 })
  const rules = `to: {hook: {webhook: "${server.url}/x"}}
rules: [{when: [waiting, done], folder: ${agent.cwd}, after: 0s, lasted: 0s}]
digest: {more_than: 5, within: 1s}
`
  const hook = (event: string, fields: object = {}) =>
    new Promise((resolve, reject) => {
      const request = http.request({
        method: 'POST',
        agent: false,
        socketPath: path.join(home, 'run/host.sock'),
        path: `/hooks/claude?event=${event}`,
        headers: { 'lull-pid': agent.pid },
      })
      request.on('response', response => response.resume().on('end', () => resolve(response.statusCode)))
      request.on('error', reject)
      request.end(JSON.stringify({ session_id: 's', prompt_id: 'p', ...fields }))
    })
  const asks = async (what: string) => {
    await until(
      () => hook('UserPromptSubmit', { prompt: 'go' }),
      code => code === 204,
    )
    await hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: what } })
  }
  const run = (...args: readonly string[]) => lullHere(args, env)
  const came = (count: number) =>
    until(
      () => server.received,
      all => all.length >= count,
      `${count} messages`,
    )
  return { env, home, file, agent, write, rules, hook, asks, run, came, server }
}

describe.runIf(process.platform === 'linux')('the host', () => {
  test('tells who waits, once, also after a restart, and withdraws it when it is answered', async () => {
    const there = await place()
    const { asks, came, run, hook, write, rules, server } = there
    expect((await run('host', 'start')).code).toBe(0)
    await asks('npm publish')
    // The file comes while the host runs, and the agent waits already.
    write(rules)
    const [told] = await came(1)
    expect(told?.body).toMatchObject({
      withdrawn: false,
      title: 'claude project: waiting for a permission',
      sessions: [{ is: 'waiting', quote: expect.stringContaining('npm publish') }],
    })
    const log = async () =>
      (await run('notify', 'log', '--json')).stdout
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as Record<string, unknown>)
    // The host knows a moment later that it was taken.
    await until(log, all => all.length > 0, 'the note of it')
    expect((await run('host', 'restart')).code).toBe(0)
    expect(await log()).toMatchObject([{ what: 'sent', to: 'hook', message: told?.body.id }])
    await asks('npm publish')
    await hook('Stop')
    await until(
      () => server.received.map(({ body }) => body),
      all => all.some(body => body.withdrawn === true),
    )
    expect(server.received.filter(({ body }) => body.id === told?.body.id)).toHaveLength(2)
    await until(log, all => all.some(({ what }) => what === 'withdrawn'))
    expect((await run('notify', 'log')).stdout).toMatch(
      /sent +hook: claude project: waiting for a permission\n/,
    )
  })

  test('goes on by the rules before where the file becomes wrong, and says where', async () => {
    const { asks, came, run, write, rules, home, file } = await place()
    write(rules)
    await run('host', 'start')
    const log = () => readFileSync(path.join(home, 'state/lull/host.log'), 'utf8')
    await run('notify', 'check')
    write(`${rules}quiet: {from: 25:00, to: 07:00}`)
    await until(log, text => text.includes('notify.yaml:4:15: quiet.from must be a time of the day'))
    expect(log()).toContain('the rules before hold')
    const check = await run('notify', 'check')
    expect(check).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`lull: ${file}:4:15: quiet.from`),
    })
    expect((await run('doctor')).stdout).toContain('✗ notify.yaml: ')
    await asks('x')
    await came(1)
  })

  test('tries again what fails, and the doctor and the log have it', async () => {
    const { asks, came, run, write, rules } = await place((_, n) => ({ status: n === 1 ? 500 : 200 }))
    write(rules.replace('to: {', 'to: {none: {command: [/no/such/program]}, '))
    await run('host', 'start')
    await asks('x')
    await came(2)
    const abilities = async () => {
      const { groups } = JSON.parse((await run('doctor', '--json')).stdout) as {
        groups: { title: string; checks: { name: string; works: boolean; why?: string }[] }[]
      }
      return groups.find(({ title }) => title === 'notifications')?.checks ?? []
    }
    const checks = await until(abilities, all =>
      all.some(({ name, works }) => name.startsWith('hook') && works),
    )
    expect(checks).toMatchObject([
      { name: 'notify.yaml', works: true },
      { name: 'the host, which sends them', works: true },
      { name: 'none (command /no/such/program)', works: false, why: 'there is no program /no/such/program' },
      { works: true },
    ])
    const log = await until(
      async () => (await run('notify', 'log')).stdout,
      text => /sent +hook/.test(text),
    )
    expect(log).toMatch(/failed +hook: .* \(127\.0\.0\.1:\d+ answered 500, again in 1\.0 s\)/)
    expect(log).toMatch(/failed +none: .* \(\/no\/such\/program: no such command, again in 1\.0 s\)/)
  })
})

describe.runIf(process.platform === 'linux')('every transition', () => {
  test('reaches its webhook in order, over a restart of the host, and no command prints the secret', async () => {
    let isUp = false
    const { asks, hook, run, write, server, home, agent } = await place(() => ({ status: isUp ? 200 : 503 }))
    const secret = path.join(home, 'webhook-secret')
    writeFileSync(secret, 'a-secret-of-some-length', { mode: 0o600 })
    const printed: string[] = []
    const print = async (...args: readonly string[]) => {
      const { stdout, stderr } = await run(...args)
      printed.push(stdout, stderr)
      return stdout
    }
    write(`to: {fleet: {webhook: "${server.url}/x", format: transitions, secret_file: ${secret}}}`)
    await run('host', 'start')
    // Other agents may run on this machine.
    const pastOf = async (cwd: string) =>
      (await print('history', '--json'))
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as { cwd?: string; state?: string })
        .flatMap(past => (past.cwd === cwd ? past.state : []))
    const ofAgent = () =>
      server.received.filter(({ body }) => (body.session as { cwd?: string }).cwd === agent.cwd)
    await until(
      () => hook('UserPromptSubmit', { prompt: 'go' }),
      code => code === 204,
    )
    await until(
      () => print('notify', 'check'),
      text => /fleet: every transition to the webhook at 127\.0\.0\.1:\d+, \d+ to send/.test(text),
    )
    await asks('npm publish')
    await until(
      () => pastOf(agent.cwd),
      states => states.includes('waiting'),
    )
    await hook('Stop')
    await until(
      () => print('notify', 'log'),
      text => /failed +fleet: .* \(127\.0\.0\.1:\d+ answered 503, again in 1\.0 s\)/.test(text),
    )
    await until(
      () => pastOf(agent.cwd),
      states => states.includes('idle'),
    )
    expect(new Set(server.received.map(({ body }) => body.id)).size).toBe(1)
    isUp = true
    await run('host', 'restart')
    const arrived = await until(ofAgent, all =>
      all.some(({ body }) => (body.to as { state: string }).state === 'idle'),
    )
    const ids = [...new Set(arrived.map(({ body }) => body.id as string))]
    const numbers = ids.map(id => Number(id.split('-')[0]))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(arrived.map(({ body }) => body.to)).toContainEqual(
      expect.objectContaining({ state: 'waiting', for: 'permission' }),
    )
    const host = () => readFileSync(path.join(home, 'state/lull/host.log'), 'utf8')
    expect(host()).toContain('fleet does not get transitions: 127.0.0.1')
    await until(
      () => print('notify', 'log'),
      text => /sent +fleet: /.test(text),
    )
    await until(
      () => print('notify', 'check'),
      text => !text.includes('to send'),
    )
    expect(await print('notify', 'test', '--json')).toContain('"sent":true')
    expect(server.received.filter(({ body }) => body.test === true)).toHaveLength(1)
    await print('doctor', '--json')
    await print('notify', 'check', '--json')
    expect([...printed, host()].join('')).not.toContain('a-secret')
  })
})

describe('lull notify', () => {
  test('check tells each mistake, with its place', async () => {
    const { write, run } = await place()
    write('to:\n  a: {webhook: 5}\nrules:\n  - when: nonsense\n    foo: 3\n')
    const { code, stdout, stderr } = await run('notify', 'check')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^lull: .*notify\.yaml:2:16: to\.a\.webhook must be an address$/),
      expect.stringMatching(/:4:11: rules\.0\.when must be one of waiting/),
      expect.stringMatching(/:5:10: rules\.0\.foo is no field that lull knows$/),
    ])
  })

  test('init writes a file, and check says what is missing', async () => {
    const { run, file, env } = await place()
    expect(await run('notify', 'check')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lull notify init writes a sample'),
    })
    expect((await run('notify', 'init')).stdout).toContain(file)
    expect(await run('notify', 'init')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is there already'),
    })
    const check = await lullHere(['notify', 'check', '--json'], { ...env, PATH: temporaryFolder() })
    expect(JSON.parse(check.stdout)).toMatchObject({
      file,
      host: false,
      // The one that this machine can reach by its own PATH.
      destinations: [{ lack: expect.stringMatching(/^(notify-send|tmux) is not on PATH$/) }],
    })
    expect((await run('notify', 'check')).stderr).toContain('no notifications are sent: no host runs')
  })

  test('test sends a sample to each, or to those that are named, and says what came of it', async () => {
    const { run, write, server } = await place()
    write(`to: {a: {webhook: "${server.url}/a"}, b: {ntfy: "http://127.0.0.1:1/b"}}`)
    expect(await run('notify', 'test', 'a')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✓ a: sent in \d+ ms\n$/),
    })
    expect(server.received).toMatchObject([{ path: '/a', body: { title: 'lull: a test' } }])
    const both = await run('notify', 'test', '--json')
    expect(both.code).toBe(1)
    expect(
      both.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
        .sort((x, y) => (x.name < y.name ? -1 : 1)),
    ).toMatchObject([
      { name: 'a', sent: true },
      { name: 'b', sent: false, why: expect.stringContaining('can’t be reached') },
    ])
    const served = await httpServer(({ path }) => ({ status: 200, text: path === '/healthz' ? 'ok\n' : '' }))
    write(
      `to: {a: {webhook: "${server.url}/a", answer_at: "${served.url}"}, b: {webhook: "${server.url}/b", answer_at: "${server.url}"}}`,
    )
    expect((await run('notify', 'test', 'a')).code).toBe(0)
    expect(await run('notify', 'test', 'b')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^✗ b: sent in \d+ ms; links to http:\S+ would answer nothing: something else than lull serve/,
      ),
    })
    expect(await run('notify', 'test', 'c')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"c" is not a destination: there is a, b'),
    })
  })
})
