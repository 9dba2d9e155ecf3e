/** `lull watch pid:N` and `lull wait pid:N --for stuck|exited`: the health of any process of this user. */
import { exitCode } from '../../core/exit-codes.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import { realClock } from '../../index.ts'
import { limitsFile, readLimitsFile } from '../../run/limits/limits-file.ts'
import { judgedBy, type Limits, limitFields, readLimits } from '../../run/limits/own-limits.ts'
import type { RunVerdict } from '../../run/step/run-verdict.ts'
import { watchProcess } from '../../run/watch-process.ts'
import { durationFlag } from '../flags/flag-values.ts'
import type { LimitFlags } from '../flags/process-flags.ts'
import { jsonLine, lines, onNotice, print } from '../ui/print.ts'
import { isWorthSaying, verdictRow } from '../ui/print-run.ts'

const labels: Readonly<Record<RunVerdict['health']['level'], string>> = {
  healthy: 'healthy',
  suspicious: 'suspicious',
  likely_stuck: 'likely stuck',
  confirmed_stuck: 'stuck',
}

const severities = {
  healthy: 'ok',
  suspicious: 'notice',
  likely_stuck: 'warning',
  confirmed_stuck: 'critical',
} as const

/** `healthy, and silent for 10 min`: silence alone is never stuck. */
function labelOf({ health, silentFor }: RunVerdict): string {
  const silent = silentFor === undefined ? '' : `, and silent for ${formatDuration(silentFor)}`
  return `${labels[health.level]}${silent}`
}

/** Its output is not seen: the words of `lull run` about output would be untrue. */
function whyOf({ at, blockedSince, diagnosis, health }: RunVerdict): string {
  const isKnown = diagnosis !== undefined && diagnosis.cause !== 'unknown'
  if (isKnown && blockedSince !== undefined)
    return `blocked ${formatDuration(at - blockedSince)}: ${diagnosis.summary}`
  if (diagnosis) return diagnosis.summary
  return health.certainty === 'low' && health.level === 'healthy' ? 'too early to tell' : 'it keeps running'
}

function processLine(verdict: RunVerdict): string {
  const { level, certainty } = verdict.health
  const sure = level === 'healthy' ? '' : ` (${certainty})`
  const advice = verdict.recommendation === undefined ? '' : `; ${verdict.recommendation}`
  return oneLine(`${labelOf(verdict)}${sure}: ${whyOf(verdict)}${advice}`, 2000)
}

/** @param epoch ms since the epoch at the machine's monotonic 0 */
const processRow = (pid: number, verdict: RunVerdict, epoch: number): object => ({
  ...verdictRow(verdict, epoch),
  pid,
  severity:
    verdict.health.level === 'healthy' && verdict.silentFor !== undefined
      ? 'notice'
      : severities[verdict.health.level],
  label: labelOf(verdict),
  reason: whyOf(verdict),
})

export type ProcessFlags = LimitFlags & { readonly json?: boolean }

type Goal = 'stuck' | 'exited'
/** `gone`: there was none. */
type End = Goal | 'gone' | 'timeout' | 'interrupted'

/** A line at each change, until it has ended. */
export async function watchOneProcess(pid: number, flags: ProcessFlags): Promise<void> {
  let printed: RunVerdict | undefined
  const tell = teller(pid, flags)
  const is = await follow(pid, flags, undefined, (verdict, every) => {
    if (printed && !isWorthSaying(printed, verdict) && verdict.at - printed.at < every) return undefined
    printed = verdict
    tell(verdict)
    return undefined
  })
  if (is === 'exited') tell('exited')
  process.exitCode = is === 'exited' ? exitCode.reached : is === 'gone' ? exitCode.gone : exitCode.interrupted
}

