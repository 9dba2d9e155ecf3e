/**
 * `npm run fuzz`: text from outside, broken in every way, into all that reads it. Nothing may throw, take 200 ms of the
 * processor at one input, or 200 MB. What fails is shown with the command that repeats it; exit 1.
 *
 * `--minutes 30` or `--seconds 60` for all targets together, `--seed N`, `--only NAME` (a part of it), `--path P`.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { type Target, targets } from './fuzz/targets.ts'
import { startWatchdog } from './fuzz/watchdog.ts'

const most = { stepMs: 200, megabytes: 200 }

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    path: { type: 'string' },
  },
})
const seconds = values.minutes === undefined ? Number(values.seconds) : Number(values.minutes) * 60
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
const chosen = targets.filter(({ name }) => name.includes(values.only))
if (chosen.length === 0 || !(seconds > 0) || !Number.isInteger(seed)) {
  process.stderr.write(
    `fuzz: --seconds and --seed are numbers, --only one of: ${targets.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}

const megabyte = 1024 * 1024
/** The most that this process has taken so far, MB. */
const peak = (): number => process.resourceUsage().maxRSS / 1024

/** Time on the processor: a machine under load is no fault. */
const used = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What is slow once may have been compiled or collected just then; what is slow three times is slow. */
function step<T>(act: () => T): T {
  let ms = Infinity
  for (let tries = 0; ; tries++) {
    const [from, memory, highest] = [used(), process.memoryUsage.rss() / megabyte, peak()]
    const result = act()
    ms = Math.min(ms, used() - from)
    const grown = peak() - memory
    // Below an earlier peak the use of this step is not known.
    if (peak() > highest && grown > most.megabytes)
      throw new Error(`took ${grown.toFixed(0)} MB, at most ${most.megabytes} are allowed`)
    if (ms <= most.stepMs) return result
    if (tries === 2) throw new Error(`took ${ms.toFixed(0)} ms, at most ${most.stepMs} are allowed`)
  }
}

const begin = startWatchdog()
const again = (name: string, path: string): string =>
  `npm run fuzz -- --only '${name}' --seed ${seed} --path ${path}`

function fuzz({ name, inputs, run }: Target, ms: number): boolean {
  let runs = 0
  const property = fc.property(inputs, input => {
    begin(again(name, String(runs++)))
    run(input, step)
  })
  const { failed, numRuns, counterexamplePath, errorInstance } = fc.check(property, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: ms,
    ...(values.path === undefined ? {} : { path: values.path }),
  })
  process.stdout.write(`${failed ? '✗' : '✓'} ${name}: ${numRuns} inputs, seed ${seed}\n`)
  if (!failed) return true
  const error =
    errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance)
  process.stdout.write(`${error}\nagain: ${again(name, counterexamplePath ?? '')}\n`)
  return false
}

process.stdout.write(`seed ${seed}, ${seconds} s\n`)
const passed = chosen.map(one => fuzz(one, (seconds * 1000) / chosen.length))
if (passed.includes(false)) process.exitCode = 1
