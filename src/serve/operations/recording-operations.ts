/** Recordings: which there are, how one was judged, and what its screen showed. As all that shows a screen, it needs a token of scope read. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import { filmShape, picturesShape, recordingsShape } from '../../shapes/film-shapes.ts'
import type { ApiPorts } from '../api-ports.ts'
import { type ApiContext, type ApiEnv, addOperation, type OperationInput } from './operation.ts'

type Waiting = Pick<OperationInput<unknown, unknown>, 'signal' | 'token'>

/** It is JSON already. */
const asItIs = (c: ApiContext, json: Buffer<ArrayBuffer>): Response =>
  c.body(json, 200, { 'content-type': 'application/json' })

export function addRecordingOperations(app: OpenAPIHono<ApiEnv>, { recordings, open }: ApiPorts): void {
  /** Judging takes a while: it ends with the client, and with its token. */
  async function waited<T>({ signal, token }: Waiting, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal: ended, leave } = open.enter('waits', token)
    try {
      return await act(AbortSignal.any([signal, ended]))
    } finally {
      leave()
    }
  }

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/recordings', operationId: 'listRecordings' },
      summary: 'The recordings in the folder of recordings, the newest first',
      answer: recordingsShape,
    },
    async () => {
      const { recordings: listed, more } = recordings.list()
      return { folder: recordings.folder, recordings: listed, ...(more > 0 ? { more } : {}) }
    },
  )

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/recordings/{name}', operationId: 'getRecording' },
      summary: 'A recording, judged again: each change of its verdict',
      answer: filmShape,
    },
    async (input, c) => asItIs(c, await waited(input, signal => recordings.film(input.name, signal))),
  )

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/recordings/{name}/screens', operationId: 'getRecordedScreens' },
      summary: 'What the screen of a recording showed from an instant on, in a piece of bounded size',
      query: z.object({
        film: z
          .string()
          .max(40)
          .optional()
          .describe('`id` of the recording as it was judged (default: as it is now)'),
        from: z.coerce.number().min(0).max(1e9).optional().describe('seconds from its start (default 0)'),
      }),
      answer: picturesShape,
    },
    async (input, c) => {
      const { film, from = 0 } = input.query
      const piece = await waited(input, signal => recordings.piece(input.name, film, from, signal))
      return piece ? asItIs(c, piece) : { from: 0, pictures: [] }
    },
  )
}
