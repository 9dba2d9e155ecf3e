/**
 * An action whose answer comes as lines of JSON while it goes: how far it is, and last what came of it. Begins with the first line:
 * what is refused before has the plain answer.
 */
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import { createAsyncQueue } from '../../core/async-queue.ts'
import type { ActionStage } from '../../shapes/api-shapes.ts'
import type { Reply } from '../api-actions.ts'

export const linesMedia = 'application/x-ndjson'

export const wantsLines = (accept: string | undefined): boolean =>
  (accept ?? '').split(',').some(media => media.split(';', 1)[0]?.trim().toLowerCase() === linesMedia)

export type TellStage = (stage: 'received' | 'given') => void

/**
 * @param act calls with each stage that it comes to
 * @param failed the reply for what it throws after the first line
 * @throws what `act` throws before that
 */
export async function stageLines(
  c: Context,
  act: (tell: TellStage) => Promise<Reply>,
  failed: (error: Error) => Reply,
): Promise<Response> {
  const lines = createAsyncQueue<string>()
  const begun = Promise.withResolvers<void>()
  const tell = (line: ActionStage): void => {
    lines.push(`${JSON.stringify(line)}\n`)
    begun.resolve()
  }
  const reply = act(stage => tell({ stage }))
  await Promise.race([begun.promise, reply])
  void reply
    .catch(failed)
    .then(({ status, body }) => tell({ stage: 'done', status, body }))
    .finally(lines.end)
  c.header('content-type', linesMedia)
  c.header('x-accel-buffering', 'no')
  return stream(c, async out => {
    // One that began goes on, whether its client still reads or not.
    for await (const line of lines.values) await out.write(line)
  })
}
