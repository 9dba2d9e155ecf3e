/** lull's own processes, as a bench starts and measures them. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly at: number
}

export type Started = {
  /** Resolves with all of stdout so far once it fits. */
  says(pattern: RegExp): Promise<string>
  readonly ended: Promise<Ended>
}

/** `lull ARGS`; `at` of its end is `performance.now()`. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  let heard: () => void = () => undefined
  child.stdout.on('data', piece => {
    stdout += piece
    heard()
  })
  child.stderr.on('data', piece => {
    stderr += piece
  })
  const ended = new Promise<Ended>(resolve => {
    child.once('close', code => resolve({ code, stdout, stderr, at: performance.now() }))
  })
  return {
    ended,
    says: pattern =>
      new Promise((resolve, reject) => {
        heard = () => pattern.test(stdout) && resolve(stdout)
        heard()
        void ended.then(() => reject(new Error(`lull ${args.join(' ')} ended: ${stdout}${stderr}`)))
      }),
  }
}

export const run = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> => start(args, env).ended

/** Processor time that a process has used, ms. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The value that a share of all lies below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
