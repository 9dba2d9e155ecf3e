/** The processes of a session: who waits for whom. */
import { read, sessionPath } from '../host/ask.ts'
import { useLoaded } from '../host/use-loaded.ts'
import type { Processes } from '../types.ts'
import { visibly } from '../words.ts'

export function ProcessTree({ id }: { readonly id: string }) {
  const { loaded, problem } = useLoaded(id, signal => read<Processes>(sessionPath(id, '/processes'), signal))
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!loaded) return <p class="quiet">Loading…</p>
  return (
    <>
      <p>
        {visibly(loaded.sentence)}{' '}
        <span class="quiet">
          ({loaded.cause.replaceAll('_', ' ')}, {loaded.proof})
        </span>
      </p>
      <ol class="tree">
        {loaded.rows.map(({ pid, thread, depth, command, waits }) => (
          <li key={thread ?? pid} style={{ marginInlineStart: `${depth * 1.2}em` }}>
            <code>
              {pid} {visibly(command)}
            </code>
            <span class="topic">{visibly(waits)}</span>
          </li>
        ))}
      </ol>
      {loaded.doubts.map(doubt => (
        <p key={doubt} class="quiet">
          But: {visibly(doubt)}
        </p>
      ))}
    </>
  )
}
