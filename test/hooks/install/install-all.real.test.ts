/** `lull hooks install|uninstall` without an agent: all that are found, in one go, and nothing of those that can't be read. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fakeClaude, type HookHome, hookHome } from '../../support/hook-home.ts'

const events = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop']

type All = {
  readonly agents: readonly {
    readonly agent: string
    readonly cli: object | null
    readonly events: string[]
  }[]
  readonly refused: readonly { readonly agent: string; readonly why: string }[]
  readonly diff: string
}

/** Claude's program is there, and of two others their folders: in one of these is a file that nobody can read. */
function lived(): HookHome {
  const home = hookHome()
  fakeClaude(home, '2.1.0', events)
  chmodSync(home.file('bin/claude'), 0o755)
  mkdirSync(home.file('.config/opencode'), { recursive: true })
  mkdirSync(home.file('.codex'))
  home.write('.gemini/settings.json', '{ "ui": ')
  return home
}

describe.concurrent('without an agent', () => {
  test('all that are found are told; one that can’t be read is left as it is, and exit 1 says so', async () => {
    const home = lived()
    const { code, stdout } = await home.hooks('install', '--json')
    expect(code).toBe(1)
    const { agents, refused, diff } = JSON.parse(stdout) as All
    expect(agents.map(({ agent }) => agent)).toEqual(['claude', 'codex', 'opencode'])
    expect(agents[0]).toMatchObject({ cli: { version: '2.1.0' }, events: expect.arrayContaining(['Stop']) })
    expect(refused).toEqual([{ agent: 'gemini', why: expect.stringContaining('.gemini/settings.json:1:') }])
    expect(home.read('.gemini/settings.json')).toBe('{ "ui": ')
    expect(home.read('.claude/settings.json')).toContain('# lull')
    expect(home.read('.codex/hooks.json')).toContain('# lull')
    expect(home.read('.config/opencode/plugin/lull.js')).toContain('lull')
    expect(existsSync(home.file('.qwen'))).toBe(false)
    // What several of them run stands in it once.
    expect(diff.split(`+++ ${home.where.places.forwarder}`)).toHaveLength(2)
  })

  test('one diff tells of all, and can be applied', async () => {
    const home = lived()
    const { code, stdout, stderr } = await home.hooks('install', '--dry-run')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /claude 2\.1\.0: would install[\s\S]*codex: would install[\s\S]*gemini: not changed/,
    )
    expect(existsSync(home.file('.codex/hooks.json'))).toBe(false)
    execFileSync('git', ['apply', '--unsafe-paths', '-p0'], { input: stdout, cwd: '/' })
    home.write('.gemini/settings.json', '{}')
    const again = await home.hooks('install', '--dry-run')
    expect(again.code).toBe(0)
    expect(again.stderr).toMatch(
      /claude 2\.1\.0: nothing to do[\s\S]*codex: nothing to do[\s\S]*gemini: would install/,
    )
  })

  test('uninstall takes all out again, whose program is there no more, too', async () => {
    const home = lived()
    home.write('.codex/hooks.json', '{}\n')
    const { stdout: installed } = await home.hooks('install')
    // What was there before is shown as it changes, and what is new is named.
    expect(installed).toContain(`--- ${home.file('.codex/hooks.json')}`)
    expect(installed).toMatch(/^new: .*\.claude\/settings\.json \(\d+ lines\)$/m)
    expect(installed).not.toContain('#!/bin/sh')
    home.write('.gemini/settings.json', '{}')
    const { code, stdout } = await home.hooks('uninstall')
    expect(code).toBe(0)
    expect(stdout).toMatch(/claude: removed lull's hooks[\s\S]*codex: removed[\s\S]*opencode: removed/)
    for (const file of ['.claude/settings.json', '.config/opencode/plugin/lull.js'])
      expect(existsSync(home.file(file))).toBe(false)
    expect((await home.hooks('uninstall')).stdout).toContain('nothing to do')
  })

  test('the last uninstall leaves no folder that is empty, and no forwarder; what an agent keeps is told', async () => {
    const home = hookHome()
    const mine = home.write('.copilot/hooks/mine.json', '{}')
    const { forwarder, data } = home.where.places
    for (const agent of ['codex', 'opencode', 'copilot', 'cline'])
      expect(await home.hooks('install', agent)).toMatchObject({ code: 0 })
    const trusted = home.write(
      '.codex/config.toml',
      `[hooks.state."${home.file('.codex/hooks.json')}:stop:0:0"]\n`,
    )
    const first = await home.hooks('uninstall', 'codex')
    expect(first.stdout).toContain(`note: codex keeps in ${trusted} that you trusted these hooks`)
    expect(existsSync(trusted)).toBe(true)
    expect(existsSync(forwarder)).toBe(true)
    const rehearsed = await home.hooks('uninstall', '--dry-run')
    expect(rehearsed.stderr).toContain(`would remove ${forwarder}`)
    expect(rehearsed.stdout).toContain(`--- ${forwarder}`)
    expect(existsSync(forwarder)).toBe(true)
    expect((await home.hooks('uninstall')).stdout).toContain(`note: removed ${forwarder}`)
    for (const gone of [data, home.file('.config'), home.file('.cline')]) expect(existsSync(gone)).toBe(false)
    expect(existsSync(mine)).toBe(true)
  })

  test('where none is found, that is said, with exit 1', async () => {
    const { code, stdout } = await hookHome().hooks('install')
    expect([code, stdout]).toEqual([1, expect.stringContaining('no agent with hooks found')])
  })
})

test('one agent whose file can’t be read: nothing at all is written, the forwarder neither', async () => {
  const home = lived()
  expect(await home.hooks('install', 'gemini')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing was changed'),
  })
  expect(existsSync(home.where.places.forwarder)).toBe(false)
})
