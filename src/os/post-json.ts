/** A message as JSON to an address that a person named, and why it did not get there. */
import { oneLine } from '../core/text/printable.ts'

type PostOptions = Required<Pick<RequestInit, 'redirect' | 'signal'>> & {
  readonly headers: Readonly<Record<string, string>>
}

/** @throws what `fetch` does: see `causeOf` */
export const postJson = (url: string | URL, body: object, options: PostOptions) =>
  postJsonText(url, JSON.stringify(body), options)

/** The same of JSON that is written already: a signature is of its bytes. */
export const postJsonText = (url: string | URL, body: string, { headers, ...options }: PostOptions) =>
  fetch(url, {
    method: 'POST',
    // Messages are rare: by the next one the server may be about to close a connection that was kept.
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body,
    ...options,
  })

/** The message of fetch is "fetch failed". Only its cause has the reason. */
export function causeOf(error: unknown): string {
  const { cause = error } = error as Error
  const { message, code } = cause as NodeJS.ErrnoException
  return oneLine(message || code || 'it failed', 200)
}
