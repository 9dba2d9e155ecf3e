/** What lull's own terminals take: twenty floods at once without a byte lost, a read beside them, and their memory. */
import { setTimeout as pause } from 'node:timers/promises'
import { placesOf } from '../../src/os/file/places.ts'
import { readText } from '../../src/os/proc/proc-file.ts'
import { startServer } from '../../src/owned/start-server.ts'
import { terminalRequests } from '../../src/owned/terminal-requests.ts'
import { quantile } from '../live/processes.ts'
import type { Stage } from './stage.ts'

const terminals = 20
const size = { columns: 100, rows: 30 }
/** A row of 99 characters; the terminal puts a carriage return before each line end. */
const row = '0123456789'.repeat(10).slice(1)
const rows = 100_000
const bytes = rows * (row.length + 2)
const readEveryMs = 50

const residentMb = (pid: number): number =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) * 1024) / 1e6

export async function measureHeld(stage: Stage) {
  const places = placesOf()
  const { pid } = await startServer(places)
  const server = terminalRequests(places.terminals)
  const folder = stage.folder()
  const open = (name: string, words: readonly string[]) =>
    server.open({ name, words, cwd: folder, env: { ...stage.env, TERM: 'xterm-256color' }, ...size })
  // What a server takes at all is no terminal's.
  await open('held-quiet', ['sleep', '1000'])
  const before = residentMb(pid)
  const names = Array.from({ length: terminals }, (_, n) => `held-${n}`)
  const begun = performance.now()
  const flood = `yes ${row} | head -n ${rows}; echo over; exec sleep 1000`
  for (const name of names) await open(name, ['sh', '-c', flood])
  const took: number[] = []
  let left = names
  while (left.length > 0) {
    const from = performance.now()
    await server.lines(left[0] ?? '', 40, false)
    took.push(performance.now() - from)
    const all = await server.list()
    const done = new Set(
      all.filter(({ count }) => count >= bytes + 'over\r\n'.length).map(({ name }) => name),
    )
    left = left.filter(name => !done.has(name))
    await pause(readEveryMs)
  }
  const seconds = (performance.now() - begun) / 1000
  for (const name of names) while (!(await server.screen(name, 1)).isWhole) await pause(readEveryMs)
  const shown = await Promise.all(names.map(name => server.lines(name, 1000, false)))
  const all = await server.list()
  const lost = names.map(name => bytes + 'over\r\n'.length - (all.find(one => one.name === name)?.count ?? 0))
  const torn = shown.filter(
    lines => lines.at(-1) !== 'over' || lines.slice(-900, -1).some(line => line !== row),
  )
  const memory = (residentMb(pid) - before) / terminals
  for (const name of [...names, 'held-quiet']) await server.close(name, true)
  const figures = {
    terminals,
    mb: (terminals * bytes) / 1e6,
    mbPerSecond: (terminals * bytes) / 1e6 / seconds,
    lost: lost.reduce((sum, one) => sum + Math.abs(one), 0) + torn.length,
    reads: took.length,
    readP50: quantile(took, 0.5),
    readP95: quantile(took, 0.95),
    memory,
  }
  const text = [
    `${terminals} terminals print ${figures.mb.toFixed(0)} MB: ${figures.mbPerSecond.toFixed(1)} MB/s, ${figures.lost} bytes lost`,
    `a read beside them: p50 ${figures.readP50.toFixed(1)}, p95 ${figures.readP95.toFixed(1)} ms of ${took.length}`,
    `${memory.toFixed(2)} MB a terminal with 1,000 rows that have scrolled away`,
  ].join('\n')
  return { figures, text }
}
