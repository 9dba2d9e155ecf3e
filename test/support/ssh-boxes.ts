/** Boxes of a test: each an sshd on a loopback port with a key, a home and places of its own, and a hosts.yaml that knows them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../bench/free-port.ts'
import { canConnect } from './can-connect.ts'
import { bin, temporaryFolder } from './lull.ts'
import { neededProgram } from './needed-program.ts'
import { ownPlaces } from './running.ts'
import { until } from './until.ts'

export const sshd = neededProgram('sshd', ['/usr/sbin/sshd', '/usr/local/sbin/sshd'])

export type BoxOptions = {
  /** What is run as lull there; this lull, with places of the box's own, where not given. */
  readonly command?: string
  /** What the shell there runs before this lull. */
  readonly before?: string
  /** Nothing listens there. */
  readonly isDown?: boolean
}

export type SshBox = {
  readonly name: string
  /** Of lull on it. */
  readonly env: Readonly<Record<string, string>>
  /** Stops the sshd and all of its connections, as a machine that hangs. */
  freeze(): void
  thaw(): void
  /** Ends both. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** @returns the boxes, by name, and the environment of a lull that knows them */
export async function sshBoxes<Name extends string>(wanted: Readonly<Record<Name, BoxOptions>>) {
  const folder = temporaryFolder()
  const key = (name: string): string => {
    const file = path.join(folder, name)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
    return file
  }
  // Where sshd runs as root it wants this folder.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const user = key('user')
  const boxes = {} as Record<Name, SshBox>
  const config: string[] = []
  const hosts: string[] = []
  for (const [name, options] of Object.entries<BoxOptions>(wanted)) {
    const port = await freePort()
    const places = ownPlaces()
    const variables = Object.entries(places).map(([variable, value]) => `${variable}=${value}`)
    const command =
      options.command ?? [options.before ?? '', 'env', ...variables, process.execPath, bin].join(' ')
    const box = boxOn({ name, port, folder, hostKey: key(`${name}.key`), user, env: places })
    boxes[name as Name] = box
    if (!options.isDown) await box.start()
    config.push(
      `Host ${name}`,
      ...['HostName 127.0.0.1', `Port ${port}`, `User ${os.userInfo().username}`, `IdentityFile ${user}`],
      ...['IdentitiesOnly yes', 'StrictHostKeyChecking no', `UserKnownHostsFile ${folder}/known`],
      ...['GlobalKnownHostsFile /dev/null', 'LogLevel ERROR'],
    )
    hosts.push(`  ${name}: { command: ${JSON.stringify(command)} }`)
  }
  writeFileSync(path.join(folder, 'config'), `${config.join('\n')}\n`)
  const env = ownPlaces()
  const home = env.HOME as string
  mkdirSync(path.join(home, '.config/lull'), { recursive: true })
  const ssh = `ssh: [ssh, -F, ${folder}/config]`
  writeFileSync(path.join(home, '.config/lull/hosts.yaml'), [ssh, 'boxes:', ...hosts, ''].join('\n'))
  return {
    boxes,
    env: { ...env, XDG_CONFIG_HOME: path.join(home, '.config') },
    end: async () => {
      await Promise.all(Object.values<SshBox>(boxes).map(box => box.kill()))
    },
  }
}

type Made = {
  readonly name: string
  readonly port: number
  readonly folder: string
  readonly hostKey: string
  readonly user: string
  readonly env: Readonly<Record<string, string>>
}

function boxOn({ name, port, folder, hostKey, user, env }: Made): SshBox {
  const file = path.join(folder, `${name}.sshd`)
  writeFileSync(
    file,
    [
      `Port ${port}`,
      ...['ListenAddress 127.0.0.1', `HostKey ${hostKey}`, `AuthorizedKeysFile ${user}.pub`, 'PidFile none'],
      ...[
        'StrictModes no',
        'PasswordAuthentication no',
        'KbdInteractiveAuthentication no',
        'PermitRootLogin yes',
      ],
      // Its alarm(2) for it would keep lull from proving that another test’s program waits for ever.
      ...['UsePAM no', 'MaxStartups 100', 'LoginGraceTime 0', ''],
    ].join('\n'),
  )
  let child: ChildProcess | undefined
  return {
    name,
    env,
    async start() {
      child = spawn(sshd.file ?? '', ['-D', '-e', '-f', file], { stdio: 'ignore' })
      await until(
        () => canConnect(port),
        is => is,
        'sshd',
      )
    },
    freeze: () => signalAll(child, 'SIGSTOP'),
    thaw: () => signalAll(child, 'SIGCONT'),
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      signalAll(child, 'SIGKILL')
      await ended
    },
  }
}

function signalAll(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined) return
  for (const pid of [child.pid, ...below(child.pid)])
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
}

/** sshd and what it forked for its connections, and lull there: a session of its own each. */
function below(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map(row => row.trim().split(/\s+/).map(Number))
  const childrenOf = (of: number): readonly number[] =>
    rows.flatMap(([own = 0, parent]) => (parent === of ? [own, ...childrenOf(own)] : []))
  return childrenOf(pid)
}

export const isInstalled = existsSync('/usr/bin/ssh-keygen') && sshd.file !== undefined
