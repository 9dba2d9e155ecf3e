/** Who waits for whom in a session's processes: rows with depths as a tree, and the chain that ends at what all wait for. Pure. */
import type { Processes } from '../types.ts'

type Row = Processes['rows'][number]

export type WaitNode = {
  readonly row: Row
  /** Its other threads that wait for something. */
  readonly threads: readonly Row[]
  readonly below: readonly WaitNode[]
  /** It is, or leads to, what everything else waits for. */
  readonly isOnChain: boolean
}

type Growing = { row: Row; threads: Row[]; below: Growing[] }

/** @param rows in the order of the tree; one whose depth leaps hangs below the last that is less deep */
export function waitTree(rows: readonly Row[]): readonly WaitNode[] {
  const roots: Growing[] = []
  const open: Growing[] = []
  for (const row of rows) {
    const last = open.at(-1)
    // The threads of a process stand one after the other.
    if (row.thread !== undefined && last?.row.pid === row.pid) {
      last.threads.push(row)
      continue
    }
    const node: Growing = { row, threads: [], below: [] }
    while ((open.at(-1)?.row.depth ?? -1) >= row.depth) open.pop()
    ;(open.at(-1)?.below ?? roots).push(node)
    open.push(node)
  }
  return roots.map(grown)
}

function grown({ row, threads, below }: Growing): WaitNode {
  const nodes = below.map(grown)
  const isLeaf = [row, ...threads].some(one => one.isLeaf)
  return { row, threads, below: nodes, isOnChain: isLeaf || nodes.some(({ isOnChain }) => isOnChain) }
}

/** From the first to the last of the chain; the first way where there are several. */
function chainOf(nodes: readonly WaitNode[]): readonly Row[] {
  const next = nodes.find(({ isOnChain }) => isOnChain)
  return next ? [next.row, ...chainOf(next.below)] : []
}

/** `bash (5) waits for cat (6), which waits: reads a pipe`. Empty where the chain has no two. */
export function chainWords(nodes: readonly WaitNode[]): string {
  const chain = chainOf(nodes)
  const last = chain.at(-1)
  if (last === undefined || chain.length < 2) return ''
  const names = chain.map(({ name, pid }) => `${name} (${pid})`)
  return `${names.join(' waits for ')}: ${last.waits}`
}

/** Who can wake a process, as far as that is not what stands below it anyway. */
export function wakersOf({ row, below }: WaitNode, rows: readonly Row[]): readonly string[] {
  const under = new Set(below.map(node => node.row.pid))
  return row.whom
    .filter(pid => pid !== row.pid && !under.has(pid))
    .map(pid => {
      const known = rows.find(one => one.pid === pid)
      return known ? `${known.name} (${pid})` : `process ${pid}, outside of this tree`
    })
}
