/**
 * `npm run bench:run`: what `lull run` costs the command that it runs, beside the same without it in the same run: how fast
 * output passes, how much later it starts (from the package's own files and from sources), how much memory lull takes,
 * and whether files stay whole when it is killed. Exits 1 where a floor is missed.
 */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { builtPackage } from '../scripts/copy-package.ts'
import { median } from './median.ts'
import { table } from './table.ts'

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-bench-run-'))
const env = {
  ...process.env,
  LULL_RUNTIME_DIR: path.join(folder, 'rt'),
  XDG_STATE_HOME: path.join(folder, 'state'),
}
const fromSources = path.join(root, 'bin/lull.js')

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const missed: string[] = []
const floor = (isMet: boolean, what: string): void => {
  if (!isMet) missed.push(what)
}

const lullAt = (bin: string): string => `'${process.execPath}' '${bin}' run --`

/** ms that a line takes in a shell. */
function timed(line: string): number {
  const begun = performance.now()
  const { status } = spawnSync('bash', ['-c', line], { env, stdio: ['ignore', 'ignore', 'ignore'] })
  if (status !== 0) throw new Error(`${line}: exit ${status}`)
  return performance.now() - begun
}

/** Pairs, so that what else the machine does weighs on both. */
function paired(
  times: number,
  ours: string,
  theirs: string,
): { ours: number; theirs: number; ratio: number } {
  const pairs = Array.from({ length: times }, () => ({ theirs: timed(theirs), ours: timed(ours) }))
  return {
    ours: median(pairs.map(pair => pair.ours)),
    theirs: median(pairs.map(pair => pair.theirs)),
    ratio: median(pairs.map(pair => pair.theirs / pair.ours)),
  }
}

const bin = builtPackage(path.join(folder, 'package'))
const flood = 'head -c 2G /dev/zero'
const intoReader = paired(5, `${lullAt(bin)} ${flood} 2>/dev/null | wc -c`, `${flood} | cat | wc -c`)
const intoCat = paired(
  5,
  `${lullAt(bin)} ${flood} 2>/dev/null | cat >/dev/null`,
  `${flood} | cat | cat >/dev/null`,
)
const lines = 'seq 1 20000000'
const ofLines = paired(3, `${lullAt(bin)} ${lines} 2>/dev/null | wc -l`, `${lines} | cat | wc -l`)

say('2 GB through a pipe, seconds; the floor is 50 % of the speed of `cat`\n')
const speedRow = (name: string, { ours, theirs, ratio }: typeof intoReader) => [
  name,
  (ours / 1000).toFixed(2),
  (theirs / 1000).toFixed(2),
  `${(100 * ratio).toFixed(0)} %`,
]
say(
  table(
    ['', 'lull run --', 'cat', 'speed'],
    [
      speedRow('head -c 2G /dev/zero, read by wc', intoReader),
      speedRow('head -c 2G /dev/zero, read by cat', intoCat),
      speedRow('seq 1 20000000, read by wc', ofLines),
    ],
  ),
)
floor(intoReader.ratio >= 0.5, 'throughput')
floor(intoCat.ratio >= 0.5, 'throughput into cat')

/** The first fills the compile cache. */
function startUp(line: string): { ours: number; theirs: number; over: number } {
  timed(line)
  timed(line)
  const pairs = Array.from({ length: 21 }, () => ({ theirs: timed('exec true'), ours: timed(line) }))
  return {
    ours: median(pairs.map(pair => pair.ours)),
    theirs: median(pairs.map(pair => pair.theirs)),
    over: median(pairs.map(pair => pair.ours - pair.theirs)),
  }
}

const starts = {
  package: startUp(`exec ${lullAt(bin)} true`),
  sources: startUp(`exec ${lullAt(fromSources)} true`),
  node: startUp(`exec '${process.execPath}' -e 0`),
}
say(
  '\nfrom start to end of `true`, ms, with a warm compile cache; the floor is 150 ms over the bare command\n',
)
say(
  table(
    ['', 'with', 'bare', 'over'],
    [
      { name: 'lull run, the package', ...starts.package },
      { name: 'lull run, from sources', ...starts.sources },
      { name: 'node -e 0 (what Node itself takes)', ...starts.node },
    ].map(({ name, ours, theirs, over }) => [name, ours.toFixed(1), theirs.toFixed(1), over.toFixed(1)]),
  ),
)
floor(starts.package.over <= 150, 'start-up')

/** The most that lull held, MB, while a command ran. */
async function peakOf(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [bin, 'run', '--', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.resume()
  let peak = 0
  const look = (): void => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    } catch {}
  }
  const timer = setInterval(look, 50)
  await once(child, 'close')
  clearInterval(timer)
  return peak / 1024
}

const forks = `import os, time
for i in range(5000):
    if os.fork() == 0:
        time.sleep(8)
        os._exit(0)
time.sleep(8)`
const memory = {
  flood: await peakOf(['head', '-c', '1G', '/dev/zero']),
  children: await peakOf(['python3', '-c', forks]),
}
say('\nmost memory of lull, MB; the floor is 150\n')
say(
  table(
    ['', 'MB'],
    [
      ['1 GB without a newline', memory.flood.toFixed(0)],
      ['5,000 children', memory.children.toFixed(0)],
    ],
  ),
)
floor(memory.flood > 0 && memory.flood <= 150, 'memory, a flood')
floor(memory.children > 0 && memory.children <= 150, 'memory, 5,000 children')

/** Lines in a file that the command's output goes to, where lull is killed on the way. */
async function linesAfterKill(): Promise<number> {
  const file = path.join(folder, 'out')
  const out = openSync(file, 'w')
  const script = 'i=0; while [ $i -lt 200 ]; do echo line $i; i=$((i+1)); sleep 0.01; done; echo end'
  const child = spawn(process.execPath, [bin, 'run', '--', 'sh', '-c', script], {
    env,
    stdio: ['ignore', out, 'ignore'],
  })
  closeSync(out)
  const text = () => readFileSync(file, 'utf8')
  while (!text().includes('line 20\n')) await pause(5)
  child.kill('SIGKILL')
  const deadline = performance.now() + 20_000
  while (!text().endsWith('end\n') && performance.now() < deadline) await pause(20)
  return text().split('\n').length - 1
}

const whole = await linesAfterKill()
say(`\nlull is killed with SIGKILL: ${whole} of 201 lines of its command stand in the file\n`)
floor(whole === 201, 'wholeness')
rmSync(folder, { recursive: true, force: true })

say(
  JSON.stringify({
    bench: 'run',
    speed: intoReader.ratio,
    speedIntoCat: intoCat.ratio,
    speedOfLines: ofLines.ratio,
    startMs: starts.package.over,
    startFromSourcesMs: starts.sources.over,
    startOfNodeMs: starts.node.over,
    memoryFloodMb: memory.flood,
    memoryChildrenMb: memory.children,
    linesAfterKill: whole,
    missed,
  }),
)
process.exitCode = missed.length === 0 ? 0 : 1
