/** Requests to the API. What changes something is sent only while the host is heard, at once or not at all: nothing is queued. */
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

/** @throws {Refusal} */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { cache: 'no-store', ...(signal && { signal }) }).catch(error => {
    throw signal?.aborted ? error : new Refusal('OFFLINE', 'the host does not respond')
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw refusalOf(response.status, body)
  return body as T
}

export type Effect = { readonly confirmed: boolean; readonly [field: string]: unknown }
export type Stage = 'received' | 'given'

/**
 * @param onStage told what the host says while it goes
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
