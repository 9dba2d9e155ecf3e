/** Requests to the API. An action is sent at once while the connection is live, or not at all: nothing is queued. */
import { link } from './link.ts'
import { linesIn } from './server-events.ts'

export class Refusal extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** It was sent, and nobody knows what came of it. */
export const lostCode = 'LOST'

type ErrorBody = { readonly error?: { readonly code: string; readonly message: string } }

const refusalOf = (status: number, body: unknown): Refusal => {
  const { code, message } = (body as ErrorBody | null)?.error ?? {}
  return new Refusal(code ?? 'FAILED', message ?? `the host answered ${status}`)
}

/** Of the API. @param id or another address of a session */
export const sessionPath = (id: string, what = ''): string => `/v1/sessions/${encodeURIComponent(id)}${what}`

/** Of the API. @param name of a recording */
export const recordingPath = (name: string, what = ''): string =>
  `/v1/recordings/${encodeURIComponent(name)}${what}`

/** What has no answer by then gets none: its connection is lost, whatever another one brings. ms */
const readMs = 10_000
/** An answer to a dialog is followed for a while. ms */
const actMs = 60_000

/** @throws {Refusal} */
export async function read<T>(path: string, signal?: AbortSignal, patienceMs = readMs): Promise<T> {
  const silence = new Refusal('OFFLINE', 'the host does not respond')
  const patience = AbortSignal.timeout(patienceMs)
  const failed = (error: unknown): never => {
    throw signal?.aborted ? error : silence
  }
  const response = await fetch(path, {
    cache: 'no-store',
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
  }).catch(failed)
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => undefined))
  return (await response.json().catch(failed)) as T
}

export type Effect = { readonly confirmed: boolean; readonly [field: string]: unknown }
export type Stage = 'received' | 'given'

/**
 * @param onStage called with each stage that the host reports
 * @throws {Refusal} `lostCode` where the connection ended first
 */
export async function act(
  path: string,
  body: object,
  onStage: (stage: Stage) => void = () => undefined,
): Promise<Effect> {
  if (link.value !== 'live') throw new Refusal('OFFLINE', 'no connection to the host: nothing was sent')
  const lost = new Refusal(lostCode, 'the connection broke; the action may or may not have been done')
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/x-ndjson, application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(actMs),
  }).catch(() => {
    throw lost
  })
  if (!response.headers.get('content-type')?.startsWith('application/x-ndjson') || !response.body) {
    const given: unknown = await response.json().catch(() => {
      throw lost
    })
    if (!response.ok) throw refusalOf(response.status, given)
    return given as Effect
  }
  try {
    for await (const line of linesIn(response.body)) {
      const { stage, status, body: given } = line as { stage: Stage | 'done'; status: number; body: Effect }
      if (stage !== 'done') onStage(stage)
      else if (status < 300) return given
      else throw refusalOf(status, given)
    }
  } catch (error) {
    throw error instanceof Refusal ? error : lost
  }
  throw lost
}
