/**
 * Requests to the API of a host. Each ends in bounded time, with bounded text. What may pass (a host that restarts, a network
 * that is away) is tried again.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { parseJson } from '../../core/trace/trace.ts'
import { longestAnswer } from '../../os/socket/socket-request.ts'
import { errorOf } from './api-error.ts'
import type { RemoteHost } from './remote-url.ts'
import type { Transport, TransportAnswer } from './transport.ts'

/** ms */
const usualPatience = 10_000
const firstDelay = 100
const longestDelay = 5000
/** How long a host may be away where nobody said how long. ms */
const awayMs = 5000

export type ApiRequest = {
  /** With it the request is an action. */
  readonly body?: object
  /** For its whole answer, ms. */
  readonly patience?: number
  /** Called before each try. */
  readonly onTry?: () => void
  /** How long the host may be away, and what ends that. */
  readonly away?: RetryOptions
}

export type RetryOptions = {
  /** For how long it is tried, ms. */
  readonly patience?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onAway?: (error: LullError) => void
}

export type ApiClient = ReturnType<typeof apiClient>

/** @param onNotice called when the host is away, and when it answers again */
export function apiClient(
  { base, token }: RemoteHost,
  transport: Transport,
  clock: Clock,
  onNotice: (sentence: string) => void = () => undefined,
) {
  let isAway = false
  const closed = new AbortController()
  const passing = new WeakSet<Error>()
  const who = `the host at ${oneLine(base, 200)}`

  /** @throws {LullError} HOST_GONE where nothing answers as the API does; what the API refuses */
  async function open(path: string, { body }: ApiRequest, signal: AbortSignal, key?: string) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    const request = {
      ...{ url: base + path, headers, signal },
      ...(body ? { method: 'POST' as const, body: JSON.stringify(body) } : { method: 'GET' as const }),
    }
    const answer = await transport(request).catch(error => {
      throw gone(error as Error)
    })
    if (answer.status === 200) {
      if (isAway) onNotice(`${who} answers again`)
      isAway = false
      return answer
    }
    throw await refusal(answer, body === undefined)
  }

  async function refusal(answer: TransportAnswer, isRead: boolean): Promise<Error> {
    const { status } = answer
    const text = await textOf(answer).catch(() => '')
    const refused = errorOf(parseJson(text))
    if (refused) {
      if (isRead && mayPassByCode(refused)) passing.add(refused)
      return refused
    }
    const isRedirect = status >= 300 && status < 400
    const error = new LullError(
      'HOST_GONE',
      isRedirect
        ? `${who} answers with a redirect, which is not followed: connect to where it leads`
        : `what answers at ${oneLine(base, 200)} (status ${status}) is not the API of lull serve`,
    )
    // Of a proxy before a host that restarts.
    if ([502, 503, 504].includes(status)) passing.add(error)
    return error
  }

  function gone(cause: Error): LullError {
    if (closed.signal.aborted) return new LullError('CLOSED', 'this connection was closed')
    const { code = '' } = cause as NodeJS.ErrnoException
    const hint = isCertificate(code) ? '; for a private CA, set NODE_EXTRA_CA_CERTS=FILE' : ''
    const why = oneLine(cause.message || code, 200)
    const error = new LullError('HOST_GONE', `${who} does not answer (${why})${hint}`)
    error.cause = cause
    if (!isCertificate(code)) passing.add(error)
    return error
  }

  async function textOf({ pieces }: TransportAnswer): Promise<string> {
    let text = ''
    for await (const piece of pieces) {
      text += piece
      if (text.length > longestAnswer) throw new Error('its answer is too long')
    }
    return text
  }

  async function once(path: string, request: ApiRequest, key?: string): Promise<string> {
    const { patience = usualPatience, onTry } = request
    onTry?.()
    const late = new AbortController()
    const timer = clock.at(clock.now() + patience, () =>
      late.abort(new Error(`no answer in ${patience / 1000} s`)),
    )
    try {
      const signal = AbortSignal.any([late.signal, closed.signal])
      const answer = await open(path, request, signal, key)
      return await textOf(answer)
    } catch (error) {
      if (late.signal.aborted) throw gone(late.signal.reason as Error)
      throw isLullError(error) ? error : gone(error as Error)
    } finally {
      timer.cancel()
    }
  }

  async function retrying<T>(act: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
    const { patience = awayMs, signal, onAway } = options
    const end = clock.now() + patience
    for (let delay = firstDelay; ; delay = Math.min(2 * delay, longestDelay)) {
      signal?.throwIfAborted()
      try {
        return await act()
      } catch (error) {
        signal?.throwIfAborted()
        const left = end - clock.now()
        if (!passing.has(error as Error) || left <= 0) throw error
        onAway?.(error as LullError)
        if (!isAway) onNotice(`${(error as LullError).message}; trying again`)
        isAway = true
        await pause(Math.min(delay, left), signal)
      }
    }
  }

  /** Shorter where the signal, or the end of the connection, comes first. */
  function pause(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const ends = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal
      if (ends.aborted) return resolve()
      const end = (): void => {
        timer.cancel()
        ends.removeEventListener('abort', end)
        resolve()
      }
      const timer = clock.at(clock.now() + ms, end)
      ends.addEventListener('abort', end)
    })
  }

  return {
    who,
    retrying,
    pause,
    /** An answer that goes on, until the signal or the end of the connection. */
    open: (path: string, signal: AbortSignal) =>
      open(path, {}, AbortSignal.any([signal, closed.signal])).catch(error => {
        throw isLullError(error) ? error : gone(error as Error)
      }),
    gone,
    /** @returns the text of the answer */
    read: (path: string, request: ApiRequest = {}) => retrying(() => once(path, request), request.away),
    /** Does an action once: one whose answer was lost is asked for again with the same key. @returns its answer, parsed */
    async act(path: string, body: object, patience = 30_000): Promise<unknown> {
      const key = randomUUID()
      const text = await retrying(() => once(path, { body, patience }, key))
      return parseJson(text)
    },
    /** @throws {LullError} FAILED where the answer is not as this lull reads it */
    understood<T>(answer: T | undefined): T {
      if (answer !== undefined) return answer
      throw new LullError(
        'FAILED',
        `${who} answered what this lull does not understand: update the older one`,
      )
    },
    close: () => closed.abort(),
  }
}

/** The API answers, but what it needs does not. */
const mayPassByCode = (error: LullError): boolean =>
  isLullError(error, 'TOO_MANY', 'SOURCE_GONE', 'HOST_GONE', 'CLOSED')

const isCertificate = (code: string): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH/.test(code)
