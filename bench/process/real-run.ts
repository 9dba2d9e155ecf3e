/** A command under a real `lull run`, from its start to its end, and every verdict of it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RunVerdict } from '../../src/run/step/run-verdict.ts'
import { kill } from './subject.ts'
import { treeOf } from './tree.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

export type RealRun = {
  readonly verdicts: readonly RunVerdict[]
  /** What the command printed. */
  readonly output: string
  /** It ended by itself. */
  readonly isOver: boolean
  readonly seconds: number
}

type Wish = {
  /** A folder of its own. */
  readonly dir: string
  readonly options: readonly string[]
  /** Words before lull's. */
  readonly around?: readonly string[]
  /** ms after which it is ended. */
  readonly longest: number
}

export async function runReally(
  command: readonly string[],
  { dir, options, around = [], longest }: Wish,
): Promise<RealRun> {
  const file = path.join(dir, 'verdicts')
  const words = [
    ...around,
    process.execPath,
    bin,
    'run',
    '--preset',
    'aggressive',
    '--verdicts',
    file,
    ...options,
  ]
  const [first = '', ...rest] = [...words, '--', ...command]
  const began = performance.now()
  const child = spawn(first, rest, {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir, TERM: 'xterm', LANG: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', piece => {
    output += piece
  })
  child.stderr.resume()
  let timer: NodeJS.Timeout | undefined
  const isOver = await Promise.race([
    once(child, 'close').then(() => true),
    new Promise<boolean>(resolve => {
      timer = setTimeout(resolve, longest, false)
    }),
  ])
  clearTimeout(timer)
  if (!isOver) for (const pid of treeOf(child.pid as number).reverse()) kill(pid)
  const seconds = Math.round((performance.now() - began) / 1000)
  return { verdicts: verdictsOf(file), output, isOver, seconds }
}

function verdictsOf(file: string): RunVerdict[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line)).filter(({ type }) => type === 'verdict')
}
