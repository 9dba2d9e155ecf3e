/** A PostgreSQL server on a unix socket in a folder of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { atExit } from '../lab/leftovers.ts'

export type Database = {
  /** Opens its prompt, `postgres=#`. */
  readonly command: string
  close(): void
}

/** It refuses to run as root. */
const nobody = 65534
const patienceMs = 10_000

export async function startDatabase(
  parent: string,
  env: Readonly<Record<string, string>>,
): Promise<Database> {
  const folder = path.join(parent, 'pg')
  mkdirSync(folder)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  const user = isRoot ? { uid: nobody, gid: nobody } : {}
  const bin = binaries()
  const data = path.join(folder, 'data')
  execFileSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--no-locale', '-E', 'UTF8'],
    { ...user, env, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const server = spawn(
    path.join(bin, 'postgres'),
    ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'],
    { ...user, env, cwd: folder, stdio: 'ignore' },
  )
  const withdraw = atExit(() => server.kill('SIGQUIT'))
  const deadline = performance.now() + patienceMs
  while (!existsSync(path.join(folder, '.s.PGSQL.5432.lock'))) {
    if (performance.now() > deadline) throw new Error('the database does not listen on its socket')
    await pause(20)
  }
  return {
    command: `psql -X -q -h ${folder} -U postgres`,
    close() {
      withdraw()
      server.kill('SIGINT')
    },
  }
}

/** Its own folder: the names in the PATH may be wrappers for one of several versions. */
function binaries(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const found = versions
    .map(name => path.join(root, name, 'bin'))
    .find(bin => existsSync(path.join(bin, 'postgres')))
  return found ?? '/usr/bin'
}
