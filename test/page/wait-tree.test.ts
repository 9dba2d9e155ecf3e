/** Rows of a process tree as nested boxes, with the chain that ends at what everything waits for. */
import { describe, expect, test } from 'vitest'
import { chainWords, type WaitNode, waitTree, wakersOf } from '../../src/page/session/wait-tree.ts'
import type { Processes } from '../../src/page/types.ts'

type Row = Processes['rows'][number]

const row = (pid: number, depth: number, more: Partial<Row> = {}): Row => ({
  ...{ pid, depth, name: `p${pid}`, command: `p${pid} x`, waits: `waits ${pid}`, whom: [] },
  ...more,
})
/** `5[6+[7] 8]`: `+` is on the chain. */
const drawn = (nodes: readonly WaitNode[]): string =>
  nodes
    .map(
      ({ row: { pid }, isOnChain, below }) =>
        `${pid}${isOnChain ? '+' : ''}${below.length > 0 ? `[${drawn(below)}]` : ''}`,
    )
    .join(' ')

describe('a tree of processes', () => {
  test.each([
    ['one', [row(5, 0)], '5'],
    ['a chain', [row(5, 0), row(6, 1), row(7, 2, { isLeaf: true })], '5+[6+[7+]]'],
    ['two branches', [row(5, 0), row(6, 1), row(7, 2), row(8, 1, { isLeaf: true })], '5+[6[7] 8+]'],
    ['several roots', [row(5, 0), row(6, 0, { isLeaf: true })], '5 6+'],
    ['a depth that leaps', [row(5, 0), row(6, 3), row(7, 1)], '5[6 7]'],
    ['none', [], ''],
  ])('of %s is nested by depth', (_, rows, expected) => expect(drawn(waitTree(rows))).toBe(expected))

  test('has the threads of a process in its box', () => {
    const [node] = waitTree([row(5, 0), row(5, 0, { thread: 51, isLeaf: true }), row(6, 1)])
    expect(node?.threads.map(({ thread }) => thread)).toEqual([51])
    expect([node?.isOnChain, node?.below.length]).toEqual([true, 1])
  })

  test('says in words who waits for whom', () => {
    expect(chainWords(waitTree([row(5, 0), row(6, 1, { isLeaf: true })]))).toBe(
      'p5 (5) waits for p6 (6): waits 6',
    )
    expect(chainWords(waitTree([row(5, 0, { isLeaf: true })]))).toBe('')
  })

  test('names who wakes from elsewhere', () => {
    const rows = [row(5, 0, { whom: [6, 5] }), row(6, 1, { whom: [5, 99] })]
    const [first] = waitTree(rows)
    expect(first && wakersOf(first, rows)).toEqual([])
    expect(first?.below[0] && wakersOf(first.below[0], rows)).toEqual([
      'p5 (5)',
      'process 99, outside of this tree',
    ])
  })
})
