/**
 * What lull's own terminals take: twenty that print 5 MB a second each, beside panes of tmux that do the same, without a byte
 * lost; a read beside them, and their memory.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
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
const rows = 200_000
const bytes = rows * (row.length + 2)
const end = 'over\r\n'
/** It prints in so many turns, a tenth of a second each: 5 MB a second. */
const turns = Math.round(bytes / 500_000)
const readEveryMs = 50
/** What keeps up with 5 MB a second is done by then, the turns of a busy machine included. */
const asked = bytes / 1e6 / 5

/** Prints as many rows each tenth of a second, later ones at once where it was kept waiting. */
const paced = `
use Time::HiRes qw(time sleep);
$| = 1; my $block = ("${row}\\n") x ${Math.ceil(rows / turns)}; my $left = ${rows * (row.length + 1)}; my $due = time;
while ($left > 0) { print substr($block, 0, $left); $left -= length $block; $due += 0.1; my $now = time; sleep($due - $now) if $due > $now }
print "over\\n";
`

const residentMb = (pid: number): number =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) * 1024) / 1e6

/** Seconds until twenty panes of a tmux server have printed as much: what a terminal multiplexer in C takes. */
async function tmuxSeconds(script: string, folder: string): Promise<number> {
  const socket = path.join(folder, 'tmux')
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  const done = path.join(folder, 'done')
  writeFileSync(done, '')
  const begun = performance.now()
  const at = ['-d', '-x', `${size.columns}`, '-y', `${size.rows}`]
  for (let n = 0; n < terminals; n++)
    tmux('new-session', ...at, `perl ${script}; echo x >> ${done}; exec sleep 1000`)
  while (readFileSync(done).length < 2 * terminals) await pause(readEveryMs)
  const seconds = (performance.now() - begun) / 1000
  tmux('kill-server')
  rmSync(socket, { force: true })
  return seconds
}

export async function measureHeld(stage: Stage) {
  const places = placesOf()
  const folder = stage.folder()
  const script = path.join(folder, 'paced.pl')
  writeFileSync(script, paced)
  const inTmux = await tmuxSeconds(script, stage.ownFolder())
  const { pid } = await startServer(places)
  const server = terminalRequests(places.terminals)
  const open = (name: string, words: readonly string[]) =>
    server.open({ name, words, cwd: folder, env: { ...stage.env, TERM: 'xterm-256color' }, ...size })
  // What a server takes at all is no terminal's.
  await open('held-quiet', ['sleep', '1000'])
  const before = residentMb(pid)
  const names = Array.from({ length: terminals }, (_, n) => `held-${n}`)
  const begun = performance.now()
  for (const name of names) await open(name, ['sh', '-c', `perl ${script}; exec sleep 1000`])
  const took: number[] = []
  let left = names
  while (left.length > 0) {
    const from = performance.now()
    await server.lines(left[0] ?? '', 40, false)
    took.push(performance.now() - from)
    const all = await server.list()
    const done = new Set(all.filter(({ count }) => count >= bytes + end.length).map(({ name }) => name))
    left = left.filter(name => !done.has(name))
    await pause(readEveryMs)
  }
  const seconds = (performance.now() - begun) / 1000
  for (const name of names) while (!(await server.screen(name, 1)).isWhole) await pause(readEveryMs)
  const shown = await Promise.all(names.map(name => server.lines(name, 1000, false)))
  const all = await server.list()
  const lost = names.map(name => bytes + end.length - (all.find(one => one.name === name)?.count ?? 0))
  const torn = shown.filter(
    lines => lines.at(-1) !== 'over' || lines.slice(-900, -1).some(line => line !== row),
  )
  const memory = (residentMb(pid) - before) / terminals
  for (const name of [...names, 'held-quiet']) await server.close(name, true)
  const figures = {
    terminals,
    mb: (terminals * bytes) / 1e6,
    /** Of the time that 5 MB a second each take */
    pace: asked / seconds,
    tmuxPace: asked / inTmux,
    lost: lost.reduce((sum, one) => sum + Math.abs(one), 0) + torn.length,
    reads: took.length,
    readP50: quantile(took, 0.5),
    readP95: quantile(took, 0.95),
    memory,
  }
  const mbEach = (pace: number): string => (5 * pace).toFixed(2)
  const text = [
    `${terminals} terminals that print 5 MB/s each, ${figures.mb.toFixed(0)} MB: ${mbEach(figures.pace)} MB/s each are taken (tmux: ${mbEach(figures.tmuxPace)}), ${figures.lost} bytes lost`,
    `a read beside them: p50 ${figures.readP50.toFixed(1)}, p95 ${figures.readP95.toFixed(1)} ms of ${took.length}`,
    `${memory.toFixed(2)} MB a terminal with 1,000 rows that have scrolled away`,
  ].join('\n')
  return { figures, text }
}
