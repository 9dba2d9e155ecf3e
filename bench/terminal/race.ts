/** Right after a send the prompt still stands there: two thousand sends, looked at 0 to 5 ms later. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { classify } from '../../src/terminal/classify/classify.ts'
import { probeTerminal } from '../../src/terminal/probe/probe.ts'
import { table } from '../table.ts'
import { measuredShells } from './latency.ts'
import { saysOf, terminalOf } from './lull.ts'
import { openPane } from './pane.ts'
import type { Pane, Stage } from './subject.ts'

const sends = 2000
const latestMs = 5

type Raced = { readonly shell: string; sends: number; looks: number; stale: number; naiveStale: number }

/** Every second command is over at once, the others take a moment; the file tells that one is over. */
const commandOf = (number: number, file: string): string =>
  number % 2 === 0 ? `sleep 0.03; : >${file}` : `cd /; : >${file}`

/**
 * Who looks has not sent: a terminal that was opened by itself, as another process would. Beside every tenth send
 * stands one past lull: typed by tmux itself, to show how often a look alone would be wrong.
 */
async function raceIn(stage: Stage, shell: (typeof measuredShells)[number], count: number): Promise<Raced> {
  const pane = await openPane(stage, shell)
  const [sender, looker] = [await terminalOf(pane), await terminalOf(pane)]
  const raced: Raced = { shell, sends: 0, looks: 0, stale: 0, naiveStale: 0 }
  try {
    for (let number = 0; number < count; number++) {
      const file = path.join(pane.folder, `end-${number}`)
      await sender.send(commandOf(number, file))
      raced.sends++
      await pauseFor(latestMs * ((number * 0.618034) % 1))
      raced.looks++
      if (await isStale(number % 4 === 3 ? sender : looker, file)) raced.stale++
      await over(pane, file)
      if (number % 10 === 9 && (await naive(pane, looker, `${file}-naive`))) raced.naiveStale++
    }
    return raced
  } finally {
    await Promise.all([sender.close(), looker.close()])
    await pane.close()
  }
}

/** It says ready, and even after that the command is not over. */
async function isStale(terminal: Terminal, file: string): Promise<boolean> {
  const { verdict } = await terminal.settle()
  return saysOf(verdict).startsWith('idle') && !existsSync(file)
}

/** What a script would do: tmux types, and the kernel is asked at once, without asking what has been read. */
async function naive(pane: Pane, { pane: { tty, pid } }: Terminal, file: string): Promise<boolean> {
  await pane.act([`sleep 0.03; : >${file}`])
  const stale = saysOf(classify(probeTerminal(tty, pid))).startsWith('idle') && !existsSync(file)
  await over(pane, file)
  return stale
}

async function over(pane: Pane, file: string): Promise<void> {
  const name = path.basename(file)
  if (!(await pane.sees([{ file: name }]))) throw new Error(`a command was not run:\n${await pane.screen()}`)
}

/** Timers are whole milliseconds; the rest is spent awake. */
async function pauseFor(ms: number): Promise<void> {
  const end = performance.now() + ms
  if (ms > 2) await pause(Math.floor(ms) - 1)
  while (performance.now() < end);
}

export async function race(stage: Stage) {
  const all = await Promise.all(
    measuredShells.map(shell => raceIn(stage, shell, sends / measuredShells.length)),
  )
  const sum = (of: 'sends' | 'stale' | 'naiveStale') => all.reduce((total, one) => total + one[of], 0)
  const text = table(
    ['looked at 0–5 ms after a send', 'sends', 'stale', 'typed past lull', 'stale'],
    all.map(({ shell, sends, stale, naiveStale }) => [
      shell,
      sends,
      stale,
      Math.floor(sends / 10),
      naiveStale,
    ]),
  )
  return { figures: { sends: sum('sends'), stale: sum('stale'), naiveStale: sum('naiveStale') }, text }
}
