/** What a hundred idle panes cost while nobody waits, and while ten `lull wait` are open. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hostStatus } from '../../src/host/host-client.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { listPanes } from '../../src/os/tmux/tmux-server.ts'
import { nameTerminal } from '../../src/sessions/terminals/named-terminals.ts'
import { quantile, run } from '../live/processes.ts'
import { table } from '../table.ts'
import { openPane } from './pane.ts'
import { descendants } from './processes.ts'
import type { Pane, Stage } from './subject.ts'

const panes = 100
const waits = 10
const settleMs = 4000
const watchedMs = 4000
/** The median of so many: a host looks closer whenever something is started anywhere on the machine. */
const windows = 5

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

export async function measureIdle(stage: Stage) {
  const pane = await openPane(stage, 'bash')
  const env = {
    ...stage.env,
    LULL_RUNTIME_DIR: path.join(pane.own, 'run'),
    XDG_STATE_HOME: path.join(pane.own, 'state'),
    TMUX: `${pane.socket},0,0`,
  }
  const waiting: ChildProcess[] = []
  try {
    const ids = [pane.id, ...(await openWindows(pane))]
    const started = await run(['host', 'start'], env)
    if (started.code !== 0) throw new Error(`the host does not start: ${started.stderr}`)
    const { pid: host } = await hostStatus(path.join(env.LULL_RUNTIME_DIR, 'host.sock'))
    await pause(settleMs)
    const unnamed = await spent([host])
    await nameAll(pane, path.join(env.XDG_STATE_HOME, 'lull'))
    await pause(settleMs)
    const followed = await idleShells(env)
    if (followed !== panes) throw new Error(`the host follows ${followed} idle shells of ${panes}`)
    const named = await spent([host])
    const children = descendants(host).length
    for (const id of ids.slice(0, waits)) waiting.push(await startWait(pane, id, env))
    await pause(settleMs)
    const waitsShare = await spent(waiting.flatMap(({ pid }) => pid ?? []))
    const over = waiting.filter(({ exitCode }) => exitCode !== null).length
    if (over > 0) throw new Error(`${over} waits have ended although their panes are busy`)
    const text = table(
      [`${panes} panes`, '% of a core', 'child processes'],
      [
        ['a host that follows none of them', (100 * unnamed).toFixed(2), '-'],
        ['a host that follows all: idle shells, nobody waits', (100 * named).toFixed(2), children],
        ['added by the panes', (100 * (named - unnamed)).toFixed(2), '-'],
        [`${waits} of \`lull wait --ready\` open on busy panes`, (100 * waitsShare).toFixed(2), '-'],
      ],
    )
    return { figures: { unnamed, named, added: named - unnamed, children, waits: waitsShare }, text }
  } finally {
    for (const child of waiting) child.kill('SIGTERM')
    await run(['host', 'stop'], env)
    await pane.close()
  }
}

/** All panes but the first. */
async function openWindows(pane: Pane): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number < panes; number++)
    ids.push(await pane.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', '-c', pane.folder, '--', 'bash'))
  return ids
}

/** As `lull name` does: the host follows panes that have a name. */
async function nameAll(pane: Pane, state: string): Promise<void> {
  for (const { id, tty, pid } of await listPanes(pane.socket)) {
    const start = readStat(pid)?.startTicks
    if (start === undefined) throw new Error(`the shell of ${id} has ended`)
    nameTerminal(state, { name: `shell-${id.slice(1)}`, socket: pane.socket, pane: id, tty, pid, start })
  }
}

/** How many sessions that the host tells of are shells at their prompts. */
async function idleShells(env: NodeJS.ProcessEnv): Promise<number> {
  const { stdout } = await run(['ps', '--json'], env)
  const { sessions } = JSON.parse(stdout) as { sessions: { agent: string; state: string }[] }
  return sessions.filter(({ agent, state }) => agent === 'terminal' && state === 'idle').length
}

/** A wait on a pane whose command takes longer than the bench. */
async function startWait(pane: Pane, id: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  await pane.tmux('send-keys', '-t', id, 'sleep 600', 'Enter')
  while ((await pane.tmux('display-message', '-p', '-t', id, '#{pane_current_command}')) !== 'sleep')
    await pause(20)
  return spawn(process.execPath, [bin, 'wait', `tmux:${id}`, '--ready', '--timeout', '10m'], {
    env,
    stdio: 'ignore',
  })
}

/** Processor time of processes and of all below them, as a share of a core. */
async function spent(roots: readonly number[]): Promise<number> {
  const all = roots.flatMap(pid => [pid, ...descendants(pid)])
  const sum = () => all.reduce((total, pid) => total + runTime(pid), 0)
  const shares: number[] = []
  for (let window = 0; window < windows; window++) {
    const [before, began] = [sum(), performance.now()]
    await pause(watchedMs)
    shares.push((sum() - before) / (performance.now() - began))
  }
  return quantile(shares, 0.5)
}

/** What all threads of a process have run, ms: schedstat counts nanoseconds, where /proc/PID/stat counts ticks of 10 ms. */
function runTime(pid: number): number {
  const folder = `/proc/${pid}/task`
  try {
    const ran = readdirSync(folder).map(
      thread => readFileSync(`${folder}/${thread}/schedstat`, 'latin1').split(' ')[0],
    )
    return ran.reduce((total, ns) => total + Number(ns) / 1e6, 0)
  } catch {
    return 0
  }
}
