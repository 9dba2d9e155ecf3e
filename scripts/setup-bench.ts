/**
 * Installs the shells and programs that `npm run bench:terminal` drives: with apt-get, as root, what is absent and
 * nothing else. What can't be had is said; its scenarios count as missed.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** The programs of the bench, and the Debian package that has each. */
const packages = {
  bash: 'bash',
  dash: 'dash',
  zsh: 'zsh',
  fish: 'fish',
  ksh: 'ksh',
  mksh: 'mksh',
  busybox: 'busybox',
  tmux: 'tmux',
  script: 'bsdutils',
  su: 'util-linux',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  more: 'util-linux',
  sudo: 'sudo',
  passwd: 'passwd',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  sshd: 'openssh-server',
  openssl: 'openssl',
  python3: 'python3',
  'python3.11': 'python3',
  'python3.13': 'python3.13',
  node: 'nodejs',
  npm: 'npm',
  gdb: 'gdb',
  psql: 'postgresql-client',
  initdb: 'postgresql',
  sqlite3: 'sqlite3',
  vim: 'vim',
  nano: 'nano',
  less: 'less',
  man: 'man-db',
  dialog: 'dialog',
  top: 'procps',
  git: 'git',
  'apt-get': 'apt',
} as const

export type Tool = keyof typeof packages
const tools = Object.keys(packages) as readonly Tool[]

/** Where programs lie that are in nobody's PATH: daemons, servers by version, Pythons of pyenv. */
function folders(): string[] {
  const versions = (parent: string) =>
    existsSync(parent) ? readdirSync(parent).map(name => path.join(parent, name, 'bin')) : []
  return [
    '/usr/bin',
    '/bin',
    ...(process.env.PATH ?? '').split(':'),
    '/usr/sbin',
    '/sbin',
    ...versions('/usr/lib/postgresql'),
    ...versions(path.join(os.homedir(), '.pyenv/versions')),
  ].filter(folder => folder !== '' && !folder.endsWith('/shims'))
}

/** The path of a program; undefined where it is absent. */
export function toolPath(tool: Tool): string | undefined {
  return folders()
    .map(folder => path.join(folder, tool))
    .find(file => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

export const missingTools = (): readonly Tool[] => tools.filter(tool => toolPath(tool) === undefined)

const apt = (...args: readonly string[]): string | undefined => {
  const ran = spawnSync('apt-get', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (ran.status === 0) return undefined
  const why = ran.error?.message ?? ran.stderr.split('\n').find(line => line.startsWith('E:'))
  return why?.replace(/^E:\s*/, '') ?? `it ended with ${ran.status}`
}

/** One package at a time: where one can't be had, the others are still installed. */
function install(missing: readonly Tool[], say: (line: string) => void): void {
  if (process.getuid?.() !== 0) {
    say('not root: nothing can be installed')
    return
  }
  const failed = apt('update')
  if (failed !== undefined) say(`apt-get update: ${failed}`)
  for (const name of new Set(missing.map(tool => packages[tool]))) {
    say(`installing ${name}`)
    const why = apt('install', '-y', '--no-install-recommends', name)
    if (why !== undefined) say(`${name} can't be had: ${why}`)
  }
}

if (import.meta.main) {
  const say = (line: string) => process.stderr.write(`setup-bench: ${line}\n`)
  const missing = missingTools()
  if (missing.length > 0) install(missing, say)
  for (const tool of tools) process.stdout.write(`${tool} ${toolPath(tool) ?? 'missing'}\n`)
  const left = missingTools()
  if (left.length > 0) say(`missing: ${left.join(', ')}; their scenarios count as missed`)
  process.exitCode = left.length > 0 ? 1 : 0
}
