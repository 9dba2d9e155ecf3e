/**
 * What lull's own terminals take: twenty that print 5 MB a second each, beside panes of tmux that do the same, without a byte
 * lost; a read beside them, and their memory.
 */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { spawn } from '@lydell/node-pty'
import { placesOf } from '../../src/os/file/places.ts'
import { readText } from '../../src/os/proc/proc-file.ts'
import { startServer } from '../../src/owned/start-server.ts'
import { terminalRequests } from '../../src/owned/terminal-requests.ts'
import { quantile } from '../live/processes.ts'
import type { Stage } from './subject.ts'

const run = promisify(execFile)

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

/** Prints, from when its file is there, as many rows each tenth of a second; later ones at once where it was kept waiting. */
const paced = `
use Time::HiRes qw(time sleep);
sleep(0.02) until -e $ARGV[0];
$| = 1; my $block = ("${row}\\n") x ${Math.ceil(rows / turns)}; my $left = ${rows * (row.length + 1)}; my $due = time;
while ($left > 0) { print substr($block, 0, $left); $left -= length $block; $due += 0.1; my $now = time; sleep($due - $now) if $due > $now }
print "over\\n";
`

const residentMb = (pid: number): number =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) * 1024) / 1e6

/** What shall print, once it may: a program for each pseudo terminal, and who waits for all of them. */
type Flood = { readonly command: string; start(): void; end(): Promise<number> }

function floodIn(folder: string): Flood {
  const [script, start, done] = ['paced.pl', 'start', 'done'].map(name => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(script, paced)
  writeFileSync(done, '')
  let begun = 0
  return {
    command: `perl ${script} ${start}; echo x >> ${done}; exec sleep 1000`,
    start() {
      begun = performance.now()
      writeFileSync(start, '')
    },
    /** @returns seconds */
    async end() {
      while (readFileSync(done).length < 2 * terminals) await pause(readEveryMs)
      return (performance.now() - begun) / 1000
    },
  }
}

/** Reads one terminal after the other until the flood is over. @returns seconds of the flood, ms of each read */
async function readBeside(flood: Flood, read: (n: number) => Promise<unknown>) {
  flood.start()
  let seconds: number | undefined
  const ended = flood.end().then(taken => {
    seconds = taken
    return taken
  })
  const reads: number[] = []
  for (let n = 0; seconds === undefined; n = (n + 1) % terminals) {
    const from = performance.now()
    await read(n)
    reads.push(performance.now() - from)
    await pause(readEveryMs)
  }
  return { seconds: await ended, reads }
}

/** Twenty panes of a tmux server: what a terminal multiplexer in C takes. */
async function inTmux(folder: string) {
  const flood = floodIn(folder)
  const socket = path.join(folder, 'tmux')
  const tmux = (...args: readonly string[]) => run('tmux', ['-S', socket, '-f', '/dev/null', ...args])
  const at = ['-d', '-x', `${size.columns}`, '-y', `${size.rows}`]
  for (let n = 0; n < terminals; n++) await tmux('new-session', '-s', `held-${n}`, ...at, flood.command)
  const taken = await readBeside(flood, n => tmux('capture-pane', '-p', '-t', `held-${n}`))
  await tmux('kill-server')
  rmSync(socket, { force: true })
  return taken
}

/** Twenty pseudo terminals whose reader throws all away: what this machine takes at all. */
async function thrownAwaySeconds(folder: string): Promise<number> {
  const flood = floodIn(folder)
  const env = process.env as Record<string, string>
  const open = Array.from({ length: terminals }, () =>
    spawn('sh', ['-c', flood.command], { encoding: null, cols: size.columns, rows: size.rows, env }),
  )
  for (const pty of open) pty.onData(() => undefined)
  flood.start()
  const seconds = await flood.end()
  for (const pty of open) pty.kill()
  return seconds
}

export async function measureHeld(stage: Stage) {
  const places = placesOf()
  const thrownAway = await thrownAwaySeconds(stage.ownFolder())
  const tmux = await inTmux(stage.ownFolder())
  const folder = stage.ownFolder()
  const flood = floodIn(folder)
  const { pid } = await startServer(places)
  const server = terminalRequests(places.terminals)
  const open = (name: string, words: readonly string[]) =>
    server.open({ name, words, cwd: folder, env: { ...stage.env, TERM: 'xterm-256color' }, ...size })
  // What a server takes at all is no terminal's.
  await open('held-quiet', ['sleep', '1000'])
  const before = residentMb(pid)
  const names = Array.from({ length: terminals }, (_, n) => `held-${n}`)
  for (const name of names) await open(name, ['sh', '-c', flood.command])
  const { seconds, reads } = await readBeside(flood, n => server.lines(names[n] ?? '', 40, false))
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
    tmuxPace: asked / tmux.seconds,
    thrownAwayPace: asked / thrownAway,
    lost: lost.reduce((sum, one) => sum + Math.abs(one), 0) + torn.length,
    reads: reads.length,
    readP50: quantile(reads, 0.5),
    readP95: quantile(reads, 0.95),
    tmuxReadP95: quantile(tmux.reads, 0.95),
    memory,
  }
  const mbEach = (pace: number): string => (5 * pace).toFixed(2)
  const text = [
    `${terminals} terminals that print 5 MB/s each, ${figures.mb.toFixed(0)} MB: ${mbEach(figures.pace)} MB/s each are taken (tmux: ${mbEach(figures.tmuxPace)}; a reader that throws all away: ${mbEach(figures.thrownAwayPace)}), ${figures.lost} bytes lost`,
    `a read beside them: p50 ${figures.readP50.toFixed(1)}, p95 ${figures.readP95.toFixed(1)} ms of ${figures.reads} (tmux capture-pane: p95 ${figures.tmuxReadP95.toFixed(1)})`,
    `${memory.toFixed(2)} MB a terminal with 1,000 rows that have scrolled away`,
  ].join('\n')
  return { figures, text }
}
