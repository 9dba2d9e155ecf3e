/** Processes that call themselves agents, in a home of their own: found and followed as real ones are. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach } from 'vitest'
import { readStat } from '../../src/os/proc/stat.ts'
import { temporaryFolder } from './lull.ts'

const children: ChildProcess[] = []
afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
})

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export type StandIn = {
  readonly pid: number
  readonly home: string
  readonly cwd: string
  /** Its start, as the kernel writes it. */
  readonly start: string
  /** A file of Claude's: made with its folders, or appended to. */
  write(file: string, content: string): string
  append(file: string, row: object): void
  status(fields: object): void
  kill(): Promise<void>
}

export type StandInOptions = {
  readonly home?: string
  readonly folder?: string
  readonly argv0?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Files that it holds open for writing, opened one after the other. */
  readonly holds?: readonly string[]
  /** Files that it holds open for reading alone. */
  readonly reads?: readonly string[]
}

/** A process that calls itself `claude`, or whatever `argv0` says. */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const home = options.home ?? realpathSync(temporaryFolder())
  const cwd = path.join(home, options.folder ?? 'project')
  mkdirSync(cwd, { recursive: true })
  const held = options.holds ?? []
  for (const file of held) mkdirSync(path.dirname(file), { recursive: true })
  const opened = (files: readonly string[], how: string) =>
    `for (const file of ${JSON.stringify(files)}) require('fs').openSync(file, '${how}');`
  const script = `${opened(held, 'a')} ${opened(options.reads ?? [], 'r')} console.log('up'); setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['-e', script, ...(options.args ?? [])], {
    argv0: options.argv0 ?? 'claude',
    cwd,
    env: { HOME: home, PATH: process.env.PATH ?? '', ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  const pid = child.pid as number
  const write = (file: string, content: string): string => {
    const whole = path.join(home, file)
    mkdirSync(path.dirname(whole), { recursive: true })
    writeFileSync(whole, content)
    return whole
  }
  const start = readStat(pid)?.startTicks ?? ''
  return {
    pid,
    home,
    cwd,
    start,
    write,
    append(file, row) {
      const whole = path.join(home, file)
      mkdirSync(path.dirname(whole), { recursive: true })
      appendFileSync(whole, `${JSON.stringify(row)}\n`)
    },
    status: fields => {
      write(`.claude/sessions/${pid}.json`, JSON.stringify({ pid, procStart: start, ...fields }))
    },
    kill: () => end(child),
  }
}
