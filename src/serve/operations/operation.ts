/** An operation of the API: one row gives its route, the check of its input and its place in the OpenAPI document. */
import type { HttpBindings } from '@hono/node-server'
import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import type { ServedBoxes } from '../../fleet/served-boxes.ts'
import { errorShape } from '../../shapes/api-shapes.ts'
import { askBox } from '../ask-box.ts'
import { linesMedia } from '../streams/stage-lines.ts'
import type { Token } from '../tokens.ts'

export type OperationInput<Query, Body> = {
  /** The session of the path, as the client named it; empty where the path has none. */
  readonly id: string
  /** The token or recording of the path, by its name; empty where the path has none. */
  readonly name: string
  readonly query: Query
  readonly body: Body
  readonly token: Token
  readonly key: string | undefined
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

export type ApiEnv = {
  readonly Variables: { token: Token; boxes?: ServedBoxes }
  readonly Bindings: HttpBindings
}
export type ApiContext = Context<ApiEnv>

type Row<Query extends z.ZodObject, Body extends z.ZodType> = {
  readonly method: 'get' | 'post'
  readonly path: `/${string}`
  /** Of the operation in the document: what generated clients call it. */
  readonly operationId: string
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  /** An action: with a key it is done once. */
  readonly isOnce?: true
  /** How much longer than usual its answer may take, ms. */
  readonly lasts?: (input: OperationInput<z.infer<Query>, z.infer<Body>>) => number
  readonly answer: z.ZodType
  /** Of a client that accepts `application/x-ndjson`: one line of the answer that it gets instead. */
  readonly line?: z.ZodType
  /** Where the answer is no JSON: its media type. */
  readonly media?: 'application/json' | 'text/event-stream' | 'application/x-ndjson'
}

/** By what stands for them in a path. */
const params = {
  id: z.string().min(1).max(300).describe('id or its beginning, name, pid:N, tmux:%N'),
  name: z.string().min(1).max(200).describe('name of a token, or of a recording'),
}
type Place = keyof typeof params
const keyed = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/)
    .optional()
    .describe('an action with a key is done once: sent again, its first answer comes back'),
})

const empty = z.object({})
// Only schemas made since that package was loaded have `openapi`, and this one may be older.
const named = errorShape.clone().openapi('Error')
/** All that any operation may be refused with. */
const failures = {
  400: 'bad input',
  401: 'no valid token',
  403: 'not allowed',
  404: 'no such session, recording or path',
  405: 'the path has another method',
  409: 'refused by the state of the session',
  410: 'what is meant has ended',
  413: 'the body is too large',
  415: 'the body is no JSON by its Content-Type',
  421: 'the API has no such host',
  429: 'too many at one time, or too many wrong tokens',
  500: 'failed inside lull',
  503: 'unavailable: the host ends, or the disk is full',
}

/** @param handle gives the answer as JSON, or a response */
export function addOperation<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodType = z.ZodType>(
  app: OpenAPIHono<ApiEnv>,
  { query, body, isOnce, lasts, answer, line, media = 'application/json', ...row }: Row<Query, Body>,
  handle: (input: OperationInput<z.infer<Query>, z.infer<Body>>, c: ApiContext) => Promise<unknown>,
): void {
  const places = (['id', 'name'] as const).filter(place => row.path.includes(`{${place}}`))
  const route = createRoute({
    ...row,
    security: [{ token: [] }],
    request: {
      ...(places.length > 0
        ? { params: z.object(Object.fromEntries(places.map(place => [place, params[place]]))) }
        : {}),
      query: (query ?? empty).strict(),
      ...(isOnce ? { headers: keyed } : {}),
      ...(body ? { body: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    },
    responses: {
      200: {
        description: row.summary,
        content: {
          [media]: { schema: answer },
          ...(line ? { [linesMedia]: { schema: line } } : {}),
        },
      },
      ...Object.fromEntries(
        Object.entries(failures).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: named } } },
        ]),
      ),
    },
  })
  const respond = async (c: ApiContext): Promise<Response> => {
    const { req } = c as unknown as { req: { valid(what: string): never } }
    const named: Partial<Record<Place, string>> = places.length > 0 ? req.valid('param') : {}
    const input = {
      ...{ id: '', name: '', ...named },
      query: query ? req.valid('query') : ({} as never),
      body: body ? req.valid('json') : ({} as never),
      token: c.get('token'),
      key: c.req.header('idempotency-key'),
      signal: c.req.raw.signal,
    }
    const there = row.path.startsWith('/v1/sessions/') ? c.get('boxes')?.at(input.id) : undefined
    // What is asked of a session on a box, its own API answers.
    const given = there
      ? await askBox(c, there, { ...row, lasts, answer, line }, input)
      : await handle(input, c)
    return given instanceof Response ? given : c.json(given as object)
  }
  // The answers are validated against the document by a test: the compiler would want each row's type spelt out again.
  app.openapi(route, respond as never)
}

/** As `several`, of a set: anything else is refused, with what is allowed. */
export const severalOf = (words: readonly string[]) =>
  several.refine(
    value => listOf(value).every(word => words.includes(word)),
    `each is one of ${words.join(', ')}`,
  )

/** In a query: one value or several, also with commas between them. */
export const several = z.union([z.string(), z.array(z.string())]).optional()
export const listOf = (value: z.infer<typeof several>): readonly string[] =>
  typeof value === 'string' ? value.split(',') : (value ?? [])
/** A whole number of a query, from 1 on. */
export const countUpTo = (most: number) => z.coerce.number().int().min(1).max(most).optional()
export const flag = z.enum(['true', 'false']).optional()
