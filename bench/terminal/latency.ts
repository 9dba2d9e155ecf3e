/** How long after a command's end lull and its rivals say ready. */
import { setTimeout as pause } from 'node:timers/promises'
import { toolPath } from '../../scripts/setup-bench.ts'
import { quantile } from '../live/processes.ts'
import { table } from '../table.ts'
import { terminalOf } from './lull.ts'
import { openPane } from './pane.ts'
import { document002, patternOften } from './rivals.ts'
import { now, type Stamped, stamped } from './stamp.ts'
import type { Pane, Stage } from './subject.ts'

export const measuredShells = ['bash', 'zsh', 'fish', 'dash'] as const
const patienceMs = 5000

/** Says ready for one command after the other. */
type Waiter = { run(command: Stamped): Promise<boolean>; close(): Promise<void> }

export type Latency = {
  readonly shell: string
  readonly who: string
  readonly p50: number
  readonly p95: number
  readonly most: number
  /** Said ready while the command still ran. */
  readonly early: number
  /** Never said ready. */
  readonly never: number
  /** Of lull: its p95 to that of the pattern rule. */
  readonly share?: number
}

const waiters = {
  lull: async (pane: Pane): Promise<Waiter> => {
    const terminal = await terminalOf(pane)
    return {
      async run({ line }) {
        const { answer } = await terminal.send(line, { wait: { timeout: patienceMs } })
        return answer?.outcome === 'reached'
      },
      close: () => terminal.close(),
    }
  },
  'document 002': async (pane: Pane): Promise<Waiter> => ({
    async run({ line }) {
      await pane.act([line])
      return (await document002(pane, patienceMs)).says === 'ready'
    },
    async close() {},
  }),
  'pattern each 20 ms': async (pane: Pane): Promise<Waiter> => {
    const reader = await pane.reader()
    return {
      async run({ line }) {
        await pane.act([line])
        return (await patternOften(reader, patienceMs)).says === 'ready'
      },
      async close() {
        reader.close()
      },
    }
  },
}

type Who = keyof typeof waiters

type Measured = {
  readonly stage: Stage
  readonly shell: (typeof measuredShells)[number]
  readonly who: Who
  readonly commands: number
}

async function measure({ stage, shell, who, commands }: Measured): Promise<Latency> {
  const pane = await openPane(stage, shell)
  const waiter = await waiters[who](pane)
  const took: number[] = []
  let [early, never] = [0, 0]
  try {
    for (let number = 0; number < commands; number++) {
      const command = stamped(toolPath('python3.11') ?? 'python3', pane.folder, number)
      const isReady = await waiter.run(command)
      const at = now()
      const end = command.end()
      if (!isReady) never++
      else if (end === undefined || end > at) early++
      else took.push(Number(at - end) / 1e6)
      while (command.end() === undefined) await pause(5)
      // The prompt is back before the next command is typed, whoever was early.
      await pause(60)
    }
  } finally {
    await waiter.close()
    await pane.close()
  }
  const most = Math.max(...took)
  return { shell, who, p50: quantile(took, 0.5), p95: quantile(took, 0.95), most, early, never }
}

/**
 * lull two shells at a time; the rivals, whose latencies are hundreds of milliseconds, all at once.
 *
 * @param only `lull` leaves the rivals out
 */
export async function measureLatency(stage: Stage, commands: number, only?: string) {
  const all: Latency[] = []
  const shells = measuredShells.filter(shell => !stage.missing.has(shell))
  for (const pair of [shells.slice(0, 2), shells.slice(2)])
    all.push(...(await Promise.all(pair.map(shell => measure({ stage, shell, who: 'lull', commands })))))
  const rivals = (only === 'lull' ? [] : (['pattern each 20 ms', 'document 002'] as const)).flatMap(who =>
    shells.map(shell => measure({ stage, shell, who, commands })),
  )
  all.push(...(await Promise.all(rivals)))
  const figures = all.map(one => withShare(one, all))
  const text = table(
    [
      `the end of ${commands} commands → ready`,
      'shell',
      'p50 ms',
      'p95 ms',
      'most ms',
      "of the pattern's p95",
      'said before the end',
      'never said',
    ],
    figures.map(({ shell, who, p50, p95, most, early, never, share }) => [
      who,
      shell,
      p50.toFixed(2),
      p95.toFixed(2),
      most.toFixed(1),
      share?.toFixed(2) ?? '',
      early,
      never,
    ]),
  )
  return { figures, text }
}

function withShare(one: Latency, all: readonly Latency[]): Latency {
  const isRival = ({ who, shell }: Latency) => who === 'pattern each 20 ms' && shell === one.shell
  const rival = one.who === 'lull' ? all.find(isRival) : undefined
  return rival ? { ...one, share: one.p95 / rival.p95 } : one
}
