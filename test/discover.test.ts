/** Which agents run on a machine, and what their files tell: real processes and files in a folder of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Found, findAgents, recognise } from '../src/sense/discover/processes.ts'
import { lull, temporaryFolder } from './support/lull.ts'

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
    expect(recognise(argv)?.name).toBe(agent)
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
    [['claudette']],
    [['python3', 'claude']],
    [['']],
    [[]],
  ])('of no agent: %j', argv => {
    expect(recognise(argv)).toBeUndefined()
  })
})

const children: ChildProcess[] = []
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

/** A process that calls itself claude, in a home of its own. It holds `open` open. */
async function startClaude(open?: string) {
  const home = realpathSync(temporaryFolder())
  const cwd = path.join(home, 'project')
  const projects = path.join(home, '.claude/projects/-project')
  const sessions = path.join(home, '.claude/sessions')
  for (const folder of [cwd, projects, sessions]) mkdirSync(folder, { recursive: true })
  const held = open === undefined ? '' : path.join(projects, open)
  const script = `${held ? `require('fs').openSync(${JSON.stringify(held)}, 'a');` : ''} console.log('up'); setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['-e', script], {
    argv0: 'claude',
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  const pid = child.pid as number
  const found = (): Found | undefined => findAgents(home).find(agent => agent.pid === pid)
  const status = path.join(sessions, `${pid}.json`)
  return { home, cwd, projects, status, pid, found }
}

describe.runIf(process.platform === 'linux')('a running agent', () => {
  const startOf = (pid: number): string =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19] as string

  test('is found by its name, with its folder', async () => {
    const { found, pid, cwd } = await startClaude()
    expect(found()).toMatchObject({ agent: { name: 'claude' }, pid, cwd })
    expect(found()).not.toHaveProperty('status')
    expect(found()).not.toHaveProperty('transcript')
  })

  test.each([
    ['of its own', (pid: number) => ({ procStart: startOf(pid) }), true],
    ['of an earlier process of its number', () => ({ procStart: '1' }), false],
    ['of an old version, without a start', () => ({}), true],
    ['that is torn', () => '{"procStart', false],
  ])('with a status file %s', async (_, content, isOwn) => {
    const { found, pid, status } = await startClaude()
    const written = content(pid)
    writeFileSync(status, typeof written === 'string' ? written : JSON.stringify({ pid, ...written }))
    expect(found()?.status).toBe(isOwn ? status : undefined)
  })

  test('the transcript is the one that it holds open', async () => {
    const { found, projects } = await startClaude('open.jsonl')
    writeFileSync(path.join(projects, 'newer.jsonl'), '{}')
    expect(found()?.transcript).toBe(path.join(projects, 'open.jsonl'))
  })

  test('else the one that its status file names, however old', async () => {
    const { found, projects, status, pid, cwd } = await startClaude()
    const [named, newer] = ['5e55.jsonl', 'newer.jsonl'].map(file => path.join(projects, file)) as [
      string,
      string,
    ]
    for (const file of [named, newer]) writeFileSync(file, JSON.stringify({ cwd }))
    utimesSync(named, 1, 1)
    expect(found()?.transcript).toBe(newer)
    writeFileSync(status, JSON.stringify({ pid, procStart: startOf(pid), sessionId: '5e55' }))
    expect(found()?.transcript).toBe(named)
  })

  test('else the only one of its folder that was written to since it started', async () => {
    const { found, projects, cwd } = await startClaude()
    const [own, old, other, second] = ['own', 'old', 'other', 'second'].map(name =>
      path.join(projects, `${name}.jsonl`),
    ) as [string, string, string, string]
    for (const file of [own, old]) writeFileSync(file, JSON.stringify({ cwd }))
    utimesSync(old, 1, 1)
    writeFileSync(other, JSON.stringify({ cwd: '/elsewhere' }))
    expect(found()?.transcript).toBe(own)
    writeFileSync(second, JSON.stringify({ cwd }))
    expect(found()?.transcript).toBeUndefined()
  })

  test('is shown by lull demo, from its files alone', async () => {
    const { home, status, pid, projects, cwd } = await startClaude()
    const running = async () => {
      const { stdout } = await lull(['demo', '--once', '--json'], [], { HOME: home })
      const table = JSON.parse(stdout) as { running: { name: string; state: string; doing?: string }[] }
      return table.running.find(row => row.name === `claude ${pid} project`)
    }
    expect(await running()).toBeUndefined()
    writeFileSync(status, JSON.stringify({ pid, procStart: startOf(pid), status: 'busy' }))
    expect(await running()).toMatchObject({ state: 'working', turnOver: false })
    const message = { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash' }], stop_reason: 'tool_use' }
    writeFileSync(
      path.join(projects, 's.jsonl'),
      `${JSON.stringify({ type: 'assistant', cwd, message })}\n{"type`,
    )
    expect(await running()).toMatchObject({ state: 'working', doing: 'tool' })
  })

  test('is found no more when it is gone', async () => {
    const { found } = await startClaude()
    const child = children.pop() as ChildProcess
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(found()).toBeUndefined()
  })
})
