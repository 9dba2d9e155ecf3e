/** To an address: ntfy, Slack, or whoever takes JSON. */

import { escapedMarkup } from '../../core/text/markup.ts'
import { attempt } from '../../os/attempt.ts'
import { type Destination, topicOf } from '../rules/destination-fields.ts'
import type { Outgoing } from '../step/compose-step.ts'
import type { Delivery } from './delivery.ts'
import { request } from './request.ts'

type Addressed = Extract<Destination, { readonly url: string }>

export async function post(to: Addressed, message: Outgoing, signal?: AbortSignal): Promise<Delivery> {
  // Slack can't withdraw a message, and a second one would be another ring.
  if (message.withdrawn && to.by === 'webhook' && to.format === 'slack') return { is: 'nothing' }
  const { url, body } = requestOf(to, message)
  return request(url, JSON.stringify(body), { tokenFile: to.tokenFile, signal })
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
