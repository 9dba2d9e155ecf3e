/** A folder with a RALPH.md and the programs that it names, and real loops in it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { type LoopOptions, type LoopRun, loop } from '../../src/loop/loop.ts'
import type { Happening, LoopEvent } from '../../src/loop/loop-events.ts'
import { bin, temporaryFolder } from './lull.ts'

export type Place = {
  readonly folder: string
  read(file: string): string
  write(file: string, text: string): void
  has(file: string): boolean
}

/** @param programs shell scripts by name; they are on PATH too */
export function ralphFolder(ralph: string, programs: Readonly<Record<string, string>> = {}): Place {
  const folder = temporaryFolder()
  const at = (file: string): string => path.join(folder, file)
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(at(file)), { recursive: true })
    writeFileSync(at(file), text)
  }
  write('RALPH.md', ralph)
  for (const [name, script] of Object.entries(programs)) {
    write(name, script.startsWith('#!') ? script : `#!/bin/sh\n${script}\n`)
    chmodSync(at(name), 0o755)
  }
  return { folder, write, read: file => readFileSync(at(file), 'utf8'), has: file => existsSync(at(file)) }
}

export const ralph = (agent: string, ...more: readonly string[]): string =>
  ['---', `agent: ${agent}`, 'credit: false', ...more, '---', 'Do it.', ''].join('\n')

const envOf = ({ folder }: Place): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${folder}:${process.env.PATH}`,
})

/** Loops and programs that a test began and did not see the end of. */
const left = new Set<() => void>()
afterAll(() => {
  for (const end of left) end()
})

export function begin(place: Place, options: LoopOptions = {}): LoopRun {
  const run = loop({ cwd: place.folder, env: envOf(place), ...options })
  const end = (): void => run.terminate()
  left.add(end)
  void run.outcome.then(() => left.delete(end))
  return run
}

/** All events of a loop that ends. */
export async function eventsOf(place: Place, options: LoopOptions = {}): Promise<LoopEvent[]> {
  const events: LoopEvent[] = []
  for await (const event of begin(place, options)) events.push(event)
  return events
}

export const ofType = <Type extends Happening['type']>(events: readonly LoopEvent[], type: Type) =>
  events.filter((event): event is Extract<LoopEvent, { type: Type }> => event.type === type)

const mostKept = 1_000_000

/** A loop as people run it: a process of its own. */
export function cli(place: Place, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child: ChildProcess = spawn(process.execPath, [bin, 'loop', ...args], {
    cwd: place.folder,
    env: { ...envOf(place), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', chunk => {
    if (stdout.length < mostKept) stdout += chunk
  })
  child.stderr?.on('data', chunk => {
    stderr += chunk
  })
  const end = (): void => void child.kill('SIGTERM')
  left.add(end)
  const exit = new Promise<number | null>(resolve => child.on('close', code => resolve(code)))
  void exit.then(() => left.delete(end))
  return {
    child,
    stdout: () => stdout,
    /** Its events, with `--json`. */
    events: () =>
      stdout
        .split('\n')
        .filter(line => line.endsWith('}'))
        .map(line => JSON.parse(line) as LoopEvent),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    ended: async () => ({ code: await exit, stdout, stderr }),
  }
}

/** Waits for something to be so. */
export async function until(what: string, isSo: () => boolean, within = 45_000): Promise<void> {
  const end = performance.now() + within
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not so after ${within} ms: ${what}`)
    await sleep(10)
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that nobody reaps is dead all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
