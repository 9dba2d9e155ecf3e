/** To an address: ntfy, Slack, or whoever takes JSON. */

import { defined } from '../../core/defined.ts'
import { escapedMarkup } from '../../core/text/markup.ts'
import { attempt } from '../../os/attempt.ts'
import { type Destination, topicOf } from '../rules/destination-fields.ts'
import type { Outgoing } from '../step/compose-step.ts'
import type { Delivery } from './delivery.ts'
import {
  askingIn,
  jsonAnswers,
  ntfyAnswers,
  type OfferAnswers,
  type OfferedAnswers,
  openedBy,
  slackAnswers,
} from './offered-answers.ts'
import { request } from './request.ts'

type Addressed = Extract<Destination, { readonly url: string }>

export type PostAround = {
  readonly signal?: AbortSignal | undefined
  readonly offer?: OfferAnswers | undefined
}

export async function post(
  to: Addressed,
  message: Outgoing,
  { signal, offer }: PostAround = {},
): Promise<Delivery> {
  // Slack can't withdraw a message, and a second one would be another ring.
  if (message.withdrawn && to.by === 'webhook' && to.format === 'slack') return { is: 'nothing' }
  const session = to.answerAt === undefined ? undefined : askingIn(message)
  // That it can't be answered from there must not keep it from being told.
  const answers = session === undefined ? undefined : await offer?.(session, to.by).catch(() => undefined)
  const { url, body } = requestOf(to, message, answers)
  return request(url, JSON.stringify(body), { tokenFile: to.tokenFile, signal })
}

function requestOf(
  to: Addressed,
  message: Outgoing,
  answers: OfferedAnswers | undefined,
): { readonly url: string; readonly body: object } {
  const { answerAt: at = '' } = to
  const open = to.answerAt === undefined ? undefined : openedBy(message, at)
  if (to.by === 'ntfy') {
    const url = new URL(to.url)
    const topic = topicOf(to.url)
    url.pathname = url.pathname.slice(0, -topic.length)
    const body = ntfyBody(attempt(() => decodeURIComponent(topic)) ?? topic, message)
    const more = { ...defined({ click: open }), ...(answers ? ntfyAnswers(answers, at, message.text) : {}) }
    return { url: url.href, body: { ...body, ...more } }
  }
  if (to.format === 'slack') {
    // Else `<!channel>` in a folder's name would call everybody (docs.slack.dev, formatting).
    const text = escapedMarkup(`${message.title}\n${message.text}`)
    const link = open === undefined ? '' : `${answers ? ' · ' : '\n'}<${open}|Open>`
    return { url: to.url, body: { text: `${text}${answers ? slackAnswers(answers, at) : ''}${link}` } }
  }
  return {
    url: to.url,
    body: { ...message, ...defined({ open }), ...(answers ? jsonAnswers(answers, at) : {}) },
  }
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
