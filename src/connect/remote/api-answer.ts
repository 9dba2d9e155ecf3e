/** One request to the API of a host and its answer, or the error that says why there is none. */
import type { Clock } from '../../core/clock.ts'
import { defined } from '../../core/defined.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { parseJson } from '../../core/trace/trace.ts'
import { longestAnswer } from '../../os/socket/socket-request.ts'
import { errorOf } from './api-error.ts'
import type { RemoteHost } from './remote-url.ts'
import type { Transport, TransportAnswer } from './transport.ts'

export type ApiRequest = {
  /** With it the request is an action. */
  readonly body?: object
  readonly key?: string
  /** Asks for the answer as lines of JSON, and is called with each, parsed, as it comes. */
  readonly onLine?: (line: unknown) => void
  /** For its whole answer, ms. */
  readonly patience?: number
}

/** ms */
const usualPatience = 10_000

/** Errors that name the host, and which of them may pass. */
function apiErrors(at: string, closed: AbortSignal) {
  const passing = new WeakSet<Error>()

  function gone(cause: Error, isPassing = true): LullError {
    if (closed.aborted) return new LullError('CLOSED', 'this connection was closed')
    if (isLullError(cause)) {
      passing.add(cause)
      return cause
    }
    const { code = '' } = cause as NodeJS.ErrnoException
    const hint = isCertificate(code) ? '; for a private CA, set NODE_EXTRA_CA_CERTS=FILE' : ''
    const why = oneLine(cause.message || code, 200)
    const error = new LullError('HOST_GONE', `the host at ${at} does not answer (${why})${hint}`)
    error.cause = cause
    if (isPassing && !isCertificate(code)) passing.add(error)
    return error
  }

  async function refusal(answer: TransportAnswer, isRead: boolean): Promise<Error> {
    const { status } = answer
    const refused = errorOf(parseJson(await textOf(answer).catch(() => '')))
    // Not this connection: the one of the API.
    if (isLullError(refused, 'CLOSED')) return gone(new Error('its API is closing'), isRead)
    if (refused) {
      if (isRead && mayPassByCode(refused)) passing.add(refused)
      return refused
    }
    const error = new LullError(
      'HOST_GONE',
      status >= 300 && status < 400
        ? `the host at ${at} answers with a redirect, which is not followed: connect to where it leads`
        : `what answers at ${at} (status ${status}) is not the API of lull serve`,
    )
    // An action may have been done before it went wrong.
    if (!isRead && status >= 500) error.cause = new Error(`status ${status}`)
    // Of a proxy before a host that restarts.
    if ([502, 503, 504].includes(status)) passing.add(error)
    return error
  }

  return {
    gone,
    refusal,
    /** Whether it may be over soon: a host that restarts, a network that is away. */
    mayPass: (error: unknown): error is LullError => passing.has(error as Error),
  }
}

/** Whether the request may have come to the host, which did not answer it. */
function mayHaveCome(error: unknown): boolean {
  const { cause } = error as { readonly cause?: NodeJS.ErrnoException }
  return (
    isLullError(error, 'HOST_GONE') &&
    cause !== undefined &&
    !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(cause.code ?? '')
  )
}

/** @param closed ends all of them */
export function apiAnswers(
  { base, token, name = base }: RemoteHost,
  transport: Transport,
  clock: Clock,
  closed: AbortSignal,
) {
  const { gone, refusal, mayPass } = apiErrors(oneLine(name, 200), closed)

  /** @throws {LullError} HOST_GONE where nothing answers as the API does; what the API refuses */
  async function open(
    path: string,
    { body, key, onLine, patience }: ApiRequest,
    until: AbortSignal,
  ): Promise<TransportAnswer> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(onLine ? { accept: 'application/x-ndjson' } : {}),
    }
    const signal = AbortSignal.any([until, closed])
    const request = { url: base + path, headers, signal }
    const asked = body
      ? transport({ ...request, method: 'POST', body: JSON.stringify(body), ...defined({ patience }) })
      : transport({ ...request, method: 'GET' })
    const answer = await asked.catch(error => {
      throw gone(error as Error)
    })
    if (answer.status === 200) return answer
    throw await refusal(answer, body === undefined)
  }

  return {
    open,
    gone: (cause: Error) => gone(cause),
    mayPass,
    mayHaveCome,
    /** The whole answer. @throws {LullError} as `open` does */
    async read(path: string, request: ApiRequest): Promise<string> {
      const { patience = usualPatience, onLine } = request
      const late = new AbortController()
      const timer = clock.at(clock.now() + patience, () =>
        late.abort(new Error(`no answer in ${patience / 1000} s`)),
      )
      try {
        return await textOf(await open(path, { ...request, patience }, late.signal), onLine)
      } catch (error) {
        if (late.signal.aborted) throw gone(late.signal.reason as Error)
        throw isLullError(error) ? error : gone(error as Error)
      } finally {
        timer.cancel()
      }
    },
  }
}

async function textOf({ pieces }: TransportAnswer, onLine?: (line: unknown) => void): Promise<string> {
  let text = ''
  let read = 0
  for await (const piece of pieces) {
    text += piece
    if (text.length > longestAnswer) throw new Error('its answer is too long')
    for (let end = text.indexOf('\n', read); onLine && end >= 0; end = text.indexOf('\n', read)) {
      onLine(parseJson(text.slice(read, end)))
      read = end + 1
    }
  }
  return text
}

/** The API answers, but what it needs does not. */
const mayPassByCode = (error: LullError): boolean =>
  isLullError(error, 'TOO_MANY', 'SOURCE_GONE', 'HOST_GONE')

const isCertificate = (code: string): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH/.test(code)
