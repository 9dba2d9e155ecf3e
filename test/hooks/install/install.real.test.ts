/** `lull hooks install|uninstall`: what it writes where, what it leaves alone, and what it says. */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type HookedName, hookedNames } from '../../../src/agents/agent-names.ts'
import { agents } from '../../../src/agents/registry.ts'
import { inspectForwarder, inspectHooks, installedHooks } from '../../../src/hooks/install/inspect.ts'
import { installHooks, uninstallHooks } from '../../../src/hooks/install/install.ts'
import { fakeClaude, type HookHome, hookHome } from '../../support/hook-home.ts'

const settings = '.claude/settings.json'
const mine = '{\n  "model":   "opus"\n}\n'
const isRoot = process.getuid?.() === 0

const request = (home: HookHome, name: HookedName = 'claude', scope: 'user' | 'project' = 'user') => ({
  agent: agents[name],
  scope,
  where: home.where,
  isDry: false,
})
const install = (home: HookHome, name?: HookedName) => installHooks(request(home, name))
const uninstall = (home: HookHome, name?: HookedName) => uninstallHooks(request(home, name))
const eventsIn = (text: string): string[] => Object.keys((JSON.parse(text) as { hooks: object }).hooks)
/** Every file below a folder, with its content. */
const tree = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => path.join(entry.parentPath, entry.name))
      .map(file => [path.relative(folder, file), readFileSync(file, 'utf8')]),
  )

describe.concurrent('each agent', () => {
  test.each(hookedNames)(
    '%s: is told, is not told twice, and everything is as it was afterwards',
    async name => {
      const home = hookHome()
      home.write('.claude/settings.json', mine)
      home.write('.gemini/settings.json', '{ "ui": {} }')
      const before = tree(home.folder)
      const first = await install(home, name)
      expect(first.events.length).toBeGreaterThan(2)
      const installed = tree(home.folder)
      expect((await install(home, name)).changes).toEqual([])
      expect(tree(home.folder)).toEqual(installed)
      expect(installedHooks(home.where).map(({ agent, inPlace }) => [agent, inPlace])).toEqual([
        [name, expect.arrayContaining([...first.events])],
      ])
      await uninstall(home, name)
      const { '.local/share/lull/hook': _, ...after } = tree(home.folder)
      expect(after).toEqual(before)
      expect(installedHooks(home.where)).toEqual([])
    },
  )

  test('opencode: npm gives up at once beside the plugin; a file of the person’s own stays, and is told of', async () => {
    const home = hookHome()
    const npmrc = '.config/opencode/.npmrc'
    await install(home, 'opencode')
    expect(home.read(npmrc)).toMatch(/^# lull: [^\n]*\nfetch-retries=0\nfetch-timeout=10000\n$/)
    rmSync(home.file(npmrc))
    // As an older lull left it.
    expect(installedHooks(home.where)).toMatchObject([{ agent: 'opencode', inPlace: [] }])
    home.write(npmrc, 'registry=https://npm.corp/\n')
    const { code, stdout } = await home.hooks('install', 'opencode')
    expect(code).toBe(0)
    expect(stdout).toContain(`put fetch-retries=0 and fetch-timeout=10000 in ${home.file(npmrc)}`)
    expect(installedHooks(home.where)[0]?.inPlace).not.toEqual([])
    await uninstall(home, 'opencode')
    expect(home.read(npmrc)).toBe('registry=https://npm.corp/\n')
    home.write(npmrc, 'fetch-retries = 1\nfetch-timeout=3\n')
    expect((await home.hooks('install', 'opencode')).stdout).not.toContain('fetch-retries')
    expect((await home.hooks('install', 'opencode', '--project')).stdout).not.toContain('fetch-retries')
    rmSync(home.file(npmrc))
    expect((await home.hooks('install', 'opencode', '--project', '--dry-run')).stderr).toContain(
      'put fetch-retries=0',
    )
  })

  test("opencode and pi: another's file of our name is left alone, and said", async () => {
    const home = hookHome()
    const file = home.write('.pi/agent/extensions/lull.js', 'export default () => {}\n')
    expect(await home.hooks('install', 'pi')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `lull: ${file} is there already and is not lull's; nothing was changed\n`,
    })
    expect((await uninstall(home, 'pi')).changes).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe('export default () => {}\n')
  })

  test("cline: an event whose program is the person's own is left out", async () => {
    const home = hookHome()
    home.write('.cline/hooks/TaskStart', '#!/bin/sh\necho mine\n')
    const { stdout, code } = await home.hooks('install', 'cline')
    expect(code).toBe(0)
    expect(stdout).toContain('installed hooks for 5 events')
    expect(stdout).toContain(
      `left out: TaskStart (${home.file('.cline/hooks/TaskStart')} is a hook of your own)`,
    )
    expect(statSync(home.file('.cline/hooks/PreToolUse')).mode & 0o777).toBe(0o700)
    await uninstall(home, 'cline')
    expect(readdirSync(home.file('.cline/hooks'))).toEqual(['TaskStart'])
    expect(home.read('.cline/hooks/TaskStart')).toBe('#!/bin/sh\necho mine\n')
  })
})

