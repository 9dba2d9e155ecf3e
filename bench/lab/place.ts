/**
 * A home and a work folder for one agent, away from the person's own. What was started there is ended with it: agents
 * leave daemons behind, which are known by the home in their environment.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { atExit } from './leftovers.ts'

export type Place = {
  readonly home: string
  readonly work: string
  /** For the agent's own temporary files. */
  readonly temp: string
  /** Writes a file below the home; an object as JSON. Returns its path. */
  put(file: string, content: string | object): string
  /** Processes that run with this home, a tmux server among them. Linux only; nothing elsewhere. */
  processes(): readonly number[]
  /** Ends these processes and removes the folders. */
  remove(): Promise<void>
}

/** Short: unix sockets below it must fit into 107 bytes. */
export function newPlace(): Place {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lull-lab-')))
  const home = path.join(root, 'home')
  const work = path.join(root, 'work')
  const temp = path.join(root, 'temp')
  for (const folder of [home, work, temp]) mkdirSync(folder)
  writeFileSync(path.join(work, 'README.md'), '# A folder to work in\n')
  const processes = () => processesWith(`HOME=${home}`)
  const removeFolders = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  const withdraw = atExit(() => {
    for (const pid of processes()) signal(pid, 'SIGKILL')
    removeFolders()
  })
  return {
    home,
    work,
    temp,
    put(file, content) {
      const full = path.join(home, file)
      mkdirSync(path.dirname(full), { recursive: true })
      writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
      return full
    },
    processes,
    async remove() {
      await end(processes)
      removeFolders()
      withdraw()
    },
  }
}

/** Processes that have `NAME=VALUE` in their environment. Linux only. */
export function processesWith(variable: string): number[] {
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []
  return pids
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Asks first, and insists after two seconds. */
async function end(left: () => readonly number[]): Promise<void> {
  for (const [name, patience] of [
    ['SIGTERM', 2000],
    ['SIGKILL', 5000],
  ] as const) {
    for (const pid of left()) signal(pid, name)
    const deadline = performance.now() + patience
    while (left().length > 0 && performance.now() < deadline) await pause(50)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}
