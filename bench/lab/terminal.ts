/** An interactive program in a tmux server of its own: type, press, read the screen, wait for what it shows. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { atExit } from './leftovers.ts'

export type Terminal = {
  /** The socket of its tmux server, for `tmux -S`. */
  readonly socket: string
  /** `%0` */
  readonly pane: string
  /** The program itself: tmux starts it without a shell. */
  readonly pid: number
  /** Literal text, as if pasted quickly by a person; no key is pressed after it. */
  type(text: string): Promise<void>
  /** Keys in tmux' words: `Enter`, `Escape`, `C-c`, `y`. */
  press(...keys: readonly string[]): Promise<void>
  /** What stands on the screen, lines without the blanks at their ends. */
  screen(): Promise<string>
  /**
   * The first screen that matches.
   * @throws Error with the screen, after `timeout` ms or when the program has ended
   */
  waitFor(match: RegExp | ((screen: string) => boolean), timeout?: number): Promise<string>
  /**
   * Until the program has ended.
   * @throws Error with the screen, after `timeout` ms
   */
  ended(timeout?: number): Promise<void>
  /** Ends the program and its tmux server. */
  close(): Promise<void>
}

export type Start = {
  readonly command: readonly string[]
  readonly cwd: string
  /** The whole environment; tmux adds TERM, TMUX and TMUX_PANE. */
  readonly env: Readonly<Record<string, string>>
}

/** How often the screen is read while waiting, ms. */
const glance = 50

const run = promisify(execFile)

/** What stays of the program's last words can be read: a pane whose program has ended is kept. */
const options = [
  ['default-terminal', 'tmux-256color'],
  ['escape-time', '0'],
  ['status', 'off'],
  ['remain-on-exit', 'on'],
  ['allow-passthrough', 'on'],
] as const

export async function startTerminal({ command, cwd, env }: Start): Promise<Terminal> {
  const name = `lull-lab-${randomBytes(4).toString('hex')}`
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run('tmux', ['-u', '-L', name, '-f', '/dev/null', ...args], { env: { ...env } })).stdout.trimEnd()

  const settings = options.flatMap(([option, value]) => ['set-option', '-g', option, value, ';'])
  const size = ['-x', '120', '-y', '40']
  await tmux('start-server', ';', ...settings, 'new-session', '-d', ...size, '-c', cwd, '--', ...command)
  const [socket, pane, pid, server] = (
    await tmux('display-message', '-p', '#{socket_path} #{pane_id} #{pane_pid} #{pid}')
  ).split(' ') as [string, string, string, string]
  // Signalling process 0 would mean this bench itself.
  if (!(Number(pid) > 1 && Number(server) > 1)) throw new Error(`tmux names no processes: ${pid}, ${server}`)

  const destroy = () => {
    signal(Number(pid), 'SIGKILL')
    signal(Number(server), 'SIGKILL')
    rmSync(socket, { force: true })
  }
  const withdraw = atExit(destroy)
  const screen = () => tmux('capture-pane', '-p', '-t', pane)
  const isRunning = async () => (await tmux('display-message', '-p', '-t', pane, '#{pane_dead}')) === '0'
  return {
    socket,
    pane,
    pid: Number(pid),
    async type(text) {
      await tmux('send-keys', '-t', pane, '-l', '--', text)
    },
    async press(...keys) {
      await tmux('send-keys', '-t', pane, '--', ...keys)
    },
    screen,
    async ended(timeout = 30_000) {
      const deadline = performance.now() + timeout
      while (await isRunning()) {
        if (performance.now() > deadline)
          throw new Error(`the program did not end within ${timeout} ms:\n${await screen()}`)
        await pause(glance)
      }
    },
    async waitFor(match, timeout = 30_000) {
      const fits = match instanceof RegExp ? (text: string) => match.test(text) : match
      const deadline = performance.now() + timeout
      for (;;) {
        const runs = await isRunning()
        const text = await screen()
        if (fits(text)) return text
        if (!runs) throw new Error(`the program has ended before its screen showed ${match}:\n${text}`)
        if (performance.now() > deadline)
          throw new Error(`the screen did not show ${match} within ${timeout} ms:\n${text}`)
        await pause(glance)
      }
    },
    async close() {
      withdraw()
      signal(Number(pid), 'SIGHUP')
      signal(Number(server), 'SIGTERM')
      const deadline = performance.now() + 5000
      while (isAlive(Number(server)) && performance.now() < deadline) await pause(glance)
      destroy()
    },
  }
}

const isAlive = (pid: number): boolean => signal(pid, 0)

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
