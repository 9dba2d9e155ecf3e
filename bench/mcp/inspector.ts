/** The MCP inspector's checks of a real `lull mcp`: its tools, the portability of their schemas, and calls right and wrong. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')
const [packageName, version] = ['@modelcontextprotocol/inspector', '2.12.0']

type Check = {
  readonly name: string
  readonly words: readonly string[]
  /** In what it prints; a refusal is an answer, too. */
  readonly wants: RegExp
}

const call = (tool: string, ...pairs: readonly string[]): readonly string[] => [
  ...['--method', 'tools/call', '--tool-name', tool],
  ...pairs.flatMap(pair => ['--tool-arg', pair]),
]

const checks: readonly Check[] = [
  { name: 'its tools', words: ['--method', 'tools/list', '--strict'], wants: /"outputSchema"/ },
  { name: 'no prompts', words: ['--method', 'prompts/list'], wants: /"prompts": \[\]/ },
  { name: 'open', words: call('terminal', 'action=open', 'pane=seen'), wants: /"state": "ready"/ },
  {
    name: 'send',
    words: call('terminal', 'action=send', 'pane=seen', 'text=exit 3', 'wait=true'),
    wants: /"exit_code": 3/,
  },
  { name: 'sessions', words: call('sessions'), wants: /"sessions"/ },
  { name: 'run', words: call('run', 'command=["bash","-c","exit 2"]'), wants: /"exit_code": 2/ },
  {
    name: 'an unknown action',
    words: call('terminal', 'action=fly'),
    wants: /open, send, keys, read, wait_/,
  },
  { name: 'arguments of another shape', words: call('terminal', 'action=read', 'lines=x'), wants: /lines/ },
  { name: 'close', words: call('terminal', 'action=close', 'pane=seen'), wants: /"exited"|no terminal/ },
]

export type Inspected = { readonly checks: number; readonly wrong: readonly string[] }

/** @param folder where the inspector lies, and is installed where it is not */
export function inspect(folder: string, env: Readonly<Record<string, string>>): Inspected {
  const home = path.join(folder, `mcp-inspector-${version}`)
  const inspector = path.join(home, 'node_modules', packageName, 'clients/launcher/build/index.js')
  if (!existsSync(inspector)) install(home)
  const wrong = checks.flatMap(({ name, words, wants }) => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [inspector, '--cli', process.execPath, bin, 'mcp', ...words],
      { env, encoding: 'utf8', timeout: 60_000 },
    )
    if (wants.test(`${stdout}${stderr}`) && (status === 0 || !words.includes('--strict'))) return []
    return [`${name}: exit code ${status}: ${`${stdout}${stderr}`.slice(0, 500)}`]
  })
  return { checks: checks.length, wrong }
}

function install(home: string): void {
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'package.json'), '{"private":true}')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr } = spawnSync('npm', ['install', ...flags, `${packageName}@${version}`], {
    cwd: home,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status !== 0) throw new Error(`npm could not install ${packageName}@${version}: ${stderr.slice(-300)}`)
}
