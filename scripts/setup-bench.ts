/**
 * Installs the shells, programs and runtimes that `npm run bench:terminal`, `npm run bench:process` and tests of terminals and
 * processes drive: with apt-get, as root, what is absent and nothing else. It reports what can't be installed; its scenarios count as
 * missed. With `--tests` only what tests are skipped without, and NATS servers of other Debian releases. With `--unseen` also what
 * the section `unseen` of bench:terminal drives, about 5 GB; what is missing there is skipped.
 */
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { installNatsServers, natsServers } from './nats-servers.ts'
import {
  isMissing,
  type UnseenTool,
  unseenFiles,
  unseenFolder,
  unseenKits,
  unseenLibraries,
  unseenPackages,
} from './unseen-tools.ts'

/** What tests of the HTTP API, its page, of boxes over ssh, of a fleet and of shells need: without it they are skipped. */
const testPackages = {
  chromium: 'chromium',
  faketime: 'faketime',
  sshd: 'openssh-server',
  'nats-server': 'nats-server',
  yash: 'yash',
  zsh: 'zsh',
  fish: 'fish',
  mksh: 'mksh',
  busybox: 'busybox',
  sudo: 'sudo',
  fzf: 'fzf',
  dialog: 'dialog',
  whiptail: 'whiptail',
  nano: 'nano',
  less: 'less',
  socat: 'socat',
  rlwrap: 'rlwrap',
  expect: 'expect',
  dtach: 'dtach',
  screen: 'screen',
} as const

/** The programs of the bench, and the Debian package that has each. */
const packages = {
  bash: 'bash',
  dash: 'dash',
  ksh: 'ksh',
  tmux: 'tmux',
  script: 'bsdutils',
  su: 'util-linux',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  more: 'util-linux',
  passwd: 'passwd',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  openssl: 'openssl',
  python3: 'python3',
  'python3.11': 'python3',
  'python3.13': 'python3.13',
  node: 'nodejs',
  npm: 'npm',
  gdb: 'gdb',
  go: 'golang-go',
  ruby: 'ruby',
  php: 'php-cli',
  erl: 'erlang-base',
  java: 'default-jdk-headless',
  psql: 'postgresql-client',
  initdb: 'postgresql',
  sqlite3: 'sqlite3',
  vim: 'vim',
  man: 'man-db',
  top: 'procps',
  git: 'git',
  'apt-get': 'apt',
  // The unseen trees of bench:process.
  gcc: 'gcc',
  perl: 'perl',
  sbcl: 'sbcl',
  guile: 'guile-3.0',
  mono: 'mono-runtime',
  mcs: 'mono-mcs',
  'lua5.4': 'lua5.4',
  tini: 'tini',
  'dumb-init': 'dumb-init',
  bwrap: 'bubblewrap',
  pv: 'pv',
  inotifywait: 'inotify-tools',
  entr: 'entr',
  parallel: 'parallel',
  strace: 'strace',
  bc: 'bc',
  make: 'make',
  xz: 'xz-utils',
  ...testPackages,
} as const

type SeenTool = keyof typeof packages
export type Tool = SeenTool | UnseenTool
const tools = Object.keys(packages) as readonly SeenTool[]
const unseenPrograms = Object.keys(unseenPackages) as readonly (keyof typeof unseenPackages)[]
const unseenOthers = Object.keys({ ...unseenLibraries, ...unseenFiles }) as readonly (
  | keyof typeof unseenLibraries
  | keyof typeof unseenFiles
)[]

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
    '/usr/games',
    ...versions('/usr/lib/postgresql'),
    ...versions(path.join(os.homedir(), '.pyenv/versions')),
  ].filter(folder => folder !== '' && !folder.endsWith('/shims'))
}

/** What the panes of the bench have: the programs that lull never met are typed there by their names. */
export const panePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The path of a program; undefined where it is absent. */
export const toolPath = (tool: Tool): string | undefined => findIn(folders(), tool)

