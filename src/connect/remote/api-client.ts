/** Requests to the API of a host, tried again where what failed may pass. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { pauseFor } from '../../core/pause-for.ts'
import { oneLine } from '../../core/text/printable.ts'
import { parseJson } from '../../core/trace/trace.ts'
import { type ApiRequest, apiAnswers } from './api-answer.ts'
import type { RemoteHost } from './remote-url.ts'
import type { Transport, TransportAnswer } from './transport.ts'

/** ms */
const actionPatience = 30_000
const firstDelay = 100
const longestDelay = 5000
/** How long a host may be away where nobody said how long. ms */
const awayMs = 5000

export type RetryOptions = {
  /** For how long it is tried, ms. */
  readonly patience?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onAway?: (error: LullError) => void
}

type RemoteReadOptions = Pick<ApiRequest, 'patience'> & {
  /** Called before each try. */
  readonly onTry?: () => void
  /** How long the host may be away, and what ends that. */
  readonly away?: RetryOptions
}

export type ApiClient = ReturnType<typeof apiClient>

/** @param onNotice called when the host is away, and when it answers again */
export function apiClient(
  host: RemoteHost,
  transport: Transport,
  clock: Clock,
  onNotice: (sentence: string) => void = () => undefined,
) {
  const closed = new AbortController()
  const answers = apiAnswers(host, transport, clock, closed.signal)
  const who = `the host at ${oneLine(host.name ?? host.base, 200)}`
  let isAway = false

  async function retrying<T>(act: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
    const { patience = awayMs, signal, onAway } = options
    const end = clock.now() + patience
    for (let delay = firstDelay; ; delay = Math.min(2 * delay, longestDelay)) {
      signal?.throwIfAborted()
      try {
        const answer = await act()
        if (isAway) onNotice(`${who} answers again`)
        isAway = false
        return answer
      } catch (error) {
        signal?.throwIfAborted()
        const left = end - clock.now()
        if (!answers.mayPass(error) || left <= 0) throw error
        onAway?.(error)
        if (!isAway) onNotice(`${error.message}; trying again`)
        isAway = true
        await pause(Math.min(delay, left), signal)
      }
    }
  }

  const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
    pauseFor(clock, ms, signal ? AbortSignal.any([signal, closed.signal]) : closed.signal)

  return {
    who,
    retrying,
    pause,
    gone: answers.gone,
    /** An answer that goes on until the signal, or the end of the connection. */
    open: (path: string, signal: AbortSignal): Promise<TransportAnswer> => answers.open(path, {}, signal),
    /** @returns the text of the answer */
    read(path: string, { onTry, away, ...request }: RemoteReadOptions = {}): Promise<string> {
      const once = () => {
        onTry?.()
        return answers.read(path, request)
      }
      return retrying(once, away)
    },
    /**
     * Does an action once: one whose answer was lost is asked for again with the same key.
     * @returns its answer, parsed; undefined where it came as lines
     * @throws {LullError} ACTION_UNKNOWN where it may have been done, and no answer came
     */
    act(
      path: string,
      body: object,
      patience = actionPatience,
      { key = randomUUID(), ...more }: Pick<ApiRequest, 'key' | 'onLine'> = {},
    ): Promise<unknown> {
      const request = { body, patience, key, ...more }
      return knownOrNot(answers.mayHaveCome, note =>
        retrying(() => answers.read(path, request).catch(note)).then(parseJson),
      )
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

/** @param act calls `note` with each error, which throws it again */
async function knownOrNot<T>(
  mayHaveCome: (error: unknown) => boolean,
  act: (note: (error: unknown) => never) => Promise<T>,
): Promise<T> {
  let mayBeDone = false
  try {
    return await act(error => {
      mayBeDone ||= mayHaveCome(error)
      throw error
    })
  } catch (error) {
    if (!mayBeDone || !isLullError(error, 'HOST_GONE')) throw error
    throw new LullError(
      'ACTION_UNKNOWN',
      `${error.message}; whether it was done is not known: look at the session before you ask again`,
    )
  }
}