describe.concurrent('the installed version', () => {
  const known = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop', 'Setup']

  test('only what it lists itself is installed, and the rest is said', async () => {
    const home = hookHome()
    fakeClaude(home, '9.8.7', known)
    chmodSync(home.file('bin/claude'), 0o755)
    const { stdout } = await home.hooks('install', 'claude')
    expect(stdout).toContain(`claude 9.8.7: installed hooks for 5 events in ${home.file(settings)}`)
    expect(stdout).toMatch(/left out: .*Notification.* \(version 9\.8\.7 does not know it\)/)
    expect(eventsIn(home.read(settings)).sort()).toEqual(known.filter(name => name !== 'Setup').sort())
  })

  test('after a downgrade, what it does not know any more goes', async () => {
    const home = hookHome()
    const program = { path: 'claude', version: '9.9.9', events: new Set([...known, 'PostToolBatch']) }
    await installHooks({ ...request(home), program })
    expect(eventsIn(home.read(settings))).toContain('PostToolBatch')
    const older = { ...program, version: '9.8.7', events: new Set(known) }
    expect(inspectHooks(agents.claude, 'user', home.where, older).unknown).toEqual(['PostToolBatch'])
    await installHooks({ ...request(home), program: older })
    expect(eventsIn(home.read(settings))).not.toContain('PostToolBatch')
  })

  test('no CLI: what every version knows is installed, and that is said', async () => {
    const home = hookHome()
    const { stdout, code } = await home.hooks('install', 'claude')
    expect(code).toBe(0)
    expect(stdout).toContain(
      'note: claude was found neither on the PATH nor by a session that runs; installed only the events that every version knows',
    )
    expect(eventsIn(home.read(settings))).not.toContain('PostToolBatch')
  })

  test('--cli names a program that is not there', async () => {
    const { code, stderr } = await hookHome().hooks('install', 'claude', '--cli', '/no/claude')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'lull: --cli /no/claude: no such program\n',
    })
  })
})

