/** The pages of links that answer (answer-links.ts): the dialog with a button for each option, and what came of a press. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Lull } from '../../connect/connect.ts'
import { isLullError } from '../../core/lull-error.ts'
import { redact } from '../../core/redact/redact.ts'
import { oneLine } from '../../core/text/printable.ts'
import { wordOf } from '../../drive/dialog/choose-option.ts'
import type { ShownDialog } from '../../drive/dialog/shown-dialog.ts'
import { ActionRefusal } from '../api-actions.ts'
import type { ApiPorts } from '../api-ports.ts'
import { errorReply, replyOf } from '../error-reply.ts'
import { exactText, html, htmlPage } from '../html-page.ts'
import type { ApiContext, ApiEnv } from '../operations/operation.ts'
import { answerPath } from './answer-links.ts'

type Ports = Pick<ApiPorts, 'links' | 'lull' | 'actions' | 'complain'>

export function addAnswerPages(app: OpenAPIHono<ApiEnv>, { links, lull, actions, complain }: Ports): void {
  const gone = (c: ApiContext) => c.html(htmlPage('<p>This link answers nothing any more.</p>'), 410)

  /** A person reads it: a failure is a sentence, too. */
  function failed(c: ApiContext, error: unknown) {
    const reply = errorReply(error)
    if (!reply) complain(`a link that answers failed: ${(error as Error).message}`)
    const sentence = reply ? messageIn(reply.body) : 'this failed inside lull; its log has the reason'
    return c.html(notAnswered(sentence), (reply?.status ?? 500) as 500)
  }

  app.get(`${answerPath}:secret`, async c => {
    const link = links.find(c.req.param('secret'))
    if (!link) return gone(c)
    const { offer, option } = link
    try {
      // It answers nothing: what looks at links ahead of the person opens them.
      if (!(await links.isAsked(offer))) return gone(c)
    } catch (error) {
      return failed(c, error)
    }
    const { dialog, linked } = offer
    const buttons = linked.flatMap(({ place, secret }) =>
      option === undefined || option === place
        ? `<form method="post" action="${answerPath}${secret}"><button>${exactText(dialog.options[place]?.label ?? '')}</button></form>`
        : [],
    )
    const more = linked.length < dialog.options.length ? '<p>More options are at its terminal.</p>' : ''
    const folder = exactText(await folderOf(lull, offer.session))
    return c.html(
      htmlPage(
        `<p>${folder} asks:</p><pre>${exactText(dialog.rows.join('\n'))}</pre>${buttons.join('')}${more}`,
      ),
    )
  })

  app.post(`${answerPath}:secret`, async c => {
    const link = links.find(c.req.param('secret'))
    if (link?.option === undefined) return gone(c)
    const { offer, option } = link
    const { session, by, dialog } = offer
    links.use(offer)
    const label = dialog.options[option]?.label ?? ''
    const asked = {
      ...{ what: 'answer', by: `link (${by})`, session },
      text: oneLine(redact(`${label} (dialog ${dialog.id})`), 200),
      request: JSON.stringify(['link', session, dialog.id, option]),
    }
    const answer = async () => {
      try {
        await using terminal = await lull.terminal(session)
        const word = wordOf(dialog.options[option] as ShownDialog['options'][number], option)
        const { chosen, isGone } = await terminal.answer(word, { dialog: dialog.id })
        return { confirmed: isGone, chosen: [...chosen] }
      } catch (error) {
        // Another lull was typing there: nothing was pressed.
        if (isLullError(error, 'LOCKED')) links.giveBack(offer)
        throw error
      }
    }
    try {
      const { status, body } = await actions.run(asked, () => replyOf(answer))
      if (status !== 200) return c.html(notAnswered(messageIn(body)), status as 409)
      const sentence =
        body.confirmed === true
          ? `Answered: ${label}`
          : `Chosen: ${label}. Whether the agent took it is not known.`
      return c.html(htmlPage(`<p>${exactText(sentence)}</p>`))
    } catch (error) {
      if (error instanceof ActionRefusal && error.code === 'NOT_RECORDED') links.giveBack(offer)
      return failed(c, error)
    }
  })
}

const notAnswered = (why: string): string => htmlPage(`<p>${html(`It was not answered: ${why}`)}</p>`)

async function folderOf(lull: Pick<Lull, 'find'>, session: string): Promise<string> {
  const found = await lull.find(session).catch(() => undefined)
  return oneLine([found?.name ?? found?.agent ?? 'An agent', found?.cwd].filter(Boolean).join(' in '), 300)
}

const messageIn = (body: Readonly<Record<string, unknown>>): string => {
  const { error } = body as { readonly error?: { readonly message?: unknown } }
  return typeof error?.message === 'string' ? error.message : 'it was refused'
}
