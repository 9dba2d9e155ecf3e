/**
 * Ten panes that print as fast as they can, all heard; no byte may be lost without a word, and a wait elsewhere must not be
 * late. A pipe that nobody reads for a megabyte is given up, and says so (src/os/tmux/pane-pipe.ts): that is counted. Beside
 * each wait stands the shortest question that tmux can be asked: no wait that captures a screen can be sooner.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { toolPath } from '../../scripts/setup-bench.ts'
import { askTmux } from '../../src/os/tmux/ask-tmux.ts'
import { joinPanePipe } from '../../src/os/tmux/pane-pipe.ts'
import { quantile } from '../live/processes.ts'
import { table } from '../table.ts'
import { terminalOf } from './lull.ts'
import { openPane } from './pane.ts'
import { now, stamped } from './stamp.ts'
import type { Pane, Stage } from './subject.ts'

const floods = 10
const commands = 100
const patienceMs = 30_000

type Flood = {
  readonly pane: string
  readonly written: () => number | undefined
  got: number
  /** Nothing is heard any more, and that was told. */
  isGivenUp: boolean
  readonly hash: () => string
  leave(): Promise<void>
}

export async function measureFlood(stage: Stage) {
  const pane = await openPane(stage, 'bash')
  const terminal = await terminalOf(pane)
  const all: Flood[] = []
  try {
    const chunk = Array.from(
      { length: 800 },
      (_, at) => `${at} é ${'x'.repeat(at % 97)} \\ \u001b[3${at % 8}mred\u001b[0m\n`,
    ).join('')
    writeFileSync(path.join(pane.folder, 'chunk'), chunk)
    for (let number = 0; number < floods; number++) all.push(await startFlood(pane, number))
    writeFileSync(path.join(pane.folder, 'go'), '')
    const began = performance.now()
    const [took, asked]: [number[], number[]] = [[], []]
    let [early, never] = [0, 0]
    for (let number = 0; number < commands; number++) {
      const command = stamped(toolPath('python3.11') ?? 'python3', pane.folder, number)
      const { answer } = await terminal.send(command.line, { wait: { timeout: patienceMs } })
      const at = now()
      const end = command.end()
      if (answer?.outcome !== 'reached') never++
      else if (end === undefined || end > at) early++
      else took.push(Number(at - end) / 1e6)
      while (command.end() === undefined) await pause(5)
      const before = performance.now()
      await askTmux(pane.socket, 'display-message', '-p', 'x')
      asked.push(performance.now() - before)
    }
    const seconds = (performance.now() - began) / 1000
    writeFileSync(path.join(pane.folder, 'stop'), '')
    const wire = Buffer.from(chunk.replaceAll('\n', '\r\n'))
    const lost = (await Promise.all(all.map(flood => whatIsLost(flood, wire)))).reduce(
      (sum, one) => sum + one,
      0,
    )
    const bytes = all.reduce((sum, { got }) => sum + got, 0)
    const figures = {
      bytes,
      lost,
      givenUp: all.filter(({ isGivenUp }) => isGivenUp).length,
      p50: quantile(took, 0.5),
      p95: quantile(took, 0.95),
      most: Math.max(...took),
      question: { p50: quantile(asked, 0.5), p95: quantile(asked, 0.95) },
      early,
      never,
    }
    const text = table(
      [`${floods} panes flood`, ''],
      [
        ['read, MB', (bytes / 1e6).toFixed(1)],
        ['MB a second', (bytes / 1e6 / seconds).toFixed(1)],
        ['bytes lost without a word, or changed', lost],
        ['pipes that were given up, and said so', figures.givenUp],
        [`a wait elsewhere, ${commands} commands, p50 ms`, figures.p50.toFixed(1)],
        ['p95 ms', figures.p95.toFixed(1)],
        ['most ms', figures.most.toFixed(1)],
        ['a bare question to tmux, p50 ms', figures.question.p50.toFixed(1)],
        ['p95 ms', figures.question.p95.toFixed(1)],
        ['said before the end', early],
        ['never said', never],
      ],
    )
    return { figures, text }
  } finally {
    await Promise.all(all.map(flood => flood.leave()))
    await terminal.close()
    await pane.close()
  }
}

/** Heard as lull's own waits hear. It prints whole chunks, and tells at its end how many. */
async function startFlood(pane: Pane, number: number): Promise<Flood> {
  const count = path.join(pane.folder, `count-${number}`)
  const script = `until [ -e go ]; do sleep .05; done; i=0; until [ -e stop ]; do cat chunk; i=$((i+1)); done; echo $i >${count}; exec sleep 600`
  const id = await pane.tmux(
    'new-window',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-c',
    pane.folder,
    '--',
    'bash',
    '-c',
    script,
  )
  const hash = createHash('sha256')
  let [got, isGivenUp] = [0, false]
  const pipe = joinPanePipe(pane.socket, id, {
    onBytes(bytes) {
      got += bytes.length
      hash.update(bytes)
    },
    onLost() {
      isGivenUp = true
    },
  })
  await pipe.opened
  return {
    pane: id,
    written: () => (existsSync(count) ? Number(readFileSync(count, 'latin1')) || undefined : undefined),
    get got() {
      return got
    },
    get isGivenUp() {
      return isGivenUp
    },
    hash: () => hash.copy().digest('hex'),
    leave: () => pipe.close(),
  }
}

/** Bytes that did not come although nobody said so; where what came is not what was printed, all of them. */
async function whatIsLost(flood: Flood, wire: Buffer): Promise<number> {
  const deadline = performance.now() + patienceMs
  const wanted = () => (flood.written() ?? Infinity) * wire.length
  const isMissing = () => flood.got < wanted() && !flood.isGivenUp
  while (isMissing() && performance.now() < deadline) await pause(20)
  if (!flood.isGivenUp && flood.written() === undefined)
    throw new Error(`the flood in ${flood.pane} did not end`)
  if (!flood.isGivenUp && flood.got !== wanted()) return Math.abs(wanted() - flood.got)
  const hash = createHash('sha256')
  for (let left = flood.got; left > 0; left -= wire.length) hash.update(wire.subarray(0, left))
  return hash.digest('hex') === flood.hash() ? 0 : flood.got
}
