/** The API as other machines of a fleet may use it: it refuses what this machine does not share, and its answers hold no secrets. */
import { redact } from '../../core/redact/redact.ts'
import { isShared, type Share } from '../../fleet/share/share.ts'
import { attempt } from '../../os/attempt.ts'
import { errorBody } from '../error-reply.ts'

type Fetch<Env> = (request: Request, env: Env) => Response | Promise<Response>

export function sharedApi<Env>(fetch: Fetch<Env>, share: Share): Fetch<Env> {
  return async (request, env) => {
    const path = pathOf(request)
    if (path === undefined || !isShared(path, share)) {
      const [what, more] = share === 'states' ? ['states alone', 'text'] : ['no screens', 'screens']
      const why = `the machine of this session shares ${what}: joining again there with --share ${more} changes it`
      return Response.json(errorBody('NOT_SHARED', why), { status: 403 })
    }
    const response = await fetch(request, env)
    return isOfSessions(path) || !response.body ? response : withoutSecrets(response)
  }
}

/** As the API reads it: a letter may be written as its number. */
const pathOf = ({ url }: Request): string | undefined => attempt(() => decodeURI(new URL(url).pathname))

/** They come from a source that has none (`shared-sessions.ts`): a list is long. */
const isOfSessions = (path: string): boolean => /^\/v1\/(?:live|sessions|events)$/.test(path)

/** An action answers in lines, each when it is due. */
function withoutSecrets({ body, status, headers }: Response): Response {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  const lines = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, out) {
      const all = `${rest}${decoder.decode(piece, { stream: true })}`
      const end = all.lastIndexOf('\n') + 1
      rest = all.slice(end)
      if (end > 0) out.enqueue(encoder.encode(redact(all.slice(0, end))))
    },
    flush(out) {
      const last = `${rest}${decoder.decode()}`
      if (last !== '') out.enqueue(encoder.encode(redact(last)))
    },
  })
  const more = new Headers(headers)
  more.delete('content-length')
  return new Response(body?.pipeThrough(lines), { status, headers: more })
}
