/** A tmux server of the test's own, and terminals of its panes; control clients end before the server. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { afterAll } from 'vitest'
import { openTerminal, type Terminal } from '../../src/drive/open-terminal.ts'
import { attempt } from '../../src/os/attempt.ts'
import { temporaryFile, temporaryFolder } from './lull.ts'

process.env.LULL_RUNTIME_DIR ??= path.join(temporaryFolder(), 'run')

export const hasProgram = (name: string): boolean =>
  attempt(() => execFileSync('sh', ['-c', `command -v ${name}`])) !== undefined

const plainEnv = ['env', '-i', `PATH=${process.env.PATH}`, 'HOME=/', 'LANG=C.UTF-8', 'TERM=screen-256color']

/** bash as everybody has it, with a prompt that all know. */
export const bash = ['PS1=$ ', 'bash', '--norc', '--noprofile'] as const

/**
 * A program that reads keys and knows pastes, as agents do. It says `up`, and notes in a file what it reads, with `reads`
 * each read between brackets.
 */
export function keyReader(file: string, ...how: readonly string[]): readonly string[] {
  return [process.execPath, temporaryFile('keys.cjs', keyScript), file, ...how]
}

const keyScript = `
const { appendFileSync } = require('node:fs')
const [, , file, reads] = process.argv
process.stdin.setRawMode(true)
process.stdin.on('data', data => {
  appendFileSync(file, reads ? Buffer.concat([Buffer.from('<'), data, Buffer.from('>')]) : data)
})
process.stdout.write('\\x1b[?2004hup')
`

export type TmuxServer = {
  readonly socket: string
  tmux(...args: readonly string[]): string
  /** A program in a window of its own; its pane. */
  start(...command: readonly string[]): string
  /** A terminal of a pane, or of a program that is started for it. */
  terminal(...command: readonly string[]): Promise<Terminal>
  of(pane: string): Promise<Terminal>
  screen(pane: string): string
}

function descendants(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = rows.map(row => row.trim().split(/\s+/).map(Number) as [number, number])
  const below = (parent: number): readonly number[] =>
    pairs.flatMap(([of, child]) => (of === parent ? [child, ...below(child)] : []))
  return below(pid)
}

let servers = 0

/** A hook of a test's own would be registered too late: servers are started within tests as well. */
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})

export function tmuxServer(
  size: readonly [number, number] = [100, 30],
  file = path.join(temporaryFolder(), `s${servers++}`),
): TmuxServer {
  const terminals: Terminal[] = []
  const call = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', file, '-f', '/dev/null', ...args], { encoding: 'utf8', stdio: 'pipe' })
  let isStarted = false
  // Only for a test that runs: whoever lists the tests would end no server.
  function startOnce(): void {
    if (isStarted) return
    isStarted = true
    call('new-session', '-d', '-s', 'main', '-x', String(size[0]), '-y', String(size[1]), 'sleep 1000')
  }
  function tmux(...args: readonly string[]): string {
    startOnce()
    return call(...args)
  }
  ends.push(async () => {
    if (!isStarted) return
    for (const terminal of terminals) await terminal.close()
    // A relay outlives its terminal where that was stopped by Ctrl-S.
    const programs = attempt(() => descendants(Number(tmux('display', '-p', '#{pid}')))) ?? []
    attempt(() => tmux('kill-server'))
    for (const pid of programs) attempt(() => process.kill(pid, 'SIGKILL'))
  })
  const start = (...command: readonly string[]): string =>
    tmux('new-window', '-d', '-t', 'main:', '-P', '-F', '#{pane_id}', ...plainEnv, ...command).trim()
  async function of(pane: string): Promise<Terminal> {
    const terminal = await openTerminal(`tmux:${pane}`, { socket: file })
    terminals.push(terminal)
    return terminal
  }
  return {
    get socket() {
      startOnce()
      return file
    },
    tmux,
    start,
    of,
    terminal: (...command) => of(start(...command)),
    screen: pane => tmux('capture-pane', '-p', '-t', pane),
  }
}
