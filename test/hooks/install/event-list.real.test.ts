/** Which events an installed CLI knows, read from its own program. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { labCommand, labVersion } from '../../../scripts/setup-lab.ts'
import type { HookedName } from '../../../src/agents/agent-names.ts'
import { agents } from '../../../src/agents/registry.ts'
import { findCli } from '../../../src/hooks/install/cli-program.ts'
import { foundAgents } from '../../../src/hooks/install/found-agents.ts'
import { placesOf } from '../../../src/os/file/places.ts'
import { endWithTest } from '../../support/end-with-test.ts'
import { temporaryFolder } from '../../support/lull.ts'

const claudeList = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop', 'Setup']

/** A program of that text, alone on the path; what is found out about it. */
async function found(name: HookedName, text: string | Buffer) {
  const folder = temporaryFolder()
  const file = path.join(folder, agents[name].process.argv0[0] ?? name)
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return findCli(agents[name], { env: { PATH: `/no/such:relative:${folder}` }, mayRun: true })
}

const eventsOf = async (name: HookedName, text: string | Buffer) =>
  [...((await found(name, text))?.events ?? [])].sort()

test('the longest list counts: a program holds parts of it, and other lists of names', async () => {
  const text = [
    '["UserPromptSubmit","PreToolUse","PostToolUse","Stop"]',
    JSON.stringify(claudeList),
    '["Stop","UserPromptSubmit","SessionStart","SessionEnd","PreToolUse","Bash","Edit","Read","Write"]',
    '["UserPromptSubmit",f("Stop"),"PreToolUse","PostToolUse"]',
  ].join(';x=')
  expect(await eventsOf('claude', text)).toEqual([...claudeList].sort())
})

test.each([-300, -20, -1, 0, 1, 30])(
  'a list across the border of two pieces (%i bytes off) is found',
  async off => {
    const list = Buffer.from(`x=${JSON.stringify(claudeList)};`)
    const text = Buffer.alloc(5 * 1024 * 1024, 0xff)
    list.copy(text, 4 * 1024 * 1024 + off - 30)
    expect(await eventsOf('claude', text)).toEqual([...claudeList].sort())
  },
)

test('codex: a schema for each event', async () => {
  const schema = (event: string) =>
    `{\n "properties": {\n    "hook_event_name": {\n      "const": "${event}",\n      "type": "string"\n`
  const names = ['SessionStart', 'Stop', 'Interrupt']
  expect(await eventsOf('codex', names.map(schema).join('\0'.repeat(9000)))).toEqual([...names].sort())
})

test('gemini: its names among those of other kinds', async () => {
  const names = ['BeforeAgent', 'AfterAgent', 'Notification']
  const lines = names.map(name => `  HookEventName2["${name}"] = "${name}";`)
  const text = `  HookType2["Command"] = "command";\n  Other["BeforeX"] = "BeforeX";\n${lines.join('\n')}`
  expect(await eventsOf('gemini', text)).toEqual([...names].sort())
})

test('a program without a list: nothing is known of its events', async () => {
  const program = await found('claude', '#!/bin/sh\necho 3.2.1\n')
  expect(program).toMatchObject({ version: '3.2.1' })
  expect(program?.events).toBeUndefined()
})

test('a program that is asked for its version is told that it is no session', async () => {
  const program = await found('claude', '#!/bin/sh\necho "3.2.$LULL_PROBE"\n')
  expect(program).toMatchObject({ version: '3.2.1' })
})

test('a program that does not answer, or fails: it is found, its version is not known', async () => {
  const program = await found('claude', '#!/bin/sh\nexit 3\n')
  expect(program).toEqual({ path: expect.stringContaining('/claude') })
})

