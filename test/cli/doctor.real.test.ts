/** `lull hooks doctor`: real settings, the real forwarder, a real host; and what `lull doctor` says of agents. */
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { hookCommand } from '../../src/hooks/hook-command.ts'
import { lullHere } from '../support/lull-here.ts'
import { startStandIn } from '../support/stand-in.ts'

type Findings = {
  readonly findings: { readonly level: string; readonly what: string; readonly cause?: string }[]
}

let stopHost: (() => Promise<unknown>) | undefined
afterEach(async () => {
  await stopHost?.()
  stopHost = undefined
})

async function patient() {
  const agent = await startStandIn()
  const { home } = agent
  const env = {
    HOME: home,
    LULL_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_DATA_HOME: path.join(home, 'data'),
  }
  stopHost = () => lullHere(['host', 'stop'], env)
  const doctor = async () => {
    const { stdout, code } = await lullHere(['hooks', 'doctor', 'claude', '--json'], env)
    return {
      code,
      text: (JSON.parse(stdout) as Findings).findings
        .map(({ level, what }) => `${level}: ${what}`)
        .join('\n'),
    }
  }
  return { agent, home, env, doctor, install: () => lullHere(['hooks', 'install', 'claude'], env) }
}

describe.runIf(process.platform === 'linux')('lull hooks doctor', () => {
  test('proves that hooks arrive, starting the host that hears them; notes those that belong to no agent', async () => {
    const { doctor, install, agent, env } = await patient()
    expect(await doctor()).toMatchObject({ code: 1, text: expect.stringContaining('no hooks of lull') })
    await install()
    const { code, text } = await doctor()
    expect(text).toMatch(/ok: a probe hook arrived through the forwarder in \d+ ms/)
    expect(text).toContain(`note: claude `)
    expect(text).not.toContain('wrong:')
    expect(text).not.toContain('no running agent')
    expect(code).toBe(0)
    expect(agent.pid).toBeGreaterThan(0)
    const forwarder = path.join(env.XDG_DATA_HOME, 'lull/hook')
    const command = hookCommand(forwarder, 'claude', 'Stop')
    execFileSync('/bin/sh', ['-c', command], { env: { ...process.env, ...env }, input: '{"session_id":"x"}' })
    expect(await doctor()).toMatchObject({
      code: 0,
      text: expect.stringContaining('note: 1 hook belonged to no running agent'),
    })
  })

  test('tells what is in the way', async () => {
    const { doctor, install, home } = await patient()
    await install()
    const forwarder = path.join(home, 'data/lull/hook')
    chmodSync(forwarder, 0o600)
    expect(await doctor()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/may not be executed[\s\S]*did not arrive/),
    })
    rmSync(forwarder)
    expect((await doctor()).text).toMatch(/is missing[\s\S]*did not arrive/)
    await install()
    expect(await doctor()).toMatchObject({ code: 0 })
    const settings = path.join(home, '.claude/settings.json')
    writeFileSync(settings, '{"disableAllHooks": true}')
    await install()
    expect(await doctor()).toMatchObject({
      code: 1,
      text: expect.stringContaining('disableAllHooks is true'),
    })
    writeFileSync(settings, '{"hooks": ')
    expect((await doctor()).text).toContain('no hooks are installed for claude')
  })

  test('names the true cause of a session that is not heard: its own environment, not the doctor’s', async () => {
    const { home, env, install } = await patient()
    const other = path.join(home, 'other')
    await startStandIn({ home, folder: 'elsewhere', env: { CLAUDE_CONFIG_DIR: path.join(home, 'nothing') } })
    await startStandIn({ home, folder: 'named', env: { LULL_RUNTIME_DIR: other } })
    await install()
    const there = { ...env, LULL_RUNTIME_DIR: other }
    await lullHere(['host', 'start'], there)
    const stopFirst = stopHost
    stopHost = async () => {
      await lullHere(['host', 'stop'], there)
      await stopFirst?.()
    }
    const { stdout } = await lullHere(['hooks', 'doctor', '--json'], env)
    const { findings } = JSON.parse(stdout) as Findings
    const causeOf = (folder: string) => findings.find(({ what }) => what.includes(`~/${folder}`))?.cause
    expect([causeOf('project'), causeOf('elsewhere'), causeOf('named')]).toEqual([
      'started before',
      'not installed',
      'other host',
    ])
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'note', what: expect.stringContaining(`runs in ${other}`) }),
    )
  })

  test.each(['install', 'uninstall', 'doctor'])(
    '%s says of an agent without hooks that none are known',
    async verb => {
      expect(await lullHere(['hooks', verb, 'amp'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('lull has no hooks for this agent'),
      })
    },
  )

  test('names an agent that it does not know', async () => {
    expect(await lullHere(['hooks', 'doctor', 'emacs'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown agent; use one of '),
    })
  })
})

test('lull doctor tells of each agent on what its facts were checked, or that they are not', async () => {
  const { agents } = JSON.parse((await lullHere(['doctor', '--json'])).stdout)
  expect(agents).toContainEqual({ name: 'kimi', checkedOn: '2.1.0', unverified: null, hasHooks: false })
  expect(agents).toContainEqual({ name: 'goose', checkedOn: null, unverified: 'memory', hasHooks: false })
  const { stdout } = await lullHere(['doctor'])
  expect(stdout).toContain('✓ kimi: checked on 2.1.0, only its screen')
  expect(stdout).toContain('· goose: unverified (memory), only its screen')
})
