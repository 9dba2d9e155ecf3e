/**
 * The reader for macOS: `ps` and `lsof`. It reports states and files, and no calls: each diagnosis is inferred. Not tested on a
 * Mac.
 */
import os from 'node:os'
import type { ProcessReader } from '../process-reader.ts'
import type { Process } from '../snapshot.ts'
import { lsofArguments, parseLsof, targetsOf } from './lsof.ts'
import { branchOf, type PsRow, parsePs, psArguments, runTool } from './ps.ts'

/** How many processes have their files listed. */
const mostDeep = 100

/** `lsof` fails where one of the processes is gone: what it has printed counts. */
function output(program: string, parameters: readonly string[]): string {
  try {
    return runTool(program, parameters)
  } catch (error) {
    const printed = error instanceof Error && 'stdout' in error ? error.stdout : ''
    return typeof printed === 'string' ? printed : ''
  }
}

export function processOf(row: PsRow, fds: Process['fds']): Process {
  const name = (row.command.split(' ')[0] ?? '').split('/').at(-1) ?? ''
  return {
    pid: row.pid,
    parent: row.parent,
    group: row.group,
    session: 0,
    startTicks: row.started,
    name,
    command: row.command.slice(0, 200),
    uid: row.uid,
    foreground: row.foreground,
    threads: [
      {
        tid: row.pid,
        name,
        state: row.state,
        cpu: row.cpu,
        delay: 0,
        slices: 0,
        wchan: row.wchan,
        call: { type: 'hidden', why: 'macOS' },
      },
    ],
    fds,
    majorFaults: 0,
    residentBytes: row.residentBytes,
    hasSignalTimer: false,
    isFrozen: false,
    hidden: ['syscall', 'mem', 'io', 'threads'],
  }
}

export function macosReader(supervisor = process.pid): ProcessReader {
  const ever = new Map<number, Map<number, string>>()
  return {
    unsupportedReason:
      'macOS does not report what a thread waits for: health is at best inferred from states, files and output',
    snapshot(root, depth) {
      const at = Number(process.hrtime.bigint()) / 1e6
      const rows = parsePs(output('ps', psArguments))
      const branch = branchOf(rows, root)
      if (branch.length === 0) return undefined
      const known = ever.get(root) ?? new Map<number, string>()
      ever.set(root, known)
      for (const { pid, started } of branch) known.set(pid, started)
      const deep = depth === 'tree' ? [] : branch.slice(0, mostDeep).map(({ pid }) => pid)
      const files = deep.length > 0 ? parseLsof(output('lsof', lsofArguments([...deep, supervisor]))) : []
      return {
        platform: 'darwin',
        at,
        uptime: os.uptime() * 1000,
        root,
        supervisor,
        processes: branch.map(row => processOf(row, targetsOf(row.pid, files))),
        outsiders: rows
          .filter(({ pid }) => pid === supervisor)
          .map(({ pid, command, state }) => ({ pid, name: command.split(' ')[0] ?? '', state })),
      }
    },
    known: root => ever.get(root) ?? new Map(),
  }
}