function findIn(folders: readonly string[], tool: Tool): string | undefined {
  return folders
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

export const missingTools = (): readonly SeenTool[] => tools.filter(tool => toolPath(tool) === undefined)

export const missingUnseen = (): readonly UnseenTool[] => [
  ...unseenPrograms.filter(
    // cargo builds what is typed.
    tool => findIn(tool === 'cargo' ? folders() : panePath.split(':'), tool) === undefined,
  ),
  ...unseenOthers.filter(isMissing),
]

/** Where there is no network, it fails soon. */
const soon = [
  '-o',
  'Acquire::Retries=0',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'Acquire::https::Timeout=20',
]

const apt = (...args: readonly string[]): string | undefined => {
  const ran = spawnSync('apt-get', [...soon, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (ran.status === 0) return undefined
  const why = ran.error?.message ?? ran.stderr.split('\n').find(line => line.startsWith('E:'))
  return why?.replace(/^E:\s*/, '') ?? `it ended with ${ran.status}`
}

/** One package at a time: where one can't be had, the others are still installed. */
function install(names: Iterable<string>, say: (line: string) => void): void {
  if (process.getuid?.() !== 0) {
    say('not root: nothing can be installed')
    return
  }
  const failed = apt('update')
  if (failed !== undefined) say(`apt-get update: ${failed}`)
  for (const name of new Set(names)) {
    say(`installing ${name}`)
    const why = apt('install', '-y', '--no-install-recommends', name)
    if (why !== undefined) say(`${name} can't be had: ${why}`)
  }
}

function installUnseen(say: (line: string) => void): void {
  install(
    missingUnseen().flatMap(tool => {
      if (tool in unseenPackages) return [unseenPackages[tool as keyof typeof unseenPackages]]
      return tool in unseenLibraries ? [unseenLibraries[tool as keyof typeof unseenLibraries][0]] : []
    }),
    say,
  )
  const run = (command: string, args: readonly string[], cwd: string) => {
    const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) say(`${command} ${args[0]}: ${error?.message ?? `it ended with ${status}`}`)
  }
  const kits = path.join(unseenFolder(), 'kits')
  mkdirSync(kits, { recursive: true })
  writeFileSync(path.join(kits, 'package.json'), JSON.stringify({ private: true, dependencies: unseenKits }))
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], kits)
  const rust = path.join(unseenFolder(), 'rust')
  mkdirSync(path.join(rust, 'src'), { recursive: true })
  const programs = path.join(import.meta.dirname, '../bench/terminal/unseen/programs')
  copyFileSync(path.join(programs, 'lines.rs'), path.join(rust, 'src/main.rs'))
  copyFileSync(path.join(programs, 'Cargo.toml'), path.join(rust, 'Cargo.toml'))
  // Debian's own crates: none is fetched.
  const crates = "source.debian.directory='/usr/share/cargo/registry'"
  const offline = ['--offline', '--config', crates, '--config', "source.crates-io.replace-with='debian'"]
  if (isMissing('rust')) run('cargo', ['build', ...offline], rust)
}

if (import.meta.main) {
  const say = (line: string) => process.stderr.write(`setup-bench: ${line}\n`)
  const isForTests = process.argv.includes('--tests')
  const wanted = isForTests ? tools.filter(tool => tool in testPackages) : tools
  const missingNow = () => wanted.filter(tool => toolPath(tool) === undefined)
  const missing = missingNow()
  if (missing.length > 0)
    install(
      missing.map(tool => packages[tool]),
      say,
    )
  for (const tool of wanted) process.stdout.write(`${tool} ${toolPath(tool) ?? 'missing'}\n`)
  const left = missingNow()
  const lost = isForTests ? 'tests are skipped' : 'scenarios count as missed'
  if (left.length > 0) say(`missing: ${left.join(', ')}; their ${lost}`)
  if (isForTests) {
    // A fleet is tried with each.
    installNatsServers(say)
    for (const { version, file } of natsServers()) process.stdout.write(`nats-server ${version} ${file}\n`)
  }
  if (process.argv.includes('--unseen')) {
    if (missingUnseen().length > 0) installUnseen(say)
    const skipped = missingUnseen()
    if (skipped.length > 0) say(`missing: ${skipped.join(', ')}; their scenarios are skipped`)
  }
  process.exitCode = left.length > 0 ? 1 : 0
}
