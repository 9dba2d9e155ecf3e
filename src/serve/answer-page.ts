/** The pages of links that answer (answer-links.ts): the dialog with a button for each option, and what came of a press. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Lull } from '../connect/connect.ts'
import { redact } from '../core/redact/redact.ts'
import { oneLine } from '../core/text/printable.ts'
import { wordOf } from '../drive/dialog/choose-option.ts'
import type { ShownDialog } from '../drive/dialog/shown-dialog.ts'
import { answerPath, shownAt } from './answer-links.ts'
import type { ApiPorts } from './api-ports.ts'
import { replyOf } from './error-reply.ts'
import { html, htmlPage } from './html-page.ts'
import type { ApiContext, ApiEnv } from './operations/operation.ts'

export function addAnswerPages(app: OpenAPIHono<ApiEnv>, { links, lull, actions }: ApiPorts): void {
  const gone = (c: ApiContext) => c.html(htmlPage('<p>This link answers nothing any more.</p>'), 410)

  app.get(`${answerPath}:secret`, async c => {
    const link = links.find(c.req.param('secret'))
    if (!link) return gone(c)
    const { offer, option } = link
    // It answers nothing: what looks at links ahead of the person opens them.
    if ((await shownAt(lull, offer.session))?.id !== offer.dialog.id) return gone(c)
    const buttons = offer.dialog.options.flatMap(({ label }, place) =>
      option === undefined || option === place
        ? `<form method="post" action="${answerPath}${offer.secrets[place]}"><button>${html(label)}</button></form>`
        : [],
    )
    const folder = html(await folderOf(lull, offer.session))
    return c.html(
      // It breaks long lines, where other elements would let their end stand beyond the edge.
      htmlPage(
        `<p>${folder} asks:</p><textarea readonly cols="40" rows="${Math.min(offer.dialog.rows.length + 4, 40)}">\n${html(offer.dialog.rows.join('\n'))}</textarea>${buttons.join('')}`,
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
      await using terminal = await lull.terminal(session)
      const word = wordOf(dialog.options[option] as ShownDialog['options'][number], option)
      const { chosen, isGone } = await terminal.answer(word, { dialog: dialog.id })
      return { confirmed: isGone, chosen: [...chosen] }
    }
    const { status, body } = await actions.run(asked, () => replyOf(answer))
    const sentence =
      status !== 200
        ? `It was not answered: ${messageIn(body)}`
        : body.confirmed === true
          ? `Answered: ${label}`
          : `Chosen: ${label}. Whether the agent took it is not known.`
    return c.html(htmlPage(`<p>${html(sentence)}</p>`), status as 200)
  })
}

async function folderOf(lull: Pick<Lull, 'find'>, session: string): Promise<string> {
  const found = await lull.find(session).catch(() => undefined)
  return oneLine([found?.name ?? found?.agent ?? 'An agent', found?.cwd].filter(Boolean).join(' in '), 300)
}

const messageIn = (body: Readonly<Record<string, unknown>>): string => {
  const { error } = body as { readonly error?: { readonly message?: unknown } }
  return typeof error?.message === 'string' ? error.message : 'it was refused'
}
