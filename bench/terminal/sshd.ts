/** An ssh server on loopback with keys, a port and settings of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { toolPath } from '../../scripts/setup-bench.ts'
import { freePort } from '../free-port.ts'
import { atExit } from '../lab/leftovers.ts'

export type Sshd = {
  /** `ssh`: logs in by its key; `ssh-password`: asks for a password; `ssh-new`: has never seen the host; `ssh-pipe`: a server of its own, by
   * a pipe. */
  readonly commands: Readonly<Record<'ssh' | 'ssh-password' | 'ssh-new' | 'ssh-pipe', string>>
  close(): void
}

export async function startSshd(home: string, env: Readonly<Record<string, string>>): Promise<Sshd> {
  const folder = path.join(home, 'ssh')
  mkdirSync(folder, { mode: 0o700 })
  const at = (name: string) => path.join(folder, name)
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)], { env })
  const port = await freePort()
  const hostKey = execFileSync('cat', [at('host.pub')], { encoding: 'utf8' })
  writeFileSync(at('known'), `[127.0.0.1]:${port} ${hostKey}`)
  writeFileSync(at('rc'), "PS1='far@box:\\w\\$ '\nunset HISTFILE\n")
  writeFileSync(at('sshd_config'), serverConfig(at, port))
  writeFileSync(at('config'), clientConfig(at, port))
  // Where root's server leaves its rights behind; the package makes it when the machine boots.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const child = spawn(toolPath('sshd') ?? 'sshd', ['-D', '-e', '-f', at('sshd_config')], {
    env,
    stdio: 'ignore',
  })
  const withdraw = atExit(() => child.kill('SIGKILL'))
  await answering(port)
  const login = (flags: string) =>
    `ssh -F ${at('config')} -t ${flags}127.0.0.1 'exec bash --rcfile ${at('rc')} -i'`
  return {
    commands: {
      ssh: login(''),
      'ssh-password': login('-o PubkeyAuthentication=no '),
      'ssh-pipe': login(`-o "ProxyCommand=${toolPath('sshd')} -i -f ${at('sshd_config')}" `),
      'ssh-new': login('-o UserKnownHostsFile=/dev/null '),
    },
    close() {
      withdraw()
      child.kill('SIGTERM')
    },
  }
}

const serverConfig = (at: (name: string) => string, port: number): string => {
  // sshd refuses keys below folders that others may write; the folder itself is 0700.
  chmodSync(at('host'), 0o600)
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('user.pub')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'PasswordAuthentication yes',
    'KbdInteractiveAuthentication no',
    'MaxStartups 100',
    'UseDNS no',
    'PrintMotd no',
    'PrintLastLog no',
    '',
  ].join('\n')
}

const clientConfig = (at: (name: string) => string, port: number): string =>
  [
    'Host *',
    `  Port ${port}`,
    `  User ${os.userInfo().username}`,
    `  IdentityFile ${at('user')}`,
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile ${at('known')}`,
    '  GlobalKnownHostsFile /dev/null',
    '  LogLevel ERROR',
    '',
  ].join('\n')

const patienceMs = 10_000

async function answering(port: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  const answers = () =>
    new Promise<boolean>(resolve => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  while (!(await answers())) {
    if (performance.now() > deadline) throw new Error(`sshd does not listen on its port ${port}`)
    await pause(20)
  }
}
