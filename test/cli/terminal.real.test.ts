/** lull send, keys, read and wait --ready as people call them: what they print, and what they exit with. */
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { messageType } from '../../src/os/tmux/client-messages.ts'
import { fakeServer } from '../support/fake-tmux.ts'
import { atMostHint, type Run, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const places = ownPlaces()
const env = { ...places, TMUX: '', TMUX_PANE: '', LULL_PANE: '' }
const run = (...args: readonly string[]): Promise<Run> => lullHere(args, env)
const json = ({ stdout }: Run): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>

/** A program that says it is some tmux: what it prints, and its exit code. */
function fakeTmux(script: string): Record<string, string> {
  const file = temporaryFile('tmux', `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return { ...env, PATH: `${path.dirname(file)}:${process.env.PATH}` }
}

describe.runIf(hasProgram('tmux'))('on the command line', () => {
  const server = tmuxServer()
  const at = () => ['--socket', server.socket] as const

  test('a wait that is ended from outside leaves no pipe behind: the next command hears the pane', async () => {
    const id = server.start(...bash)
    const piped = () => server.tmux('display', '-p', '-t', id, '#{pane_pipe}').trim()
    const waiting = startLull(['wait', `tmux:${id}`, '--for', 'question', '--timeout', '60s', ...at()], env)
    await until(piped, value => value === '1', 'its pipe')
    waiting.kill('SIGTERM')
    await waiting.ended
    await until(piped, value => value === '0', 'no pipe')
    const { stdout } = await run('send', `tmux:${id}`, 'true', '--wait', ...at())
    expect(stdout).not.toContain('could not be heard')
  })

  test('no command takes a server that is not there for one', async () => {
    const said = /^lull: no tmux server runs at \/\S+\/nope: start one, or name its socket with --socket\n$/
    for (const command of [
      ['ps'],
      ['ps', '--json'],
      ['ps', 'tmux:'],
      ['read', 'tmux:'],
      ['send', 'tmux:', 'x'],
    ]) {
      const refused = { code: 2, stdout: '', stderr: expect.stringMatching(said) }
      expect(await run(...command, '--socket', 'nope')).toEqual(refused)
    }
    expect(await run('ps', ...at())).toMatchObject({ code: 0, stderr: expect.stringMatching(atMostHint) })
  })

  test('send, wait, read and keys drive a shell', async () => {
    const pane = `tmux:${server.start(...bash)}`
    const sent = await run('send', pane, 'echo $((6*7))', '--wait', ...at())
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    expect(sent.stdout).toMatch(/^ready: bash reads at its prompt.*\n(.*\n)*42\n/)

    // What was there before is not told again.
    const next = await run('send', pane, 'echo $((6*8))', '--wait', '--json', ...at())
    expect(json(next)).toMatchObject({ took: expect.any(Number), new: expect.stringMatching(/^48\n/m) })
    expect(json(next).new).not.toMatch(/^42$/m)

    const asked = await run('send', pane, 'read -p "Go on? " x', '--wait', '--json', ...at())
    expect(asked.code).toBe(3)
    expect(json(asked)).toMatchObject({
      event: 'ended',
      outcome: 'waitsForPerson',
      code: 3,
      state: 'question',
      kind: 'waiting',
      promptLine: expect.stringContaining('Go on?'),
      confidence: expect.any(Number),
      evidence: [expect.any(String)],
      pid: expect.any(Number),
      screen: expect.stringContaining('42\n'),
      sent: { entered: true, read: true },
    })
    expect(await run('send', pane, 'yes', ...at())).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await run('wait', pane, '--ready', ...at())).toMatchObject({ code: 0 })

    await run('send', pane, 'sleep 100', ...at())
    // Beside load so short a wait is over before a look is.
    const late = await until(
      () => run('wait', pane, '--ready', '--timeout', '200ms', '--json', ...at()),
      waited => waited.code !== 124 || String(json(waited).screen).includes('sleep 100'),
    )
    expect(late.code).toBe(124)
    expect(json(late)).toMatchObject({
      outcome: 'timeout',
      state: 'running',
      screen: expect.stringContaining('sleep 100'),
    })
    expect(json(await run('keys', pane, 'Ctrl-C', '--json', ...at()))).toMatchObject({
      event: 'pressed',
      keys: ['C-c'],
    })
    expect(json(await run('wait', pane, '--for', 'ready', '--json', ...at()))).toMatchObject({
      outcome: 'reached',
      in: 'shell',
    })

    const read = await run('read', pane, '--lines', '3', ...at())
    expect(read.stdout.split('\n')).toHaveLength(4)
    expect(read.stdout).toContain('sleep 100')
    expect(json(await run('read', pane, '--json', '--screen', ...at()))).toMatchObject({
      event: 'read',
      state: 'ready',
      cursor: { column: 2 },
    })
  })

  test('send refuses into a password, and says so in JSON, too', async () => {
    const pane = `tmux:${server.start('bash', '-c', 'read -s -p "Key: " x')}`
    // bash shows what it asks before it switches echo off: until then it runs, and what is typed is typed ahead.
    expect(await run('wait', pane, '--for', 'password', ...at())).toMatchObject({ code: 0 })
    const refused = await run('send', pane, 'text', ...at())
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: 'lull: it asks for a password: Key:\n' })
    expect(json(await run('send', pane, 'text', '--json', ...at()))).toMatchObject({
      event: 'refused',
      code: 3,
      typed: 0,
    })
  })

  test('a file comes from a pipe and from a path; what is wrong with it is said', async () => {
    const out = path.join(temporaryFolder(), 'out')
    const pane = `tmux:${server.start(...bash)}`
    await run('send', pane, '--file', temporaryFile('text', `echo one > ${out}\n`), '--wait', ...at())
    expect(readFileSync(out, 'utf8')).toBe('one\n')
    expect(await run('send', pane, '--file', '/no/such', ...at())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--file /no/such: no such file'),
    })
    expect(await run('send', pane, ...at())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--file'),
    })
    expect(await run('send', pane, 'x', '--file', out, ...at())).toMatchObject({
      code: 2,
      stderr: 'lull: the text and --file exclude each other; give one\n',
    })
    expect(await run('send', pane, 'x', '--timeout', '3s', ...at())).toMatchObject({ code: 2 })
    // What a script meant to send was not there: Enter alone would hand in what stands at the prompt.
    for (const empty of [[''], ['--file', temporaryFile('nothing', '')]])
      expect(await run('send', pane, ...empty, ...at())).toMatchObject({
        code: 2,
        stderr: 'lull: the text is empty; to press only Enter: lull keys SESSION Enter\n',
      })
  })

  test('text that nobody reads in time stays on the line: that is said, and how it is cleared', async () => {
    const id = server.start('bash', '-c', 'stty raw -echo; printf up; exec sleep 100')
    await until(
      () => server.screen(id),
      screen => screen.includes('up'),
    )
    expect(await run('send', `tmux:${id}`, 'text', '--wait', '--timeout', '3', ...at())).toMatchObject({
      code: 124,
      stderr: expect.stringMatching(
        /not read in time, so Enter was not pressed; clear the line with lull keys tmux:%\d+ C-u, /,
      ),
    })
  })

  test('what can’t be done is one sentence, with what there is', async () => {
    const said = async (...args: string[]) => {
      const { code, stderr } = await run(...args)
      return `${code} ${stderr}`
    }
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['read', 'tmux:%999', ...at()], /^2 lull: no pane "%999": there is %0 \(main:0\.0, sleep\)/],
      [['read', 'tmux:main:9.9', ...at()], /^2 lull: no pane "main:9\.9"/],
      [['read', 'nobody', ...at()], /^2 lull: no session "nobody"/],
      [['read', 'tmux:%0', '--socket', '/no/socket'], /^2 lull: no tmux server runs at \/no\/socket/],
      [['keys', 'tmux:%0', 'Entr', ...at()], /^2 lull: "Entr" is no key/],
      [['wait', 'tmux:%0', '--ready', '--prompt-pattern', 'a(b', ...at()], /position 1\n$/],
      [['wait', 'tmux:%0', '--for', 'ready,never', ...at()], /^2 lull: --for ready,never: "never" is none/],
      [['wait', 'tmux:%0', 'tmux:%1', '--ready', ...at()], /^2 .*one session/],
      [['wait'], /^2 .*'session'/],
    ]
    await Promise.all(cases.map(async ([args, sentence]) => expect(await said(...args)).toMatch(sentence)))
  })

  test('a pattern that takes anything for a prompt is told of, and believed', async () => {
    const pane = `tmux:${server.start(...bash)}`
    const waited = await run('wait', pane, '--ready', '--prompt-pattern', '.*', ...at())
    expect(waited).toMatchObject({ code: 0, stderr: expect.stringContaining('very broad') })
    const quiet = `tmux:${server.start('sh', '-c', 'echo quiet; exec sleep 1000')}`
    const stable = await run('wait', quiet, '--strategy', 'pattern', ...at())
    expect(stable).toMatchObject({ code: 1, stdout: expect.stringMatching(/^stable: .*\nquiet\n/) })
  })

  test('without a session it is the only other pane, or LULL_PANE', async () => {
    const own = tmuxServer()
    const asked = await run('read', '--socket', own.socket, '--json')
    expect(json(asked)).toMatchObject({ pane: '%0' })
    const pane = own.start(...bash)
    own.tmux('new-session', '-d', '-s', 'another', 'sleep 1000')
    expect(await run('read', '--socket', own.socket)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('LULL_PANE'),
    })
    const named = await lullHere(['wait', '--ready', '--socket', own.socket], {
      ...env,
      LULL_PANE: `tmux:${pane}`,
    })
    expect(named.code).toBe(0)
  })

  test('the tmux around it is meant where none is named', async () => {
    const { stdout } = await lullHere(['read', 'tmux:%0', '--json'], { ...env, TMUX: `${server.socket},1,0` })
    expect(JSON.parse(stdout)).toMatchObject({ pane: '%0', state: 'running' })
  })

  test('tmux that is missing or too old is told, with the version that is wanted', async () => {
    const nowhere = { ...env, PATH: temporaryFolder() }
    expect(await lullHere(['read', 'tmux:%0'], nowhere)).toMatchObject({
      code: 1,
      stderr: 'lull: tmux is not installed: 3.2 or newer is wanted\n',
    })
    // One that speaks another protocol is asked by the tmux of this machine.
    const { socket } = await fakeServer([messageType.version])
    const fake = ['read', 'tmux:%0', '--socket', socket]
    const old = fakeTmux(
      `for a; do f=$a; done; printf '%s\\n' "$f" | sed 's/#{pane_id}/%0/; s/#{version}/2.9a/; s/#{[a-z_]*}/1/g'`,
    )
    expect(await lullHere(fake, old)).toMatchObject({
      code: 1,
      stderr: 'lull: tmux 2.9a is too old: 3.2 or newer is wanted\n',
    })
    const broken = fakeTmux('echo "server exited unexpectedly" >&2; exit 1')
    expect(await lullHere(fake, broken)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('server exited unexpectedly'),
    })
  })

  test('a wait that Ctrl-C ends prints nothing', async () => {
    const wait = startLull(['wait', 'tmux:%0', '--ready', '--timeout', '60s', ...at()], env)
    await until(
      () => server.tmux('display-message', '-p', '-t', '%0', '#{pane_pipe}').trim(),
      piped => piped === '1',
    )
    wait.kill('SIGINT')
    expect(await wait.ended).toMatchObject({ code: 130, stdout: '' })
  })
})
