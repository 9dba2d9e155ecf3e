/** The programs that scenarios run: found by their file's name, compiled into a temporary folder. */
import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Command, Scenario } from './scenario.ts'

const sources = path.join(import.meta.dirname, 'programs')
const run = promisify(execFile)

export type Programs = {
  /** A folder that everybody may enter; gone after `close`. */
  readonly folder: string
  /** The words to execute, with `{name}`s replaced by `values`. */
  resolve(command: Command, values: Readonly<Record<string, string>>): string[]
  close(): void
}

/** What a machine may lack of a scenario, or nothing. */
export function missing({ run, beside = [], needs = [], root }: Scenario): string | undefined {
  if (root && process.getuid?.() !== 0) return 'needs root'
  const wanted = [run[0], beside[0], ...needs].filter(word => word !== undefined).flatMap(toolOf)
  const absent = wanted.find(tool => !isInstalled(tool))
  return absent && `${absent} is not installed`
}

/** Compiles what `chosen` need; a program that does not compile is an error. */
export async function buildPrograms(chosen: readonly Command[]): Promise<Programs> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-bench-'))
  await run('chmod', ['755', folder])
  const words = new Set(chosen.flat())
  const compiled = readdirSync(sources).filter(file => file.endsWith('.c') && words.has(file))
  await Promise.all(
    compiled.map(file =>
      run('gcc', ['-O1', '-pthread', '-o', path.join(folder, binaryOf(file)), path.join(sources, file)]),
    ),
  )
  return {
    folder,
    resolve(command, values) {
      const known = { ...values, programs: sources }
      const filled = command.map(word =>
        word.replace(/\{(\w+)\}/g, (all, name: string) => known[name as keyof typeof known] ?? all),
      )
      return filled.length === 0 ? [] : startOf(filled[0] as string, folder).concat(filled.slice(1))
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const binaryOf = (file: string): string => path.basename(file, '.c')

function startOf(word: string, folder: string): string[] {
  if (word.endsWith('.c')) return [path.join(folder, binaryOf(word))]
  const file = path.join(sources, word)
  switch (path.extname(word)) {
    case '.js':
      return [process.execPath, file]
    case '.py':
      return [python(), file]
    case '.sh':
      return ['bash', file]
    case '.java':
      return ['java', '-XX:TieredStopAtLevel=1', file]
    default:
      return [word === 'node' ? process.execPath : word === 'python3' ? python() : word]
  }
}

/** A version manager's python is a shell script, and of one user: the machine's own is meant. */
const python = (): string => (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3')

function toolOf(word: string): string[] {
  const tools: Record<string, string[]> = {
    '.c': ['gcc'],
    '.js': [],
    '.py': ['python3'],
    '.sh': ['bash'],
    '.java': ['java'],
  }
  return tools[path.extname(word)] ?? [word]
}

function isInstalled(tool: string): boolean {
  if (tool === 'node') return true
  return (process.env.PATH ?? '').split(':').some(folder => {
    try {
      accessSync(path.join(folder, tool), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