test('a package: its version, its scripts and the program for the platform beside it are read', async () => {
  const modules = path.join(temporaryFolder(), 'node_modules')
  const shim = path.join(modules, '@openai/codex/bin/codex.js')
  const native = path.join(modules, '@openai/codex-linux-x64/vendor/linux/bin/codex')
  for (const file of [shim, native]) mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(shim, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  writeFileSync(path.join(modules, '@openai/codex/package.json'), '{"version":"0.7.1"}')
  const schema = (event: string) => `"hook_event_name": {\n  "const": "${event}"`
  writeFileSync(native, `${'\0'.repeat(9000)}${schema('Stop')} ${schema('SessionStart')}`)
  mkdirSync(path.join(modules, '.bin'))
  symlinkSync('../@openai/codex/bin/codex.js', path.join(modules, '.bin/codex'))
  const program = await findCli(agents.codex, { env: { PATH: path.join(modules, '.bin') } })
  expect(program).toEqual({
    path: path.join(modules, '.bin/codex'),
    version: '0.7.1',
    events: new Set(['Stop', 'SessionStart']),
  })
})

// The CLIs themselves, where `node scripts/setup-lab.ts` has installed them.
for (const [name, count] of [
  ['claude', 33],
  ['codex', 12],
] as const) {
  test.skipIf(!existsSync(labCommand(name)))(
    `${name} ${labVersion(name)} lists ${count} events`,
    async () => {
      const program = await findCli(agents[name], { given: labCommand(name), mayRun: true })
      expect(program).toMatchObject({ version: labVersion(name) })
      expect(program?.events?.size).toBe(count)
      for (const { name: event } of agents[name].hooks.events) expect(program?.events).toContain(event)
    },
  )
}

test.runIf(process.platform === 'linux').each([
  ['becomes it', 'exec'],
  ['starts it and waits', ''],
])('a wrapper that %s: what it starts decides, whatever the wrapper says besides', async (_, how) => {
  const folder = temporaryFolder()
  const home = path.join(folder, 'home')
  const real = path.join(home, 'versions/node_modules/claude/cli.js')
  mkdirSync(path.dirname(real), { recursive: true })
  mkdirSync(path.join(folder, 'bin'))
  // As long as a busy machine may keep who looks at it from looking.
  const answer = 'setTimeout(() => console.log("2.1.9 (Claude Code)"), 1000)'
  writeFileSync(real, `${answer}\nconst events = ${JSON.stringify(claudeList)}${' '.repeat(5000)}\n`)
  writeFileSync(path.join(path.dirname(real), 'package.json'), '{"version":"2.1.9"}')
  const wrapper = path.join(folder, 'bin/claude')
  // A name of its own for node, as the CLI gives itself, and a secret that it is not to have.
  const start = `${how} node "$HOME/versions/node_modules/claude/cli.js" "$@"`
  writeFileSync(wrapper, `#!/bin/sh\n[ -z "$SECRET" ] || exit 1\n${start}\n`, { mode: 0o755 })
  symlinkSync(real, path.join(path.dirname(real), 'claude'))
  writeFileSync(wrapper, `#!/bin/sh\n[ -z "$SECRET" ] || exit 1\n${start.replace('cli.js', 'claude')}\n`)
  const PATH = [path.dirname(wrapper), path.dirname(process.execPath), '/usr/bin', '/bin'].join(':')
  const env = { PATH, HOME: home, SECRET: 'key' }
  expect(await findCli(agents.claude, { env, mayRun: true })).toEqual({
    path: wrapper,
    behind: real,
    version: '2.1.9',
    events: new Set(claudeList),
  })
  // Nobody has asked for an installation: nothing is started.
  expect(await findCli(agents.claude, { env })).toEqual({ path: wrapper })
})

test('a wrapper that hangs is not waited for, and what it starts in the background neither', async () => {
  const program = await found('claude', '#!/bin/sh\nsleep 1000 &\necho 1.2.3\n')
  expect(program).toMatchObject({ version: '1.2.3' })
})

test('of what is larger than any program only the name is taken: 400 GB may take no room, and take an hour to read', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'claude')
  writeFileSync(file, `#!/bin/sh\necho 2.1.0\nexit\n${JSON.stringify(claudeList)}\n`, { mode: 0o755 })
  const env = { PATH: folder }
  expect((await findCli(agents.claude, { env }))?.events).toEqual(new Set(claudeList))
  truncateSync(file, 2 * 1024 ** 3)
  expect(await findCli(agents.claude, { env })).toEqual({ path: file })
})

describe.runIf(process.platform === 'linux')('a CLI that is not on the PATH is found by a session', () => {
  const home = realpathSync(temporaryFolder())
  const write = (name: string, text: string): string => {
    const file = path.join(home, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o755 })
    return file
  }
  async function runs(file: string, argv0: string, env: Record<string, string> = {}): Promise<void> {
    const child = spawn(process.execPath, [file], {
      argv0,
      env: { HOME: home, PATH: '/usr/bin:/bin', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endWithTest(child)
    await once(child.stdout, 'data')
  }
  const waits = 'console.log(1); setInterval(() => {}, 1e6)'
  const env = { HOME: home, PATH: '/usr/bin:/bin' }

  test('that started another program of its own: it is the one that was started', async () => {
    // It ends with whoever has started it.
    const native = write(
      'node_modules/@openai/codex-linux-x64/bin/codex',
      `console.log(1); process.stdin.resume()\n`,
    )
    const spawned = `require('node:child_process').spawn('${process.execPath}', ['${native}'], { stdio: ['pipe', 'inherit', 'inherit'] })`
    const shim = write('node_modules/@openai/codex/bin/codex.js', `${spawned}\n`)
    write('node_modules/@openai/codex/package.json', '{"version":"0.7.1"}')
    await runs(shim, 'node')
    expect(await findCli(agents.codex, { env })).toMatchObject({ path: shim, version: '0.7.1' })
    expect(foundAgents({ places: placesOf(env), env, cwd: home }).map(({ name }) => name)).toEqual(['codex'])
  })

  test.each([
    ['by what its shell noted', (file: string) => ({ _: file })],
    ['by the PATH of the session', (file: string) => ({ PATH: `${path.dirname(file)}:/usr/bin` })],
  ])('that calls itself by its name alone: %s', async (_, noted) => {
    const script = write('node_modules/@x/pi/dist/cli.js', `process.title = 'pi'\n${waits}\n`)
    write('node_modules/@x/pi/package.json', '{"version":"0.7.3"}')
    const program = path.join(home, 'pi/bin/pi')
    mkdirSync(path.dirname(program), { recursive: true })
    rmSync(program, { force: true })
    symlinkSync(script, program)
    await runs(program, 'node', noted(program))
    expect(await findCli(agents.pi, { env })).toMatchObject({ path: program, version: '0.7.3' })
  })
})
