/** How soon lull says ready of one pane among many: shells with a slow prompt, and programs with readline, kind by kind. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Tool, toolPath } from '../../scripts/setup-bench.ts'
import { quantile } from '../live/processes.ts'
import { table } from '../table.ts'
import { terminalOf } from './lull.ts'
import { openPane } from './pane.ts'
import type { shells } from './shells.ts'
import { now, type Stamped, stamped } from './stamp.ts'
import type { Pane, Stage } from './subject.ts'

const panes = 30
const commands = 40
const patienceMs = 5000

type Kind = {
  readonly name: string
  readonly shell: keyof typeof shells
  readonly needs: readonly Tool[]
  /** It edits its lines by readline, and has the floor. */
  readonly isReadline: boolean
  /** Typed first, and how its prompt looks then. */
  readonly starts?: { readonly line: string; readonly shows: RegExp }
  /** What is typed to have a command line run. */
  readonly runs: (line: string) => string
}

const asIs = (line: string): string => line
const kinds: readonly Kind[] = [
  { name: 'bash', shell: 'bash', needs: ['bash'], isReadline: true, runs: asIs },
  {
    name: 'bash, its prompt takes 50 to 650 ms',
    shell: 'bash',
    needs: ['bash'],
    isReadline: true,
    // What it computes for its prompt is the command, whose last act is the stamp.
    starts: { line: `PROMPT_COMMAND='eval "$NEXT"; NEXT='`, shows: /[#$]$/m },
    runs: line => `NEXT='${line}'`,
  },
  {
    name: 'python 3.11',
    shell: 'bash',
    needs: ['python3.11'],
    isReadline: true,
    starts: { line: '{python3.11} -q', shows: /^>>>$/m },
    runs: line => `_ = __import__('os').system('${line}')`,
  },
  {
    name: 'gdb',
    shell: 'bash',
    needs: ['gdb'],
    isReadline: true,
    starts: { line: 'gdb -q -nx', shows: /^\(gdb\)$/m },
    runs: line => `shell ${line}`,
  },
  {
    name: 'sqlite3',
    shell: 'bash',
    needs: ['sqlite3'],
    isReadline: true,
    starts: { line: 'sqlite3', shows: /^sqlite>$/m },
    runs: line => `.shell ${line}`,
  },
  { name: 'zsh', shell: 'zsh', needs: ['zsh'], isReadline: false, runs: asIs },
  { name: 'fish', shell: 'fish', needs: ['fish'], isReadline: false, runs: asIs },
  { name: 'dash', shell: 'dash', needs: ['dash'], isReadline: false, runs: asIs },
]

export type Crowded = {
  readonly kind: string
  readonly isReadline: boolean
  readonly p50: number
  readonly p95: number
  readonly most: number
  readonly early: number
  readonly never: number
}

/** They are at their prompts before anything is measured. */
async function openOthers(pane: Pane): Promise<void> {
  const others: string[] = []
  while (others.length < panes - 1)
    others.push(await pane.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', 'bash'))
  for (const id of others)
    while (!/[#$]\s*$/.test(await pane.tmux('capture-pane', '-p', '-t', id))) await pause(20)
}

async function measure(stage: Stage, kind: Kind): Promise<Crowded> {
  const pane = await openPane(stage, kind.shell)
  const took: number[] = []
  let [early, never] = [0, 0]
  try {
    await openOthers(pane)
    if (kind.starts) await pane.act([kind.starts.line, { shows: kind.starts.shows }])
    const terminal = await terminalOf(pane)
    try {
      for (let number = 0; number < commands; number++) {
        const command: Stamped = stamped(toolPath('python3.11') ?? 'python3', pane.folder, number)
        const { answer } = await terminal.send(kind.runs(command.line), { wait: { timeout: patienceMs } })
        const at = now()
        const end = command.end()
        if (answer?.outcome !== 'reached') never++
        else if (end === undefined || end > at) early++
        else took.push(Number(at - end) / 1e6)
        while (command.end() === undefined) await pause(5)
        await pause(60)
      }
    } finally {
      await terminal.close()
    }
  } finally {
    await pane.close()
  }
  const { name, isReadline } = kind
  const most = Math.max(...took)
  return { kind: name, isReadline, p50: quantile(took, 0.5), p95: quantile(took, 0.95), most, early, never }
}

export async function measureCrowded(stage: Stage) {
  const figures: Crowded[] = []
  for (const kind of kinds) {
    if (kind.needs.some(tool => stage.missing.has(tool))) continue
    figures.push(await measure(stage, kind))
  }
  const text = table(
    [
      `the end of ${commands} commands → ready, ${panes} panes open`,
      'p50 ms',
      'p95 ms',
      'most ms',
      'said before the end',
      'never said',
    ],
    figures.map(({ kind, p50, p95, most, early, never }) => [
      kind,
      p50.toFixed(1),
      p95.toFixed(1),
      most.toFixed(1),
      early,
      never,
    ]),
  )
  return { figures, text }
}
