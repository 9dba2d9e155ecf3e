/** A NATS server of a test, with JetStream, on a loopback port. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../bench/free-port.ts'
import { type NatsServer, natsServers } from '../../scripts/nats-servers.ts'
import { canConnect } from './can-connect.ts'
import { temporaryFolder } from './lull.ts'
import { neededProgram } from './needed-program.ts'
import { until } from './until.ts'

export const natsServer = neededProgram('nats-server', [
  '/usr/sbin/nats-server',
  '/usr/local/bin/nats-server',
])

/** Of those that are here. */
export function oldestAndNewest(): readonly NatsServer[] {
  const servers = process.platform === 'linux' ? natsServers() : []
  return [...new Set([servers.at(0), servers.at(-1)])].filter(server => server !== undefined)
}

const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
const ownMounts = ['unshare', ...user, '--mount']

/** Whether a server here can have a disk of its own. */
export const canMount = (): boolean =>
  spawnSync(ownMounts[0] as string, [...ownMounts.slice(1), 'true']).status === 0

/**
 * @param included a file of more configuration
 * @param program another server than the machine's own
 * @param disk the size of a disk of its own, like `2M`
 */
export async function natsHub(included?: string, program = natsServer.file ?? '', disk?: string) {
  const folder = temporaryFolder()
  const port = await freePort()
  const file = path.join(folder, 'hub.conf')
  // The server takes no absolute path.
  const more = included === undefined ? '' : `include "${path.relative(folder, included)}"`
  const store = path.join(folder, 'store')
  mkdirSync(store)
  const logFile = path.join(folder, 'hub.log')
  writeFileSync(
    file,
    `listen: 127.0.0.1:${port}\nlog_file: "${logFile}"\njetstream { store_dir: "${store}", max_mem: 64M, max_file: 256M }\n${more}\n`,
  )
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const mount = `mount -t tmpfs -o size=${disk} tmpfs "$0" && exec "$@"`
    const own = disk === undefined ? [] : [...ownMounts, 'sh', '-c', mount, store]
    const [command = '', ...args] = [...own, program, '-c', file]
    child = spawn(command, args, { stdio: 'ignore' })
    await until(
      () => canConnect(port),
      is => is,
      'the NATS server',
    )
  }
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    /** Where it keeps its streams. */
    store,
    url: `nats://127.0.0.1:${port}`,
    start,
    kill,
    /** Its disk is lost. */
    empty: () => rmSync(store, { recursive: true, force: true }),
    /** Its own disk as this process sees it. */
    disk: () => `/proc/${child?.pid}/root${store}`,
    /** Its configuration is read again. */
    reload: () => void child?.kill('SIGHUP'),
    /** What it has refused. */
    log: () => readFileSync(logFile, 'utf8'),
  }
}
