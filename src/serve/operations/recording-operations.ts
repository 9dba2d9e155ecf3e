/** Recordings: which there are, how one was judged, and what its screen showed. As all that shows a screen, it needs a token of scope read. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import { filmShape, picturesShape, recordingsShape } from '../../shapes/film-shapes.ts'
import type { ApiPorts } from '../api-ports.ts'
import { type ApiContext, type ApiEnv, addOperation } from './operation.ts'

/** It is JSON already. */
const asItIs = (c: ApiContext, json: Buffer<ArrayBuffer>): Response =>
  c.body(json, 200, { 'content-type': 'application/json' })

export function addRecordingOperations(app: OpenAPIHono<ApiEnv>, { recordings }: ApiPorts): void {
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
    async ({ name }, c) => asItIs(c, await recordings.film(name)),
  )

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/recordings/{name}/screens', operationId: 'getRecordedScreens' },
      summary: 'What the screen of a recording showed from an instant on, in a piece of bounded size',
      query: z.object({
        from: z.coerce.number().min(0).max(1e9).optional().describe('seconds from its start (default 0)'),
      }),
      answer: picturesShape,
    },
    async ({ name, query: { from = 0 } }, c) => {
      const piece = await recordings.piece(name, from)
      return piece ? asItIs(c, piece) : { from: 0, pictures: [] }
    },
  )
}
