/** To an address: ntfy, Slack, or whoever takes JSON. */

import { redact } from '../../core/redact/redact.ts'
import { escapedMarkup } from '../../core/text/markup.ts'
import { oneLine } from '../../core/text/printable.ts'
import { attempt } from '../../os/attempt.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { causeOf, postJson } from '../../os/post-json.ts'
import type { Destination } from '../rules/notify-fields.ts'
import { topicOf } from '../rules/notify-fields.ts'
import type { Outgoing } from '../step/compose-step.ts'
import { type Delivery, patienceMs } from './delivery.ts'

type Addressed = Extract<Destination, { readonly url: string }>

/** Of an answer so much is read, to say what was wrong. Bytes. */
const longestAnswer = 2000

export async function post(to: Addressed, message: Outgoing, signal?: AbortSignal): Promise<Delivery> {
  // Slack can't withdraw a message, and a second one would be another ring.
  if (message.withdrawn && to.by === 'webhook' && to.format === 'slack') return { is: 'nothing' }
  const token = tokenOf(to)
  if (typeof token === 'object') return { is: 'failed', why: token.why }
  const isLate = AbortSignal.timeout(patienceMs)
  const { url, body } = requestOf(to, message)
  const host = new URL(url).host
  try {
    const response = await postJson(url, body, {
      // What is sent goes to the address that was named, and nowhere else.
      redirect: 'manual',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: signal ? AbortSignal.any([signal, isLate]) : isLate,
    })
    if (response.ok) {
      await response.body?.cancel()
      return { is: 'done' }
    }
    const reason = shown(await beginningOf(response), token)
    const where = response.status >= 300 && response.status < 400 ? ', and leads elsewhere' : ''
    return { is: 'failed', why: `${host} answered ${response.status}${where}${reason && `: ${reason}`}` }
  } catch (error) {
    if (isLate.aborted) return { is: 'failed', why: `${host} did not answer within ${patienceMs / 1000} s` }
    return { is: 'failed', why: `${host} can’t be reached: ${causeOf(error)}` }
  }
}

function tokenOf({ tokenFile }: Addressed): string | undefined | { readonly why: string } {
  if (tokenFile === undefined) return undefined
  const token = attempt(() => readPlainText(tokenFile, { most: 4096, isOwn: true }).trim())
  if (token === undefined) return { why: `its token can’t be read: ${oneLine(tokenFile, 200)}` }
  // An error of fetch would show it.
  return /^[!-~]+$/.test(token) ? token : { why: `${oneLine(tokenFile, 200)} holds no token` }
}

function requestOf(to: Addressed, message: Outgoing): { readonly url: string; readonly body: object } {
  if (to.by === 'ntfy') {
    const url = new URL(to.url)
    const topic = topicOf(to.url)
    url.pathname = url.pathname.slice(0, -topic.length)
    return { url: url.href, body: ntfyBody(attempt(() => decodeURIComponent(topic)) ?? topic, message) }
  }
  // Else `<!channel>` in a folder's name would call everybody (docs.slack.dev, formatting).
  return to.format === 'slack'
    ? { url: to.url, body: { text: escapedMarkup(`${message.title}\n${message.text}`) } }
    : { url: to.url, body: message }
}

/**
 * As JSON, since headers take neither every letter nor lines. A server that knows `sequence_id` shows the later message in the place
 * of the first; to another it is a message that does not ring.
 */
const ntfyBody = (topic: string, { id, title, text, urgent, withdrawn }: Outgoing): object => ({
  topic,
  title,
  message: withdrawn ? 'nothing is to be done any more' : text,
  priority: withdrawn ? 1 : urgent ? 5 : 3,
  sequence_id: id,
})

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

/** Some servers repeat the token that they refuse. */
const shown = (text: string, token: string | undefined): string =>
  oneLine(redact(token === undefined ? text : text.replaceAll(token, '[redacted]')), 200)
