/** `lull respawn SESSION`: runs a plan, prints what it does, and ends with a code for how it ended. */
import { defined } from '../../../core/defined.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { LullError } from '../../../core/lull-error.ts'
import { connect } from '../../../index.ts'
import type { RespawnOptions, RespawnRun } from '../../../respawn/respawn.ts'
import type { StopWhy } from '../../../respawn/step/respawn-state.ts'
import { durationFlag } from '../../flags/flag-values.ts'
import { jsonLine, lines, onNotice, print, terminalWidth } from '../../ui/print.ts'
import { respawnLines } from '../../ui/respawn-line.ts'

export type RespawnFlags = {
  readonly plan?: string
  readonly prompt?: string
  readonly for?: string
  readonly times?: string
  readonly held?: string
  /** The name of `--held` in lull 0.1. */
  readonly settled?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

export async function respawnCommand(session: string, flags: RespawnFlags): Promise<void> {
  const options = optionsOf(flags)
  await using lull = await connect({ startsHost: true, onNotice })
  const run = await lull.respawn(session, options)
  const release = stopBySignal(run)
  try {
    for await (const event of run) {
      // A phase is for programs. Other events show its effects.
      if (!flags.json && (event.type === 'phase' || (flags.dryRun && doneDry.has(event.type)))) continue
      const text = flags.json
        ? jsonLine({ ...event, time: new Date(event.time).toISOString() })
        : lines(...respawnLines(event, terminalWidth()))
      print(text)
    }
    process.exitCode = codes[await run.outcome]
  } finally {
    release()
  }
}

/** In a dry run `would send` is enough. */
const doneDry: ReadonlySet<string> = new Set(['sending', 'passed'])

function optionsOf({ plan, prompt, dryRun = false, times, ...flags }: RespawnFlags): RespawnOptions {
  if (plan !== undefined && prompt !== undefined)
    throw new LullError('USAGE', '--plan and --prompt exclude each other; give one')
  if (plan === undefined && prompt === undefined)
    throw new LullError('USAGE', 'no plan given; add --plan FILE or --prompt TEXT')
  return defined({
    plan,
    prompt,
    isDry: dryRun,
    times: times === undefined ? undefined : countOf(times),
    for: durationFlag('--for', flags.for),
    held: durationFlag('--held', flags.held) ?? durationFlag('--settled', flags.settled),
  })
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new LullError('USAGE', `--times ${text}: must be a whole number from 1 on`)
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function stopBySignal(run: RespawnRun): () => void {
  const stop = (): void => run.control('stop')
  for (const signal of signals) process.on(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}

const codes: Readonly<Record<StopWhy, number>> = {
  done: exitCode.reached,
  times: exitCode.reached,
  time: exitCode.reached,
  max_cost: exitCode.reached,
  asked: exitCode.reached,
  exited: exitCode.gone,
  gone: exitCode.gone,
  failed: exitCode.failed,
  no_progress: exitCode.stuck,
}
