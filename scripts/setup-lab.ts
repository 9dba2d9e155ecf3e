/**
 * Installs what the lab needs: real agent CLIs, each in a prefix of its own, and tmux. `node scripts/setup-lab.ts [NAME…]`
 * or `ensureLab(names)` from a bench. The lab lies in $LULL_LAB or ~/.cache/lull-lab.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * The versions that lull's facts were measured on. `command`: the program to run, below node_modules. Claude Code's
 * npm package is a shim that an install script replaces by the native binary; scripts are off here, so the lab runs
 * the binary itself. Codex's shim stays what it is for everybody: a Node script that starts the native binary.
 */
const clis = {
  claude: {
    packageName: '@anthropic-ai/claude-code',
    version: '2.1.330',
    command: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  },
  codex: { packageName: '@openai/codex', version: '0.169.0', command: '.bin/codex' },
  opencode: {
    packageName: 'opencode-ai',
    version: '1.18.33',
    command: `opencode-${process.platform}-${process.arch}/bin/opencode`,
  },
  gemini: { packageName: '@google/gemini-cli', version: '0.61.0', command: '.bin/gemini' },
  pi: { packageName: '@mariozechner/pi-coding-agent', version: '0.73.1', command: '.bin/pi' },
  kimi: { packageName: '@moonshot-ai/kimi-code', version: '2.1.0', command: '.bin/kimi' },
  grok: { packageName: '@xai-official/grok', version: '1.0.41', command: '.bin/grok' },
  /** What the package of its shim asks for is not always there; this is the program itself. */
  droid: {
    packageName: `@factory/cli-${process.platform}-${process.arch}`,
    version: '0.225.2',
    command: `@factory/cli-${process.platform}-${process.arch}/bin/droid`,
  },
  /** Its package asks for one of its program that may not be there yet; this is the program itself. */
  kilo: {
    packageName: `@kilocode/cli-${process.platform}-${process.arch}`,
    version: '7.7.9',
    command: `@kilocode/cli-${process.platform}-${process.arch}/bin/kilo`,
  },
  auggie: { packageName: '@augmentcode/auggie', version: '0.36.0', command: '.bin/auggie' },
  cn: { packageName: '@continuedev/cli', version: '1.5.47', command: '.bin/cn' },
  nanocoder: { packageName: '@nanocollective/nanocoder', version: '1.30.0', command: '.bin/nanocoder' },
  qwen: { packageName: '@qwen-code/qwen-code', version: '0.24.4', command: '.bin/qwen' },
  copilot: {
    packageName: '@github/copilot',
    version: '1.0.102',
    command: `@github/copilot-${process.platform}-${process.arch}/copilot`,
  },
  cline: {
    packageName: 'cline',
    version: '3.0.65',
    command: `@cline/cli-${process.platform}-${process.arch}/bin/cline`,
  },
} as const

export type LabCli = keyof typeof clis
export const labClis = Object.keys(clis) as readonly LabCli[]

export const labFolder = (): string => process.env.LULL_LAB ?? path.join(os.homedir(), '.cache/lull-lab')

/** The npm package of a CLI, and the version that is pinned. */
export const labPackage = (name: LabCli): { readonly packageName: string; readonly version: string } =>
  clis[name]

/** Another version than the pinned one is asked for so: `codex@0.171.0,claude@2.1.332`. */
export const versionsVariable = 'LULL_LAB_VERSIONS'

const asked = new Map(
  (process.env[versionsVariable] ?? '').split(',').map(pair => pair.split('@') as [string, string]),
)

/** The version of a CLI in the lab: the pinned one, where no other is asked for. */
export const labVersion = (name: LabCli): string => asked.get(name) ?? clis[name].version

const prefixOf = (name: LabCli): string => path.join(labFolder(), `${name}-${labVersion(name)}`)

/** The program of a CLI in the lab, whether it is installed or not. */
export const labCommand = (name: LabCli): string =>
  path.join(prefixOf(name), 'node_modules', clis[name].command)

