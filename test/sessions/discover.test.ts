/** Which agents run on a machine, and what their files tell: real processes and files in a folder of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { readBranch } from '../../src/os/file/git-branch.ts'
import { identify } from '../../src/os/proc/process-id.ts'
import {
  besideTranscript,
  guessTranscript,
  isOwnStatus,
  isTranscriptOf,
  namedTranscript,
  openTranscript,
  statusPath,
} from '../../src/sessions/discover/agent-file-search.ts'
import { createSearch } from '../../src/sessions/discover/agent-search.ts'
import { recognise } from '../../src/sessions/discover/recognise-agent.ts'
import { readSurroundings } from '../../src/sessions/discover/surroundings.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

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
  ])('of no agent: %j', argv => {
    expect(recognise(argv)).toBeUndefined()
  })
})

const found = (agent: StandIn) =>
  createSearch(() => 0)
    .look()
    .find(({ pid }) => pid === agent.pid)

describe.runIf(process.platform === 'linux')('a running agent', () => {
  test('is found by its name, with its folder', async () => {
    const agent = await startStandIn()
    expect(found(agent)).toMatchObject({ agent: { name: 'claude' }, start: agent.start })
    expect(readSurroundings(agent.pid)).toMatchObject({ cwd: agent.cwd, env: { HOME: agent.home } })
  })

  test('is found by a search that looked before it was started, and no more when it is gone', async () => {
    const search = createSearch(() => 0)
    search.look()
    const agent = await startStandIn()
    expect(search.look().map(({ pid }) => pid)).toContain(agent.pid)
    await agent.kill()
    expect(search.look().map(({ pid }) => pid)).not.toContain(agent.pid)
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
      () => search.look().filter(({ parent }) => parent === outer.pid),
      all => all.length > 0,
    )
    expect(search.look().map(({ pid }) => pid)).toContain(outer.pid)
    process.kill(inner?.pid as number, 'SIGKILL')
    outer.kill('SIGKILL')
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
    const process = { agent: agents.claude, pid: agent.pid, parent: 1, start: agent.start }
    expect(statusPath(process, surroundings)).toBe(`/elsewhere/c/sessions/${agent.pid}.json`)
  })

  test.each([
    ['of its own', (start: string) => JSON.stringify({ procStart: start }), true],
    ['of an earlier process of its number', () => '{"procStart":"1"}', false],
    ['of an old version, without a start', () => '{}', true],
  ])('a status file %s', (_, content, isOwn) => {
    const process = { agent: agents.claude, pid: 1, parent: 1, start: '77' }
    expect(isOwnStatus(process, content('77'))).toBe(isOwn)
  })

  const projects = '.claude/projects/-project'
  const processOf = ({ pid, start }: StandIn) => ({ agent: agents.claude, pid, parent: 1, start })

  test('the transcript is the one that it holds open', async () => {
    const home = realpathSync(temporaryFolder())
    const held = path.join(home, projects, 'open.jsonl')
    const agent = await startStandIn({ home, holds: held })
    agent.write(`${projects}/newer.jsonl`, '{}')
    expect(openTranscript(processOf(agent), readSurroundings(agent.pid))).toBe(held)
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
  })

  test('else the only one of its folder that was written to since it started', async () => {
    const agent = await startStandIn()
    const surroundings = readSurroundings(agent.pid)
    const started = Date.now() - 60_000
    const guess = () => guessTranscript(agents.claude, surroundings, started)
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
      const { stdout } = await lull(['demo', '--once', '--json'], [], env)
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
