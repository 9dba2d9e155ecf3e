/**
 * The NATS servers that tests and the fleet's demo may run: the machine's own, and those of other Debian releases, which
 * `npm run setup-bench -- --tests` unpacks below node_modules. apt's own sources and state stay as they are.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export type NatsServer = { readonly file: string; readonly version: string }

const folder = path.join(import.meta.dirname, '../node_modules/.cache/lull/nats-server')
const releases = ['bookworm', 'trixie', 'forky'] as const
type Release = (typeof releases)[number]

const unpacked = (release: Release): string => path.join(folder, release, 'nats-server')

/** Each version once, the oldest first. */
export function natsServers(): readonly NatsServer[] {
  const files = ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', ...releases.map(unpacked)]
  const servers = files.flatMap(file => {
    if (!existsSync(file)) return []
    const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
    const version = /v?(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1]
    return version === undefined ? [] : { file, version }
  })
  const byVersion = new Map(servers.toReversed().map(server => [server.version, server]))
  return [...byVersion.values()].sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }))
}

/** What is there already is not fetched again. @param say hears why a release can't be had */
export function installNatsServers(say: (line: string) => void): void {
  for (const release of releases.filter(one => !existsSync(unpacked(one)))) {
    say(`fetching nats-server of Debian ${release}`)
    const why = unpack(release)
    if (why !== undefined) say(`nats-server of ${release} can't be had: ${why}; tests with it are skipped`)
  }
}

/** @returns why it can't be had */
function unpack(release: Release): string | undefined {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'lull-nats-'))
  try {
    const sources = path.join(temporary, 'sources.list')
    writeFileSync(sources, `deb http://deb.debian.org/debian ${release} main\n`)
    for (const each of ['lists/partial', 'archives/partial'])
      mkdirSync(path.join(temporary, each), { recursive: true })
    const options = Object.entries({
      'Dir::Etc::sourcelist': sources,
      'Dir::Etc::sourceparts': '-',
      'Dir::State::lists': path.join(temporary, 'lists'),
      'Dir::Cache': temporary,
      'APT::Sandbox::User': os.userInfo().username,
      'Acquire::Retries': '0',
      'Acquire::http::Timeout': '20',
      'Acquire::Languages': 'none',
    }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const run = (command: string, ...args: readonly string[]): string | undefined => {
      const ran = spawnSync(command, args, { cwd: temporary, encoding: 'utf8' })
      if (ran.status === 0) return undefined
      return ran.error?.message ?? ran.stderr.trim().split('\n').at(-1) ?? ''
    }
    const failed =
      run('apt-get', ...options, 'update', '--error-on=any') ??
      run('apt-get', ...options, 'download', `nats-server/${release}`)
    if (failed !== undefined) return failed
    const [packed = ''] = readdirSync(temporary).filter(name => name.endsWith('.deb'))
    const why = run('dpkg', '-x', packed, 'root')
    if (why !== undefined) return why
    mkdirSync(path.dirname(unpacked(release)), { recursive: true })
    copyFileSync(path.join(temporary, 'root/usr/sbin/nats-server'), unpacked(release))
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
