/** An operation on a session of a box: the box's API does it, and records who asked. Its answer has the shape of ours, or is refused. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { errorOf } from '../connect/remote/api-error.ts'
import { defined } from '../core/defined.ts'
import { LullError } from '../core/lull-error.ts'
import { parseJson } from '../core/trace/trace.ts'
import { addressOn } from '../fleet/box-address.ts'
import { onThatBox } from '../fleet/fleet-machine.ts'
import type { OpenBox } from '../fleet/open-box.ts'
import { type ActionStage, stageShape } from '../shapes/api-shapes.ts'
import type { Reply } from './api-actions.ts'
import { failureReply, replyOf } from './error-reply.ts'
import { stageLines, wantsLines } from './streams/stage-lines.ts'
import { hashOf, type Token } from './tokens.ts'

type Asked = {
  readonly method: 'get' | 'post'
  /** With `{id}` in the place of the session. */
  readonly path: string
  readonly answer: z.ZodType
  readonly line?: z.ZodType | undefined
  readonly lasts?: ((input: never) => number) | undefined
}

type Input = {
  readonly query: unknown
  readonly body: unknown
  readonly token: Token
  readonly key: string | undefined
}

/** ms */
const usualMs = 30_000
/** A tree of processes has a level for each. */
const deepest = 200

/** @throws {LullError} HOST_GONE where the box can't be asked; what it refuses; FAILED where its answer can't be read */
export async function askBox(
  c: Context,
  { box, session }: { readonly box: OpenBox; readonly session: string },
  { method, path, answer, line, lasts }: Asked,
  input: Input,
): Promise<unknown> {
  const { api, name } = box
  const { query, body } = input
  const key = keyThere(input)
  const asked = new URLSearchParams()
  for (const [field, value] of Object.entries(query as Readonly<Record<string, unknown>>))
    for (const one of [value].flat()) if (one !== undefined) asked.append(field, `${one}`)
  const there = path.replace('{id}', encodeURIComponent(session)) + (asked.size > 0 ? `?${asked}` : '')
  const understood = (found: unknown): Reply['body'] =>
    onBoxJson(api.understood(answer.safeParse(found).data), name) as Reply['body']
  const patience = usualMs + (lasts?.(input as never) ?? 0)
  const onBox = <T>(ask: () => Promise<T>): Promise<T> => onThatBox(box, session, ask)
  if (method === 'get') {
    const text = await onBox(() => api.read(there, { patience, away: { patience: 0 } }))
    return understood(parseJson(text))
  }
  const act = (onLine?: (line: unknown) => void) =>
    onBox(() => api.act(there, body as object, patience, defined({ key, onLine })))
  if (!line || !wantsLines(c.req.header('accept'))) return understood(await act())

  const run = (tell: (stage: 'received' | 'given') => void): Promise<Reply> =>
    replyOf(async () => {
      let last: ActionStage | undefined
      const onLine = (found: unknown): void => {
        if (last?.stage === 'done') return
        last = stageShape.safeParse(found).data
        if (last && last.stage !== 'done') tell(last.stage)
      }
      await act(onLine)
      if (last?.stage !== 'done')
        throw new LullError(
          'ACTION_UNKNOWN',
          `${name} did not tell the outcome; whether it was done is not known: look at the session before you ask again`,
        )
      if (last.status === 200) return understood(last.body)
      throw api.understood(errorOf(last.body))
    })
  return stageLines(c, run, error => failureReply(error, () => undefined))
}

/** All that ask here are one to the box: a key of one must not mean the action of another. */
const keyThere = ({ key, token }: Input): string | undefined =>
  key === undefined ? undefined : hashOf(`${token.hash} ${key}`)

/** Sessions within an answer, by the addresses that they have here. */
function onBoxJson(value: unknown, box: string, levels = deepest): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  const inner = (one: unknown) => onBoxJson(one, box, levels - 1)
  if (Array.isArray(value)) return value.map(inner)
  const { id, agent, pane } = value as Readonly<Record<string, unknown>>
  const fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, inner(field)]))
  if (typeof agent !== 'string') return fields
  if (typeof id === 'string') return { ...fields, id: addressOn(id, box), host: box }
  // Of a terminal, it is the id of a session.
  return pane === undefined ? fields : { ...fields, agent: addressOn(agent, box) }
}
