/** Requests to addresses that a person named: one POST of JSON, or a look at whether lull serve answers there; what came of it in a sentence without a secret. */
import { redact } from '../../core/redact/redact.ts'
import { oneLine } from '../../core/text/printable.ts'
import { attempt } from '../../os/attempt.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { causeOf, postJsonText } from '../../os/post-json.ts'
import { type Delivery, patienceMs } from './delivery.ts'

/** Of an answer so much is read, to say what was wrong. Bytes. */
const longestAnswer = 2000

type RequestOptions = {
  /** What it holds is sent as a bearer token. */
  readonly tokenFile?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Taken out of what the server answers, besides the token: some repeat what they refuse. */
  readonly secret?: string
  readonly signal?: AbortSignal | undefined
}

/** Nothing throws, and nothing takes longer than `patienceMs` and a little. */
export async function request(
  url: string,
  body: string,
  { tokenFile, headers = {}, secret, signal }: RequestOptions,
): Promise<Delivery> {
  const token = tokenOf(tokenFile)
  if (typeof token === 'object') return { is: 'failed', why: token.why }
  const isLate = AbortSignal.timeout(patienceMs)
  const host = new URL(url).host
  try {
    const response = await postJsonText(url, body, {
      // What is sent goes to the address that was named, and nowhere else.
      redirect: 'manual',
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      signal: signal ? AbortSignal.any([signal, isLate]) : isLate,
    })
    const { ok, status } = response
    if (ok) {
      await response.body?.cancel()
      return { is: 'done' }
    }
    // The status counts, also where the text does not come.
    const answer = await beginningOf(response).catch(() => '')
    const reason = shown(answer, [token, secret])
    const where = status >= 300 && status < 400 ? ', and leads elsewhere' : ''
    return { is: 'failed', status, why: `${host} answered ${status}${where}${reason && `: ${reason}`}` }
  } catch (error) {
    if (isLate.aborted) return { is: 'failed', why: `${host} did not answer within ${patienceMs / 1000} s` }
    return { is: 'failed', why: `${host} can’t be reached: ${causeOf(error)}` }
  }
}

/** What `GET /healthz` of lull serve answers. */
const healthy = 'ok'

/** Why what is sent to `at` does not come to lull serve, as a clause; undefined where it does. */
export async function whyNotServed(at: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${at}/healthz`, {
      redirect: 'manual',
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(patienceMs),
    })
    const answer = await beginningOf(response)
    const isServed = response.ok && answer.trim() === healthy
    return isServed ? undefined : `something else than lull serve answers there (${response.status})`
  } catch (error) {
    return `it can’t be reached: ${causeOf(error)}`
  }
}

function tokenOf(file: string | undefined): string | undefined | { readonly why: string } {
  if (file === undefined) return undefined
  const token = attempt(() => readPlainText(file, { most: 4096, isOwn: true }).trim())
  if (token === undefined) return { why: `its token can’t be read: ${oneLine(file, 200)}` }
  // An error of fetch would show it.
  return /^[!-~]+$/.test(token) ? token : { why: `${oneLine(file, 200)} holds no token` }
}

/** Leaving the loop ends the connection. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk.subarray(0, longestAnswer), { stream: true })
    if (text.length >= longestAnswer) break
  }
  return text
}

const shown = (text: string, secrets: readonly (string | undefined)[]): string =>
  oneLine(
    redact(secrets.reduce<string>((kept, one) => (one ? kept.replaceAll(one, '[redacted]') : kept), text)),
    200,
  )
