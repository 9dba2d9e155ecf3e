/** The process table where there is no /proc, from `ps` and `lsof`. Experimental: tested on recorded output, not yet on a Mac. */
import { LullError } from '../../core/lull-error.ts'
import { attempt } from '../../os/attempt.ts'
import { folderOf, lsofArguments } from '../../process/macos/lsof.ts'
import { type PsRow, parsePs, psArguments, runTool } from '../../process/macos/ps.ts'
import type { ProcessTable } from './process-table.ts'

/** @param run runs a program and returns what it prints; throws where it can't */
export function psTable(platform: NodeJS.Platform, run: typeof runTool = runTool): ProcessTable {
  const system = platform === 'darwin' ? 'macOS' : platform
  let rows: ReadonlyMap<number, PsRow> = new Map()

  function list(): void {
    rows = new Map(parsePs(attempt(() => run('ps', psArguments)) ?? '').map(row => [row.pid, row]))
  }

  return {
    unsupportedReason() {
      if (rows.size === 0) list()
      return rows.size === 0
        ? `lull can't find agents on ${system}: it has no /proc, and ps printed no table that lull can read; lull run and lull loop work`
        : `lull on ${system} is experimental: it finds agents with ps and their folders with lsof, and reads their files and hooks; it can't find their tmux panes, screens, environments and stopped processes`
    },
    lastProcess: () => undefined,
    pids() {
      list()
      // An empty table would mean that all agents have ended.
      if (rows.size === 0) throw new LullError('REFUSED_FILE', 'ps prints no table of processes')
      return [...rows.keys()]
    },
    row(pid) {
      const found = rows.get(pid)
      if (!found) return undefined
      const { parent, group, started: start, state, command } = found
      // ps does not report whether a process has started a program: one with its parent's command line has not.
      const isCopy = rows.get(parent)?.command === command
      return { pid, parent, group, start, hasEnded: state === 'Z', isCopy }
    },
    argv: pid => (rows.get(pid)?.command ?? '').split(' '),
    environment: () => ({}),
    users: pid => [rows.get(pid)?.uid ?? []].flat(),
    cwd: pid => attempt(() => folderOf(run('lsof', lsofArguments([pid])))),
    executable: () => undefined,
    writtenFiles: () => [],
    whyUnread: () => undefined,
    startedAt: start => Date.parse(start),
  }
}
