/** Which agents run on a machine, and what their files tell: real processes and files in a folder of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { recognise } from '../../src/agents/recognise-agent.ts'
import { agents } from '../../src/agents/registry.ts'
import { defined } from '../../src/core/defined.ts'
import { readBranch } from '../../src/os/file/git-branch.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { identify } from '../../src/os/proc/alive.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import {
  besideTranscript,
  guessTranscript,
  isOwnStatus,
  isTranscriptOf,
  namedTranscript,
  type OtherAgents,
  openTranscript,
  statusPath,
} from '../../src/sessions/discover/agent-file-search.ts'
import { createSearch } from '../../src/sessions/discover/agent-search.ts'
import { readSurroundings } from '../../src/sessions/discover/surroundings.ts'
import { type OwnWriting, whoWrote } from '../../src/sessions/discover/who-wrote.ts'
import { endWithTest } from '../support/end-with-test.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

/** Another agent runs in the folder, and nothing is known of what it writes. */
const besideOthers: OtherAgents = { hasWritten: () => undefined, haveRested: () => false }

const cursorScript = '/home/dev/.local/share/cursor-agent/versions/2026.01/index.js'

describe('a command line', () => {
  test.each([
    ['claude', ['claude']],
    ['claude', ['/opt/agents/node_modules/@anthropic-ai/claude-code-linux-x64/claude', '--resume']],
    ['claude', ['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', '-p', 'hi']],
    ['claude', ['/usr/bin/node', '--max-old-space-size=4096', '/home/dev/.local/bin/claude']],
    ['claude', ['node', '--import', 'tsx', '/home/dev/.local/bin/claude']],
    ['codex', ['codex', '--dangerously-bypass-hook-trust']],
    ['codex', ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js']],
    ['opencode', ['/opt/node_modules/opencode-linux-x64/bin/opencode', '--port', '4096']],
    ['gemini', ['node', '/x/gemini']],
    ['gemini', ['/opt/node/bin/node', '/opt/node_modules/@google/gemini-cli/bundle/gemini.js']],
    ['qwen', ['node', '--expose-gc', '/opt/node_modules/@qwen-code/qwen-code/cli.js']],
    ['copilot', ['/opt/node_modules/@github/copilot-linux-x64/copilot']],
    ['pi', ['pi', '']],
    ['pi', ['bun', '/opt/node_modules/@mariozechner/pi-coding-agent/dist/cli.js', '--provider', 'x']],
    ['cline', ['/opt/node_modules/@cline/cli-linux-x64/bin/cline', '-i']],
    ['cline', ['node', '/usr/lib/node_modules/cline/dist/cli.mjs']],
    ['cursor-agent', ['/home/dev/.local/bin/cursor-agent', '--use-system-ca', cursorScript]],
    ['cursor-agent', ['agent', cursorScript, '--resume']],
    ['amp', ['amp']],
    ['amp', ['amp', 'threads', 'continue']],
    ['droid', ['/opt/node_modules/@factory/cli-linux-x64/bin/droid', '--auto', 'low']],
    ['kimi', ['kimi-code', '', '', '']],
    ['kimi', ['node', '/opt/node_modules/@moonshot-ai/kimi-code/dist/main.mjs']],
    ['aider', ['/home/dev/.venv/bin/python3.12', '/home/dev/.venv/bin/aider', '--model', 'sonnet']],
    ['aider', ['python', '-m', 'aider']],
    ['goose', ['goose']],
    ['goose', ['goose', 'session', '--name', 'x']],
    ['grok', ['/home/dev/.grok/bin/grok', 'fix the bug']],
    ['kiro', ['kiro-cli']],
    ['kiro', ['/home/dev/.local/bin/kiro-cli-chat', 'chat']],
    ['kilo', ['/opt/node_modules/@kilocode/cli-linux-x64/bin/kilo']],
    ['kilo', ['kilo', '.']],
    ['kilo', ['node', '/usr/lib/node_modules/@kilocode/cli/bin/kilo', '--continue']],
    ['auggie', ['node', '/opt/node_modules/@augmentcode/auggie/augment.mjs', '--permission', 'x:ask-user']],
    ['auggie', ['node', '/usr/local/bin/auggie', 'fix the bug']],
    ['cn', ['node', '/opt/node_modules/@continuedev/cli/dist/cn.js', '--config', 'x.yaml']],
    ['cn', ['node', '/usr/local/bin/cn']],
    ['nanocoder', ['node', '/opt/node_modules/@nanocollective/nanocoder/dist/cli.js']],
    ['nanocoder', ['node', '/usr/local/bin/nanocoder', '--mode', 'plan']],
  ])('of %s: %j', (agent, argv) => {
    expect(recognise(argv)).toBe(agent)
  })

  test.each([
    [['vim', 'claude.md']],
    [['grep', 'claude']],
    [['tail', '-f', '/home/dev/.claude/projects/x/y.jsonl']],
    [['node', 'server.js']],
    [['node', 'server.js', '/usr/bin/claude']],
    [['node', '/home/dev/cline/server.js']],
    [['node', '/home/dev/gemini/index.js']],
    [['node', '-e', 'require("@google/gemini-cli")']],
    [['node', '--input-type=commonjs', '--eval', 'spawn("/opt/node_modules/@qwen-code/qwen-code/cli.js")']],
    [['node', '--require', '/usr/bin/claude', 'server.js']],
    [['node']],
    [['bash', '-c', 'claude --version']],
    [['claude', '--version']],
    [['claude', 'mcp', 'serve']],
    [['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js', 'app-server']],
    [['codex', 'app-server']],
    [['opencode', 'serve']],
    [['cline', '--cline-hub-daemon']],
    [['claudette']],
    [['python3', 'claude']],
    [['']],
    [[]],
    [['agent', '--listen', '/run/agent.sock']],
    [['agent', cursorScript, 'login']],
    [['cursor', '/home/dev/shop']],
    [['amp', 'src/cart.ts']],
    [['droid', 'daemon']],
    [['droid', 'exec', '--input-format', 'stream-jsonrpc', '--output-format', 'stream-jsonrpc']],
    [['python3', '/opt/kimi/droid']],
    [['python3', 'aider.py']],
    [['goose', 'up']],
    [['goose', '-dir', 'migrations', 'postgres', 'dbname=x', 'status']],
    [['grok', '-f', 'grok.conf']],
    [['grok', 'update']],
    [['/usr/share/kiro/kiro', '--type=renderer']],
    [['kiro', '.']],
    [['kiro-cli', 'login']],
    [['kiro-cli-term']],
    [['kilo', 'kilo.c']],
    [['kilo', 'serve']],
    [['auggie', 'login']],
    [['node', '/usr/local/bin/auggie', '--acp']],
    [['cn', 'x']],
    [['node', '/home/dev/cn.js']],
    [['node', '/usr/local/bin/cn', 'serve']],
    [['nanocoder', 'daemon', 'start']],
  ])('of no agent: %j', argv => {
    expect(recognise(argv)).toBeUndefined()
  })
})

const found = (agent: StandIn) => createSearch(() => 0)().find(({ pid }) => pid === agent.pid)

describe.runIf(process.platform === 'linux')('a running agent', () => {
  test('is found by its name, with its folder', async () => {
    const agent = await startStandIn()
    expect(found(agent)).toMatchObject({ agent: { name: 'claude' }, start: agent.start })
    expect(readSurroundings(agent.pid)).toMatchObject({ cwd: agent.cwd, env: { HOME: agent.home } })
  })

  test('that is newer than the rules over its screens is told of', async () => {
    const home = realpathSync(temporaryFolder())
    const folder = path.join(home, 'node_modules/@google/gemini-cli')
    mkdirSync(path.join(folder, 'bundle'), { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{"version": "99.0.1"}')
    const script = path.join(folder, 'bundle/gemini.js')
    writeFileSync(script, 'console.log("up"); setInterval(() => {}, 1e6)')
    const child = spawn(process.execPath, [script], { cwd: home, stdio: ['ignore', 'pipe', 'inherit'] })
    endWithTest(child)
    await once(child.stdout, 'data')
    expect(readSurroundings(child.pid as number)).toMatchObject({ version: '99.0.1' })
    const listed = async (...flags: readonly string[]) =>
      (await lullHere(['ps', '--why', ...flags], ownPlaces())).stdout
    const { sessions } = JSON.parse(await listed('--json'))
    const checked = agents.gemini.screens.version
    expect(sessions.find(({ pid }: { pid: number }) => pid === child.pid)).toMatchObject({
      drift: { version: '99.0.1', checked },
    })
    expect(await listed()).toContain(`its version 99.0.1 is newer than the rules over its screens`)
    const node = await startStandIn()
    expect(readSurroundings(node.pid)).not.toHaveProperty('version')
  })

  test('is found by a search that ran before it was started, and no more when it is gone', async () => {
    const search = createSearch(() => 0)
    search()
    const agent = await startStandIn()
    expect(search().map(({ pid }) => pid)).toContain(agent.pid)
    await agent.kill()
    expect(search().map(({ pid }) => pid)).not.toContain(agent.pid)
  })

  test('that has a child of its name is a session all the same, and so is the child', async () => {
    const script =
      "require('child_process').spawn('sleep', ['60'], {argv0: 'claude'}); console.log('up'); setInterval(() => {}, 1e6)"
    const outer = spawn(process.execPath, ['-e', script], {
      argv0: 'claude',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(outer.stdout, 'data')
    const search = createSearch(() => 0)
    const [inner] = await until(
      () => search().filter(({ parent }) => parent === outer.pid),
      all => all.length > 0,
    )
    expect(search().map(({ pid }) => pid)).toContain(outer.pid)
    process.kill(inner?.pid as number, 'SIGKILL')
    outer.kill('SIGKILL')
  })

  /** A shell that calls itself node and runs a script of this text. */
  async function runScript(name: string, text: string, words: readonly string[] = []) {
    const script = path.join(temporaryFolder(), name)
    writeFileSync(script, text)
    const shell = spawn('bash', [script, ...words], { argv0: 'node', stdio: ['pipe', 'pipe', 'inherit'] })
    await once(shell.stdout, 'data')
    return shell
  }
  const searched = () => createSearch(() => 0)()

  const childOf = (pid: number | undefined) =>
    readdirSync('/proc')
      .map(Number)
      .find(child => child > 0 && readStat(child)?.parent === pid)

  test('that is a script is found while a copy of it has not become a program, and the copy is not', async () => {
    const outer = await runScript('gemini', 'exec 3<&0; ( read -r _ <&3 ) & echo up; wait')
    const copy = childOf(outer.pid)
    const all = searched()
    expect(copy).toBeGreaterThan(0)
    expect(all.find(({ pid }) => pid === outer.pid)).not.toHaveProperty('isLauncher')
    expect(all.map(({ pid }) => pid)).not.toContain(copy)
    outer.kill('SIGKILL')
    process.kill(copy as number, 'SIGKILL')
  })

  const waiting = ['-c', 'read -r _ <&3; :']

  test.each([
    ['the program itself, with the same words, only started it', waiting, true],
    ['another session, as a tool, goes on', ['-i'], undefined],
  ])('that is a script and starts %s', async (_, words, isLauncher) => {
    const run = `exec -a gemini bash ${waiting.map(word => `'${word}'`).join(' ')}`
    const outer = await runScript('gemini', `exec 3<&0; (${run}) & echo up; wait`, words)
    const inner = await until(
      () => searched().find(({ parent }) => parent === outer.pid),
      found => found !== undefined,
    )
    expect(searched().find(({ pid }) => pid === outer.pid)?.isLauncher).toBe(isLauncher)
    outer.kill('SIGKILL')
    process.kill(inner?.pid as number, 'SIGKILL')
  })

  test('that started the program which has ended is no session for a while, and none that is not told as such', async () => {
    const run = `exec -a gemini bash ${waiting.map(word => `'${word}'`).join(' ')}`
    const outer = await runScript('gemini', `exec 3<&0; (${run}) & echo up; wait; read -r _ <&3`, waiting)
    let now = 0
    const [search, late] = [createSearch(() => now), createSearch(() => now)]
    const row = (look: typeof search) => look().find(({ pid }) => pid === outer.pid)?.isLauncher
    const inner = await until(
      () => search().find(({ parent }) => parent === outer.pid),
      found => found !== undefined,
    )
    now = 6000
    expect([row(search), row(late)]).toEqual([true, true])
    process.kill(inner?.pid as number, 'SIGKILL')
    await until(
      () => search().find(({ parent }) => parent === outer.pid),
      found => found === undefined,
    )
    expect([row(search), row(late)]).toEqual([true, undefined])
    now = 12_000
    expect(row(search)).toBeUndefined()
    outer.kill('SIGKILL')
  })

  test('that begins or ends while nothing else does is seen at the next search, though the list of processes is not read each time', async () => {
    let now = 0
    const search = createSearch(() => now)
    const isFound = (pid: number) => search().some(one => one.pid === pid)
    const first = await startStandIn()
    const ahead = () => {
      now += 10_000
      return isFound(first.pid)
    }
    expect([ahead(), ahead(), isFound(first.pid)]).toEqual([true, true, true])
    const second = await startStandIn()
    expect(isFound(second.pid)).toBe(true)
    expect([ahead(), isFound(second.pid)]).toEqual([true, true])
    await second.kill()
    await until(
      () => isFound(second.pid),
      isThere => !isThere,
    )
    expect(isFound(first.pid)).toBe(true)
  })

  test('a terminal of the same name that another server holds is not ours', async () => {
    const at = async (LULL_RUNTIME_DIR: string) => {
      const agent = await startStandIn({ argv0: 'pi', env: { LULL_TERMINAL: 'web', LULL_RUNTIME_DIR } })
      return readSurroundings(agent.pid).terminal
    }
    expect(await at(placesOf().runtime)).toBe('web')
    expect(await at('/elsewhere')).toBeUndefined()
  })

  test('that lull asks for its version is no session, whatever it calls itself', async () => {
    const agent = await startStandIn({ argv0: 'pi', env: { LULL_PROBE: '1' } })
    expect(found(agent)).toBeUndefined()
  })

  test('has a name of its own, which no other process of its number had', () => {
    expect(identify(100, '5')).toMatch(/^[a-z][0-9a-z]{7}$/)
    expect(identify(100, '5')).toBe(identify(100, '5'))
    expect(new Set([identify(100, '5'), identify(100, '6'), identify(101, '5')]).size).toBe(3)
  })

  test('its tmux pane is what it was started with', async () => {
    const env = { TMUX: '/tmp/tmux-0/x,1,0', TMUX_PANE: '%7' }
    expect(readSurroundings((await startStandIn({ env })).pid)).toMatchObject({
      pane: '%7',
      tmux: '/tmp/tmux-0/x',
    })
    const odd = { TMUX: '/tmp/tmux-0/x,1,0', TMUX_PANE: '%7; rm' }
    expect(readSurroundings((await startStandIn({ env: odd })).pid)).not.toHaveProperty('pane')
  })

  test('its files lie where a variable of its puts them', async () => {
    const agent = await startStandIn({ env: { CLAUDE_CONFIG_DIR: '/elsewhere/c' } })
    const surroundings = readSurroundings(agent.pid)
    const process = { id: 'a', agent: agents.claude, pid: agent.pid, parent: 1, start: agent.start }
    expect(statusPath(process, surroundings)).toBe(`/elsewhere/c/sessions/${agent.pid}.json`)
  })

  test.each([
    ['of its own', (start: string) => JSON.stringify({ procStart: start }), true],
    ['of an earlier process of its number', () => '{"procStart":"1"}', false],
    ['of an old version, without a start', () => '{}', true],
  ])('a status file %s', (_, content, isOwn) => {
    const process = { id: 'a', agent: agents.claude, pid: 1, parent: 1, start: '77' }
    expect(isOwnStatus(process, content('77'))).toBe(isOwn)
  })

  const projects = '.claude/projects/-project'
  const processOf = ({ pid, start }: StandIn) => ({ id: 'a', agent: agents.claude, pid, parent: 1, start })

  test('the transcript is the one that it holds open', async () => {
    const home = realpathSync(temporaryFolder())
    const held = path.join(home, projects, 'open.jsonl')
    const agent = await startStandIn({ home, holds: [held] })
    agent.write(`${projects}/newer.jsonl`, '{}')
    expect(openTranscript(processOf(agent), readSurroundings(agent.pid), 0)).toBe(held)
  })

  test('but not one that it only reads', async () => {
    const home = realpathSync(temporaryFolder())
    const file = path.join(home, `${projects}/other.jsonl`)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, '')
    const agent = await startStandIn({ home, reads: [file] })
    expect(openTranscript(processOf(agent), readSurroundings(agent.pid), 0)).toBeUndefined()
  })

  test('or the one that is named by its session, however old', async () => {
    const agent = await startStandIn()
    const named = agent.write(`${projects}/5e55.jsonl`, '{}')
    utimesSync(named, 1, 1)
    const surroundings = readSurroundings(agent.pid)
    expect(namedTranscript(agents.claude, '5e55', surroundings)).toBe(named)
    expect(namedTranscript(agents.claude, 'other', surroundings)).toBeUndefined()
    expect(namedTranscript(agents.claude, '../5e55', surroundings)).toBeUndefined()
    expect(namedTranscript(agents.claude, '*', surroundings)).toBeUndefined()
    const ids = ['01a22064-72fd-7273-b65d-68554873eee1', '3ee70c67-0810-4062-9d8b-3767513d418d'] as const
    for (const [name, nameOf] of [
      ['pi', (id: string) => `.pi/agent/sessions/--web--/2026-11-28T04-23-03-680Z_${id}.jsonl`],
      ['codex', (id: string) => `.codex/sessions/2026/11/28/rollout-2026-11-28T04-23-03-${id}.jsonl`],
      ['copilot', (id: string) => `.copilot/session-state/${id}/events.jsonl`],
    ] as const) {
      const files = ids.map(id => agent.write(nameOf(id), '{}'))
      expect(ids.map(id => namedTranscript(agents[name], id, surroundings))).toEqual(files)
      expect(namedTranscript(agents[name], ids[0].slice(1), surroundings)).toBeUndefined()
    }
  })

  test('else the only one of its folder that was written to since it started', async () => {
    const agent = await startStandIn()
    const surroundings = readSurroundings(agent.pid)
    const started = Date.now() - 60_000
    const guess = () =>
      guessTranscript(agents.claude, surroundings, { startedAt: started, beside: besideOthers })
    const own = agent.write(`${projects}/own.jsonl`, JSON.stringify({ cwd: agent.cwd }))
    utimesSync(agent.write(`${projects}/old.jsonl`, JSON.stringify({ cwd: agent.cwd })), 1, 1)
    agent.write(`${projects}/other.jsonl`, JSON.stringify({ cwd: '/elsewhere' }))
    expect(guess()).toEqual({ file: own })
    // What is looked for in one go is listed once.
    await new Promise(resolve => setImmediate(resolve))
    agent.write(`${projects}/below.jsonl`, JSON.stringify({ cwd: `${agent.cwd}2`, of: `${agent.cwd}/x` }))
    expect(guess()).toEqual({ file: own })
    await new Promise(resolve => setImmediate(resolve))
    agent.write(`${projects}/second.jsonl`, JSON.stringify({ cwd: agent.cwd }))
    expect(guess()).toBe('several')
  })

  test('but not one that is older than it, where another agent in that folder may write it', async () => {
    const agent = await startStandIn()
    const file = agent.write(`${projects}/own.jsonl`, JSON.stringify({ cwd: agent.cwd }))
    const started = statSync(file).birthtimeMs + 60_000
    utimesSync(file, new Date(started + 1000), new Date(started + 1000))
    const guess = (isAlone: boolean) =>
      guessTranscript(agents.claude, readSurroundings(agent.pid), {
        startedAt: started,
        ...(isAlone ? {} : { beside: besideOthers }),
      })
    // Resumed, where nobody else is there.
    expect([guess(true), guess(false)]).toEqual([{ file }, undefined])
    const known = { startedAt: started, beside: besideOthers, followed: file }
    expect(guessTranscript(agents.claude, readSurroundings(agent.pid), known)).toEqual({ file })
  })

  test('what it writes is counted, and that of a program below it', async () => {
    const file = path.join(temporaryFolder(), 'out')
    const start = async (script: string) => {
      const child = spawn('bash', ['-c', `echo up; while read -r; do ${script}; done`], {
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      endWithTest(child)
      // One that still starts is not at rest.
      await once(child.stdout, 'data')
      return child
    }
    const write = `printf %0200d 1 >> ${file}`
    const [quiet, itself, below] = [await start(':'), await start(write), await start(`(${write})`)]
    const pids = [quiet, itself, below].map(({ pid = 0 }) => pid)
    let now = 1_000_000
    const wrote = whoWrote(() => now)
    const told = (pid = 0) =>
      wrote.hasWritten(
        pid,
        pids.filter(other => other !== pid),
        now,
      )
    for (const [one, length] of [
      [itself, 200],
      [below, 400],
    ] as const) {
      wrote.observe(pids)
      now += 10_000
      expect(pids.map(told)).toEqual([undefined, undefined, undefined])
      one.stdin.write('\n')
      await until(
        () => readFileSync(file, { flag: 'a+' }).length,
        size => size === length,
      )
      await until(
        () => told(one.pid),
        is => is === 'perhaps',
      )
      expect(told(quiet.pid)).toBe('no')
    }
  })

  /** Files of its folder, written so many ms after a time. */
  const writtenAt = (agent: StandIn, started: number, ...afters: readonly number[]): readonly string[] =>
    afters.map(after => {
      const file = agent.write(`${projects}/${after}.jsonl`, JSON.stringify({ cwd: agent.cwd }))
      utimesSync(file, new Date(started + after), new Date(started + after))
      return file
    })

  test('but none that was written while it rested and another agent did not', async () => {
    const agent = await startStandIn()
    const started = Date.now() - 60_000
    const [one, two] = writtenAt(agent, started, 1000, 2000)
    const guess = (byTime: Readonly<Record<number, OwnWriting>>) =>
      guessTranscript(agents.claude, readSurroundings(agent.pid), {
        startedAt: started,
        beside: { ...besideOthers, hasWritten: at => byTime[Math.round(at) - started] },
      })
    expect(guess({})).toBe('several')
    expect(guess({ 1000: 'no', 2000: 'perhaps' })).toEqual({ file: two })
    expect(guess({ 1000: 'perhaps', 2000: 'no' })).toEqual({ file: one })
    // It may have been another's that has ended since.
    expect(guess({ 1000: 'no' })).toBe('several')
    expect(guess({ 1000: 'no', 2000: 'no' })).toBe('several')
    expect(guess({ 1000: 'perhaps', 2000: 'perhaps' })).toBe('several')
  })

  test('it has moved from the one that is followed where no other can have written the next', async () => {
    const agent = await startStandIn()
    const started = Date.now() - 60_000
    const [one, two] = writtenAt(agent, started, 1000, 2000)
    const guess = (followed: string | undefined, beside?: OtherAgents) =>
      guessTranscript(agents.claude, readSurroundings(agent.pid), {
        startedAt: started,
        ...defined({ followed, beside }),
      })
    const beside = (haveRested: boolean) => ({
      hasWritten: () => 'perhaps' as const,
      haveRested: () => haveRested,
    })
    expect([guess(one, beside(true)), guess(one, beside(false))]).toEqual(['moved', 'several'])
    expect([guess(two, beside(true)), guess(undefined, beside(true))]).toEqual(['several', 'several'])
    // Alone, nobody else can have made the newer one.
    expect([guess(one), guess(two)]).toEqual(['moved', 'several'])
  })

  test('nor one that another agent may have written, which has ended since', async () => {
    const agent = await startStandIn()
    const started = Date.now() - 60_000
    const file = agent.write(`${projects}/one.jsonl`, JSON.stringify({ cwd: agent.cwd }))
    const written = (after: number) => utimesSync(file, new Date(started + after), new Date(started + after))
    const guess = () =>
      guessTranscript(agents.claude, readSurroundings(agent.pid), {
        startedAt: started,
        aloneSince: started + 5000,
      })
    written(1000)
    expect(guess()).toBeUndefined()
    written(6000)
    expect(guess()).toEqual({ file })
  })

  describe('of an agent that does not name its folder in it', () => {
    const started = Date.UTC(2026, 10, 21, 22, 40, 30)
    const chats = (slug: string, minute = 40) =>
      `.gemini/tmp/${slug}/chats/session-2026-11-21T22-${minute}-a181d969.jsonl`
    const row = JSON.stringify({ sessionId: 'a181d969', kind: 'main' })
    const guess = (agent: { pid: number }) =>
      guessTranscript(agents.gemini, readSurroundings(agent.pid), {
        startedAt: started,
        beside: besideOthers,
      })

    test('by a note beside it', async () => {
      const agent = await startStandIn()
      const own = agent.write(chats('web'), row)
      agent.write('.gemini/tmp/web/.project_root', `${agent.cwd}\n`)
      agent.write(chats('other'), row)
      agent.write('.gemini/tmp/other/.project_root', '/elsewhere')
      expect(guess(agent)).toEqual({ file: own })
    })

    test('by a list of its folders', async () => {
      const agent = await startStandIn()
      const own = agent.write(chats('web'), row)
      agent.write(chats('other'), row)
      const projects = { [agent.cwd]: 'web', '/elsewhere': 'other' }
      agent.write('.gemini/projects.json', JSON.stringify({ projects }))
      expect(guess(agent)).toEqual({ file: own })
    })

    test('and of two the one that was begun with it; a later one is another’s', async () => {
      const agent = await startStandIn()
      agent.write('.gemini/tmp/web/.project_root', agent.cwd)
      const own = agent.write(chats('web', 40), row)
      agent.write(chats('web', 20), row)
      agent.write(chats('web', 52), row)
      expect(guess(agent)).toEqual({ file: own })
    })

    test('none, where neither says so', async () => {
      const agent = await startStandIn()
      agent.write(chats('web'), row)
      expect(guess(agent)).toBeUndefined()
    })
  })

  describe('of Codex, whose daemon writes on what a killed terminal had begun', () => {
    /** An hour ago; files are written now. */
    const started = Date.now() - 3_600_000
    const at = (ms: number) => new Date(started + ms).toISOString()
    /** A thread's id holds the time of its making. */
    const rollout = (made: number, name: string) => {
      const time = (started + made).toString(16).padStart(12, '0')
      return `.codex/sessions/2026/11/21/rollout-${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${name.padStart(12, '0')}.jsonl`
    }
    const event = (ms: number, type: string) =>
      JSON.stringify({ timestamp: at(ms), type: 'event_msg', payload: { type, turn_id: `t${ms}` } })
    const written = (agent: StandIn, made: number, name: string, ...rows: readonly string[]) => {
      const head = { timestamp: at(made), type: 'session_meta', payload: { id: name, cwd: agent.cwd } }
      return agent.write(rollout(made, name), `${[JSON.stringify(head), ...rows].join('\n')}\n`)
    }
    const guess = (agent: StandIn, isAlone: boolean) =>
      guessTranscript(agents.codex, readSurroundings(agent.pid), {
        startedAt: started,
        ...(isAlone ? {} : { beside: besideOthers }),
      })
    const past = -600_000

    test('the one in which a turn has begun since, where no other agent is there', async () => {
      const agent = await startStandIn({ argv0: 'codex' })
      written(agent, past, 'a', event(past, 'task_started'), event(9000, 'task_complete'))
      const own = written(agent, past - 1000, 'b', event(past, 'task_complete'), event(5000, 'task_started'))
      expect(guess(agent, true)).toEqual({ file: own, isBegun: true })
      expect(guess(agent, false)).toBe('several')
    })

    test('none while turns have begun in none of them, or in two', async () => {
      const agent = await startStandIn({ argv0: 'codex' })
      written(agent, past, 'a', event(9000, 'task_complete'))
      written(agent, past - 1000, 'b', event(past, 'task_started'))
      expect(guess(agent, true)).toBe('several')
      written(agent, past, 'a', event(9000, 'task_started'))
      written(agent, past - 1000, 'b', event(9000, 'task_started'))
      expect(guess(agent, true)).toBe('several')
    })

    test('of several that the process holds open the one in which a turn began last, and no subagent’s', async () => {
      const home = realpathSync(temporaryFolder())
      const [left, own, nested] = ['a', 'b', 'c'].map(name => rollout(1000, name)) as [string, string, string]
      const holds = [left, own, nested].map(file => path.join(home, file))
      const agent = await startStandIn({ argv0: 'codex', home, holds })
      const process = { ...processOf(agent), agent: agents.codex }
      const open = () => openTranscript(process, readSurroundings(agent.pid), started)
      written(agent, 1000, 'a', event(2000, 'task_started'), event(3000, 'task_complete'))
      // After `/clear` the next one is there with the next prompt, and the old one stays open.
      expect(open()).toBe(holds[0])
      written(agent, 1000, 'b', event(5000, 'task_started'))
      const meta = { id: 'c', cwd: agent.cwd, source: { subagent: { thread_spawn: {} } } }
      const head = JSON.stringify({ timestamp: at(5000), type: 'session_meta', payload: meta })
      agent.write(nested, `${head}\n${event(6000, 'task_started')}\n`)
      expect(open()).toBe(holds[1])
      // `/resume` goes on in an old one.
      agent.append(left, JSON.parse(event(7000, 'task_started')))
      expect(open()).toBe(holds[0])
    })

    test('of more than are read at once, those that were written last', async () => {
      const home = realpathSync(temporaryFolder())
      const names = Array.from({ length: 12 }, (_, n) => `t${n}`)
      const holds = names.map(name => path.join(home, rollout(1000, name)))
      const agent = await startStandIn({ argv0: 'codex', home, holds })
      const process = { ...processOf(agent), agent: agents.codex }
      names.forEach((name, n) => {
        written(agent, 1000, name, event(2000 + 1000 * n, 'task_started'))
        utimesSync(holds[n] as string, new Date(started + 1000 * n), new Date(started + 1000 * n))
      })
      expect(openTranscript(process, readSurroundings(agent.pid), started)).toBe(holds.at(-1))
    })

    test('one that was made late, as under load, where no other agent is there', async () => {
      const agent = await startStandIn({ argv0: 'codex' })
      const own = written(agent, 20_000, 'a')
      expect([guess(agent, true), guess(agent, false)]).toEqual([{ file: own }, undefined])
    })
  })

  test('a path that a hook names counts only among its own transcripts', async () => {
    const agent = await startStandIn()
    const surroundings = readSurroundings(agent.pid)
    const isOwn = (file: string) => isTranscriptOf(agents.claude, file, surroundings)
    const own = agent.write(`${projects}/s.jsonl`, '{}')
    expect(isOwn(own)).toBe(true)
    expect(isOwn(path.join(agent.home, projects, 'not-yet.jsonl'))).toBe(true)
    expect(isOwn('/etc/passwd')).toBe(false)
    expect(isOwn(path.join(agent.home, projects, '../../../x.jsonl'))).toBe(false)
    expect(isOwn(`${agent.home}/${projects}/../-project/s.jsonl`)).toBe(false)
    const secret = agent.write('secret.jsonl', '{}')
    const link = path.join(agent.home, projects, 'link.jsonl')
    symlinkSync(secret, link)
    expect(isOwn(link)).toBe(false)
    expect(isOwn('s.jsonl')).toBe(false)
  })

  test('a home that is a link is still its home', async () => {
    const real = realpathSync(temporaryFolder())
    const home = path.join(realpathSync(temporaryFolder()), 'link')
    symlinkSync(real, home)
    const agent = await startStandIn({ home })
    const file = agent.write(`${projects}/s.jsonl`, '{}')
    expect(isTranscriptOf(agents.claude, file, readSurroundings(agent.pid))).toBe(true)
  })

  test('its subagents write beside its transcript', async () => {
    const agent = await startStandIn()
    const main = agent.write(`${projects}/s.jsonl`, '{}')
    expect(besideTranscript(agents.claude, main)).toEqual([])
    const sub = agent.write(`${projects}/s/subagents/agent-1.jsonl`, '{}')
    expect(besideTranscript(agents.claude, main)).toEqual([sub])
  })

  test('is shown by lull demo, from its files alone', async () => {
    const agent = await startStandIn()
    const running = async () => {
      const env = { HOME: agent.home, LULL_RUNTIME_DIR: path.join(agent.home, 'run') }
      const { stdout } = await lullHere(['demo', '--once', '--json'], env)
      const table = JSON.parse(stdout) as { running: { name: string; state: string; doing?: string }[] }
      return table.running.find(row => row.name === `claude ${agent.pid} project`)
    }
    expect(await running()).toMatchObject({ state: 'starting' })
    agent.status({ status: 'busy', sessionId: 's' })
    expect(await running()).toMatchObject({ state: 'working', turnOver: false })
    const message = { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash' }], stop_reason: 'tool_use' }
    const timestamp = new Date().toISOString()
    agent.append(`${projects}/s.jsonl`, { type: 'assistant', cwd: agent.cwd, timestamp, message })
    expect(await running()).toMatchObject({ state: 'working', doing: 'tool' })
  })
})

describe('the branch of a folder', () => {
  test('is read from git’s own files', () => {
    const folder = temporaryFolder()
    expect(readBranch(folder)).toBeUndefined()
    mkdirSync(path.join(folder, '.git'))
    const head = (text: string) => writeFileSync(path.join(folder, '.git/HEAD'), text)
    head('ref: refs/heads/feature/x\n')
    expect(readBranch(folder)).toBe('feature/x')
    const below = path.join(folder, 'a/b')
    mkdirSync(below, { recursive: true })
    expect(readBranch(below)).toBe('feature/x')
    head(`${'ab'.repeat(20)}\n`)
    expect(readBranch(folder)).toBe('abababab')
    head('torn')
    expect(readBranch(folder)).toBeUndefined()
  })

  test('of a worktree stands in another folder', () => {
    const main = temporaryFolder()
    const tree = path.join(main, '.git/worktrees/w')
    mkdirSync(tree, { recursive: true })
    writeFileSync(path.join(tree, 'HEAD'), 'ref: refs/heads/w\n')
    const folder = temporaryFolder()
    writeFileSync(path.join(folder, '.git'), `gitdir: ${tree}\n`)
    expect(readBranch(folder)).toBe('w')
  })
})
