/** `lull mcp install` and `uninstall`: what stands in the settings of each CLI, and that nothing else changes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { agentNames, mcpNames, skillNames } from '../../src/agents/agent-names.ts'
import { agents } from '../../src/agents/registry.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'

const served = agentNames.filter(name => agents[name].mcp)

test('the names are those of whom it is known', () => {
  expect(mcpNames).toEqual(served)
  expect(skillNames).toEqual(agentNames.filter(name => agents[name].skills))
})

function home() {
  const folder = temporaryFolder()
  const cleared = {
    CLAUDE_CONFIG_DIR: '',
    CODEX_HOME: '',
    XDG_CONFIG_HOME: '',
    COPILOT_HOME: '',
    QWEN_HOME: '',
    GEMINI_CLI_HOME: '',
  }
  const env = { ...cleared, HOME: folder, LULL_RUNTIME_DIR: path.join(folder, 'run'), PATH: '/usr/bin:/bin' }
  const file = (name: string) => path.join(folder, name)
  return {
    env,
    file,
    mcp: (...args: readonly string[]) => lullHere(['mcp', ...args], env),
    skill: (...args: readonly string[]) => lullHere(['skill', ...args], env),
    read: (name: string) => readFileSync(file(name), 'utf8'),
    write(name: string, text: string) {
      mkdirSync(path.dirname(file(name)), { recursive: true })
      writeFileSync(file(name), text)
    },
  }
}

/** What a person may have there, with comments where the CLI takes them. */
const theirs = {
  json: '{\n  // mine\n  "theme": "dark",\n  "TABLE": {\n    "other": { "command": "other" }\n  }\n}\n',
  toml: '# mine\nmodel = "gpt"\n\n[TABLE.other]\ncommand = "other"\n\n[tui]\ntheme = "dark"\n',
}

test('the help names them all', async () => {
  expect((await lullHere(['mcp', 'install', '--help'])).stdout).toContain(served.join(', '))
})

describe.each(served)('%s', name => {
  const plan = agents[name].mcp
  if (!plan) throw new Error(name)
  const file = plan.user.path
  const parsed = (text: string) =>
    (plan.format === 'toml' ? parse(text) : JSON.parse(text)) as Record<string, Record<string, unknown>>

  test('nothing there: its file is made, and is gone again', async () => {
    const at = home()
    expect(await at.mcp('install', name)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('added lull mcp to'),
    })
    const entry = parsed(at.read(file))[plan.table]?.lull
    expect(JSON.stringify(entry)).toMatch(/lull\.js","mcp"/)
    expect(await at.mcp('install', name)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing to do'),
    })
    const { stdout } = await at.mcp('uninstall', name)
    expect(stdout).toContain('note: running sessions keep it until they restart')
    if (plan.format === 'json') expect(() => at.read(file)).toThrow()
    else expect(at.read(file)).toBe('')
  })

  test('what a person has there stays, byte for byte', async () => {
    const at = home()
    const text = theirs[plan.format].replace('TABLE', plan.table)
    at.write(file, text)
    const dry = await at.mcp('install', name, '--dry-run')
    expect(dry.stdout).toMatch(/^\+.*lull/m)
    expect(at.read(file)).toBe(text)
    await at.mcp('install', name)
    expect(at.read(file)).toContain('other')
    await at.mcp('uninstall', name)
    expect(at.read(file)).toBe(text)
  })

  test('what is malformed, or another server of this name, is left as it is', async () => {
    const at = home()
    const broken = plan.format === 'toml' ? '[oops\n' : '{ "a": \n'
    at.write(file, broken)
    expect(await at.mcp('install', name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(path.basename(file)),
    })
    expect(at.read(file)).toBe(broken)
    const another =
      plan.format === 'toml'
        ? `[${plan.table}.lull]\ncommand = "mine"\n`
        : `{ "${plan.table}": { "lull": { "command": "mine" } } }`
    at.write(file, another)
    expect(await at.mcp('install', name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another MCP server called lull'),
    })
    expect(await at.mcp('uninstall', name)).toMatchObject({ code: 1 })
    expect(at.read(file)).toBe(another)
  })

  test('an older entry of ours is brought up to date', async () => {
    const at = home()
    await at.mcp('install', name)
    const right = at.read(file)
    at.write(file, right.replace(/"[^"]*lull\.js"/, '"/old/place/lull.js"'))
    await at.mcp('install', name)
    expect(at.read(file)).toBe(right)
  })
})

test('as a process of its own it does the same', async () => {
  const [here, there] = [home(), home()]
  await here.mcp('install', 'claude')
  expect(await lull(['mcp', 'install', 'claude'], [], there.env)).toMatchObject({ code: 0, stderr: '' })
  const file = agents.claude.mcp?.user.path as string
  expect(there.read(file)).toBe(here.read(file))
})

test('an agent that has no such place, or none of a project, or is none: a sentence', async () => {
  const at = home()
  expect(await at.mcp('install', 'pi')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it does of claude'),
  })
  expect(await at.mcp('install', 'codex', '--project')).toMatchObject({ code: 2 })
  expect(await at.mcp('install', 'nobody')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown agent'),
  })
})

describe('lull skill', () => {
  const skilled = agentNames.filter(name => agents[name].skills)

  test.each(skilled)('%s: it is put where the agent reads skills, and taken away', async name => {
    const at = home()
    const file = path.join(agents[name].skills?.user.path ?? '', 'lull/SKILL.md')
    expect(await at.skill('install', name)).toMatchObject({ code: 0 })
    expect(at.read(file)).toMatch(/^---\nname: lull\ndescription: .+\n---\n/)
    expect((await at.skill('install', name)).stdout).toContain('nothing to do')
    await at.skill('uninstall', name)
    expect(() => at.read(file)).toThrow()
  })

  test('a file of another’s is left as it is; the help and the page name them all', async () => {
    const at = home()
    at.write('.claude/skills/lull/SKILL.md', 'mine\n')
    expect(await at.skill('install', 'claude')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not lull'),
    })
    expect(await at.skill('uninstall', 'claude')).toMatchObject({ code: 0 })
    expect(at.read('.claude/skills/lull/SKILL.md')).toBe('mine\n')
    expect((await at.skill('install', '--help')).stdout).toContain(skilled.join(', '))
    expect((await at.skill('show')).stdout).toContain('lull wait SESSION')
  })
})
