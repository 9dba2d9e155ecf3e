/**
 * `npm run bench:start [PAIRS]`: how long people wait for lull to start, beside `node -e 0` in the same run, pair by pair:
 * from the package's own files and from sources. `send` is over with its first key, which the shell itself notes: it has
 * looked before that. Exits 1 where a floor is missed.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { builtPackage } from '../scripts/copy-package.ts'
import { exitCode } from '../src/core/exit-codes.ts'
import { median } from './median.ts'
import { slownessLine, slownessOf } from './slowness.ts'
import { table } from './table.ts'

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-bench-start-'))
const home = path.join(folder, 'home')
mkdirSync(home)
const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', LULL_RUNTIME_DIR: path.join(folder, 'rt') }
const pairs = Number(process.argv[2] ?? 21)

/** Where lull is started from. */
type Place = { readonly name: 'package' | 'clone'; readonly bin: string }

const clone: Place = { name: 'clone', bin: path.join(root, 'bin/lull.js') }

const installed = (): Place => ({ name: 'package', bin: builtPackage(path.join(folder, 'package')) })

/** ms from the start of a Node to its end. */
const nodeRun = (...words: readonly string[]): number => nodeRunTo(0, ...words)

/** @param end the exit code that is right */
function nodeRunTo(end: number, ...words: readonly string[]): number {
  const begun = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' })
  if (status !== end) throw new Error(`${words.join(' ')}: exit ${status}: ${stderr}`)
  return performance.now() - begun
}

const socket = path.join(folder, 'tmux')
const tmux = (...args: readonly string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' }).trim()

/** A shell at its prompt. It notes the instant of the key x, which changes nothing of its line. */
const stamp = path.join(folder, 'stamp')
const rcFile = path.join(folder, 'bashrc')
writeFileSync(rcFile, `PS1='$ '\nbind -x '"x": printf %s "$EPOCHREALTIME" >${stamp}'\n`)

/** ms from its start until the shell has read the first key. That its line does not hold it then, lull says. */
function untilTyped({ bin }: Place): number {
  rmSync(stamp, { force: true })
  const begun = performance.timeOrigin + performance.now()
  nodeRunTo(exitCode.waitsForPerson, bin, 'send', '--socket', socket, 'tmux:shell', 'x', '--no-enter')
  return Number(readFileSync(stamp, 'utf8')) * 1000 - begun
}

async function startAgents(count: number): Promise<() => void> {
  const agents = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', "console.log('up'); setInterval(() => {}, 1e6)"], {
      argv0: 'claude',
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  for (const agent of agents) await once(agent.stdout, 'data')
  return () => {
    for (const agent of agents) agent.kill('SIGKILL')
  }
}

type Row = {
  readonly name: string
  /** ms over `node -e 0`. */
  readonly floor: number
  /** The same from a clone, whose types are stripped with each start. */
  readonly cloneFloor?: number
  readonly timed: (place: Place) => number
  readonly needsHost?: boolean
  /** From sources, types are stripped with each start: a program that uses the library has it built. */
  readonly isOfPackage?: boolean
}

const rows: readonly Row[] = [
  {
    name: "import 'lull/core'",
    floor: 20,
    isOfPackage: true,
    timed: ({ bin }) =>
      nodeRun('--input-type=module', '-e', `import '${new URL('../dist/core.js', pathToFileURL(bin))}'`),
  },
  { name: 'lull --version', floor: 40, timed: ({ bin }) => nodeRun(bin, '--version') },
  {
    name: 'lull ps, with a host',
    floor: 60,
    cloneFloor: 90,
    timed: ({ bin }) => nodeRun(bin, 'ps'),
    needsHost: true,
  },
  { name: 'lull ps, without one, 5 agents', floor: 250, timed: ({ bin }) => nodeRun(bin, 'ps') },
  {
    name: 'lull wait, a shell at its prompt',
    floor: 120,
    timed: ({ bin }) => nodeRun(bin, 'wait', '--ready', '--socket', socket, 'tmux:shell'),
  },
  { name: 'lull send, until its first key', floor: 120, timed: untilTyped },
]

function measure(place: Place, { name, floor, cloneFloor = floor, timed, needsHost = false }: Row) {
  if (needsHost) nodeRun(place.bin, 'host', 'start')
  try {
    // The first runs fill the compile cache.
    timed(place)
    timed(place)
    // Pairs, so that what else the machine does weighs on both.
    const taken = Array.from({ length: pairs }, () => ({ node: nodeRun('-e', '0'), lull: timed(place) }))
    return {
      name,
      place: place.name,
      lull: median(taken.map(({ lull }) => lull)),
      node: median(taken.map(({ node }) => node)),
      over: median(taken.map(({ lull, node }) => lull - node)),
      floor: place === clone ? cloneFloor : floor,
    }
  } finally {
    if (needsHost) nodeRun(place.bin, 'host', 'stop')
  }
}

const endAgents = await startAgents(5)
try {
  tmux('new-session', '-d', '-s', 'shell', '-x', '100', '-y', '30', 'bash', '--noprofile', '--rcfile', rcFile)
  await pause(1000)
  const results = [installed(), clone].flatMap(place =>
    rows
      .filter(({ isOfPackage }) => !isOfPackage || place.name === 'package')
      .map(row => measure(place, row)),
  )
  const slowness = slownessOf(median(results.map(({ node }) => node)))
  const figures = results.map(({ name, place, lull, node, over, floor }) => {
    const [ours, bare, more] = [lull, node, over].map(ms => ms.toFixed(0))
    return [name, place, `${ours}`, `${bare}`, `+${more}`, `≤ +${floor}`]
  })
  process.stdout.write(`medians of ${pairs} pairs, ms, warm caches\n\n`)
  process.stdout.write(slownessLine(slowness))
  process.stdout.write(table(['', 'from', 'lull', 'node -e 0', 'over', 'asked'], figures))
  const missed = results
    .filter(({ over, floor }) => over > floor * slowness)
    .map(({ name, place }) => `${name} (${place})`)
  process.stdout.write(`\n\n${JSON.stringify({ bench: 'start', slowness, results, missed })}\n`)
  process.exitCode = missed.length === 0 ? 0 : 1
} finally {
  endAgents()
  tmux('kill-server')
  rmSync(folder, { recursive: true, force: true })
}