/** Ends with the first of its goals, or where none can come any more. */
export async function waitForProcess(
  pid: number,
  {
    for: text = 'exited',
    timeout,
    ...flags
  }: ProcessFlags & { readonly for?: string; readonly timeout?: string },
): Promise<void> {
  const goals = goalsIn(text)
  if (!goals) throw new LullError('USAGE', `--for ${text}: for a process, use stuck, exited or both`)
  const tell = teller(pid, flags)
  process.exitCode = exitCode.failed
  const most = durationFlag('--timeout', timeout)
  let last: RunVerdict | undefined
  const is = await follow(pid, flags, most, verdict => {
    if (!last)
      onNotice(`waiting until pid:${pid} is ${goals.join(' or ')}; now it is ${processLine(verdict)}`)
    last = verdict
    const { level } = verdict.health
    const isStuck = level === 'confirmed_stuck' || (level === 'likely_stuck' && goals.includes('stuck'))
    if (!isStuck) return undefined
    tell(verdict)
    return 'stuck'
  })
  if (is === 'exited') tell('exited')
  if (is === 'timeout') {
    onNotice(`not ${goals.join(' or ')} within ${formatDuration(most ?? 0)}`)
    if (last) tell(last)
  }
  if (is === 'stuck' || is === 'exited')
    process.exitCode = goals.includes(is) ? exitCode.reached : is === 'stuck' ? exitCode.stuck : exitCode.gone
  else process.exitCode = exitCode[is]
}

/** Undefined where one of them is none of a process. */
function goalsIn(text: string): readonly Goal[] | undefined {
  const words = text.split(',').map(word => word.trim())
  return words.every(word => word === 'stuck' || word === 'exited') ? (words as Goal[]) : undefined
}

/** @param see returns the outcome once the wait is over */
async function follow(
  pid: number,
  flags: ProcessFlags,
  timeout: number | undefined,
  see: (verdict: RunVerdict, every: number) => 'stuck' | undefined,
): Promise<End> {
  const { every = Infinity, ...judged } = judgedBy(limitsOfFile(flags), limitsOfFlags(flags))
  const stop = new AbortController()
  let is: End = 'exited'
  const end = (why: End): void => {
    if (stop.signal.aborted) return
    is = why
    stop.abort()
  }
  const interrupt = (): void => end('interrupted')
  const watching = {
    clock: realClock(),
    ...judged,
    signal: stop.signal,
    onVerdict(verdict: RunVerdict) {
      const over = stop.signal.aborted ? undefined : see(verdict, every)
      if (over) end(over)
    },
  }
  const timer = timeout === undefined ? undefined : setTimeout(() => end('timeout'), timeout)
  process.on('SIGINT', interrupt)
  try {
    await watchProcess(pid, watching)
    return is
  } catch (error) {
    if (!isLullError(error, 'NO_SESSION')) throw error
    // As `lull explain pid:N` has it: 2 would say that the words are wrong.
    onNotice(error.message)
    return 'gone'
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', interrupt)
  }
}

const limitsOfFile = ({ limits: file }: LimitFlags): Limits =>
  readLimitsFile(file ?? limitsFile(process.env), file !== undefined)

function limitsOfFlags({ limits: _, ...flags }: LimitFlags): Limits {
  const given = Object.entries(flags).filter(([name]) => Object.hasOwn(limitFields, name))
  const read = readLimits(Object.fromEntries(given))
  if ('limits' in read) return read.limits
  const [{ field, sentence } = { sentence: '' }] = read.mistakes
  throw new LullError('USAGE', `--${field} ${flags[field as keyof typeof flags]}: ${sentence}`)
}

function teller(pid: number, { json }: ProcessFlags) {
  return (what: RunVerdict | 'exited'): void => {
    const at = new Date().toISOString()
    if (what === 'exited')
      print(
        json ? jsonLine({ type: 'exited', at, pid, label: 'exited' }) : lines(`${at}  pid:${pid}  exited`),
      )
    else if (json) {
      const { wall, now } = realClock()
      print(jsonLine(processRow(pid, what, wall() - now())))
    } else print(lines(`${at}  pid:${pid}  ${processLine(what)}`))
  }
}