/** Something that the lab needs can't be had. The message is one sentence for people. */
export class LabError extends Error {
  readonly code = 'LAB_INCOMPLETE'
}

/**
 * Installs what is missing, and nothing else. `say` hears a line before each step that takes long (a CLI is 400 MB).
 * @throws LabError where something is missing and can't be installed
 */
export function ensureLab(
  names: readonly LabCli[] = labClis,
  say: (line: string) => void = line => process.stderr.write(`lab: ${line}\n`),
): void {
  for (const name of names) if (!isInLab(name)) install(name, say)
  if (!runs('tmux', ['-V'])) installTmux(say)
}

/** It is there, in the version that is wanted. */
export function isInLab(name: LabCli): boolean {
  const { packageName } = clis[name]
  const manifest = path.join(prefixOf(name), 'node_modules', packageName, 'package.json')
  if (!existsSync(labCommand(name)) || !existsSync(manifest)) return false
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version === labVersion(name)
}

/** Into a folder beside it first: an install that is cut off leaves no half of a CLI, and of two at once one stays. */
function install(name: LabCli, say: (line: string) => void): void {
  const { packageName } = clis[name]
  const version = labVersion(name)
  if (!runs('npm', ['--version']))
    throw new LabError(`npm is not on the PATH, and the lab installs ${name} ${version} with it`)
  say(`installing ${packageName}@${version} into ${prefixOf(name)}, this takes a while`)
  mkdirSync(labFolder(), { recursive: true })
  const fresh = mkdtempSync(path.join(labFolder(), `.${name}-`))
  try {
    writeFileSync(path.join(fresh, 'package.json'), '{"private":true}')
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
    const npm = spawnSync('npm', ['install', ...flags, `${packageName}@${version}`], {
      cwd: fresh,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (npm.status !== 0)
      throw new LabError(`npm could not install ${packageName}@${version}: ${lastError(npm.stderr)}`)
    if (isInLab(name)) return
    rmSync(prefixOf(name), { recursive: true, force: true })
    renameSync(fresh, prefixOf(name))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  if (!isInLab(name))
    throw new LabError(
      `${packageName}@${version} has no program for ${process.platform}-${process.arch} at ${labCommand(name)}`,
    )
}

function installTmux(say: (line: string) => void): void {
  const why = 'tmux is not installed, and the lab drives the CLIs in it'
  if (process.getuid?.() !== 0 || !runs(packages, ['--version']))
    throw new LabError(`${why}: install it with the system's package manager`)
  say('installing tmux')
  const apt = spawnSync(packages, ['install', '-y', '--no-install-recommends', 'tmux'], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (apt.status !== 0)
    throw new LabError(`${why}: ${packages} could not install it: ${lastError(apt.stderr)}`)
}

/** Where root may install without asking. */
const packages = 'apt-get'

const runs = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** npm and apt end their complaints with the path of a log; the first error line has the cause. */
function lastError(stderr: string): string {
  const lines = stderr.split('\n').filter(line => /^(npm error|E:)/.test(line))
  return (lines[0] ?? stderr.trim().split('\n').at(-1) ?? '').replace(/^(npm error( code)?|E:)\s*/, '')
}

if (import.meta.main) {
  const names = process.argv.slice(2)
  const unknown = names.find(name => !Object.hasOwn(clis, name))
  if (unknown !== undefined) {
    process.stderr.write(`lab: ${unknown} is no CLI of the lab, which knows ${labClis.join(', ')}\n`)
    process.exit(2)
  }
  try {
    ensureLab(names.length ? (names as LabCli[]) : labClis)
    for (const name of labClis) process.stdout.write(`${name} ${labVersion(name)} ${labCommand(name)}\n`)
  } catch (error) {
    if (!(error instanceof LabError)) throw error
    process.stderr.write(`lab: ${error.message}\n`)
    process.exit(1)
  }
}
