/** Agents whose files are not ours to read: another user's, a container's. Found, shown, and said why less is known. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readSurroundings } from '../../src/sessions/discover/surroundings.ts'
import { bin, temporaryFolder } from '../support/lull.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function works(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const isRoot = process.getuid?.() === 0
const canBeOther = isRoot && works('setpriv', '--reuid=65534', '--clear-groups', 'true')
/** A root of its own needs a mount namespace: CI in a container without that right can't make one. */
const canBeContained = isRoot && works('unshare', '-m', 'mount', '-t', 'tmpfs', 'none', '/mnt')

describe.runIf(process.platform === 'linux')('an agent whose files are not read', () => {
  test.runIf(canBeOther)('belongs to another user: it is listed, with a sentence', async () => {
    const agent = await startStandIn()
    const home = temporaryFolder()
    execFileSync('chown', ['65534:65534', home])
    execFileSync('chmod', ['0755', path.dirname(home)])
    const env = { ...process.env, HOME: home, LULL_RUNTIME_DIR: path.join(home, 'run') }
    const asNobody = [
      '--reuid=65534',
      '--regid=65534',
      '--clear-groups',
      process.execPath,
      bin,
      'ps',
      '--json',
    ]
    const printed = execFileSync('setpriv', asNobody, { env, encoding: 'utf8' })
    const { sessions } = JSON.parse(printed) as { sessions: { pid: number; state: string; note?: string }[] }
    const found = sessions.find(({ pid }) => pid === agent.pid)
    expect(found).toMatchObject({ note: 'it belongs to another user (root): its files are not read' })
    expect(found).not.toHaveProperty('cwd')
    expect(found?.state).toMatch(/starting|unknown/)
  })

  test.runIf(canBeContained)('runs in a container', async () => {
    const root = temporaryFolder()
    mkdirSync(path.join(root, 'home'))
    // A root of its own with the machine's programs in it, as containers have one.
    const script = [
      `mount -t tmpfs none ${root}`,
      ...['bin', 'lib', 'lib64', 'usr'].map(
        dir => `if [ -e /${dir} ]; then mkdir ${root}/${dir}; mount --bind /${dir} ${root}/${dir}; fi`,
      ),
      `exec chroot ${root} /bin/bash -c 'exec -a claude /bin/bash -c "read -r _"'`,
    ].join('; ')
    const child = spawn('unshare', ['-m', '/bin/bash', '-c', script], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    children.push(child)
    const surroundings = await until(
      () => readSurroundings(child.pid as number),
      ({ note }) => note !== undefined,
      'its own root',
    )
    expect(surroundings).toMatchObject({ note: 'it runs in a container: its files are not read' })
    expect(surroundings).not.toHaveProperty('cwd')
  })
})