describe.concurrent("the person's file", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['with a comment, which Claude takes for malformed', '{\n  "a": 1 // x\n}', ':2:10 has a comment'],
    ['malformed', '{\n  "a": 1,\n  "b" 2\n}', ':3:7 is not valid JSON (colon expected)'],
    ['torn', '{\n  "a": [1,', ':2:11 is not valid JSON'],
    ['no object', '[1]', ':1:1 holds an array, not an object'],
    ['empty', '', ':1:1 is empty, and not JSON'],
    ['hooks of a wrong type', '{\n "hooks": []}', ':2:11 has an array as `hooks`, where an object belongs'],
    ['an event of a wrong type', '{"hooks": {"Stop": {}}}', ':1:20 has an object at hooks.Stop'],
    ['hooks twice', '{"hooks": {}, "hooks": {}}', ':1:15 has `hooks` twice'],
    ['nested too deeply', '['.repeat(200_000), ' is nested too deeply'],
  ]
  test.each(cases)('%s: refused with its place, and not changed', async (_, text, sentence) => {
    const home = hookHome()
    const file = home.write(settings, text)
    await expect(install(home)).rejects.toThrow(`${file}${sentence}`)
    expect(home.read(settings)).toBe(text)
    expect(readdirSync(home.file('.claude'))).toEqual(['settings.json'])
  })

  test('malformed: exit code 1 and one sentence', async () => {
    const home = hookHome()
    home.write(settings, '{')
    const { code, stderr, stdout } = await home.hooks('install', 'claude')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^lull: .*settings\.json:1:2 is not valid JSON .*; mend it first, nothing was changed\n$/,
    )
  })

  test('no UTF-8: refused, and not changed', async () => {
    const home = hookHome()
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
    const file = home.write(settings, bytes)
    await expect(install(home)).rejects.toThrow('no UTF-8 text')
    expect(readFileSync(file)).toEqual(bytes)
  })

  test('a byte order mark and CRLF stay', async () => {
    const home = hookHome()
    const text = '\uFEFF{\r\n\t"a": 1\r\n}\r\n'
    home.write(settings, text)
    await install(home)
    const installed = home.read(settings)
    expect(installed.startsWith('\uFEFF{\r\n\t"a": 1,\r\n\t"hooks": {\r\n')).toBe(true)
    expect(installed.replaceAll('\r\n', '')).not.toContain('\n')
    await uninstall(home)
    expect(home.read(settings)).toBe(text)
  })

  test('a symbolic link is followed, and stays one', async () => {
    const home = hookHome()
    const target = home.write('dotfiles/claude.json', mine)
    mkdirSync(home.file('.claude'))
    symlinkSync('../dotfiles/claude.json', home.file(settings))
    await install(home)
    expect(lstatSync(home.file(settings)).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toContain('# lull')
    await uninstall(home)
    expect(readFileSync(target, 'utf8')).toBe(mine)
  })

  test('a link to a file that is not there yet: it is made there', async () => {
    const home = hookHome()
    mkdirSync(home.file('.claude'))
    symlinkSync('../dotfiles/claude.json', home.file(settings))
    await install(home)
    expect(lstatSync(home.file(settings)).isSymbolicLink()).toBe(true)
    expect(home.read('dotfiles/claude.json')).toContain('# lull')
  })

  test('links in a circle are refused', async () => {
    const home = hookHome()
    mkdirSync(home.file('.claude'))
    symlinkSync('settings.json', home.file(settings))
    await expect(install(home)).rejects.toThrow('links lead in a circle')
  })

  test('read-only, also for root: refused', async () => {
    const home = hookHome()
    const file = home.write(settings, mine)
    chmodSync(file, 0o444)
    await expect(install(home)).rejects.toThrow(`${file} is read-only: chmod u+w it first`)
    expect(readFileSync(file, 'utf8')).toBe(mine)
  })

  test('a read-only folder: refused', async () => {
    const home = hookHome()
    home.write(settings, mine)
    chmodSync(home.file('.claude'), 0o555)
    await expect(install(home)).rejects.toThrow(`the folder ${home.file('.claude')} is read-only`)
    chmodSync(home.file('.claude'), 0o755)
    expect(readdirSync(home.file('.claude'))).toEqual(['settings.json'])
  })

  test('a file with two names: refused', async () => {
    const home = hookHome()
    linkSync(home.write(settings, mine), home.file('other-name'))
    await expect(install(home)).rejects.toThrow('has 2 names (hard links)')
    expect(home.read('other-name')).toBe(mine)
  })

  test('a folder or a fifo of that name: refused, without waiting', async () => {
    const home = hookHome()
    mkdirSync(home.file(settings), { recursive: true })
    await expect(install(home)).rejects.toThrow('is no regular file')
    rmSync(home.file(settings), { recursive: true })
    execFileSync('/usr/bin/mkfifo', [home.file(settings)])
    await expect(install(home)).rejects.toThrow('is no regular file')
  })

  test('mode and owner stay; a new file and its folder are for its person alone', async () => {
    const home = hookHome()
    const file = home.write(settings, mine)
    chmodSync(file, 0o640)
    if (isRoot) chownSync(file, 12345, 23456)
    const was = statSync(file)
    await install(home)
    const { mode, uid, gid } = statSync(file)
    expect({ mode, uid, gid }).toEqual({ mode: was.mode, uid: was.uid, gid: was.gid })

    const fresh = hookHome()
    await install(fresh)
    expect(statSync(fresh.file(settings)).mode & 0o777).toBe(0o600)
    expect(statSync(fresh.file('.claude')).mode & 0o777).toBe(0o700)
  })

  // A file system of 64 kB can only be mounted by root.
  test.skipIf(!canMount())('a full disk: refused, not changed, nothing left behind', async () => {
    const home = hookHome()
    mkdirSync(home.file('.claude'))
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', home.file('.claude')])
    try {
      home.write(settings, mine)
      expect(() => writeFileSync(home.file('.claude/filler'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC')
      await expect(install(home)).rejects.toThrow('no space is left on its file system; nothing was changed')
      expect(home.read(settings)).toBe(mine)
      expect(readdirSync(home.file('.claude')).sort()).toEqual(['filler', 'settings.json'])
    } finally {
      execFileSync('/usr/bin/umount', [home.file('.claude')])
    }
  })
})

describe.concurrent('the command line', () => {
  test('--dry-run prints a diff that does what it says, and changes nothing', async () => {
    const home = hookHome()
    const file = home.write(settings, mine)
    const { stdout, stderr, code } = await home.hooks('install', 'claude', '--dry-run')
    expect(code).toBe(0)
    expect(stderr).toContain('would install hooks')
    expect(home.read(settings)).toBe(mine)
    expect(existsSync(home.where.places.forwarder)).toBe(false)
    execFileSync('git', ['apply', '--unsafe-paths', '-p0'], { input: stdout, cwd: '/' })
    const patched = readFileSync(file, 'utf8')
    home.write(settings, mine)
    rmSync(home.where.places.forwarder)
    await home.hooks('install', 'claude')
    expect(patched).toBe(home.read(settings))
  })

  test('--json tells the same', async () => {
    const home = hookHome()
    const { stdout } = await home.hooks('install', 'codex', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      agent: 'codex',
      action: 'install',
      scope: 'user',
      file: home.file('.codex/hooks.json'),
      cli: null,
      dryRun: false,
      changed: [home.where.places.forwarder, home.file('.codex/hooks.json')],
      events: ['SessionStart', 'UserPromptSubmit', 'Stop'],
      leftOut: expect.arrayContaining([{ event: 'Interrupt', why: expect.any(String) }]),
      notes: expect.arrayContaining([expect.stringContaining('Codex asks once')]),
    })
  })

  test.each([
    ['an unknown agent', ['install', 'cloude'], 'cloude: unknown agent; use one of claude, codex'],
    ['no agent, and where its CLI is', ['install', '--cli', '/x'], '--cli needs an agent: '],
    [
      'two scopes',
      ['install', 'claude', '--user', '--project'],
      '--user and --project exclude each other; give one',
    ],
  ])('%s: exit code 2 and a sentence', async (_, args, sentence) => {
    const { code, stderr } = await hookHome().hooks(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(`lull: ${sentence}`)
  })

  test('nothing to do is said, and is no failure', async () => {
    const home = hookHome()
    await install(home)
    const again = await home.hooks('install', 'claude')
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing to do')])
    await uninstall(home)
    const gone = await home.hooks('uninstall', 'claude')
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining('nothing to do')])
  })
})

