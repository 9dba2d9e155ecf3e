/** A NATS server of a test, with JetStream, on a loopback port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../bench/free-port.ts'
import { canConnect } from './can-connect.ts'
import { temporaryFolder } from './lull.ts'
import { neededProgram } from './needed-program.ts'
import { until } from './until.ts'

export const natsServer = neededProgram('nats-server', [
  '/usr/sbin/nats-server',
  '/usr/local/bin/nats-server',
])

/**
 * @param included a file of more configuration
 * @param program another server than the machine's own
 */
export async function natsHub(included?: string, program = natsServer.file ?? '') {
  const folder = temporaryFolder()
  const port = await freePort()
  const file = path.join(folder, 'hub.conf')
  // The server takes no absolute path.
  const more = included === undefined ? '' : `include "${path.relative(folder, included)}"`
  const logFile = path.join(folder, 'hub.log')
  writeFileSync(
    file,
    `listen: 127.0.0.1:${port}\nlog_file: "${logFile}"\njetstream { store_dir: "${folder}/store", max_mem: 64M, max_file: 256M }\n${more}\n`,
  )
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    child = spawn(program, ['-c', file], { stdio: 'ignore' })
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
    store: path.join(folder, 'store'),
    url: `nats://127.0.0.1:${port}`,
    start,
    kill,
    /** Its disk is lost. */
    empty: () => rmSync(path.join(folder, 'store'), { recursive: true, force: true }),
    /** Its configuration is read again. */
    reload: () => void child?.kill('SIGHUP'),
    /** What it has refused. */
    log: () => readFileSync(logFile, 'utf8'),
  }
}
