/** What lull prints of names, files, arguments and recordings moves nothing on a terminal, and makes no line of its own. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'

const nasty = '\u001b]0;PWN\u0007\u001b[31m\u009b31m\u202eRTL\u2028x\u200b\rlull: all is well\n✓'
/** Of an argument or a path: without what a path can't have. */
const bad = /[\0-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/

function expectPlain({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
  const said = stdout + stderr
  expect(said).not.toMatch(bad)
  expect(said).not.toMatch(/^lull: all is well|^✓$/m)
  expect(said).not.toBe('')
}

const folder = temporaryFolder()
const env = {
  HOME: folder,
  LULL_RUNTIME_DIR: path.join(folder, 'run'),
  XDG_STATE_HOME: path.join(folder, 'state'),
}

describe('of what stands on the command line', () => {
  test.each([
    [[nasty]],
    [['ps', nasty]],
    [['ps', `--${nasty}`]],
    [['read', `tmux:${nasty}`]],
    [['wait', nasty]],
    [['wait', 'claude', '--for', nasty]],
    [['wait', 'claude', '--timeout', nasty]],
    [['wait', '%0', '--for', `output:/(${nasty}/`]],
    [['wait', '%0', '--ready', '--prompt-pattern', `(${nasty}`]],
    [['explain', nasty]],
    [['explain', `/tmp/${nasty}.cast`]],
    [['replay', `/tmp/${nasty}.cast`]],
    [['replay', '--agent', nasty, '--transcript', '/dev/null']],
    [['record', 'claude', '-o', `/${nasty}/y`]],
    [['record', '--agent', nasty, '--', 'true']],
    [['run', `--${nasty}`]],
    [['run', '--cwd', `/${nasty}`, '--', 'true']],
    [['run', '--', `/nowhere/${nasty}`]],
    [['loop', nasty]],
    [['loop', 'init', `/nowhere/${nasty}`]],
    [['hooks', 'install', nasty]],
    [['hooks', 'install', 'claude', '--cli', `/${nasty}`, '--dry-run']],
    [['host', 'start', '--port', nasty]],
    [['name', nasty, 'x']],
    [['seen', nasty]],
    [['go', nasty]],
    [['keys', '%0', nasty]],
  ])('%j', async words => {
    expectPlain(await lullHere(words, env))
  })
})

describe('of recordings', () => {
  const file = path.join(folder, `a${nasty.replaceAll('/', '')}.cast`)
  const json = (value: unknown): string => JSON.stringify(value)
  writeFileSync(
    file,
    [
      json({
        version: 2,
        lull: { trace: 1, agent: 'claude', scenario: nasty, note: nasty, agentVersion: nasty },
      }),
      json([0.1, `z${nasty}`, 'x']),
      json([0.2, 'h', json({ event: `Stop${nasty}`, payload: {} })]),
      json([0.3, 'h', json({ event: 'PreToolUse', payload: { tool_name: nasty } })]),
      json([0.4, 'h', json({ event: 'PermissionRequest', payload: { tool_name: nasty } })]),
      json([0.5, 't', json({ path: '/x/.claude/projects/a/b.jsonl', line: `{bad${nasty}` })]),
      json([0.6, 'h', json({ event: 'Stop', payload: {}, agent: nasty })]),
      json([0.7, 'x', json({ cause: nasty, signal: nasty })]),
      `bad${nasty}`,
    ].join('\n'),
  )
  test.each([
    [['replay', file]],
    [['replay', file, file]],
    [['replay', '--json', file]],
    [['explain', file, '--at', '0.45s']],
    [['explain', file, '--json']],
  ])('%j', async words => {
    expectPlain(await lullHere(words, env))
  })
})

describe('of programs and their files', () => {
  const home = path.join(folder, `h${nasty}`)
  mkdirSync(path.join(home, '.git'), { recursive: true })
  writeFileSync(path.join(home, '.git', 'HEAD'), `ref: refs/heads/b${nasty}\n`)
  const agent = path.join(folder, 'agent.sh')
  writeFileSync(
    agent,
    `#!/bin/sh\ncat > /dev/null\nprintf '%s\\n' '${nasty}'\nprintf '%s\\n' '${nasty}' >&2\nprintf '<!-- ralph:state blocked need ${nasty.replaceAll('\n', ' ')} -->\\n'\n`,
  )
  chmodSync(agent, 0o755)
  writeFileSync(path.join(home, 'RALPH.md'), `---\nagent: ${agent}\n---\nhi\n`)
  writeFileSync(path.join(folder, 'BAD.md'), `---\nagent: [\n${nasty}\n---\nhi {{ commands.nope${nasty} }}\n`)

  test('lull loop, whatever the agent prints', async () => {
    const done = await lull(['loop', home, '-n', '1'], [], env)
    expect(done).toMatchObject({ stdout: expect.stringContaining('iteration 1') })
    expectPlain(done)
    expectPlain(await lull(['loop', home, '-n', '1', '--json'], [], env))
  })

  test('lull loop of a file that is wrong', async () => {
    expectPlain(await lull(['loop', path.join(folder, 'BAD.md'), '-n', '1'], [], env))
  })

  test('what lull run says beside what its command prints', async () => {
    const { stdout, stderr } = await lull(['run', '--', 'sh', '-c', 'exit 3', nasty], [], env)
    expect(stdout).toBe('')
    expectPlain({ stdout, stderr })
    expect((await lull(['run', '--', 'printf', '%s', nasty], [], env)).stdout).toBe(nasty)
  })
})