describe.concurrent('a project', () => {
  test("claude: the person's own settings of the repository that the folder belongs to", async () => {
    const home = hookHome()
    mkdirSync(home.file('work/.git'))
    mkdirSync(home.file('work/deep/down'), { recursive: true })
    const where = { ...home.where, cwd: home.file('work/deep/down') }
    await installHooks({ ...request(home, 'claude', 'project'), where })
    expect(home.read('work/.claude/settings.local.json')).toContain('# lull')
    expect(existsSync(home.file(settings))).toBe(false)
  })

  test('gemini: a file that colleagues share, which is said, and read only in that folder', async () => {
    const home = hookHome()
    const { stdout } = await home.hooks('install', 'gemini', '--project')
    expect(home.read('work/.gemini/settings.json')).toContain('# lull')
    expect(stdout).toContain('is shared with everybody in this project')
    expect(stdout).toContain('reads it only if it starts in that folder')
  })
})

describe.concurrent('an inspection', () => {
  const inspect = (home: HookHome) => inspectHooks(agents.claude, 'user', home.where, undefined)

  test('tells what is missing, what is older, and a forwarder that is gone or old', async () => {
    const home = hookHome()
    expect(inspect(home)).toMatchObject({ inPlace: [], missing: expect.arrayContaining(['Stop']) })
    expect(inspectForwarder(home.where)).toBe('missing')
    await install(home)
    expect(inspect(home)).toMatchObject({ inPlace: expect.arrayContaining(['Stop']), missing: [], stale: [] })
    expect(inspectForwarder(home.where)).toBe('current')

    const { forwarder } = home.where.places
    const { hooks } = JSON.parse(home.read(settings)) as { hooks: Record<string, unknown> }
    const { PreToolUse: _, ...fewer } = hooks
    const text = JSON.stringify({ hooks: fewer })
    home.write(settings, text.replace(forwarder, '/elsewhere/hook'))
    expect(inspect(home)).toMatchObject({ missing: ['PreToolUse'], stale: ['SessionStart'] })
    writeFileSync(forwarder, `${readFileSync(forwarder, 'utf8')}# older\n`)
    expect(inspectForwarder(home.where)).toBe('old')
    chmodSync(forwarder, 0o600)
    expect(inspectForwarder(home.where)).toBe('not executable')

    await install(home)
    expect(inspect(home)).toMatchObject({ missing: [], stale: [] })
    expect(inspectForwarder(home.where)).toBe('current')
  })

  test.each<[HookedName, string, object, string]>([
    ['claude', settings, { disableAllHooks: true }, 'disableAllHooks is true'],
    ['claude', 'work/.claude/settings.local.json', { disableAllHooks: true }, 'disableAllHooks is true'],
    ['qwen', '.qwen/settings.json', { disableAllHooks: true }, 'disableAllHooks is true'],
    ['gemini', '.gemini/settings.json', { hooksConfig: { enabled: false } }, 'hooksConfig.enabled is false'],
    ['gemini', '.gemini/settings.json', { hooksConfig: { disabled: ['lull'] } }, 'holds "lull"'],
  ])('%s: tells that %s switches hooks off', async (name, file, value, sentence) => {
    const home = hookHome()
    home.write(file, JSON.stringify(value))
    expect(inspectHooks(agents[name], 'user', home.where, undefined).off).toContain(sentence)
    const { stdout } = await home.hooks('install', name)
    expect(stdout).toContain(`${sentence} in ${home.file(file)}; no hook runs until you change that`)
  })

  test('codex: tells which hooks the person has not told it to trust', async () => {
    const home = hookHome()
    await install(home, 'codex')
    const untrusted = () => inspectHooks(agents.codex, 'user', home.where, undefined).untrusted
    expect(untrusted()).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop'])
    const tables = ['session_start', 'stop'].map(
      event => `[hooks.state."${home.file('.codex/hooks.json')}:${event}:0:0"]\ntrusted_hash = "sha256:0"\n`,
    )
    home.write('.codex/config.toml', tables.join('\n'))
    expect(untrusted()).toEqual(['UserPromptSubmit'])
  })

  test('tells that a file is malformed', () => {
    const home = hookHome()
    home.write(settings, '{')
    expect(inspect(home).problem).toContain('settings.json:1:2 is not valid JSON')
  })
})

function canMount(): boolean {
  return isRoot && process.platform === 'linux' && existsSync('/usr/bin/mount')
}
