/** How an action is asked for over HTTP: done once for a key, recorded with who asked, refused with the code of the command. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import { isLullError } from '../../core/lull-error.ts'
import type { JsonValue } from '../../history/entry.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { actionShape, stageShape } from '../../shapes/api-shapes.ts'
import type { ApiPorts } from '../api-ports.ts'
import { failureReply, replyOf } from '../error-reply.ts'
import { stageLines, type TellStage, wantsLines } from '../streams/stage-lines.ts'
import { type ApiEnv, addOperation, type OperationInput } from './operation.ts'

type Effect = { readonly confirmed: boolean; readonly [field: string]: unknown }

type ActionRow<Body extends z.ZodType> = {
  /** The last word of its path, and its name in the history. */
  readonly what: string
  readonly path: `/${string}`
  readonly summary: string
  readonly body: Body
  /** What the history shows of it. */
  readonly text: (body: z.infer<Body>, name: string) => string
  /** What its answer says of its effect, beside `confirmed`. */
  readonly effect?: z.ZodRawShape
  readonly lasts?: (input: OperationInput<unknown, z.infer<Body>>) => number
  /** It calls `given`: a client may ask for the answer as lines. */
  readonly isStaged?: true
}

type Act<Body extends z.ZodType> = (
  input: OperationInput<unknown, z.infer<Body>>,
  session: LiveSession | undefined,
  given: () => void,
) => Promise<Effect>

export type AddAction = <Body extends z.ZodType>(row: ActionRow<Body>, act: Act<Body>) => void

export function actionAdder(app: OpenAPIHono<ApiEnv>, { lull, actions, complain }: ApiPorts): AddAction {
  /** Undefined where the address means a terminal that is no session. */
  const sessionAt = async (id: string): Promise<LiveSession | undefined> => {
    if (id === '') return undefined
    try {
      return await lull.find(id)
    } catch (error) {
      if (isLullError(error, 'NO_SESSION', 'BAD_ADDRESS')) return undefined
      throw error
    }
  }

  return function action<Body extends z.ZodType>(
    { what, path, summary, body, text, effect = {}, lasts, isStaged }: ActionRow<Body>,
    act: Act<Body>,
  ): void {
    const row = {
      method: 'post',
      path,
      operationId: what,
      summary,
      body,
      answer: actionShape.extend(effect),
      isOnce: true,
      ...(lasts ? { lasts } : {}),
      ...(isStaged ? { line: stageShape } : {}),
    } as const
    addOperation(app, row, async (input, c) => {
      const { id, name, token, key } = input
      const session = await sessionAt(id)
      const asked = {
        ...{ what, by: token.name, text: text(input.body, name) },
        ...(key === undefined ? {} : { key: { token: token.hash, text: key } }),
        request: JSON.stringify([path, id || name, input.body]),
        ...(session ? { session: session.id, agent: session.agent, cwd: session.cwd } : {}),
      }
      // As the history keeps it, and as JSON leaves this process.
      const effectOf = async (given: () => void) =>
        JSON.parse(JSON.stringify(await act(input, session, given))) as Record<string, JsonValue>
      const run = (tell: TellStage) =>
        actions.run(asked, () => {
          tell('received')
          return replyOf(() => effectOf(() => tell('given')))
        })
      if (isStaged && wantsLines(c.req.header('accept')))
        return stageLines(c, run, error => failureReply(error, complain))
      const { status, body: reply } = await run(() => undefined)
      return c.json(reply, status as 200)
    })
  }
}
