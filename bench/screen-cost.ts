/**
 * `npm run bench:screen-cost`: what it costs a host that agents stand in panes of tmux and are looked at: fifty that are quiet,
 * fifty that draw, and beside them the same host with fifty that have no terminal: those are followed as well, and not
 * looked at. Exits 1 where a floor is missed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hostStatus } from '../src/host/host-client.ts'
import { attempt } from '../src/os/attempt.ts'
import { atExit } from './lab/leftovers.ts'
import { cpuOf, run } from './live/processes.ts'
import { ownHome } from './own-home.ts'
import { table } from './table.ts'

const floors = { quiet: 0.005, drawing: 0.03 }
const panes = 50
const [settleMs, windowMs] = [8000, 20_000]

const { home, env } = ownHome('cost')
const socket = path.join(home, 'tmux')
const tmux = (...args: readonly string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' })
atExit(() => attempt(() => tmux('kill-server')))

const edge = '─'.repeat(100)
/** It goes on drawing while the file `draw` is there. */
const script = `
n=0
show() { printf '\\033[H\\033[2J● Done.\\n\\n%s\\n\\n${edge}\\n❯ \\n${edge}\\n' "$1"; }
show '✻ Baked for 3s'
while sleep 0.2; do
  if [ -e ${home}/draw ]; then n=$((n+1)); show "✽ Brewing… ($n · ↓ 29 tokens)"; fi
done
`

/** Of one core. */
async function shareOf(pid: number): Promise<number> {
  await pause(settleMs)
  const [before, from] = [cpuOf(pid), performance.now()]
  await pause(windowMs)
  return (cpuOf(pid) - before) / (performance.now() - from)
}

writeFileSync(path.join(home, 'agent.sh'), script)
await run(['host', 'start'], env)
try {
  const { pid } = await hostStatus(path.join(env.LULL_RUNTIME_DIR as string, 'host.sock'))
  const bare = Array.from({ length: panes }, () =>
    spawn('bash', ['-c', `exec -a claude bash ${home}/agent.sh`], { env, stdio: 'ignore' }),
  )
  atExit(() => {
    for (const child of bare) child.kill('SIGKILL')
  })
  const alone = await shareOf(pid)
  for (const child of bare) child.kill('SIGKILL')
  tmux('new-session', '-d', '-x', '120', '-y', '40', 'sleep 1000')
  for (let n = 0; n < panes; n++) tmux('new-window', '-d', `exec -a claude bash ${home}/agent.sh`)
  const quiet = (await shareOf(pid)) - alone
  writeFileSync(path.join(home, 'draw'), '')
  const drawing = (await shareOf(pid)) - alone
  const missed = [
    quiet > floors.quiet && `quiet panes take ${(100 * quiet).toFixed(2)} % of a core`,
    drawing > floors.drawing && `panes that draw take ${(100 * drawing).toFixed(2)} % of a core`,
  ].filter(one => one !== false)
  process.stdout.write(
    `${table(
      [`${panes} agents in tmux, % of a core`, 'lull', 'asked'],
      [
        ['a host and as many without a terminal', (100 * alone).toFixed(2), '-'],
        ['added while all are quiet', (100 * quiet).toFixed(2), `≤ ${100 * floors.quiet}`],
        ['added while all draw five times a second', (100 * drawing).toFixed(2), `≤ ${100 * floors.drawing}`],
      ],
    )}\n\n${JSON.stringify({ bench: 'screen-cost', alone, quiet, drawing, missed })}\n`,
  )
  process.exitCode = missed.length === 0 ? 0 : 1
} finally {
  await run(['host', 'stop'], env)
}
