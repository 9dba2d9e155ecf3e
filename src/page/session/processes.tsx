/** The processes of a session as nested boxes: each box holds what its process waits for, and what all wait for is marked. */
import { read, sessionPath } from '../host/ask.ts'
import { useLoaded } from '../host/use-loaded.ts'
import type { Processes } from '../types.ts'
import { visibly } from '../words.ts'
import { chainWords, type WaitNode, waitTree, wakersOf } from './wait-tree.ts'

export function ProcessTree({ id }: { readonly id: string }) {
  const { loaded, problem } = useLoaded(id, signal => read<Processes>(sessionPath(id, '/processes'), signal))
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!loaded) return <p class="quiet">Loading…</p>
  const nodes = waitTree(loaded.rows)
  const chain = chainWords(nodes)
  return (
    <>
      <p>
        {visibly(loaded.sentence)}{' '}
        <span class="quiet">
          ({loaded.cause.replaceAll('_', ' ')}, {loaded.proof})
        </span>
      </p>
      {chain === '' ? null : (
        <p class="chain-words">
          <strong>Who waits for whom:</strong> {visibly(chain)}
        </p>
      )}
      <Boxes nodes={nodes} rows={loaded.rows} />
      {loaded.more === undefined ? null : <p class="quiet">{loaded.more} more are left out.</p>}
      {loaded.doubts.map(doubt => (
        <p key={doubt} class="quiet">
          But: {visibly(doubt)}
        </p>
      ))}
    </>
  )
}

type BoxesProps = { readonly nodes: readonly WaitNode[]; readonly rows: Processes['rows'] }

const Boxes = ({ nodes, rows }: BoxesProps) => (
  <ul class="boxes">
    {nodes.map(node => (
      <Box key={node.row.thread ?? node.row.pid} node={node} rows={rows} />
    ))}
  </ul>
)

function Box({ node, rows }: { readonly node: WaitNode; readonly rows: Processes['rows'] }) {
  const { row, threads, below, isOnChain } = node
  const isEnd = isOnChain && !below.some(one => one.isOnChain)
  const wakers = wakersOf(node, rows)
  return (
    <li class={isOnChain ? 'box on-chain' : 'box'}>
      {isEnd ? <p class="end">Everything waits for this</p> : null}
      <p>
        <strong>{visibly(row.name)}</strong> <span class="quiet">{row.pid}</span>
      </p>
      {row.command === row.name ? null : <code class="command">{visibly(row.command)}</code>}
      {[row, ...threads].map(one => (
        <p key={one.thread ?? one.pid} class="topic">
          {one.thread === undefined ? '' : `thread ${one.thread}: `}
          {visibly(one.waits)}
        </p>
      ))}
      {wakers.length === 0 ? null : <p class="quiet">Can be woken by {visibly(wakers.join(', '))}</p>}
      {below.length === 0 ? null : (
        <>
          <p class="waits-for">
            <span aria-hidden="true">↓</span> waits for
          </p>
          <Boxes nodes={below} rows={rows} />
        </>
      )}
    </li>
  )
}
