/**
 * Packs the built package, installs it as a user would and runs it: on this Node, on the oldest one that it
 * supports, and on one that is too old. Reports what is skipped if the registry lacks a Node.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { agentNames } from '../src/agents/agent-names.ts'

const root = path.resolve(import.meta.dirname, '..')
const cache = path.join(root, 'node_modules/.cache/lull')
const temp = mkdtempSync(path.join(os.tmpdir(), 'lull-package-'))
const tooOldSentence = /^lull needs Node\.js 22\.18 or newer, and this is 20\.\d+\.\d+\.\n$/

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** A Node of a version, from the registry, kept for the next run. */
function nodeOf(version: string): string | undefined {
  const folder = path.join(cache, `node-${version}`)
  const binary = path.join(folder, 'node_modules/node/bin/node')
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"allowScripts":{"node":true}}')
    try {
      npm(['install', '--no-audit', '--no-fund', `node@${version}`], folder)
    } catch {
      return undefined
    }
  }
  return existsSync(binary) ? binary : undefined
}

function check(what: string, isRight: boolean, detail: string): void {
  if (!isRight) throw new Error(`${what}: ${detail}`)
  process.stdout.write(`ok: ${what}\n`)
}

function run(node: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(
    node,
    [path.join(temp, 'lib/node_modules/lull/bin/lull.js'), ...args],
    { encoding: 'utf8', env: { ...process.env, ...env } },
  )
  return { status, stdout, stderr }
}

/** The packed program starts itself again, in a place of its own. */
function startsHost(node: string): boolean {
  const own = { LULL_RUNTIME_DIR: path.join(temp, 'run'), XDG_STATE_HOME: path.join(temp, 'state') }
  const steps = [['host', 'start'], ['ps'], ['host', 'stop']] as const
  return steps.every(args => run(node, args, own).status === 0)
}

try {
  const packed = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', temp], root),
  ) as { filename: string }[]
  npm(['install', '--global', '--prefix', temp, path.join(temp, packed[0]?.filename ?? '')], temp)

  for (const version of [process.versions.node, '22.18.0']) {
    const node = version === process.versions.node ? process.execPath : nodeOf(version)
    if (!node) {
      process.stdout.write(`skipped: Node ${version} can't be had from the registry\n`)
      continue
    }
    const demo = run(node, ['demo', '--once', '--json'])
    check(`Node ${version} runs the installed package`, demo.status === 0, demo.stderr)
    check(
      `Node ${version} judges the bundled sessions`,
      JSON.parse(demo.stdout).sessions.length === 3,
      demo.stdout,
    )
    check(`Node ${version} starts and stops a host`, startsHost(node), 'no host answered')
    const missing = run(node, ['replay', 'missing.cast'])
    check(
      `Node ${version} reports what is missing`,
      missing.status === 2 && missing.stderr === 'lull: missing.cast: no such file\n',
      missing.stderr,
    )
  }
  const old = nodeOf('20.20.0')
  if (old) {
    const refused = run(old, ['demo'])
    check(
      'Node 20 gets one clear sentence',
      refused.status === 1 && tooOldSentence.test(refused.stderr),
      refused.stderr,
    )
  } else process.stdout.write("skipped: Node 20 can't be had from the registry\n")

  const user = path.join(temp, 'user')
  mkdirSync(user)
  writeFileSync(path.join(user, 'package.json'), '{"private":true,"type":"module"}')
  npm(['install', '--no-audit', '--no-fund', path.join(temp, packed[0]?.filename ?? '')], user)
  const use = `import { connect } from 'lull'
import { advance, newSession } from 'lull/core'
import { agentNames, replay } from 'lull/agents'
import { diagnose } from 'lull/process'
import { openTerminal } from 'lull/terminal'
await using lull = await connect({ own: true })
console.log(Array.isArray(await lull.sessions()), agentNames.length)
console.log([advance, newSession, replay, diagnose, openTerminal].map(f => typeof f).join())
`
  writeFileSync(path.join(user, 'use.mjs'), use)
  const used = execFileSync(process.execPath, ['use.mjs'], { cwd: user, encoding: 'utf8' })
  const expected = `true ${agentNames.length}\nfunction,function,function,function,function\n`
  check('the library is imported by its names', used === expected, used)

  writeFileSync(path.join(user, 'use.mts'), use)
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node']
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,esnext.disposable',
    '--strict',
  ]
  const checked = spawnSync(
    process.execPath,
    [tsc, '--noEmit', ...options, '--skipLibCheck', ...types, 'use.mts'],
    { cwd: user, encoding: 'utf8' },
  )
  check('its types are found by whoever uses it', checked.status === 0, checked.stdout)
} finally {
  rmSync(temp, { recursive: true, force: true })
}
