/** Which agents run on this machine. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { agents } from '../../agents/registry.ts'
import type { Agent } from '../../agents/shape.ts'
import { attempt } from '../attempt.ts'
import { locateFiles } from './files.ts'
import { readStat } from './stat.ts'

export type Found = {
  readonly agent: Agent
  readonly pid: number
  readonly cwd?: string
  readonly status?: string
  readonly transcript?: string
}

/** The agents that run now, each with its status file and transcript where they are found. */
export function findAgents(home = os.homedir()): Found[] {
  const rows = process.platform === 'linux' ? linuxProcesses() : psProcesses()
  const running = rows.flatMap(({ pid, parent, argv }) => {
    const agent = recognise(argv)
    return agent ? [{ pid, parent, agent }] : []
  })
  // Some CLIs start themselves once more with other flags: the child is the one that works.
  const found = running.filter(({ pid, agent }) => !running.some(p => p.parent === pid && p.agent === agent))
  return found.map(({ pid, agent }) => ({ agent, pid, ...locateFiles(pid, agent, home) }))
}

type Row = { readonly pid: number; readonly parent: number; readonly argv: readonly string[] }

/** A CLI is a native program of that name, or a script that node runs. Its own helpers carry a further word. */
export function recognise(argv: readonly string[]): Agent | undefined {
  const program = path.basename(argv[0] ?? '')
  const script = /^(node|bun)$/.test(program) ? scriptOf(argv.slice(1)) : undefined
  return Object.values(agents).find(agent => {
    if (agent.process.argv0.includes(program)) return true
    return (
      script !== undefined &&
      (agent.process.script?.test(script) || agent.process.argv0.includes(path.basename(script)))
    )
  })
}

const isCode = /^(-e|-p|-pe|--eval|--print)$/
const takesValue = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions)$/

/** The script among the words after `node`; none where it runs code of its command line. */
function scriptOf(words: readonly string[]): string | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    if (isCode.test(word)) return undefined
    if (takesValue.test(word)) i++
    else if (!word.startsWith('-')) return word
  }
  return undefined
}

function linuxProcesses(): Row[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const line = attempt(() => readFileSync(`/proc/${name}/cmdline`, 'utf8'))
      const parent = readStat(Number(name))?.parent
      return line && parent !== undefined ? [{ pid: Number(name), parent, argv: line.split('\0') }] : []
    })
}

function psProcesses(): Row[] {
  const printed =
    attempt(() => execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8', timeout: 2000 })) ??
    ''
  return printed.split('\n').flatMap(row => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []
    return pid && command ? [{ pid: Number(pid), parent: Number(parent), argv: command.split(' ') }] : []
  })
}
