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
export function missing({
  run,
  beside = [],
  needs = [],
  root,
}: Pick<Scenario, 'run' | 'beside' | 'needs' | 'root'>): string | undefined {
  if (root && process.getuid?.() !== 0) return 'needs root'
  const wanted = [run[0], beside[0], ...needs, ...run.filter(isBinary)]
    .filter(word => word !== undefined)
    .flatMap(toolOf)
  const absent = wanted.find(tool => !isInstalled(tool))
  return absent && `${absent} is not installed`
}

/** Compiles what `chosen` need and this machine can; a program that does not compile is an error. */
export async function buildPrograms(chosen: readonly Command[]): Promise<Programs> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-bench-'))
  await run('chmod', ['755', folder])
  const words = new Set(chosen.flat())
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(file => words.has(file))
  await Promise.all(files.map(file => compile(file, folder)))
  return {
    folder,
    resolve(command, values) {
      const known = { ...values, programs: sources }
      const filled = command.map(word =>
        word.replace(/\{(\w+)\}/g, (all, name: string) => known[name as keyof typeof known] ?? all),
      )
      const [first, ...rest] = filled
      return first === undefined
        ? []
        : [...startOf(first, folder), ...rest.map(word => (isBinary(word) ? binaryOf(word, folder) : word))]
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const compilers: Readonly<
  Record<string, (source: string, binary: string) => readonly [string, ...string[]]>
> = {
  '.c': (source, binary) => ['gcc', '-O1', '-pthread', '-o', binary, source],
  '.go': (source, binary) => ['go', 'build', '-o', binary, source],
  '.cs': (source, binary) => ['mcs', `-out:${binary}`, source],
}

async function compile(file: string, folder: string): Promise<void> {
  const command = compilers[path.extname(file)]?.(path.join(sources, file), binaryOf(file, folder))
  if (!command || !isInstalled(command[0])) return
  const [compiler, ...words] = command
  await run(compiler, words, {
    env: { ...process.env, GOCACHE: path.join(folder, 'go'), GO111MODULE: 'off' },
  })
}

/** Whether a word of a command is a program that is compiled, wherever it stands in it. */
const isBinary = (word: string): boolean =>
  path.extname(word) in compilers && existsSync(path.join(sources, word))

const binaryOf = (word: string, folder: string): string =>
  path.join(folder, path.basename(word).replaceAll('.', '-'))

const interpreters: Readonly<Record<string, () => readonly string[]>> = {
  '.js': () => [process.execPath],
  '.py': () => [python()],
  '.sh': () => ['bash'],
  '.java': () => ['java', '-XX:TieredStopAtLevel=1'],
  '.rb': () => ['ruby'],
  '.php': () => ['php'],
  '.pl': () => ['perl'],
}

/** Without the file in shared memory that it would leave behind when it is killed. */
const mono = ['env', 'MONO_DISABLE_SHARED_AREA=1', 'mono']

function startOf(word: string, folder: string): string[] {
  const extension = path.extname(word)
  if (isBinary(word)) return [...(extension === '.cs' ? mono : []), binaryOf(word, folder)]
  const interpreter = interpreters[extension]?.()
  if (interpreter) return [...interpreter, path.join(sources, word)]
  return [word === 'node' ? process.execPath : word === 'python3' ? python() : word]
}

/** A version manager's python is a shell script, and of one user: the machine's own is meant. */
const python = (): string => (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3')

function toolOf(word: string): string[] {
  const tools: Record<string, string[]> = {
    '.c': ['gcc'],
    '.go': ['go'],
    '.cs': ['mono', 'mcs'],
    '.js': [],
    '.py': ['python3'],
    '.sh': ['bash'],
    '.java': ['java'],
    '.rb': ['ruby'],
    '.php': ['php'],
    '.pl': ['perl'],
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
