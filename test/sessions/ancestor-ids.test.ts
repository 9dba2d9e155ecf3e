/** The processes above an agent: a table of processes in, their ids out. */
import { expect, test } from 'vitest'
import { identify } from '../../src/os/proc/alive.ts'
import { createSearch } from '../../src/sessions/discover/agent-search.ts'
import { ancestorIds } from '../../src/sessions/discover/ancestor-ids.ts'
import type { ProcessTable } from '../../src/sessions/discover/process-table.ts'

type Row = { readonly pid: number; readonly parent: number; readonly start?: string; readonly name?: string }

/** Processes that a test starts, ends and moves. */
function processes(...begun: readonly Row[]) {
  const rows = new Map(begun.map(row => [row.pid, row]))
  const row = (pid: number) => {
    const { parent, start = '7' } = rows.get(pid) ?? {}
    return parent === undefined
      ? undefined
      : { pid, parent, start, group: pid, hasEnded: false, isCopy: false }
  }
  const table: ProcessTable = {
    unsupportedReason: () => undefined,
    lastProcess: () => undefined,
    pids: () => [...rows.keys()],
    row,
    argv: pid => [rows.get(pid)?.name ?? 'bash'],
    environment: () => ({}),
    users: () => [],
    cwd: () => undefined,
    executable: () => undefined,
    writtenFiles: () => [],
    whyUnread: () => undefined,
    startedAt: Number,
  }
  let now = 0
  const search = createSearch(
    () => now,
    () => [],
    table,
  )
  return {
    row,
    put: (one: Row) => rows.set(one.pid, one),
    end: (pid: number) => rows.delete(pid),
    /** Searches a minute later: all is read anew. */
    ancestorsOf(pid: number) {
      now += 60_000
      return search().find(one => one.pid === pid)?.ancestors
    },
  }
}

const idsOf = (...pids: readonly number[]) => pids.map(pid => identify(pid, '7'))
const [init, outer, shell, inner] = [
  { pid: 1, parent: 0 },
  { pid: 10, parent: 1, name: 'claude' },
  { pid: 11, parent: 10 },
  { pid: 12, parent: 11, name: 'codex' },
]

test('an agent has those of all processes above it, nearest first', () => {
  const at = processes(init, outer, shell, inner)
  expect(at.ancestorsOf(12)).toEqual(idsOf(11, 10, 1))
  expect(at.ancestorsOf(10)).toEqual(idsOf(1))
})

test('it keeps them where its parent ends and it gets another one', () => {
  const at = processes(init, outer, shell, inner)
  at.ancestorsOf(12)
  at.end(11)
  at.put({ ...inner, parent: 1 })
  expect(at.ancestorsOf(12)).toEqual(idsOf(11, 10, 1))
  at.put({ pid: 13, parent: 12, name: 'gemini' })
  expect(at.ancestorsOf(13)).toEqual(idsOf(12, 11, 10, 1))
})

test('another process of the same number is another one', () => {
  const at = processes(init, outer, shell, inner)
  at.ancestorsOf(12)
  at.put({ ...shell, start: '8' })
  at.put({ pid: 12, parent: 1, start: '9', name: 'codex' })
  expect(at.ancestorsOf(12)).toEqual(idsOf(1))
  at.put({ pid: 14, parent: 11, name: 'gemini' })
  expect(at.ancestorsOf(14)).toEqual([identify(11, '8'), ...idsOf(10, 1)])
})

test('a chain that breaks off or runs in a circle ends', () => {
  expect(ancestorIds(12, processes(inner).row)).toEqual([])
  expect(ancestorIds(99, processes(inner).row)).toEqual([])
  const circle = processes({ ...shell, parent: 12 }, inner)
  expect(ancestorIds(12, circle.row)).toHaveLength(100)
})
