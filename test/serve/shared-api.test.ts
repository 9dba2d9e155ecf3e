/** The API of a host as other machines of its fleet may use it. */
import { expect, test } from 'vitest'
import { sharedApi } from '../../src/serve/doors/shared-api.ts'

const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
const lines = [
  `{"stage":"received"}\n`,
  `{"stage":"done","text":"${token.slice(0, 9)}`,
  `${token.slice(9)}"}\n`,
]
const api = sharedApi(async () => {
  const body = new ReadableStream<Uint8Array>({
    start(out) {
      for (const line of lines) out.enqueue(new TextEncoder().encode(line))
      out.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
}, 'text')
const ask = async (path: string): Promise<Response> => api(new Request(`http://lull${path}`), undefined)

test('no secret is in an answer, in whatever pieces it comes', async () => {
  const answer = await ask('/v1/sessions/abc/explain')
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
  expect(await answer.text()).toBe(`{"stage":"received"}\n{"stage":"done","text":"[redacted]"}\n`)
})

test.each(['/v1/sessions/abc/screen', '/v1/sessions/abc/scr%65en', '/v1/sessions/a%C3%BC/screen', '/v1/%'])(
  '%s is refused, however it is written',
  async path => {
    const answer = await ask(path)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_SHARED' } })
  },
)
